"""A line of shell as the simple commands that it runs, whatever starts them."""

import re
import shlex
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import cache
from itertools import dropwhile
from os.path import realpath
from pathlib import Path

from calmkb.wings.proof.shell_words import Shell, Step, is_variable, read_steps

_Table = Mapping[str, tuple[str, int]]

_ENDING = re.compile(r"(?<=.)@.*|\.(?:exe|cmd)$")
# What starts another command: which of its short options take a value, and how many words come
# before that command.
_WRAPPERS = {
    **dict.fromkeys(
        "arch builtin busybox caffeinate chronic command concurrently coproc corepack cross-env"
        " cross-env-shell daemonize dbus-run-session entr env-cmd eval fakeroot firejail hyperfine"
        " nohup pkexec proxychains proxychains4 rlwrap rtk setpriv setsid stuff systemd-cat"
        " systemd-inhibit torsocks toybox trap unbuffer valgrind xvfb-run then do else elif"
        " if while until ! { linux32 linux64 nocorrect noglob proot winpty".split(), ("", 0)),
    **dict.fromkeys("chroot faketime function gosu setarch sg su-exec taskset".split(), ("", 1)),
    **dict.fromkeys("git bisect run,git submodule foreach,perf stat,tox exec".split(","), ("", 0)),
    **{"chrt": ("DPT", 1), "doas": ("uC", 0), "env": ("uC", 0), "exec": ("a", 0),
       "flock": ("wE", 1), "gtimeout": ("ks", 1), "ionice": ("cn", 0), "ltrace": ("aenopsu", 0),
       "nice": ("n", 0), "nsenter": ("GSt", 0), "numactl": ("CNimp", 0), "parallel": ("j", 0),
       "prlimit": ("p", 0), "runuser": ("GTgsuw", 0), "screen": ("STcehpst", 0),
       "script": ("BEIOTmot", 1), "sem": ("j", 0), "stdbuf": ("ioe", 0),
       "strace": ("EIOPSabeopsu", 0), "sudo": ("CDRTUghprtu", 0), "systemd-run": ("EHMp", 0),
       "time": ("fo", 0), "timeout": ("ks", 1), "tmux": ("FLScefnlpstxy", 1),
       "unshare": ("GRSw", 0), "watch": ("n", 0), "watchexec": ("defisw", 0), "wsl": ("du", 0),
       "xargs": ("EILPadns", 0)},
}  # fmt: skip
# One of a package or of an environment.
_RUNNERS = dict.fromkeys(
    ("npx", "bunx", "uvx", "npm exec", "npm x", "pnpm dlx", "pnpm exec", "yarn dlx", "yarn exec",
     "bun x", "uv run", "poetry run", "pdm run", "pipenv run", "pipx run", "bundle exec",
     "mise exec", "mise x", "volta run", "python -m", "python3 -m", "asdf exec", "conda run",
     "doppler run", "dotenv", "dotenvx run", "fnm exec", "hatch run", "lerna exec", "mamba run",
     "micromamba run", "nodenv exec", "nvm exec", "nx exec", "op run", "rye run", "infisical run"),
    ("CFJceilnopuvw", 0),
)  # fmt: skip
# One in another place.
_ELSEWHERE = dict.fromkeys(
    ("ssh", "docker exec", "docker run", "docker compose exec", "docker compose run",
     "docker container exec", "docker-compose exec", "docker-compose run", "podman exec",
     "podman run", "nerdctl exec", "kubectl exec", "lxc exec", "limactl shell", "direnv exec",
     "aws-vault exec", "chamber exec"),
    ("CFJceilnopuvw", 1),
)  # fmt: skip
_LONG_VALUED = {
    *"--adjustment --chdir --directory --entrypoint --env --env-file --extra --group".split(),
    *"--kill-after --max-args --max-procs --name --namespace --network --package".split(),
    *"--platform --publish --python --regid --reuid --signal --unset --user --volume".split(),
    *"--with --workdir".split(),
}
_SHELLS = {"ash", "bash", "csh", "dash", "fish", "ksh", "mksh", "rbash", "sh", "tcsh", "zsh"}
_ASKED = r"-\w*c|--command"
# Programs that are given a line of shell by an option, and by which.
_LINES = {
    **dict.fromkeys("npm npx nu runuser script su vagrant".split(), r"-\w*c|--command|--call"),
    **dict.fromkeys("cmd nix powershell pwsh".split(), r"(?i)-c(ommand)?|--command|/c"),
    **dict.fromkeys(("git rebase", "nix-shell", "nodemon"), r"-x|--exec|--run"),
}
_TAKES_VALUE = {
    *"-C -c -w --cache --cwd --dir --filter --git-dir --loglevel --prefix --registry".split(),
    *"--context --kubeconfig --namespace --repo --work-tree --workspace".split(),
    *("gh -R", "helm -n", "kubectl -n"),
}
# Short forms as the manual of a program has them: sub-commands, and options by their letter.
_SHORT = {
    **dict.fromkeys(("bun", "pnpm"), "i=install t=test"),
    "cargo": "b=build c=check d=doc r=run t=test",
    "npm": "add=install i=install in=install rm=uninstall run-script=run t=test un=uninstall",
    "rails": "c=console d=destroy g=generate s=server t=test",
}
_LETTERS = {
    **dict.fromkeys("chmod chown cp mv rm".split(), "R=recursive f=force r=recursive"),
    **dict.fromkeys(("git checkout", "git clean", "git switch"), "f=force"),
    "curl": "k=insecure", "git tag": "d=delete f=force", "docker run": "d=detach",
    "git add": "A=all f=force p=patch u=update", "git push": "d=delete f=force",
    "git branch": "D=delete+force d=delete f=force", "git rebase": "i=interactive",
    "git commit": "S=gpg-sign a=all n=no-verify s=signoff", "npm install": "D=save-dev g=global",
    "pip install": "U=upgrade e=editable", "sed": "i=in-place",
}  # fmt: skip
_CLUSTER = re.compile(r"-[A-Za-z]{1,4}")
_DEEPEST, _LONGEST = 3, 20


def simple_commands(line: str) -> Iterator[list[str]]:
    """Yield the commands of a line: `sudo npx tsc`, and then `npx tsc` and `tsc`."""
    return (step.words for step in _steps(line, _WRAPPERS | _RUNNERS))


def _steps(line: str, starters: _Table, shell: Shell = (), depth: int = 0) -> Iterator[Step]:
    for number, step in enumerate(read_steps(line, shell)):
        for _ in range(_LONGEST):
            words = (word for word in step.words if word not in ("$", ":::"))
            step = replace(
                step, words=list(dropwhile(lambda w: is_variable(w) or w.isdigit(), words))
            )
            if not step.words:
                break
            yield step
            for text in _texts_run_by(step) if depth < _DEEPEST else ():
                yield from _steps(text, starters, (*step.shell, -number), depth + 1)
            step.words = _started(step.words, starters)


def _started(words: Sequence[str], starters: _Table) -> list[str]:
    """Return the command that another one starts, nothing where it starts none."""
    named = [_name(words[0]), *words[1:3]]
    for size in (3, 2, 1):
        found = starters.get(" ".join(named[:size]))
        if found and " ".join(named[:2]).casefold() != "command -v":
            return _after_options(_after_options(words[size:], found[0])[found[1] :], found[0])
    return []


def _after_options(words: Sequence[str], taking: str) -> list[str]:
    """Return what follows options; those of `taking` and some long ones take the next word."""
    rest = list(words)
    while rest and rest[0].startswith("-") and rest[0] != "--":
        option = rest.pop(0)
        if option.startswith(("-S", "--split-string")) and "S" not in taking:  # of `env`
            rest[:0] = re.sub("-S|--split-string=?", "", option, count=1).split()
        else:  # `-u ada` and `-iu ada`, but not `-uada`
            valued = option[-1] in taking and not set(option[1:-1]) & set(taking)
            valued |= option in _LONG_VALUED and (option != "--user" or "u" in taking)
            del rest[:valued]
    return rest[rest[:1] == ["--"] :]


def _texts_run_by(step: Step) -> list[str]:
    """Return the lines of shell that a command is given to run."""
    program, rest = _name(step.words[0]), step.words[1:]
    if len(step.words[0].split()) > 1:  # `eval TEXT`, `ssh HOST TEXT`, `concurrently TEXT TEXT`
        return [word for word in step.words if " " in word]
    if program in ("find", "fd", "fdfind"):
        starts = r" -(?:exec|ok)(?:dir)? | -[xX] | --exec(?:-batch)? "
        return re.split(starts, f" {shlex.join(rest)}")[1:]
    if program == "alias":
        return [word.partition("=")[2] for word in rest]
    named = program if program != "git" else " ".join([program, *rest[:1]])
    asked = _ASKED if program in _SHELLS else _LINES.get(named, "-")
    for number, word in enumerate(rest, 1):
        option, is_joined, text = word.partition("=")  # `--exec=TEXT`
        if re.fullmatch(asked, option):
            rest = [text] if is_joined else rest[number:]
            return rest[:1] if program in _SHELLS else [" ".join(rest)]
    return [step.reads] if _runs_its_input(program, rest) else []


def _runs_its_input(program: str, rest: Sequence[str]) -> bool:
    """Return whether a command runs what it reads, since no file nor command is named."""
    if program == "ssh":
        return not _started([program, *rest], _ELSEWHERE)
    if program in ("at", "batch"):
        return True
    named = next((word for word in rest if word[:1] not in "-+"), "")
    is_input = named.startswith(("/dev/stdin", "/dev/fd/"))
    no_file = program in _SHELLS and all(word[:1] in "-+" for word in rest[:1])
    return no_file or (is_input and program in (*_SHELLS, "source", "."))


def commands_within(line: str, tops: Sequence[str], *, runners: bool = True) -> Iterator[list[str]]:
    """Yield the commands of a line that are run in one of the folders `tops`; without any, all.

    With `runners` also what `npx`, `docker exec` and the like start.
    """
    inside: dict[Shell, bool] = {}
    for step in _steps(line, _WRAPPERS | (_RUNNERS | _ELSEWHERE if runners else {})):
        words, shell = step.words, step.shell
        around = (inside.get(shell[:size]) for size in range(len(shell), -1, -1))
        here = next((one for one in around if one is not None), True)
        if words[0] in ("cd", "pushd", "popd"):
            if step.after not in ("|", "|&", "&"):  # else it is another shell that moves
                inside[shell] = _is_within("".join(words[1:][-1:]) or "-", tops, here=here)
        elif words[:2] == ["git", "init"]:
            inside[shell] = here and not (tops and inside)
        elif here:
            folder = words[2] if words[:2] == ["git", "-C"] and len(words) > 2 else ""
            if _is_within(folder, tops, here=True):
                yield words


def _is_within(folder: str, tops: Sequence[str], *, here: bool) -> bool:
    if not tops or not folder:
        return here
    if folder in ("-", "$OLDPWD"):  # who knows
        return True
    folder = re.sub(r"^(?:~|\$HOME)(?=/|$)", str(Path.home()), folder)
    if not folder.startswith("/"):
        return here and not folder.startswith(("~", "$TMP"))
    found = Path(realpath(folder))
    return any(found.is_relative_to(realpath(top)) for top in tops)


def _name(program: str) -> str:
    return _ENDING.sub("", program.rpartition("/")[2])


def program_and_arguments(words: Sequence[str]) -> tuple[list[str], set[str]]:
    """Return the program with its arguments, and its options without their values.

    An option before the sub-command that takes a value (`git -C DIR`) is left out with it.
    """
    arguments, options = [_name(words[0])], set[str]()
    rest = iter(words[1:])
    for word in rest:
        if len(arguments) == 1 and {word, f"{arguments[0]} {word}"} & _TAKES_VALUE:
            next(rest, None)
        elif word.startswith("-") and word != "-":
            options.add(word.partition("=")[0])
        elif arguments[0] != "make" or "=" not in word:
            arguments.append(word)
    short = _pairs(_SHORT.get(arguments[0], ""))
    arguments[1:2] = [short.get(one, one) for one in arguments[1:2]]
    if arguments[:2] == ["npm", "run"] and arguments[2:3] in (["test"], ["start"], ["stop"]):
        del arguments[1]
    return arguments, options


def whole_options(arguments: Sequence[str], options: Iterable[str]) -> set[str]:
    """Return each option by its long name where it has one: of `-am`, of `-i.bak`."""
    long = _pairs(_LETTERS.get(" ".join(arguments[:2])) or _LETTERS.get(arguments[0], ""))
    found = set[str]()
    for option in options:
        for one in option[1:] if _CLUSTER.fullmatch(option) else [option[1:]]:
            names = long.get(one[:1], "")
            found |= {f"--{name}" for name in names.split("+")} if names else {f"-{one}"}
    return found


def has_short_form(arguments: Sequence[str]) -> bool:
    """Whether another word may stand for the sub-command of these arguments."""
    return bool({*arguments[1:2]} & {*_pairs(_SHORT.get(arguments[0], "")).values()})


@cache
def _pairs(text: str) -> dict[str, str]:
    return dict(pair.split("=") for pair in text.split())
