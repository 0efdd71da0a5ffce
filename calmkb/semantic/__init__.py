"""Sentence embeddings, where the [semantic] extra is installed.

Read `models` first (`find_model`): a model is a module and a line there.
"""
