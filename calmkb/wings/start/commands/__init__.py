"""`calmkb start` at the terminal."""
