"""Who plays: a policy or a search with settings, named by a spec."""
