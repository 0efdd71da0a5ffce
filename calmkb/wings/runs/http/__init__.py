"""The run journal over HTTP: sessions and runs as JSON, entries live, pages for people.

Read `routes` first, then `bodies`; `app` puts everything together, and `server` serves it.
"""
