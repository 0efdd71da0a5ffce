"""Sentence embeddings, where the [semantic] extra is installed. Read `minilm` first."""

MODEL = "minilm-int8"
"""The name that vectors are kept by. Another model file takes another: vectors never mix."""
