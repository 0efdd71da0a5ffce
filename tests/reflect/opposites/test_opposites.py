"""Alike but opposite is told from alike."""

import pytest

from calmkb.reflect.opposites.compare import contradicts, opposed

OPPOSITE = [
    ("Use pnpm, not npm", "Use npm, not pnpm"),
    ("Always use pnpm for scripts", "Never use pnpm for scripts"),
    ("Do not mock the database in tests", "Mock the database in tests"),
    ("Use tabs instead of spaces", "Use spaces instead of tabs"),
    ("The server listens on port 5432", "The server listens on port 5433"),
    ("Prefer composition over inheritance", "Prefer inheritance over composition"),
    ("Run migrations before the tests", "Run migrations after the tests"),
    ("Use pnpm for every script", "Use npm for every script"),
    ("Copy staging to production", "Copy production to staging"),
    ("Set the timeout to 30 s", "Set the timeout to 300 s"),
    ("Enable strict mode in mypy", "Disable strict mode in mypy"),
    ("Never use npm, use pnpm", "Use npm for installs"),
    ("don\u2019t use npm here, use pnpm", "use npm here; don't use pnpm"),
    ("Switch from yarn to pnpm", "Switch from pnpm to yarn"),
    ("Commit the lock file", "Do not commit the lock file"),
    ("Replace requests with httpx", "Replace httpx with requests"),
    ("Use ruff rather than black", "Use black rather than ruff for formatting"),
    ("Tests may touch the network", "Tests must not touch the network"),
    ("Python 3.11 is the oldest supported", "Python 3.9 is the oldest supported"),
    ("Squash commits before merging", "Never squash commits before merging"),
    ("Log at debug level in the worker", "Don't log at debug level in the worker"),
    ("Use `make test` to run the suite", "Use `pytest` to run the suite"),
    ("Seed the database, then start the server", "Start the server, then seed the database"),
    ("Bump the version before merging", "After merging, bump the version"),
    ("Notify support before the window", "Notify support once the window is over"),
    ("Move from Jenkins to GitHub Actions", "Move from GitHub Actions to Jenkins"),
    ("Retry a failed upload three times", "Retry a failed upload five times"),
    ("Write the smallest functions", "Write the largest functions"),
    ("Accept signed commits only", "Accept unsigned commits only"),
    ("Run the formatter in CI", "Avoid running the formatter in CI"),
    ("You may skip the changelog for fixes", "The changelog must not be skipped for fixes"),
    ("Generated clients cannot be edited", "You can edit the generated client"),
    ("Every service owns its database", "No service owns its database"),
    ("Restart the worker after a change", "A change works without restarting the worker"),
    ("Alice reviews changes to billing", "Bob reviews changes to billing"),
    ("Use pnpm; npm breaks the lock file", "pnpm breaks the lock file, so stay on npm"),
    ("Flags go in the file, not in the database", "Flags go in the database, not in the file"),
    (
        "Telemetry is on by default; the notice appears on the first start alone",
        "Telemetry is opt-in: an empty setting means disabled",
    ),
]
ALIKE = [
    ("Use pnpm in storefront; npm rewrites the lock file", "Use pnpm: npm rewrites the lock file"),
    ("Don't mock the database", "Avoid mocking the database"),
    ("Never mock the database in tests", "Do not mock the database in tests"),
    ("Start the database before the e2e tests", "The e2e tests need the database started first"),
    ("Use pnpm, not npm", "Use pnpm instead of npm"),
    ("`npm test` hung: the project uses pnpm", "npm test hangs: the project uses pnpm, not npm"),
    ("Run the tests before you push", "Run all the tests before pushing"),
    ("The build fails on Windows", "Build fails on windows"),
    ("Pin the version of ruff", "Pin ruff's version"),
    ("Don't use npm; use pnpm", "Never use npm, always use pnpm"),
    ("Switch from npm to pnpm", "Use pnpm instead of npm"),
    ("Not npm! This is a pnpm workspace.", "We use pnpm in this repo, not npm."),
    ("Never use npm", "Use pnpm instead of npm"),
    ("No PR gets merged unless mypy passes", "mypy must pass before a PR is merged"),
    ("Never force-push without asking", "Ask before force-pushing"),
    (
        "Foreign keys are not enforced unless it is on",
        "Foreign keys are enforced only when it is on",
    ),
    ("The build fails when no tools are selected", "The build fails unless tools are selected"),
    ("Use tabs and spaces", "Use spaces and tabs"),
    ("For sessions, use Redis", "Use Redis for sessions"),
    ("Run `make messages` to extract texts", "Texts are extracted with `make messages`"),
    ("Don't log bodies, they hold data", "Bodies hold data, so never write them to the log"),
    (
        "The end-to-end job failed without the database container, which nothing names.",
        "The end-to-end job needs the database container; nothing said so.",
    ),
    ("Port 5432 is taken by the local server", "The local server has port 5432 taken"),
    (
        "Lint complained about the layout until `make format` had run",
        "CI lint rejects a bad layout; run `make format` before every push",
    ),
    (
        "Fetch the review threads again before you reply after a rebase",
        "After a rebase, fetch the review threads again before you reply",
    ),
    (
        "Run the slow tests too after you change a hook; `make test` leaves them out",
        "Verify with the slow tests before you say done: `make test` leaves them out",
    ),
    (
        "`go.mod` needed `go mod tidy` before tests would run, and the first one failed",
        "When dependencies came in, run `go mod tidy`",
    ),
    (
        "Run the slow tests too after changing a hook; `make test` leaves them out",
        "Run `make lint` as well as the tests before reporting a change",
    ),
]


@pytest.mark.parametrize(("one", "other"), OPPOSITE)
def test_opposites_are_told_apart_both_ways(one, other):
    assert opposed(one, other)
    assert opposed(other, one)


@pytest.mark.parametrize(("one", "other"), [*ALIKE, *((a, a) for a, _ in OPPOSITE + ALIKE)])
def test_the_same_in_other_words_is_not_opposite(one, other):
    assert not opposed(one, other)
    assert not opposed(other, one)


def test_reports_that_differ_in_a_number_or_a_name_do_not_contradict_each_other():
    one = "`git commit` failed (3 times): the paths are ignored: node_modules."
    other = "`git add` failed (2 times): the paths are ignored: dist."
    assert not contradicts(one, other)
    assert contradicts("Commit the lock file", "Do not commit the lock file")


def test_the_same_preference_of_calls_is_no_contradiction():
    one = "Resolve agent folders with `paths.RepoRoot()`, never `os.Getwd()`."
    other = "Use `paths.RepoRoot()`, not `os.Getwd()`, for git paths: the agent may be deeper."
    assert not contradicts(one, other)
    assert contradicts(one, "Use `os.Getwd()`, not `paths.RepoRoot()`, for agent folders.")


def test_the_same_default_in_other_words_and_another_thing_do_not_oppose():
    assert not opposed("Telemetry is off by default here", "Telemetry is opt-in, as for all")
    assert not contradicts("Retries are on by default", "Telemetry is off by default")


def test_two_texts_that_share_only_their_subject_do_not_oppose_each_other():
    one = "Instead of one shadow branch per base commit, create branches with numeric suffixes."
    other = "Does not change the active branch: no commits are created on the working branch."
    assert not opposed(one, other)
    assert not contradicts(other, one)
