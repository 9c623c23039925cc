"""Tic-tac-toe: small enough to be counted whole, so the counting harness is held to it."""
