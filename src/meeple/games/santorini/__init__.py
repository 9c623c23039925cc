"""Santorini, the base game for two."""
