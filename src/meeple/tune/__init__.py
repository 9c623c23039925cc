"""Settings and weights chosen by games: `meeple tune`.

It stands above arena, whose workers play the games, and below lab, whose papers tune too.
"""
