"""What a game is, and all that follows from its rules alone."""
