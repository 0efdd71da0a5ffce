"""The whole loop as a person would type it: wrap up, reflect, accept, export, build the site."""

import json
import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

SAMPLES = Path(__file__).parent.parent / "tests" / "data" / "transcripts"


def main() -> None:
    """Run the demo with the `calmkb` named as the first argument (else the one on PATH)."""
    program = sys.argv[1] if len(sys.argv) > 1 else shutil.which("calmkb") or "calmkb"
    calmkb = str(Path(program).absolute()) if os.sep in program else program
    source = Path(os.environ.get("CALMKB_DEMO") or SAMPLES).absolute()
    transcripts = sorted(source.rglob("*.jsonl"))
    if not transcripts:
        sys.exit(f"no transcripts (*.jsonl) below {source}; name a folder with CALMKB_DEMO=DIR")
    folder = Path(tempfile.mkdtemp(prefix="calmkb-demo-"))
    demo = Demo(calmkb, folder)
    demo.run("init", ".")
    wrapped = sum(demo.wrap_up(path) for path in transcripts)
    print(f"\n  {wrapped} of {len(transcripts)} transcripts wrapped up")
    for path in transcripts:
        demo.write_up(path.parent.parent / "wrapups" / f"{path.stem}.json")
    demo.run("session", "list", "--limit", "8")
    demo.reflect()
    demo.run("export", "--project", demo.busiest_project())
    print((folder / "CLAUDE.md").read_text(encoding="utf-8"))
    demo.run("site", "build", "--offline")
    print(f"\nLook at {folder}")
    print(f"  the site     {folder / 'site' / 'index.html'}")
    print(f"  the digest   {folder / 'CLAUDE.md'}")
    print(f"  the records  git -C {folder} log --stat")


class Demo:
    """A knowledge base in a temporary folder, worked on through the command line alone."""

    def __init__(self, calmkb: str, folder: Path) -> None:
        self.calmkb, self.folder = calmkb, folder
        home = folder / "home"
        home.mkdir()
        (home / ".gitconfig").write_text("[user]\n\tname = Demo\n\temail = demo@example.org\n")
        self.env = {**os.environ, "HOME": str(home), "USERPROFILE": str(home), "CALMKB_KB": "."}
        self.env.pop("REFLECTIONS_DIR", None)
        for name in ("AI_AGENT", "AGENT", "CLAUDECODE"):  # the demo plays a person
            self.env.pop(name, None)

    def run(self, *args: str, quiet: bool = False) -> str:
        """Run calmkb and return what it prints; a failure ends the demo."""
        if not quiet:
            print(f"\n$ calmkb {' '.join(args)}", flush=True)
        done = self._call(*args)
        if done.returncode:
            sys.exit(done.stderr)
        if not quiet:
            print(done.stdout, end="")
        return done.stdout

    def wrap_up(self, path: Path) -> bool:
        """Wrap one transcript up; say why where it holds no conversation of a person's."""
        done = self._call("wrapup", "--from-transcript", str(path))
        print(f"$ calmkb wrapup --from-transcript {path.name}", flush=True)
        if done.returncode:
            print(f"  left out: {done.stderr.strip().removeprefix('Error: ')}")
        return done.returncode == 0

    def write_up(self, path: Path) -> None:
        """Wrap a session up as the agent that was there told it, with its learnings, if it did."""
        if path.is_file():
            print(f"$ calmkb wrapup --json {path.name}", flush=True)
            self.run("wrapup", "--json", str(path), quiet=True)

    def busiest_project(self) -> str:
        """Return the project with the most sessions: the one whose digest is worth a look."""
        entries = json.loads(self.run("session", "list", "--json", "--limit", "999", quiet=True))
        names = [entry["project_name"] for entry in entries["entries"]]
        return max(sorted(set(names)), key=names.count)

    def reflect(self) -> None:
        """Accept the best ten that somebody wrote or several sessions met; the rest can wait."""
        document = json.loads(self.run("reflect", "--json", quiet=True))
        sure = [p for p in document["proposals"] if _is_sure(p)]
        again = sure[:10]
        found = len(document["proposals"])
        shown = document["proposals"][:20]
        first = f"the first {len(shown)} of " if found > len(shown) else ""
        print(f"\n$ calmkb reflect   # {first}{found} proposals, with how many sessions")
        for proposal in shown:
            sessions = len({item["session"] for item in proposal["evidence"]})
            mark = "[x]" if proposal in again else "[ ]"
            print(f"  {mark} {proposal['category']:10} in {sessions}  {proposal['text']}")
        for proposal in again or document["proposals"][:3]:
            proposal["decision"] = "accept"
        decisions = self.folder / "decisions.json"
        decisions.write_text(json.dumps(document), encoding="utf-8")
        print(f"\n$ calmkb reflect --apply {decisions}", flush=True)
        print(self._at_a_terminal("reflect", "--apply", str(decisions)), end="")
        decisions.unlink()

    def _at_a_terminal(self, *args: str) -> str:
        """Return what calmkb prints at a terminal: only there does a person approve."""
        import pty  # POSIX alone has it

        ours, terminal = pty.openpty()
        done = subprocess.run(
            [self.calmkb, *args],
            cwd=self.folder, env=self.env, stdin=terminal, stderr=terminal, stdout=subprocess.PIPE,
            text=True, encoding="utf-8", check=False,
        )  # fmt: skip
        os.close(terminal)
        os.close(ours)
        if done.returncode:
            sys.exit(f"calmkb {' '.join(args)} failed")
        return done.stdout

    def _call(self, *args: str) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            [self.calmkb, *args],
            cwd=self.folder, env=self.env, capture_output=True, text=True, encoding="utf-8",
            check=False,
        )  # fmt: skip


def _is_sure(proposal: dict[str, Any]) -> bool:
    return proposal["confidence"] != "low" or proposal["source"] == "written"


if __name__ == "__main__":
    main()
