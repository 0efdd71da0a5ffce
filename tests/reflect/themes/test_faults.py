"""One fault is one trouble, whatever command showed it and in whatever file."""

from dataclasses import replace

from calmkb.model.sessions.said import CORRECTED, REPORTED
from calmkb.reflect.themes.themes import themes
from tests.reflect.themes.test_themes import statement

UNCHECKED = (
    "`mise run lint` failed: cmd/shop/cart.go: Error return value of `f.Close` is not checked "
    "(errcheck); it passed after edits to cart.go.",
    "`mise run fmt && mise run lint` failed (3 times): pay/refund.go:12:3: Error return value of "
    "`json.Unmarshal` is not checked (errcheck).",
    "`golangci-lint run ./...` failed: tax.go: Error return value of `w.Write` is not checked "
    "(errcheck); it passed after edits to tax.go and 2 other files.",
)
OTHERS = (
    "`mise run lint` failed: pay/refund.go: ineffectual assignment to total (ineffassign).",
    "`mise run test` failed: TestRefundIsRounded.",
)


def found(*texts):
    mined = [replace(statement(text, n), mined=True, kind="failed") for n, text in enumerate(texts)]
    return {theme.statement: theme for theme in themes(mined, [])}


def test_one_fault_in_three_files_by_three_commands_is_one_trouble():
    one = found(*UNCHECKED, *OTHERS)["Error return value of … is not checked (errcheck)"]

    assert one.sessions == 3
    assert [evidence.quote for evidence in one.evidence] == list(UNCHECKED)


def test_a_fault_of_one_session_keeps_its_names_and_loses_command_place_and_remedy():
    assert set(found(UNCHECKED[0], *OTHERS)) == {
        "Error return value of `f.Close` is not checked (errcheck)",
        "Ineffectual assignment to total (ineffassign)",
        "TestRefundIsRounded fails",
    }


def test_a_fault_loses_the_shell_that_told_it_too():
    shells = ("(eval):1", "zsh:1", "/bin/bash: line 3")
    told = [
        f"`till {n}` failed: {shell}: command not found: till." for n, shell in enumerate(shells)
    ]

    assert set(found(*told[:2])) == {"Command not found: till"}
    assert "Command not found: till" in found(*told)


def test_what_a_person_wrote_is_headed_by_their_own_words():
    text = "`npm test` failed: the project uses pnpm."
    (theme,) = themes([statement(text, 1)], [])

    assert theme.statement == text


def test_what_nobody_says_plainly_is_no_trouble():
    talk = ("Argghh lint again", "What does lint say now?")
    said = [replace(statement(text, n), mined=True, kind=CORRECTED) for n, text in enumerate(talk)]

    assert themes(said, []) == ()
    (theme,) = themes([*said, replace(statement("Lint fails on main", 3), mined=True)], [])
    assert theme.statement == "Lint fails on main"


def test_a_report_is_a_trouble_in_whatever_form_it_is_said():
    told = ("I'm not seeing the change in the status", "Why is it now showing no orders?")
    said = [replace(statement(text, n), mined=True, kind=REPORTED) for n, text in enumerate(told)]

    assert {theme.statement for theme in themes(said, [])} == set(told)
