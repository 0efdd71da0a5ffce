"""Themes of friction: texts of many sessions in groups.

Read `themes` first; `communities` finds the groups.
"""
