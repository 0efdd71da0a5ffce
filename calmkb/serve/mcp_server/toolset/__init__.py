"""The tools that a model sees, a module for each part of a knowledge base."""
