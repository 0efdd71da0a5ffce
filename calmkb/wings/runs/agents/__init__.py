"""Agents do the work of a run and report it to a sink.

Read `base` first; `command` runs a program and translates its output.
"""
