"""The conformance suite: every law of the contract, run over random matches of any registered game.

law.py      what a law is
offers.py, texts.py, secrets.py, matches.py   the laws, one small function each, by what they look at
laws.py     their table, which `meeple check --list` prints
probe.py    what a law is handed: a state, the match that led there, and guarded ways to ask the rules
heuristic_laws.py, asked.py   the laws of heuristics, and what those are handed
exchange.py, pairs.py   the law of sampling: nothing tells redealt worlds from true ones
worlds.py   all worlds that a seat cannot tell apart, counted exactly
trace.py    a match as digests, to hold compiled code to interpreted
suite.py    the walk: matches of every variant, each state, event and end put to the laws
"""
