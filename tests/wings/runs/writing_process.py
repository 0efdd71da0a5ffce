"""A process that writes runs until it is told to stop or is killed: `URL RUNS`, for tests."""

import asyncio
import itertools
import sys

from calmkb.wings.runs.store.store import open_journal


async def main(url: str, runs: int) -> None:
    """Write entries into new runs; print the run's id, then each number once acknowledged."""
    journal = await open_journal(url)
    session = await journal.create_session("coding")
    begun = [await journal.start_run(session.id, f"run {n}") for n in range(runs)]
    print("\n".join(run.id for run in begun), flush=True)

    async def write(run_id: str) -> None:
        for n in itertools.count(1):
            entry = await journal.append(run_id, "text", {"n": n}, step_number=n)
            sys.stdout.write(f"{run_id} {entry.sequence_number} {n}\n")
            sys.stdout.flush()

    await asyncio.gather(*(write(run.id) for run in begun))


if __name__ == "__main__":
    asyncio.run(main(sys.argv[1], int(sys.argv[2])))
