"""Git and files: the only rooms that touch a knowledge base on disk."""
