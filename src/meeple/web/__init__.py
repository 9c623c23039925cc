"""The web page: tables to play, watch and replay at. It is sent a seat's view and its clicks, and knows no rule."""
