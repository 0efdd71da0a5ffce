"""Keeps the sessions that clients delete, on this machine, and finds every turn of them again.

Read `keep` first.
"""
