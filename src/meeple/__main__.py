"""`python -m meeple` is the command."""

from meeple.cli.main import main

main()
