"""Which errors of SQLite are the moment's: the file itself is sound."""

import sqlite3

_REFUSED = {
    sqlite3.SQLITE_BUSY,
    sqlite3.SQLITE_LOCKED,
    sqlite3.SQLITE_READONLY,
    sqlite3.SQLITE_IOERR,
    sqlite3.SQLITE_FULL,
    sqlite3.SQLITE_CANTOPEN,
    sqlite3.SQLITE_PERM,
}


def is_refused(error: Exception) -> bool:
    """Return whether a file is only locked, or cannot be read or written now, but not broken."""
    return getattr(error, "sqlite_errorcode", sqlite3.SQLITE_CORRUPT) & 0xFF in _REFUSED
