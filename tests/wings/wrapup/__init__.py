"""Agents that write their own sessions down."""
