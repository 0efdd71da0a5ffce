"""The digests of this project's own journal, and of real sentences, as they were judged by reading.

CALMKB_RENEW=1 writes the golden files anew, for all memories that stand then: read them before they
are committed. Memories that came later do not matter here. CALMKB_DATA=DIR names a folder with
`lessons.jsonl`; of its sentences only hashes are kept.
"""

import hashlib
import json
import os
from pathlib import Path

import pytest

from calmkb.config import Config
from calmkb.export.targets.table import EXPORTERS
from calmkb.kb.base.environment import Environment
from calmkb.kb.base.knowledge_base import KnowledgeBase
from calmkb.kb.export.digests import Digest, DigestRequest, digest_for, open_source
from calmkb.kb.journal.sessions import read_contents
from calmkb.model import CATEGORIES, Memory
from tests.export.support import rule

ROOT = Path(__file__).parents[2]
GOLDEN = Path(__file__).parent / "golden"
RENEW = bool(os.environ.get("CALMKB_RENEW"))
DATA = Path(os.environ.get("CALMKB_DATA", "/nowhere")) / "lessons.jsonl"
BUDGETS = (500, 1_500, 5_000)


def digest(kb: KnowledgeBase, memories: list[Memory], budget: int, folder: Path) -> Digest:
    asked = DigestRequest(folder, "calmkb", budget, {})
    return digest_for(open_source(kb, memories), EXPORTERS["claude-md"], asked)


def held(name: str, text: str) -> str:
    """Return what the golden file `name` holds, `text` where it is to be renewed."""
    if RENEW:
        (GOLDEN / name).write_text(text, encoding="utf-8")
    return (GOLDEN / name).read_text(encoding="utf-8")


@pytest.mark.skipif(not (ROOT / "journal").is_dir(), reason="the journal is not shipped")
@pytest.mark.parametrize("budget", BUDGETS)
def test_the_digest_of_our_own_journal_is_the_one_that_was_read(budget, tmp_path):
    kb = KnowledgeBase(ROOT, Config(), Environment(home=tmp_path, cwd=ROOT))
    known = read_contents(kb).memories
    ids = held("memories.txt", "".join(f"{one}\n" for one in sorted(m.id for m in known))).split()
    stand = [memory for memory in known if memory.id in ids]
    assert sorted(memory.id for memory in stand) == ids, "a memory went; renew with CALMKB_RENEW=1"
    made = digest(kb, stand, budget, tmp_path)
    assert made.tokens <= budget
    text = made.outputs[0].body + "\n"
    assert text == held(f"journal-{budget}.md", text), "renew with CALMKB_RENEW=1, and read it"


def as_memories(path: Path) -> list[Memory]:
    """Return the sentences as memories; what they are not told of follows from their words."""
    rows = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]
    texts = {row["text"]: row["kind"] for row in rows}
    made = []
    for number, (text, kind) in enumerate(texts.items(), 1):
        mark = hashlib.sha256(text.encode()).digest()
        category = {"guideline": "preference", "journal": "fact"}.get(kind) or CATEGORIES[
            mark[0] % 4
        ]
        made.append(rule(number, text, category=category, importance=round(mark[1] / 255, 2)))
    return made


if DATA.is_file():  # nothing is skipped where nobody has the data

    @pytest.mark.parametrize("budget", BUDGETS)
    def test_the_digest_of_real_sentences_is_the_one_that_was_read(budget, tmp_path):
        kb = KnowledgeBase(tmp_path, Config(), Environment(home=tmp_path / "home", cwd=tmp_path))
        made = digest(kb, as_memories(DATA), budget, tmp_path)
        assert made.tokens <= budget
        chosen = [
            hashlib.sha256(i.memory.text.encode()).hexdigest()[:12] for i in made.selection.items
        ]
        text = "".join(f"{one}\n" for one in chosen)
        assert text == held(f"lessons-{budget}.txt", text)
