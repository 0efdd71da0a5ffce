"""`calmkb verify` on repositories whose code moved on and whose instructions did not."""

import json
from collections.abc import Sequence
from pathlib import Path

import pytest
from click.testing import CliRunner

from calmkb.cli.base.common import run
from calmkb.cli.root import calmkb
from calmkb.wings.proof.verbs.verify.files import without_ours
from tests.conftest import git

CLAUDE = """# Project

- The payment client lives in `src/payments/client.ts`; call `refund()` there.
- Run `make lint` before you commit, then `npm run e2e`.
- Errors are raised as `NewSilentError`, see `src/errors.py:wrap`.
- Read [the guide](docs/guide.md).
- Write new tests like `tests/test_something.py`.
"""


@pytest.fixture
def shop(repo: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A repository whose CLAUDE.md is true."""
    files = {
        "CLAUDE.md": CLAUDE,
        "src/payments/client.ts": "export function refund() { return 1 }\n" * 5,
        "src/errors.py": "class NewSilentError(Exception): ...\n\n\ndef wrap(): ...\n",
        "docs/guide.md": "# Guide\n",
        "tests/test_pay.py": "def test_pay(): ...\n",
        "Makefile": "lint:\n\truff check\n\ntest:\n\tpytest\n",
        "package.json": '{"scripts": {"e2e": "playwright test", "start": "vite"}}\n',
    }
    for path, text in files.items():
        (repo / path).parent.mkdir(parents=True, exist_ok=True)
        (repo / path).write_text(text)
    commit(repo, "Begin the shop")
    monkeypatch.chdir(repo)
    return repo


def commit(repo: Path, subject: str) -> None:
    git(repo, "add", "-A")
    git(repo, "commit", "-qm", subject)


def verify(*args: str) -> tuple[int, str]:
    """Return the exit code and what was printed."""
    with CliRunner().isolation() as (out, errors, _):
        code = run(calmkb, ["verify", *args])
        return code, (out.getvalue() + errors.getvalue()).decode()


def problems(*args: str) -> Sequence[tuple[int, str, str]]:
    rows = json.loads(verify("--format", "json", *args)[1])["findings"]
    return [(row["line"], row["rule"], row["message"]) for row in rows]


def rules(*args: str) -> list[tuple[int, str]]:
    return [(line, rule) for line, rule, _ in problems(*args)]


def test_instructions_that_are_true_pass(shop: Path) -> None:
    assert verify() == (0, "0 problems: 8 references in 1 file\n")


def test_a_file_that_moved_is_followed(shop: Path) -> None:
    (shop / "src/billing").mkdir()
    git(shop, "mv", "src/payments/client.ts", "src/billing/client.ts")
    commit(shop, "Call it billing")
    git(shop, "mv", "src/billing", "src/money")
    commit(shop, "Call it money")
    [(line, rule, message)] = problems()
    assert (line, rule) == (3, "moved-path")
    assert "is now `src/money/client.ts`" in message
    assert "Call it money" in message


def test_a_file_that_is_gone_names_the_commit(shop: Path) -> None:
    git(shop, "rm", "-q", "docs/guide.md")
    commit(shop, "Drop the guide")
    [(line, rule, message)] = problems()
    assert (line, rule) == (6, "gone-path")
    assert "Drop the guide" in message
    assert verify()[0] == 1


def test_an_empty_file_did_not_become_another_empty_one(shop: Path) -> None:
    (shop / "docs/guide.md").write_text("")
    commit(shop, "Empty the guide")
    git(shop, "rm", "-q", "docs/guide.md")
    (shop / "web").mkdir()
    (shop / "web/.gitkeep").write_text("")
    commit(shop, "Drop the guide")
    assert rules() == [(6, "gone-path")]


def test_targets_scripts_and_names_that_are_gone_are_told(shop: Path) -> None:
    (shop / "Makefile").write_text("lint-all:\n\truff check\n")
    (shop / "package.json").write_text('{"scripts": {"start": "vite"}}\n')
    (shop / "src/errors.py").write_text("class Quiet(Exception): ...\n")
    commit(shop, "Rename")
    assert rules() == [
        (4, "gone-command"),
        (4, "gone-command"),
        (5, "gone-name"),
        (5, "gone-name"),
    ]


def test_work_that_is_not_committed_counts(shop: Path) -> None:
    (shop / "docs/guide.md").unlink()
    assert rules() == [(6, "gone-path")]


def test_what_the_repository_ignores_or_the_disk_holds_is_there(shop: Path) -> None:
    (shop / ".gitignore").write_text("dist/\n.env\n")
    (shop / "AGENTS.md").write_text("Built into [dist](dist/app.js); [settings](.env).\n")
    commit(shop, "Say what is built")
    assert rules() == []


def test_a_line_that_says_that_something_is_gone_is_true(shop: Path) -> None:
    git(shop, "rm", "-q", "docs/guide.md")
    text = (shop / "CLAUDE.md").read_text()
    (shop / "CLAUDE.md").write_text(text.replace("Read [the", "We removed [the"))
    commit(shop, "Drop the guide")
    assert rules() == []


def test_what_never_was_is_told_where_it_can_hardly_be_an_example(shop: Path) -> None:
    with (shop / "CLAUDE.md").open("a") as file:
        file.write("- Refunds are in `src/payments/refunds.ts`.\n- Run `make lnit` first.\n")
        file.write("- Create a file like `src/payments/other.ts`.\n- Either `and/or` is fine.\n")
    commit(shop, "Say more")
    assert rules() == [(8, "unknown-path"), (9, "unknown-command")]
    assert verify()[0] == 0
    assert verify("--strict")[0] == 1


def test_only_what_a_branch_breaks_is_told_since_its_base(shop: Path) -> None:
    git(shop, "rm", "-q", "docs/guide.md")
    commit(shop, "Drop the guide")
    git(shop, "switch", "-qc", "feature")
    git(shop, "rm", "-q", "src/errors.py")
    commit(shop, "Drop the errors")
    assert rules("--since", "main") == [(5, "gone-name"), (5, "gone-path")]
    assert rules("--at", "main") == [(6, "gone-path")]


def test_any_file_can_be_named_and_nested_instructions_are_found(shop: Path) -> None:
    (shop / "web").mkdir()
    (shop / "web/AGENTS.md").write_text("Start in `main.ts`, and see `../docs/guide.md`.\n")
    (shop / "web/main.ts").write_text("start()\n")
    (shop / "README.md").write_text("See [how](docs/how.md).\n")
    commit(shop, "Add the web")
    assert rules() == []
    assert rules("README.md") == [(1, "broken-link")]
    git(shop, "rm", "-q", "web/main.ts")
    assert rules() == [(1, "gone-path")]


def test_the_managed_block_is_not_a_persons_words(shop: Path) -> None:
    with (shop / "CLAUDE.md").open("a") as file:
        file.write("<!-- calmkb:begin -->\nSee `src/payments/none.ts`.\n<!-- calmkb:end -->\n")
    assert rules() == []


def test_of_a_line_without_end_the_first_5000_characters_are_read() -> None:
    assert without_ours(f"{'a' * 9_000}\nb") == f"{'a' * 5_000}\nb"


def test_annotations_stand_beside_the_line_of_a_pull_request(shop: Path) -> None:
    git(shop, "rm", "-q", "docs/guide.md")
    shown = verify("--format", "github")[1]
    assert shown.startswith("::error file=CLAUDE.md,line=6,title=gone-path::")


@pytest.mark.parametrize(
    ("args", "words"),
    [
        (("none.md",), "none.md is not a file here"),
        (("../outside.md",), "is not in the repository"),
        (("--at", "no-such"), "no-such is not a commit"),
        (("--since", "-x"), "-x is not a commit"),
    ],
)
def test_what_cannot_be_looked_at_is_named(shop: Path, args: tuple[str, ...], words: str) -> None:
    code, said = verify(*args)
    assert code == 1
    assert words in said


def test_a_folder_without_a_repository_is_an_error(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    code, said = verify()
    assert code == 1
    assert "is in no git repository" in said


def test_a_hostile_repository_runs_nothing(shop: Path, tmp_path: Path) -> None:
    """Neither a diff program, nor a text conversion, nor a filter of its settings."""
    ran = tmp_path / "ran"
    (shop / ".gitattributes").write_text("* diff=evil filter=evil\n")
    for key in ("diff.evil.textconv", "diff.evil.command", "filter.evil.clean", "diff.external"):
        git(shop, "config", key, f"touch {ran}; cat")
    git(shop, "rm", "-q", "--cached", "docs/guide.md")
    (shop / "docs/guide.md").unlink()
    (shop / "CLAUDE.md").write_text(CLAUDE + "\nMore.\n")
    ran.unlink(missing_ok=True)
    assert rules() == [(6, "gone-path")]
    assert not ran.exists()


def test_any_file_that_a_glob_means_may_hold_the_name(shop):
    for place in ("lib", "app", "src/a", "src/b"):
        (shop / place).mkdir(parents=True, exist_ok=True)
        (shop / place / "models.py").write_text("class Common: ...\n")
    (shop / "src/b/models.py").write_text("class Special: ...\n")
    (shop / "CLAUDE.md").write_text("Use `*/models.py:Special` and `lib/*.py:Common` only.\n")
    commit(shop, "Say where the models are")
    assert problems() == []
    (shop / "src/b/models.py").write_text("class Other: ...\n")
    commit(shop, "Drop a model")
    assert ["Special" in message for _, _, message in problems()] == [True]


def test_a_skill_of_other_projects_is_left_out_unless_it_is_named(shop: Path) -> None:
    skill = ".claude/skills/web/SKILL.md"
    (shop / skill).parent.mkdir(parents=True)
    (shop / skill).write_text("See `docs/guide.md`, `app/page.tsx` and `app/layout.tsx`.\n")
    commit(shop, "Install a skill")
    git(shop, "rm", "-q", "docs/guide.md")
    code, said = verify()
    assert code == 1
    assert f"1 file of other projects left out (calmkb verify {skill})" in said
    assert rules(skill) == [(1, "gone-path")]


def test_a_template_for_other_projects_is_left_out_but_not_one_that_held(shop: Path) -> None:
    template = "kits/web/CLAUDE.md"
    (shop / template).parent.mkdir(parents=True)
    names = ", ".join(f"`docs/{name}.md`" for name in ("api", "data", "auth", "jobs", "mail", "ui"))
    (shop / template).write_text(f"Read {names}.\n")
    (shop / "docs/mail.txt").write_text("Mail\n")
    commit(shop, "Add a kit")
    assert f"(calmkb verify {template})" in verify()[1]
    (shop / template).write_text(f"Read {names} and `docs/guide.md`.\n")
    commit(shop, "Name the guide")
    git(shop, "rm", "-q", "docs/guide.md")
    assert "gone-path" in {rule for _, rule in rules(template)}
    assert f"(calmkb verify {template})" not in verify()[1]


def test_data_that_never_was_here_is_a_programs_to_make(shop: Path) -> None:
    (shop / "CLAUDE.md").write_text("Read `docs/state.json`, then `docs/stat.md`.\n")
    commit(shop, "Say what to read")
    assert [message for _, _, message in problems()] == ["names `docs/stat.md`, which is not here"]


def test_what_moved_beside_hidden_instructions_is_where_they_say(shop: Path) -> None:
    files = {
        ".claude/skills/review/rubric.md": "# Review\n",
        "kit/.claude/agents/reviewer.md": "Read `.claude/skills/review/rubric.md`.\n",
    }
    for path, text in files.items():
        (shop / path).parent.mkdir(parents=True, exist_ok=True)
        (shop / path).write_text(text)
    commit(shop, "Add a kit")
    git(shop, "mv", ".claude/skills", "kit/.claude/skills")
    commit(shop, "Give the skills with the kit")
    assert problems() == []
