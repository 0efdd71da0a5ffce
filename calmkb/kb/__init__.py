"""The verbs of a knowledge base: the one room that knows all crafts."""
