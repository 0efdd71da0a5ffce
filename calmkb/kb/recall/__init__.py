"""Recall: at most two approved memories told to an agent at the prompt that they are about.

Read `recall` first; `calmkb.recall` is what the client runs.
"""
