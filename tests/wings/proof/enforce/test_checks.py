"""A check is one line that fires on what it says; the shell's patterns let all of that through."""

import json
import shutil
import subprocess
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from calmkb.capture.formats.turns import Transcript, Turn
from calmkb.errors import RecordError
from calmkb.wings.proof.enforce.checks import Call, matches_path, parse_check
from calmkb.wings.proof.enforce.compile import compile_checks
from calmkb.wings.proof.enforce.phrases import in_context
from calmkb.wings.proof.enforce.prefilter import patterns
from calmkb.wings.proof.shell_lines import simple_commands
from calmkb.wings.proof.verbs.enforce.calls import past_calls


def session(*done: str, **last) -> Call:
    """Return a call after these: commands that passed, and changes of files as `edit PATH`."""
    previous = None
    for one in done:
        path = one.removeprefix("edit ") if one.startswith("edit ") else ""
        previous = Call(command="" if path else one, path=path, previous=previous)
    return Call(previous=previous, **last)


@pytest.mark.parametrize(
    ("ends", "done", "broken"),
    [
        (True, ["edit a.py"], True),
        (True, ["edit a.py", "make lint"], False),
        (True, ["make lint", "edit a.py"], True),
        (True, ["edit a.py", "make test"], True),
        (True, ["edit README.md"], False),
        (True, [], False),
        (False, ["edit a.py"], False),
    ],
)
def test_the_end_of_a_turn_is_held_against_what_ran(ends, done, broken):
    check = parse_check("run make lint before stopping")
    assert check.is_broken_by(session(*done, ends=ends)) is broken
    assert not check.is_broken_by(session(*done, command="git commit"))


@pytest.mark.parametrize(
    ("done", "broken"),
    [
        (["edit proto/a.proto"], True),
        (["edit proto/a.proto", "make gen", "edit src/a.go"], False),
        (["edit src/a.go"], False),
        (["make gen", "edit proto/a.proto"], True),
    ],
)
def test_what_belongs_to_some_files_is_asked_for_after_a_change_of_these(done, broken):
    check = parse_check("run make gen before stopping after editing proto/**")
    assert check.is_broken_by(session(*done, ends=True)) is broken
    check = parse_check("run make gen before git commit after editing proto/**, *.tmpl")
    assert check.is_broken_by(session(*done, command="git commit -m x")) is broken


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("Always run `make lint` before you finish.", True),
        ("Run `make check` before handing over.", True),
        ("Before declaring a task done, run `make lint`.", True),
        ("Run `make lint` before completing the task.", True),
        ("Run `make lint` before finishing the release notes.", False),
        ("Run `make db` before the migration is done by hand.", False),
        ("Stop `make db` before you finish.", False),
    ],
)
def test_words_say_a_check_of_the_end_where_they_mean_all_the_work(text, said):
    found = [str(check) for check in compile_checks(text)]
    assert any(line.endswith("before stopping") for line in found) is said, found


@pytest.mark.skipif(not shutil.which("grep"), reason="needs grep")
@given(text=st.text(alphabet="abcZ09 .()[]{}*+?^$|\\/\"'#äß-_:<>&", min_size=1, max_size=20))
def test_the_pattern_of_any_text_is_found_where_the_text_is(tmp_path_factory, text):
    text = text.replace("`", "").strip()
    if not text:
        return
    words = tmp_path_factory.mktemp("grep") / "words"
    for form in ("never write", "give a reason after", "never name a variable"):
        check = parse_check(f"{form} `{' '.join(text.split())}`")
        words.write_text("".join(f"{one}\n" for one in patterns([check])))
        said = json.dumps({"content": f"a {check.what} b"}, ensure_ascii=False)
        assert subprocess.run(["grep", "-qE", "-f", words], input=said.encode()).returncode == 0


@pytest.mark.parametrize(
    ("path", "glob", "matches"),
    [
        ("generated/api/a.go", "generated/**", True),
        ("generated/api/a.go", "generated/", True),
        ("generated/a.go", "generated/*.go", True),
        ("generated/api/a.go", "generated/*.go", False),
        ("web/deep/a.go", "**/*.go", True),
        ("a.go", "**/*.go", True),
        ("web/package-lock.json", "package-lock.json", True),
        ("web/package-lock.json.bak", "package-lock.json", False),
        ("src/a.py", "./src/?.py", True),
    ],
)
def test_a_glob_is_matched_from_the_top(path, glob, matches):
    assert matches_path(path, glob) is matches


def test_text_that_was_there_before_may_stay_and_part_of_a_name_is_another_name():
    check = parse_check("never write `os.Getwd(` in **/*.go")
    new = Call(path="cmd/a.go", text="dir := os.Getwd()\n")
    assert check.is_broken_by(new)
    assert not check.is_broken_by(
        Call(path="cmd/a.go", text="dir := os.Getwd()", before="os.Getwd()")
    )
    assert not check.is_broken_by(Call(path="cmd/a.py", text="os.Getwd()"))
    assert not parse_check("never write `exec.Command`").is_broken_by(
        Call(path="a.go", text="exec.CommandContext(ctx)")
    )
    assert not parse_check("never write `exec.Command`").is_broken_by(
        Call(path="docs/a.md", text="Do not use exec.Command.")
    )


@pytest.mark.parametrize(
    ("done", "command", "broken"),
    [
        ([], "git commit -m x", False),  # nothing was changed
        (["edit a.py"], "git commit -m x", True),
        (["edit a.py", "make fmt"], "git commit -m x", True),
        (["edit a.py", "make fmt && make lint"], "git commit -m x", False),
        (["edit a.py", "make fmt", "make -s lint"], "git commit -m x", False),
        (["edit a.py", "make fmt"], "make lint && git commit -m x", False),
        (["edit a.py"], "git status", False),
        (["edit a.py"], "git add docs/a.md README.md && git commit -m x", False),
        (["edit a.py", "git add a.md"], "git commit -m x", False),
        (["edit a.py", "git add a.py && git commit -m x"], "git add a.md; git commit -m x", False),
        (["edit a.py"], "git add a.md && git commit -am x", True),
        (["edit a.py"], "git add a.md a.py && git commit -m x", True),
        (["edit a.py"], "git add -A && git commit -m x", True),
        (["edit a.py", "git add a.py"], "git add a.md && git commit -m x", True),
    ],
)
def test_an_order_is_broken_where_the_first_has_not_passed_since_a_change(done, command, broken):
    check = parse_check("run make fmt && make lint before git commit")
    assert check.is_broken_by(session(*done, command=command)) is broken


def test_text_that_has_a_place_of_its_own_is_written_nowhere_else():
    check = parse_check("never write `sqlx` outside src/db/**, migrations/**")
    assert check.is_broken_by(Call(path="src/web/a.rs", text="use sqlx;"))
    assert not check.is_broken_by(Call(path="src/db/a.rs", text="use sqlx;"))
    assert not check.is_broken_by(Call(path="Cargo.toml", text='sqlx = "1"'))


def test_a_name_that_is_set_is_not_one_that_is_compared():
    check = parse_check("never write `settings =`")
    assert check.is_broken_by(Call(path="a.py", text="settings = load()"))
    assert not check.is_broken_by(Call(path="a.py", text="if settings == other.settings:"))


@pytest.mark.parametrize(
    ("text", "broken"),
    [
        ("settings := Load()", True),
        ("settings, err := Load()", True),
        ("    err, settings = load()", True),
        ("const settings = load();", True),
        ("var settings Settings", True),
        ("s.settings = load()", False),
        ("if settings == other {", False),
        ("call(settings=load())", False),
        ("mySettings := Load()", False),
    ],
)
def test_a_variable_is_named_where_it_is_set_and_not_where_it_is_used(text, broken):
    check = parse_check("never name a variable `settings`")
    assert check.is_broken_by(Call(path="a.go", text=text)) is broken
    assert not check.is_broken_by(Call(path="a.md", text=text))
    assert not check.is_broken_by(Call(path="a.go", text=text, before=text))


@pytest.mark.parametrize(
    ("text", "broken"),
    [
        ("return nil //nolint:nilerr", True),
        ("return nil //nolint:nilerr // the hook may fail", False),
        ("return nil //nolint:nilerr,wrapcheck", True),
        ("return nil //nolint:nilerr //\nx := 1 // why", True),
        ("return nil", False),
    ],
)
def test_what_needs_a_reason_has_words_after_it_on_its_line(text, broken):
    check = parse_check("give a reason after `//nolint:nilerr`")
    assert check.is_broken_by(Call(path="a.go", text=text)) is broken
    assert not check.is_broken_by(Call(path="a.go", text=text, before=text))


HOSTILE = ["x, " * 20_000, " " * 100_000, "//nolint:x" + " ." * 50_000, "//nolint:x" * 20_000]


@pytest.mark.parametrize("text", HOSTILE, ids=range(len(HOSTILE)))
def test_a_file_made_to_be_slow_to_read_is_read_all_the_same(text):
    for line in ("never name a variable `y`", "give a reason after `//nolint:y`"):
        assert not parse_check(line).is_broken_by(Call(path="a.go", text=text))


SLOW = ["`nolint" * 140, "never edit " + "generated files in " * 50, "no `a`" + ", or `a`" * 140,
        "never name " + "a " * 480, "Instead of " + "`" * 900, "sign off " * 110, "`a/`, " * 8_000,
        "(or " * 9_000, "`a/b` generated " * 2_000]  # fmt: skip


@pytest.mark.parametrize("text", SLOW, ids=range(len(SLOW)))
def test_a_rule_made_to_be_slow_to_read_is_read_all_the_same(text):
    for check in compile_checks(in_context(f"Never:\n- {text}\n```\n{text[::-1]}")):
        assert parse_check(str(check)) == check


def turns(*said: str) -> Transcript:
    """Return a session: what a person asks, an edit of `a.go`, and what is said after it."""
    found = [Turn(role="person", text="Do it")]
    found.append(Turn(role="agent", text="a.go", kind="call", tool="Edit", tool_use_id="1",
                      files=("a.go",)))  # fmt: skip
    found.append(Turn(role="tool", text="done", kind="result", tool="Edit", tool_use_id="1"))
    for one in said:
        role, _, text = one.partition(": ")
        found.append(Turn(role=role, text=text))
    found += [replace(one, tool_use_id="2") if one.tool else one for one in found[:3]]
    return Transcript(turns=tuple(found))


@pytest.mark.parametrize(
    ("said", "ends"),
    [
        (["agent: Done."], True),
        (["agent: The test fails.", "agent: Shall I fix it?"], False),
        (["agent: **Shall I go on?**"], False),
        ([], False),  # the person broke in
    ],
)
def test_a_turn_that_only_asks_something_is_not_the_end_of_the_work(said, ends):
    check = parse_check("run make lint before stopping")
    found = [attempt.use_id for attempt, call in past_calls(turns(*said)) if call.ends]
    assert found == (["1", "2"] if ends else ["2"])
    assert check.is_broken_by([call for _, call in past_calls(turns(*said))][-1])


def test_settings_and_lists_of_ignored_files_ask_for_nothing_at_the_end_of_a_turn():
    check = parse_check("run make lint before stopping")
    assert not check.is_broken_by(session("edit .gitignore", "edit a.yml", ends=True))
    check = parse_check("run make test before git commit")
    assert check.is_broken_by(session("edit a.yml", command="git commit"))


@pytest.mark.parametrize(
    ("command", "broken"),
    [
        ("npm ci", True),
        ("cd web && npm ci", True),
        ("cd /home/me/shop/web && npm ci", True),
        ("cd /tmp/try && npm ci", False),
        ("cd ~/other; npm ci", False),
        ("cd $HOME/other; npm ci", False),
        ("cd /tmp/try && make && cd /home/me/shop && npm ci", True),
        ("mkdir try && cd try && git init && npm ci", False),
        ("git init && npm ci", True),
        ("(cd /tmp/try && make); npm ci", True),
        ("(cd /tmp/try && npm ci)", False),
        ("cd /tmp/try | npm ci", True),
        ("cd /tmp/try && cd - && npm ci", True),
        ("cd /home/me/shop/../other && npm ci", False),
        ("bash -c 'cd /tmp/try; npm ci'", False),
    ],
)
def test_what_is_done_in_another_repository_is_not_this_ones(command, broken):
    call = Call(command=command, tops=("/home/me/shop",))
    assert parse_check("never run npm").is_broken_by(call) is broken
    push = Call(command="git -C /tmp/try push -f", tops=("/home/me/shop",))
    assert not parse_check("never run git push -f").is_broken_by(push)


def test_a_folder_behind_a_link_is_the_one_that_it_leads_to(tmp_path):
    shop = tmp_path / "shop"
    shop.mkdir()
    (tmp_path / "link").symlink_to(shop)
    call = Call(command=f"cd {tmp_path}/link && npm ci", tops=(str(shop),))
    assert parse_check("never run npm").is_broken_by(call)


WORST = [
    "$(" * 9000,
    "<<A " * 2000 + "\n" * 2000,
    "echo x" + "|cat" * 9000,
    "find . " + "-exec find " * 2000,
    "a=" + "x" * 4000 + "\n" + "a=$a$a\n" * 60,
    "npx " * 9000,
    "`\\`" * 3000,
]


@pytest.mark.parametrize("line", WORST, ids=range(len(WORST)))
def test_a_line_that_grows_as_it_is_read_is_read_all_the_same(line):
    assert not parse_check("never run npm").is_broken_by(Call(command=line))


@pytest.mark.parametrize("line", ["", "npm", "never npm", "never write os.Getwd", "run make lint"])
def test_a_line_that_is_no_check_is_refused_with_the_forms(line):
    with pytest.raises(RecordError, match="never run WHAT, never edit WHAT"):
        parse_check(line)


@given(st.text(alphabet="npm run git 'x\"$();&|<>\n\\`{}", max_size=60))
def test_any_line_of_shell_is_read_without_a_fault(line):
    for words in simple_commands(line):
        assert words


TYPES = "feat:|fix:|docs:|style:|refactor:|perf:|test:|build:|ci:|chore:|revert:"
COMPILED = [
    ("We use pnpm in this repo, not npm.", ["never run npm"]),
    ("Use `uv run pytest` instead of `python -m pytest`.", ["never run python -m pytest"]),
    ("Never force-push to a shared branch.", ["never run git push --force|-f|--force-with-lease"]),
    ("Please don't amend commits.", ["never run git commit --amend"]),
    ("Never edit `generated/*.go` by hand; run `make gen`.", ["never edit generated/*.go"]),
    ("Never commit `*.sqlite` or `secrets/`.",
     ["never commit *.sqlite", "never commit secrets/**"]),
    ("Run `make fmt && make lint` before every commit.",
     ["run make fmt && make lint before git commit"]),
    ("Before you push, run `make test`.", ["run make test before git push"]),
    ("Use `paths.Root()`, not `os.Getwd()`: agents run in sub-folders.",
     ["never write `os.Getwd(`"]),
    ("The package path is `github.com/acme/shop`, no longer `acme.io/shop`.",
     ["never write `acme.io/shop`"]),
    ("The tap is called `homebrew-tap`, not `homebrew-shop`.", ["never write `homebrew-shop`"]),
    ("Put plans in a comment on the issue, not in `docs/plans`.", ["never edit docs/plans/**"]),
    ("In `src/ui/**`, never import `sqlalchemy`.", ["never write `sqlalchemy` in src/ui/**"]),
    ("`src/core/` must not import `react`.", ["never write `react` in src/core/**"]),
    ("Never use `print()` outside `src/cli/`.", ["never write `print(` outside src/cli/**"]),
    ("Never use `as any`, `@ts-ignore` or `const_cast`.",
     ["never write `as any`", "never write `@ts-ignore`", "never write `const_cast`"]),
    ("The pages below `docs/cli/` are **auto-generated** from `--help`. **Do not edit them**.",
     ["never edit docs/cli/**"]),
    ("Generated code (`src/gen/**`) must never be edited by hand.", ["never edit src/gen/**"]),
    ("Don't update files under `*/api/*.cs`; they are generated.", ["never edit */api/*.cs"]),
    ("After editing `proto/a.proto` run `make gen` before committing.",
     ["run make gen before git commit after editing proto/a.proto"]),
    ("When you change any Python files, run `ruff check`.",
     ["run ruff check before stopping after editing *.py"]),
    ("Run `make e2e` after changing integration test code.",
     ["run make e2e before stopping after editing **/*integration*test*, "
      "**/*integration*test*/**"]),
    ("Never run `git commit` without `-s`.", ["never run git commit without -s"]),
    ("Always run `go test` with `-race`.", ["never run go test without -race"]),
    ("Commit messages start with `feat:`, `fix:` or `docs:`.",
     ["begin commits with `feat:|fix:|docs:`"]),
    ("Pass `--signoff` on every commit.",
     ["never run git commit without -s|--signoff"]),
    ("Always sign off your commits.", ["never run git commit without -s|--signoff"]),
    ("Never add yourself as a co-author of commits.", ["never say `Co-Authored-By` in a commit"]),
    ("Stage the files by name.", ["never run git add -A|--all", "never run git add ."]),
    ("Do not reintroduce the old name `acme-shop`.", ["never write `acme-shop`"]),
    ("Use `require.Error`, not `assert`, for errors.", ["never write `assert.Error`"]),
    ("Do not name a local variable `settings`; it shadows the package.",
     ["never name a variable `settings`"]),
    ("Add a `//nolint:nilerr` comment with the reason.", ["give a reason after `//nolint:nilerr`"]),
    ("Use inline `# noqa: RULE` with a justification.", ["give a reason after `# noqa`"]),
    ("The phase ACTIVE_COMMITTED is gone.", ["never write `ACTIVE_COMMITTED`"]),
    ("`client.defineJob` is deprecated.", ["never write `client.defineJob`"]),
    ("No `console.log`, no `alert()` in what is shipped.", ["never write `console.log`"]),
    ("Instead of `window.open`, use `Link`.", ["never write `window.open`"]),
    ("Use `bun run <script>` instead of `npm run <script>`.", ["never run npm run"]),
    ("Never use `npm`/`yarn`.", ["never run npm", "never run yarn"]),
    ("Do not run `git push --force`, `git reset --hard`, or `rm -rf`.",
     ["never run git push --force", "never run git reset --hard", "never run rm -rf"]),
    ("Use `str` instead of `Optional[str]`, and `list[str]` instead of `List[str]`.",
     ["never write `Optional[str]`", "never write `List[str]`"]),
    ("Do not hand-edit generated files under `src/data/`.", ["never edit src/data/**"]),
    ("Run `npm test` after changes.", ["run npm test before stopping"]),
    ("Always run `make lint` after making any code changes.", ["run make lint before stopping"]),
    ("Use the helpers rather than calling `fetch()` directly.", ["never write `fetch(`"]),
    ("All draws go through `rng.fork()`, never Math.random().", ["never write `Math.random(`"]),
    ("Never edit, import from, format, build, or test `repos/*`.", ["never edit repos/*"]),
    ("Format and lint before commits: `pnpm format` and `pnpm lint`.",
     ["run pnpm format && pnpm lint before git commit"]),
    ("Never commit credentials or local `.env` files.", ["never commit .env"]),
    ("Run `npm test` and `npm run lint` after modifications.",
     ["run npm test && npm run lint before stopping"]),
    ("`pnpm types` checks all: run it after changes are made.",
     ["run pnpm types before stopping"]),
    ("Use `tools/tasks.py` rather than editing `tasks.json` directly.",
     ["never edit tasks.json"]),
    ("Conventional Commits: `feat:`, `fix:`", [f"begin commits with `{TYPES}`"]),
    ("History follows Conventional Commit prefixes.", [f"begin commits with `{TYPES}`"]),
    ("Strict mode, no `any` types", ["never write `: any` in *.ts, *.tsx"]),
    ("Don't add `any` types.", ["never write `: any` in *.ts, *.tsx"]),
    ("Run `tsc` after editing `.ts`/`.tsx` files.",
     ["run tsc before stopping after editing *.ts, *.tsx"]),
    ("Strict types: no `as unknown`.", ["never write `as unknown`"]),
    ("Clean code: No `console.log` (only `console.error`), no unused imports.",
     ["never write `console.log`"]),
]  # fmt: skip


@pytest.mark.parametrize(("text", "lines"), COMPILED)
def test_a_rule_says_its_check(text, lines):
    found = compile_checks(text)
    assert [str(check) for check in found] == lines
    assert tuple(parse_check(line) for line in lines) == found


@pytest.mark.parametrize(
    "text",
    [
        "The tests need Docker, not Podman.",
        "A fresh clone has only the remote branch.",
        "Never guess: look at the log.",
        "Do not run `make e2e` unless somebody asks for it.",
        "`npm test` failed; it worked after `npm ci`.",
        "Do not commit a broken state.",
        "The default is `true`, not `false`.",
        "The flag is called `--fast`, not `-f`.",
        "Keep prices in `cents`, not in euros.",
        "Never make promises, and do not go home before the tests pass.",
        "Never use `Task.Delay` for synchronization.",
        "Do not use `print()` when a test fails.",
        "Read small sections; avoid `node_modules`.",
        "PR titles follow Conventional Commits.",
        "The bar is in the `lint` job in `.github/ci.yml`, not `pyproject.toml`.",
        "Use `Current.user` when `current_user` is old.",
        "Do not run `make e2e` unasked.",
        "Do NOT use Conventional Commits (`feat:`, `fix:`).",
        "Don't run `cargo build` before `cargo test`.",
        "Never add `@/executor/*` imports to a package.",
        "Never run git commands that rewrite history.",
        "There is no `docker` sub-group.",
        "No `docker` sub-group.",
        "Do not commit `go.mod` files in `extensions/`.",
        "Do not use `new Date`.",
        "Never call `created_by` a quota.",
        "Do not call `startApis` from a production path.",
        "Do not add `db/` or `service/` to an app with no datastore.",
        "The apps use `src/proxy.ts` instead of `middleware.ts`.",
        "Run `make db` after changes to the schema.",
        "Restart `make serve` after changes.",
        "The events have `advance()`, never a clock.",
    ],
)
def test_words_that_say_no_check_make_none(text):
    assert compile_checks(text) == ()


def test_code_is_looked_for_in_the_files_that_the_memory_is_about():
    [check] = compile_checks("Never use `print()` in the server.", ["server/**/*.py"])
    assert str(check) == "never write `print(` in server/**/*.py"


def test_a_glob_that_asks_for_endless_tries_is_answered_at_once():
    path = "/".join(["a"] * 300)
    assert not matches_path(path, "**/a/" * 40 + "*a*a*a*a*a*a*a*a*b")
    assert matches_path(path, "**/a/" * 40 + "a")
