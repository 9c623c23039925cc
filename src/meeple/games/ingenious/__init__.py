"""Ingenious for one to four, and for two teams of two."""
