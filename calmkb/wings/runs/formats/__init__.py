"""Runs in the formats of other tools. Read `otlp`: spans for an OpenTelemetry collector."""
