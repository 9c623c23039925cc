"""Saboteur: hidden roles, 3 to 10 players, three rounds."""
