"""Runs in the formats of other tools.

Read `otlp` first: spans for an OpenTelemetry collector; `ag_ui` are live events for AG-UI clients.
"""
