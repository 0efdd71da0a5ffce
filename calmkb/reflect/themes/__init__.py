"""Themes of friction: the lessons of all sessions.

Read `themes`.
"""
