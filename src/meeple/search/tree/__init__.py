"""The trees of Monte Carlo tree search, and the compiled loop that grows them."""
