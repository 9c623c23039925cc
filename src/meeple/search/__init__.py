"""One search a module, each generic over games."""
