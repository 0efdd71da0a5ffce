"""The tools that a model sees, a module for each part of a knowledge base.

Read `memory_tools` first; each module ends with its `TOOLS`.
"""
