"""Opening a run journal: its tables step by step, its address, and what it says when it cannot."""

import asyncio
import os
import sqlite3
import subprocess
import sys
from pathlib import Path

import pytest
from alembic import command
from alembic.autogenerate import compare_metadata
from alembic.config import Config
from alembic.migration import MigrationContext
from alembic.script import ScriptDirectory
from sqlalchemy import event, text

from calmkb.errors import ConfigError, StoreError
from calmkb.wings.runs.addresses import database_url, shown
from calmkb.wings.runs.store import migrations
from calmkb.wings.runs.store.opening import database_at
from calmkb.wings.runs.store.store import open_journal
from calmkb.wings.runs.store.tables import METADATA, VERSION_TABLE
from tests.wings.runs.conftest import postgres_url
from tests.wings.runs.store.test_store import begun

pytestmark = pytest.mark.anyio


@pytest.fixture(params=["sqlite", "postgresql"])
def empty_url(request, tmp_path):
    """Return the address of a database without tables."""
    if request.param == "sqlite":
        yield f"sqlite:///{tmp_path / 'deep' / 'er' / 'runs.sqlite'}"
        return
    server = request.getfixturevalue("postgres")
    name = server.new_database()
    yield postgres_url(server, name)
    server.drop(name)


async def run_in(url, work):
    database = database_at(url)
    found = await database.write(work)
    await database.close()
    return found


async def test_the_steps_lead_to_the_tables_that_the_program_uses(empty_url):
    await (await open_journal(empty_url)).close()

    def compare(connection):
        seen = MigrationContext.configure(
            connection, opts={"compare_type": True, "compare_server_default": True,
                              "version_table": VERSION_TABLE},
        )  # fmt: skip
        return compare_metadata(seen, METADATA), migrations.version_of(connection)

    assert await run_in(empty_url, compare) == ([], migrations.HEAD)


def test_the_newest_step_is_the_one_the_program_names():
    assert ScriptDirectory(str(Path(migrations.__file__).parent)).get_heads() == [migrations.HEAD]


async def test_many_who_open_at_once_make_the_tables_once(empty_url):
    opened = await asyncio.gather(*(open_journal(empty_url) for _ in range(5)))
    run = await begun(opened[0])
    for journal in opened:
        assert await journal.get_run(run.id) == run
        await journal.close()


def test_processes_that_open_at_once_make_the_tables_once(empty_url):
    code = (
        "import asyncio, sys\nfrom calmkb.wings.runs.store.store import open_journal\n"
        "async def main():\n"
        "    journal = await open_journal(sys.argv[1])\n"
        "    await journal.create_session('coding')\n"
        "    await journal.close()\n"
        "sys.stdin.read()\nasyncio.run(main())\n"
    )
    started = [
        subprocess.Popen([sys.executable, "-c", code, empty_url], stdin=subprocess.PIPE)
        for _ in range(2)
    ]
    for one in started:
        one.stdin.close()
    assert [one.wait(60) for one in started] == [0, 0]


async def test_a_journal_of_the_first_version_is_brought_up_to_date_with_all_in_it(empty_url):
    old = await open_journal(empty_url)
    run = await begun(old)
    entry = await old.append(run.id, "text", {"text": "kept"})
    ended = await old.finish_run(run.id, "completed", result={"message": "Done."})
    await old.close()

    def step_back(connection):
        config = Config()
        config.set_main_option("script_location", str(Path(migrations.__file__).parent))
        config.attributes["connection"] = connection
        command.downgrade(config, "0001")
        return migrations.version_of(connection)

    assert await run_in(empty_url, step_back) == "0001"
    journal = await open_journal(empty_url)
    assert await journal.get_run(run.id) == ended
    assert await journal.entries(run.id) == [entry]
    again = await journal.start_run(run.session_id, "Go on.", project="shop")
    await journal.set_usage(again.id, {"inputTokens": 3})
    assert (await journal.get_run(again.id)).usage == {"inputTokens": 3}
    await journal.close()


async def test_tables_of_a_newer_program_are_refused_with_the_fix(journal_url):
    await (await open_journal(journal_url)).close()
    change = text(f"UPDATE {VERSION_TABLE} SET version_num = '9999'")  # noqa: S608
    await run_in(journal_url, lambda connection: connection.execute(change))
    with pytest.raises(StoreError, match=r"newer calmkb.*9999.*install a newer calmkb"):
        await open_journal(journal_url)


@pytest.mark.parametrize(
    ("asked", "index"),
    [
        (lambda j, r: j.list_sessions(limit=5), "run_sessions_by_time"),
        (lambda j, r: j.list_sessions(status="active"), "run_sessions_by_status"),
        (lambda j, r: j.list_sessions(agent_type="coding"), "run_sessions_by_agent"),
        (lambda j, r: j.list_runs(r.session_id), "runs_in_order"),
        (lambda j, r: j.entries(r.id, after=3, limit=5), "run_entries_in_order"),
    ],
    ids=["sessions", "by status", "by agent", "runs", "entries"],
)
async def test_every_list_is_read_by_an_index(journal, asked, index):
    run = await begun(journal)
    for _ in range(9):
        await journal.append(run.id, "text", {})
    seen = []

    def keep(_connection, _cursor, statement, parameters, *_rest):
        seen.append((statement, parameters))

    event.listen(journal._database.engine, "before_cursor_execute", keep)
    await asked(journal, run)
    event.remove(journal._database.engine, "before_cursor_execute", keep)
    statement, parameters = seen[-1]

    def explain(connection):
        if connection.dialect.name == "sqlite":
            return connection.exec_driver_sql(f"EXPLAIN QUERY PLAN {statement}", parameters).all()
        # With a handful of rows reading all of them is cheaper; asked is whether it could.
        for way in ("seqscan", "sort", "bitmapscan"):
            connection.exec_driver_sql(f"SET enable_{way} = off")
        return connection.exec_driver_sql(f"EXPLAIN {statement}", parameters).all()

    told = "\n".join(map(str, await journal._database.read(explain)))
    assert index in told and "TEMP B-TREE" not in told and "Sort" not in told


async def test_a_locked_file_is_told_and_nothing_is_half_written(tmp_path):
    file = tmp_path / "runs.sqlite"
    journal = await open_journal(f"sqlite:///{file}?timeout=0.05")
    run = await begun(journal)
    holder = sqlite3.connect(file, isolation_level=None)
    holder.execute("BEGIN IMMEDIATE")
    with pytest.raises(StoreError, match=r"runs\.sqlite.*locked; another program holds it"):
        await journal.append(run.id, "text", {})
    holder.close()
    assert (await journal.append(run.id, "text", {})).sequence_number == 1
    await journal.close()


async def test_a_full_disk_is_told_and_nothing_is_half_written(tmp_path):
    journal = await open_journal(f"sqlite:///{tmp_path / 'runs.sqlite'}")
    run = await begun(journal)

    def small(connection, _record, _proxy):
        cursor = connection.cursor()
        cursor.execute("PRAGMA max_page_count=40")
        cursor.close()

    event.listen(journal._database.engine.pool, "checkout", small)
    with pytest.raises(StoreError, match="full; free some space"):
        for _ in range(40):
            await journal.append(run.id, "text", {"x": "y" * 9_000})
    event.remove(journal._database.engine.pool, "checkout", small)
    kept = [entry.sequence_number for entry in await journal.entries(run.id)]
    assert kept == list(range(1, len(kept) + 1))
    await journal.close()


@pytest.mark.parametrize(
    ("content", "said"),
    [(b"no database at all\n" * 99, "not a database"), (None, "unable to open")],
)
async def test_a_file_that_is_no_database_is_told(tmp_path, content, said):
    file = tmp_path / "runs.sqlite"
    file.write_bytes(content) if content else file.mkdir()
    with pytest.raises(StoreError, match=said):
        await open_journal(f"sqlite:///{file}")


async def test_a_folder_that_cannot_be_made_is_told(tmp_path):
    (tmp_path / "file").touch()
    with pytest.raises(StoreError, match=r"runs\.sqlite"):
        await open_journal(f"sqlite:///{tmp_path / 'file' / 'runs.sqlite'}")


async def test_a_server_that_is_not_there_is_told_without_its_password(tmp_path):
    url = database_url("postgres://ada:hunter2%40x@127.0.0.1:1/runs?sslpassword=s3", tmp_path)
    with pytest.raises(StoreError) as refused:
        await open_journal(url)
    assert "ada:***@127.0.0.1:1/runs" in str(refused.value)
    assert "hunter2" not in str(refused.value) and "s3" not in str(refused.value)


@pytest.mark.parametrize("url", ["sqlite://", "sqlite:///:memory:", "nonsense"])
async def test_an_address_that_holds_no_journal_is_refused(url):
    with pytest.raises(ConfigError):
        await open_journal(url)


def test_an_address_is_what_a_person_gave_and_shown_without_passwords(tmp_path):
    assert database_url("", tmp_path) == f"sqlite:///{tmp_path / 'runs.sqlite'}"
    assert database_url("postgres://h/d", tmp_path) == "postgresql+psycopg://h/d"
    assert database_url("sqlite:///x", tmp_path) == "sqlite:///x"
    for refused in ("mysql://h/d", "sqlite://", "sqlite:///:memory:"):
        with pytest.raises(ConfigError):
            database_url(refused, tmp_path)
    assert shown("postgres://u:p@ss:w@h:5/d?x=1") == "postgres://u:***@h:5/d?x=1"
    assert shown("postgres://u@h/d?password=p&x=1") == "postgres://u@h/d?password=***&x=1"
    assert shown("postgres://u:pw@[h/d") == "postgres://…"


@pytest.mark.parametrize(("module", "unwanted"), [
    ("calmkb.cli", {"sqlalchemy", "alembic", "psycopg"}),
    ("calmkb.wings.runs.store.store", {"urllib.request", "http.client"}),
])  # fmt: skip
def test_a_module_does_not_load_what_only_others_use(module, unwanted):
    code = f"import sys, {module}\nprint(sorted({unwanted} & set(sys.modules)))"
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True, env=os.environ
    )
    assert done.stdout == "[]\n"


def test_an_engine_shows_nobody_what_was_written(tmp_path):
    assert database_at(f"sqlite:///{tmp_path / 'x'}").engine.hide_parameters
