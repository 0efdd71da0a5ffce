"""The tables of the run journal, made and changed step by step, under a lock.

Read `migrate` first; each step is a module of `versions`.
"""

from pathlib import Path

from sqlalchemy import Connection, inspect, text

from calmkb.errors import StoreError
from calmkb.wings.runs.addresses import shown
from calmkb.wings.runs.store.tables import METADATA, VERSION_TABLE

HEAD = "0003"  # the newest step: what the tables of this program are at


def version_of(connection: Connection) -> str:
    """Return which step a database is at, or "" before the first one."""
    if not inspect(connection).has_table(VERSION_TABLE):
        return ""
    found = connection.execute(text(f"SELECT version_num FROM {VERSION_TABLE}"))  # noqa: S608
    return str(found.scalar() or "")


def migrate(connection: Connection) -> None:
    """Bring the tables up to date in the transaction of `connection`.

    StoreError where they are of a newer calmkb than this one.
    """
    if (version := version_of(connection)) == HEAD:
        return
    from alembic import command  # a third of a second, for the first opening alone
    from alembic.config import Config
    from alembic.script import ScriptDirectory

    config = Config()
    config.set_main_option("script_location", str(Path(__file__).parent).replace("%", "%%"))
    known = {script.revision for script in ScriptDirectory.from_config(config).walk_revisions()}
    if version and version not in known:
        place = shown(connection.engine.url.render_as_string(hide_password=False))
        raise StoreError(
            f"the run journal at {place} was made by a newer calmkb (its tables are at {version}, "
            f"this one knows {HEAD}); install a newer calmkb"
        )
    config.attributes["connection"] = connection
    if version:
        command.upgrade(config, "head")
    else:
        METADATA.create_all(connection)
        command.stamp(config, "head")
