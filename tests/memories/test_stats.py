"""What a knowledge base holds and the outcome of it, in numbers."""

import json

from tests.conftest import git


def numbers(cli) -> dict[str, object]:
    said = cli("stats", "--json")
    assert said.code == 0, said.err
    return json.loads(said.out)


def test_an_empty_knowledge_base_has_nothing_to_count(cli, tmp_path):
    found = numbers(cli)
    assert (found["entries"], found["acceptance_rate"], found["review_hours"]) == (0, None, None)
    assert sum(found["memories"].values()) == 0
    said = cli("--kb", str(tmp_path / "nowhere"), "stats")
    assert (said.code, said.out) == (1, "")


def test_sessions_decisions_feedback_and_help_are_counted(project, cli, add):
    for friction in ("`npm test` hung: the project uses pnpm.", "The clock ran in local time."):
        cli("wrapup", "--summary", "Worked.", "--friction", friction)
    waiting = json.loads(cli("reflect", "--json").out)
    for proposal, decision in zip(waiting["proposals"], ("accept", "reject"), strict=True):
        proposal["decision"] = decision
    (project / ".git" / "decided.json").write_text(json.dumps(waiting))
    assert cli("reflect", "--apply", str(project / ".git" / "decided.json")).code == 0
    cli("memory", "feedback", add("Prices are in cents.", category="fact"), "helpful")
    cli("wrapup", "--summary", "More.")
    found = numbers(cli)
    assert (found["entries"], found["unreflected"], found["friction_points"]) == (3, 1, 2)
    assert (found["accepted"], found["rejected"], found["acceptance_rate"]) == (1, 1, 0.5)
    assert (found["memories"]["fact"] >= 1, sum(found["memories"].values())) == (True, 2)
    assert found["feedback"] == {"helpful": 1, "harmful": 0}
    assert found["helped"] == {"too early": 2}
    assert found["review_hours"] >= 0
    assert "1 accepted, 0 merged, 1 rejected\n" in cli("stats").out
    assert git(project, "status", "--porcelain") == ""
