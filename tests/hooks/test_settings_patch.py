"""calmkb's hooks in a settings text that belongs to somebody else."""

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from calmkb.capture.settings.hooks import is_ours, our_hooks
from calmkb.capture.settings.patch import hooks_off, hooks_on, missing, ours_in
from calmkb.capture.settings.status_line import status_off, status_on
from calmkb.errors import CalmError

HOOKS = our_hooks(lambda event: f"calmkb hook {event}")
EVENTS = [*dict.fromkeys(hook.event for hook in HOOKS), "PreToolUse", "Notification"]


def on(text: str) -> str:
    return hooks_on(text, HOOKS, "settings.json")


def off(text: str) -> str:
    return hooks_off(text, "settings.json")


# No brackets in text, so that empty containers can be found and widened below.
letters = st.characters(codec="utf-8", exclude_characters="[]{}")
words = st.text(letters, max_size=8)
values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(words, inner, max_size=3),
    max_leaves=6,
)
handlers = st.fixed_dictionaries(
    {
        "type": st.just("command"),
        "command": st.text(letters, max_size=20).filter(lambda c: "calmkb" not in c),
    },
    optional={"timeout": st.integers(1, 60)},
)
groups = st.fixed_dictionaries(
    {"hooks": st.lists(handlers, max_size=2)}, optional={"matcher": st.sampled_from(["", "Bash"])}
)
others = st.fixed_dictionaries(
    {},
    optional={
        "model": words,
        "env": st.dictionaries(words, values, max_size=2),
        "hooks": st.dictionaries(st.sampled_from(EVENTS), st.lists(groups, max_size=2), max_size=3),
        "statusLine": st.fixed_dictionaries(
            {"type": st.just("command"), "command": st.text("a'\\\"\u00e4\n $", max_size=8)},
            optional={"padding": st.just(0)},
        ),
        "permissions": values,
    },
)


@st.composite
def files(draw: st.DrawFn) -> str:
    """Settings as people and programs lay them out."""
    settings = dict(draw(st.permutations(list(draw(others).items()))))
    text = json.dumps(
        settings,
        indent=draw(st.sampled_from([None, 2, 4, "\t", 0])),
        ensure_ascii=draw(st.booleans()),
        separators=draw(st.sampled_from([None, (",", ":"), (" ,", " :  ")])),
    )
    if draw(st.booleans()):
        text = text.replace("\n", "\r\n")
    if draw(st.booleans()):
        text = text.replace("[]", "[ \n]").replace("{}", "{\t}")
    return (
        draw(st.sampled_from(["", " ", "\n"])) + text + draw(st.sampled_from(["", "\n", "  \n\n"]))
    )


def without_ours(settings: Any) -> Any:
    """Return settings without our handlers, and without what they leave empty."""
    kept = {}
    for event, told in settings.get("hooks", {}).items():
        left = [
            {**group, "hooks": [one for one in group["hooks"] if not is_ours(one)]}
            for group in told
            if not group["hooks"] or not all(is_ours(one) for one in group["hooks"])
        ]
        if left or event not in {hook.event for hook in HOOKS}:
            kept[event] = left
    rest = {key: value for key, value in settings.items() if key != "hooks"}
    return rest | ({"hooks": kept} if kept else {})


def assert_same_but_for_ours(after: str, before: str) -> None:
    found, wanted = json.loads(after), json.loads(before)
    assert json.dumps(without_ours(found)) == json.dumps(without_ours(wanted))
    assert list(found) == [key for key in wanted if key in found]


@given(files())
def test_off_after_on_leaves_every_value_of_others_in_its_order(text):
    added = on(text)
    assert not missing(json.loads(added), HOOKS)
    assert_same_but_for_ours(off(added), text)


@given(files())
def test_with_the_status_line_too_every_value_comes_back(text):
    added = status_on(on(text), "'/a b/calmkb'", "settings.json")
    assert json.loads(added)["statusLine"]["command"].startswith("'/a b/calmkb' statusline")
    assert status_on(added, "calmkb", "settings.json") == added
    assert_same_but_for_ours(off(status_off(added, "settings.json")), text)


@given(files())
def test_on_adds_ours_and_leaves_every_other_value_and_its_order(text):
    before, after = json.loads(text), json.loads(on(text))
    assert json.dumps(without_ours(after)) == json.dumps(without_ours(before)) or (
        without_ours(after) == without_ours(before)
        and [key for key in after if key in before] == list(before)
    )


@given(files())
def test_a_second_on_and_a_second_off_change_nothing(text):
    assert on(on(text)) == on(text)
    assert off(text) == text


@given(files(), st.sampled_from([None, 2, "\t"]), st.integers(0, 5))
def test_ours_go_from_a_file_that_another_program_laid_out_anew(text, indent, dropped):
    settings = json.loads(on(text))
    event = HOOKS[dropped].event
    del settings["hooks"][event]  # and a person took some of ours out
    left = off(json.dumps(settings, indent=indent))
    assert ours_in(json.loads(left)) == []
    assert without_ours(json.loads(left)) == without_ours(settings)
    again = on(json.dumps(settings, indent=indent))
    assert not missing(json.loads(again), HOOKS)


def test_what_a_person_adds_between_ours_stays():
    settings = json.loads(on("{}"))
    settings["hooks"]["Stop"][0]["hooks"].append({"type": "command", "command": "say done"})
    settings["hooks"]["SessionStart"].insert(1, {"hooks": [{"command": "date"}]})
    assert json.loads(off(json.dumps(settings, indent=2))) == {
        "hooks": {
            "Stop": [{"hooks": [{"type": "command", "command": "say done"}]}],
            "SessionStart": [{"hooks": [{"command": "date"}]}],
        }
    }


def test_a_program_that_moved_is_called_at_its_new_place_with_the_persons_timeout():
    old = hooks_on("{}", our_hooks(lambda event: f"/old/bin/calmkb hook {event}"), "s")
    new = hooks_on(old.replace("30", "55"), HOOKS, "s")
    assert "/old/bin" not in new
    assert json.loads(new)["hooks"]["SessionEnd"][0]["hooks"][0]["timeout"] == 55
    assert new == on("{}").replace("30", "55")


@pytest.mark.parametrize(
    ("command", "ours"),
    [
        ("calmkb hook Stop", True),
        ("'/my tools/calmkb' hook Stop", True),
        ('"C:\\Tools\\calmkb.exe" hook Stop', True),
        ("/usr/bin/python3 -m calmkb hook SessionEnd", True),
        ("/usr/bin/python3 -P -m calmkb hook SessionEnd", True),
        ("{ cat; echo; } >>queue # calmkb", True),
        ("calmkb hook Stop || say broken", False),
        ("calmkb export", False),
        ("notcalmkb hook Stop", False),
        ("echo calmkb hook Stop", False),
        ("echo '# calmkb' >notes", False),
    ],
)
def test_ours_are_known_by_their_command(command, ours):
    assert is_ours({"type": "command", "command": command}) is ours


@pytest.mark.parametrize(
    ("text", "fault"),
    [
        ("{", "is not JSON"),
        ('{"a": NaN}', "is not JSON"),
        ("[" * 100_000, "is not JSON"),
        ("[]", "does not hold a JSON object"),
        ('{"hooks": []}', "hooks is not an object"),
        ('{"hooks": {"Stop": {}}}', "hooks.Stop is not a list"),
        ('{"hooks": {"Stop": ["x"]}}', "hooks.Stop is not a list"),
        ('{"hooks": {"Stop": [{"hooks": 1}]}}', "hooks.Stop is not a list"),
    ],
)
def test_what_is_no_settings_file_is_refused_with_its_name_and_fix(text, fault):
    for switch in (on, off):
        with pytest.raises(CalmError, match=rf"settings\.json.*{fault}.*fix it by hand first"):
            switch(text)


def test_an_empty_file_gets_a_layout_that_people_read():
    assert on("").startswith('{\n  "hooks": {\n    "PostToolUseFailure": [\n')
    assert off(on("")) == "{}\n"
