"""Measures of games from play, for any game, knowing none; `meeple stats` prints them.

trace     one game, decision by decision: whose, in which round, how many moves were on offer, how the score stood
sample    many traces, from games played now or from a store, as columns
figures   what is measured: a mean with its interval, for a ply, a round, an agent, a seat, or all together
branching, games    the measures
summary   the tables for people, and all figures for machines
    files     the same as CSV, Parquet, Markdown, HTML and drawings
"""
