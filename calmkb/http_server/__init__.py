"""What every HTTP server of calmkb puts before its application: run journal and MCP.

Read `guard` first: who may ask.
"""
