"""The run journal over HTTP: sessions and runs as JSON, entries live, a page for people."""
