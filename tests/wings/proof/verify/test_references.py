"""What a text refers to, and what only looks like it."""

import pytest

from calmkb.wings.proof.anchors.references import references
from calmkb.wings.proof.anchors.runners import ANY, declared
from calmkb.wings.proof.anchors.symbols import definitions


def test_links_blocks_and_bare_paths_are_found_with_their_lines() -> None:
    text = """# Notes

See [the guide](docs/guide.md#setup) and [the web](https://example.org/x.md),
or src/payments/client.ts, in plain words.

```sh
# a comment
make test
./scripts/deploy.sh
```

```console
$ npm run lint
make-believe output of src/never.ts
```

```python
open("data/never.csv")
```
"""
    found = [(one.kind, one.shown, one.line) for one in references(text)]
    assert found == [
        ("link", "docs/guide.md", 3),
        ("path", "src/payments/client.ts", 4),
        ("command", "make test", 8),
        ("path", "scripts/deploy.sh", 9),
        ("command", "run lint", 13),
    ]


def test_what_could_move_a_terminal_is_not_taken_up() -> None:
    assert references("[x](a%1b%5b2Jb.md) and `make te\x1bst`\n") == []


RUNNERS = {
    ("Makefile", "test: build\n\techo no:t\nlint types:\n\tx\nX := 1\n"): {
        "make": {"test", "lint", "types"}
    },
    ("Makefile", "READY := .venv/.ready\n$(READY): x\n$(OUT)/a:\nall: $(READY)\n%.o: %.c\n"): {
        "make": {".venv/.ready", "all", "*.o"}
    },
    ("Makefile", "$(NAMES): x\n"): {"make": {ANY}},
    ("Makefile", "include more.mk\nall:\n"): {"make": {"all", ANY}},
    ("web/package.json", '{"scripts": {"build:prod": "x"}}'): {"script": {"build:prod"}},
    ("package.json", "{broken"): {"script": {ANY}},
    ("justfile", "set shell := ['sh']\nalias t := test\ntest name='x': build\n  x\n@fmt:\n  y\n"): {
        "just": {"t", "test", "fmt"}
    },
    ("Taskfile.yml", "tasks:\n  gen: x\n  lint:\n    aliases: [l]\n"): {
        "task": {"gen", "lint", "l"}
    },
    ("mise.toml", '[tasks."test:ci"]\nrun = "x"\nalias = "tc"\n'): {"mise": {"test:ci", "tc"}},
    ("mise-tasks/test/unit.sh", ""): {"mise": {"test:unit"}},
    ("pyproject.toml", '[tool.poe.tasks]\ncheck = "x"\n'): {"poe": {"check"}},
    ("tox.ini", "[tox]\nenv_list = py312, lint\n[testenv:docs]\n"): {
        "tox": {"py312", "lint", "docs"}
    },
    ("noxfile.py", "@nox.session\ndef tests(session): ...\n"): {"nox": {"tests"}},
}


@pytest.mark.parametrize(("file", "expected"), RUNNERS.items())
def test_a_task_file_declares(file: tuple[str, str], expected: dict[str, set[str]]) -> None:
    assert declared(dict([file])) == expected


SOURCES = {
    "a.py": ("LIMIT = 1\nclass A:\n    def b(self): ...\n", "LIMIT A b"),
    "a.ts": ("export const f = () => 1\nclass B { m() {} }\ntype T = string\n", "f B m T"),
    "a.jsx": ("const F = () => <p/>\nfunction g() {}\n", "F g"),
    "a.go": ("package a\ntype T struct{ F int }\nfunc (t T) M() {}\nconst C = 1\n", "T F M C"),
    "a.rs": ("struct S; impl S { fn m(&self) {} }\nconst C: u8 = 1;\n", "S m C"),
    "A.java": ("class A { static final int C = 1; void m() {} }\n", "A C m"),
    "a.sh": ("up() { echo; }\n", "up"),
}


@pytest.mark.parametrize("path", SOURCES)
def test_a_source_file_defines(path: str) -> None:
    text, names = SOURCES[path]
    assert set(names.split()) <= set(definitions(path, text) or ())


def test_a_definition_is_its_own_text() -> None:
    found = definitions("a.py", "def a():\n    return 1\n\n\ndef b():\n    return 2\n")
    assert found == {"a": "def a():\n    return 1", "b": "def b():\n    return 2"}
    assert definitions("a.unknown", "x") is None


def test_a_file_of_plus_signs_is_read_at_once() -> None:
    assert references("\n\n".join(["+" * 100_000, "a+" * 50_000])) == []
