"""Approved memories held against what agents do."""
