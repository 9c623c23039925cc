"""Idle: a game in which no move matters, so that nothing can be lost by any."""
