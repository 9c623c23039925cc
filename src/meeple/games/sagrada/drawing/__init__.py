"""The parts of Sagrada's picture."""
