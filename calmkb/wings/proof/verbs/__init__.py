"""What is verified, enforced and recalled of a knowledge base.

Read `verify.memories` first.
"""
