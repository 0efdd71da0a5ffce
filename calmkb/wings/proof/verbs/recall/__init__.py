"""Recall: at most two approved memories told to an agent at the prompt that they are about.

Read `recall` first (`recalled`, `recall_preview`); the client runs the module calmkb.recall.
"""
