"""Reviewers' comments on pull requests are evidence, once each, of this repository."""

import json

import pytest

from tests.conftest import git

RULE = "We never call the payment API inside a transaction; it holds the lock for seconds."
OTHER = "Always close the response body, otherwise the pool runs dry."


def comment(text, number=12, name="grace", repository="acme/shop", **more):
    return {
        "id": len(text),
        "user": {"login": name, "type": "User"},
        "body": text,
        "path": "shop/pay.py",
        "created_at": "2026-05-04T10:00:00Z",
        "html_url": f"https://github.com/{repository}/pull/{number}#discussion_r1",
        **more,
    }


@pytest.fixture
def shop(project):
    git(project, "remote", "add", "origin", "git@github.com:acme/shop.git")
    return project


def put(folder, *comments):
    (folder / "reviews.json").write_text(json.dumps(list(comments)))


def pages(folder, *comments):
    (folder / "reviews.json").write_text("\n".join(json.dumps([one]) for one in comments))


def proposed(cli):
    found = json.loads(cli("reflect", "--json").out)["proposals"]
    return [(one["text"], one["source"], one["origin"]) for one in found]


def test_a_rule_that_a_reviewer_gave_is_proposed_with_its_words(shop, cli):
    put(shop, comment(f"nit: typo\n\n{RULE}\n```suggestion\nx = 1\n```"), comment("LGTM!", 13))
    done = cli("import", "reviews", "reviews.json")
    assert done.code == 0 and "1 added" in done.out
    ((text, source, origin),) = proposed(cli)
    assert (source, origin) == ("mined", "person")
    assert "never call the payment API inside a transaction" in text
    shown = json.loads(cli("session", "list", "--json").out)
    assert "Review of pull request 12 by grace." in json.dumps(shown)


def test_a_second_import_brings_only_what_is_new(shop, cli):
    put(shop, comment(RULE))
    cli("import", "reviews", "reviews.json")
    assert "0 added" in cli("import", "reviews", "reviews.json").out
    put(shop, comment(RULE), comment(OTHER, name="ada"))
    assert "1 added" in cli("import", "reviews", "reviews.json").out
    assert len(proposed(cli)) == 2


def test_programs_replies_and_other_repositories_are_left(shop, cli):
    put(
        shop,
        comment(RULE, name="review[bot]"),
        comment(RULE, user={"login": "helper", "type": "Bot"}),
        comment(RULE, in_reply_to_id=7),
        comment(RULE, repository="acme/other"),
    )
    done = cli("import", "reviews", "reviews.json")
    assert "0 added" in done.out and "1 of other repositories left" in done.out
    assert "1 added" in cli("import", "reviews", "reviews.json", "--all-projects").out


def test_a_file_of_several_pages_is_read_whole(shop, cli):
    pages(shop, comment(RULE), comment(OTHER, 13))
    assert "2 added" in cli("import", "reviews", "reviews.json").out


def test_gitlabs_discussions_are_read_too(project, cli):
    git(project, "remote", "add", "origin", "https://gitlab.example.org/acme/shop.git")
    note = {
        "body": RULE,
        "author": {"username": "grace"},
        "created_at": "2026-05-04T10:00:00.000Z",
        "noteable_type": "MergeRequest",
        "noteable_iid": 3,
    }
    put(project, {"id": "d", "notes": [note, {**note, "body": OTHER}]})
    assert "1 added" in cli("import", "reviews", "reviews.json").out
    assert len(proposed(cli)) == 1


@pytest.mark.parametrize(
    "content",
    ['{"a": 1}', "[", "[" * 5_000, '[1, null, {"user": 3}, [{"body": []}]]', '[{"notes": [null]}]'],
)
def test_a_file_that_is_none_is_refused_or_left_and_changes_nothing(shop, cli, content):
    (shop / "reviews.json").write_text(content)
    before = git(shop, "rev-parse", "HEAD")
    assert "0 added" in cli("import", "reviews", "reviews.json").out
    assert git(shop, "rev-parse", "HEAD") == before


def test_a_comment_with_an_impossible_time_or_number_is_left_and_the_others_are_read(shop, cli):
    put(
        shop,
        comment(RULE, created_at="0001-01-01T00:00:00+23:00"),
        comment(RULE, html_url="", noteable_iid="9" * 5_000),
        comment(OTHER),
    )
    assert "1 added" in cli("import", "reviews", "reviews.json").out


def test_without_a_file_it_says_how_to_get_one(shop, cli):
    done = cli("import", "reviews")
    assert done.code == 1 and "pulls/comments > reviews.json" in done.err


def test_a_secret_in_a_comment_is_not_kept(shop, cli):
    secret = "ghp_" + "q7Zk2vX9Lm4Tn8RwQ2Ws5Ed7Rf9Tg1Yh3Uj5"
    put(shop, comment(f"Always pass the token {secret} to the script, otherwise it fails."))
    cli("import", "reviews", "reviews.json")
    found = [path.read_text() for path in (shop / "journal").rglob("*.md")]
    assert found and not any(secret in text for text in found)
