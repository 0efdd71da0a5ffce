"""Pictures of a knowledge base: numbers in, inline SVG with its numbers beside it out."""
