"""The run journal on SQLAlchemy: SQLite or PostgreSQL.

Read `tables` first, then `store`; `tail` follows a run live.
"""
