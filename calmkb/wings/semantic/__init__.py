"""Sentence embeddings, where the [semantic] extra is installed. Read `minilm`."""
