"""The conformance suite: every law of the contract, run over random matches of any registered game.

laws.py     the laws, one small function each, in the order of the table that `meeple check --list` prints
probe.py    what a law is handed: a state, the match that led there, and guarded ways to ask the rules
worlds.py   all worlds that a seat cannot tell apart, counted exactly
trace.py    a match as digests, to hold compiled code to interpreted
suite.py    the walk: matches of every variant, each state and event put to each law
"""
