"""Where did a game go wrong, and was it luck? What each move lost, what chance gave, what nobody could know.

`analyse` judges a whole match, `analyse_position` one position; docs/analysis.md says what every number means.
"""
