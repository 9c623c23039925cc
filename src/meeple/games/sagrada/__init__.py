"""Sagrada: rules, notation, drawing and heuristics."""
