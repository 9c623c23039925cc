"""Meeple's games in other libraries: one module for each, with the library's own names.

`meeple.adapters.pettingzoo`, `meeple.adapters.gymnasium` and `meeple.adapters.openspiel` each need that library, which
the extra `adapters` brings: pip install 'meeple[adapters]'. They share `play.py`.
"""
