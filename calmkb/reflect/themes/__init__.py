"""Themes of friction: the lessons of all sessions, and what is kept about them."""
