"""Hoard: the tiny game of dice and hidden cards that the tests stand on."""
