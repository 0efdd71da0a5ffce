"""Sixteen processes at one store: every acknowledged signal is there once, under its own id."""

import json
import multiprocessing
from concurrent.futures import ProcessPoolExecutor

import pytest

from tests.signals import rivals
from tests.signals.samples import failure

pytestmark = pytest.mark.slow


def together(work, state, count):
    context = multiprocessing.get_context("spawn")
    with ProcessPoolExecutor(count, mp_context=context) as pool:
        done = [
            pool.submit(each, str(state), n) for n, each in zip(range(count), work, strict=True)
        ]
        return [id_ for each in done for id_ in each.result()]


def test_sixteen_writers_rewriters_and_pruners_lose_nothing_and_share_no_id(store):
    ids = together([rivals.append] * 12 + [rivals.change] * 4, store.folder, 16)
    kept = store.query()
    assert len(ids) == len(set(ids)) == 12 * rivals.EACH + 4 * (rivals.EACH // 2)
    assert sorted(one.id for one in kept) == sorted(ids)
    assert sum(one.status == "analyzed" for one in kept) == 4 * (rivals.EACH // 2)
    assert store.problems() == []


def test_four_processes_that_empty_one_queue_keep_each_payload_once(store):
    queue = store.folder / "queue"
    queue.mkdir(parents=True)
    for n in range(20):
        (queue / f"PostToolUseFailure-1-{n}.json").write_text(json.dumps(failure(f"toolu_{n}")))
    together([rivals.absorb] * 4, store.folder, 4)
    assert len(store.query()) == 20
    assert not list(queue.glob("*.json"))
