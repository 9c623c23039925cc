"""Saboteur as a duel: the two-player race of the McGill course COMP 424."""
