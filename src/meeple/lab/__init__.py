"""Published results, run again and set beside what was printed: `meeple reproduce`."""
