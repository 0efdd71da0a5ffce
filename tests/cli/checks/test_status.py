"""The status line's parts, from the files of the state folder and the client's input."""

import json

import pytest

from calmkb.kb.status import status_parts
from calmkb.store.local.notices import CONTINUATIONS, EXPORTS, note


@pytest.fixture
def state(tmp_path, monkeypatch):
    """Return a state folder with a signal and notices for the project shop, which is here."""
    folder = tmp_path / "state"
    folder.mkdir()
    rows = [{"id": f"S-{n}", "status": s} for n, s in enumerate(("captured", "dismissed"))]
    lines = [json.dumps(row) for row in rows]
    (folder / "signals.jsonl").write_text("\n".join([*lines, "broken {captured"]) + "\n")
    note(folder, CONTINUATIONS, "shop", "Move the tests.")
    note(folder, EXPORTS, "shop", "CLAUDE.md was edited by hand")
    (tmp_path / "shop").mkdir()
    monkeypatch.chdir(tmp_path / "shop")
    return folder


SIGNALS = "reflect: 1 pending"
SHOP = [SIGNALS, "continue: Move the tests.", "export: CLAUDE.md was edited by hand"]


@pytest.mark.parametrize(
    ("payload", "parts"),
    [
        (b"", SHOP),
        (b"not json", SHOP),
        (b"{}", SHOP),
        (b"[1]", SHOP),
        (b'{"cwd": "/work/shop"}', SHOP),
        (b'{"cwd": "/work/till"}', [SIGNALS]),
        (b'{"cwd": null}', SHOP),
        (b'{"workspace": {"project_dir": "/srv/shop"}, "cwd": "/srv/till"}', SHOP),
        (b'{"workspace": {"project_dir": "/srv/till"}, "cwd": "/srv/shop"}', [SIGNALS]),
        (b'{"workspace": {}}', SHOP),
        (b'{"workspace": 7}', SHOP),
        (b'{"cwd": "/srv/sh\xff"}', SHOP),
    ],
)
def test_the_project_is_the_one_that_the_client_names_else_the_folder(state, payload, parts):
    assert status_parts({"REFLECTIONS_DIR": str(state)}, payload) == parts


@pytest.mark.parametrize("content", [None, b"", b"\n", b'{"id": "S", "status": "promoted"}\n'])
def test_nothing_is_shown_where_nothing_is_pending(tmp_path, content):
    if content is not None:
        (tmp_path / "signals.jsonl").write_bytes(content)
    assert status_parts({"REFLECTIONS_DIR": str(tmp_path)}, b"") == []


@pytest.mark.parametrize("name", ["continuations.json", "exports.json"])
@pytest.mark.parametrize("broken", [b"", b"[]", b"{", b'{"shop": 3}', b"\xff"])
def test_a_broken_notice_is_left_out(state, name, broken):
    (state / name).write_bytes(broken)
    left = [part for part in SHOP if not part.startswith(name[:3])]
    assert status_parts({"REFLECTIONS_DIR": str(state)}, b"") == left
