"""Building a site runs no code of the repository that this person has not allowed."""

from pathlib import Path

import pytest

from calmkb.errors import CalmError
from calmkb.kb.base.environment import Environment
from calmkb.kb.base.knowledge_base import open_kb
from calmkb.templating import render_template
from calmkb.wings.site.verbs.site_code import site_request
from tests.trust.support import allow_everything

ROOT = Path(__file__).parents[2]
HOOKED = "site_name: x\nplugins: [search, calmkb]\nhooks: [evil.py]\n"
RUNS_CODE = {
    "a hook": "hooks: [evil.py]",
    "a hook behind a merged anchor": "x: &x {hooks: [evil.py]}\n<<: *x",
    "a hook that the environment decides": 'hooks: !ENV [SITE_URL, ["evil.py"]]',
    "a Python function in a tag": "x: !!python/object/apply:os.system ['true']",
    "a Python name in a tag": "x: !!python/name:os.system",
    "an unknown plugin": "plugins: [search, evil]",
    "an unknown plugin with options": "plugins: {search: {}, evil: {a: 1}}",
    "a Markdown extension": "markdown_extensions: [evilmod]",
    "snippets, which read files": "markdown_extensions: [{pymdownx.snippets: {base_path: /}}]",
    "a theme folder": "theme: {name: material, custom_dir: over}",
    "another theme": "theme: evil",
    "templates of one's own": "extra_templates: [evil.html]",
    "a parent": "INHERIT: ../base.yml",
    "a variable of the environment": "site_description: !ENV AWS_SECRET_ACCESS_KEY",
    "another knowledge base": "plugins: [{calmkb: {root: ../other}}]",
    "what is no YAML": "a: [",
    "a folder that is an alias bomb": "a: &a [x, x]\nhooks: x\ndocs_dir: *a",
    "a plugin without a text for a name": "plugins: [{1: x}, 3]",
    "an alias bomb": "a: &a [x, x]\nb: &b [*a, *a]\nplugins: [*b]",
}


def request(folder: Path, settings: str):
    """Return what `mkdocs.yml` with these settings asks for in an otherwise empty folder."""
    folder.mkdir(exist_ok=True)
    (folder / "mkdocs.yml").write_text(settings)
    return site_request(open_kb(Environment(home=folder / "home", cwd=folder), option=str(folder)))


@pytest.mark.parametrize("name", RUNS_CODE)
def test_settings_need_approval_that_bring(name, tmp_path):
    (asked,) = request(tmp_path / "kb", f"site_name: x\n{RUNS_CODE[name]}\n")
    assert asked.kind == "site"


def test_the_made_settings_and_this_projects_own_need_none(tmp_path):
    made = render_template("site/mkdocs.yml.j2", site_name="x", folder="", has_config=True)
    assert request(tmp_path / "kb", made) == ()
    assert request(tmp_path / "kb", (ROOT / "mkdocs.yml").read_text()) == ()


@pytest.mark.parametrize(
    ("settings", "file"),
    [
        ("hooks: [evil.py]", "evil.py"),
        ('hooks: !ENV [OFFLINE, ["evil.py"]]', "evil.py"),
        ("theme: {name: material, custom_dir: over}", "over/a/main.html"),
        ("extra_templates: [evil.html]", "docs/evil.html"),
        ("INHERIT: base.yml", "base.yml"),
        ("hooks: [hooks/evil.py]", "hooks/helper.py"),
        ("hooks: [hooks/evil.py]", "hooks/helpers/deep.py"),
        ("markdown_extensions: [{pymdownx.snippets: {base_path: parts}}]", "parts/a.txt"),
        ("plugins: [{macros: {module_name: tools.macros}}]", "tools/macros.py"),
        ("theme: {name: evil}", "mkdocs.yml"),
    ],
)
def test_an_approval_is_bound_to_the_files_that_run(tmp_path, settings, file):
    root = tmp_path / "kb"
    (root / file).parent.mkdir(parents=True)
    (root / "hooks").mkdir(exist_ok=True)
    (root / "hooks/evil.py").write_text("")
    (root / file).write_text("one: 1\n")
    before = request(root, settings)
    if file != "mkdocs.yml":
        (root / file).write_text("two: 2\n")
    after = request(root, f"{settings}\n# changed\n" if file == "mkdocs.yml" else settings)
    assert before[0].sha256 != after[0].sha256
    assert file in after[0].content


def test_what_an_inherited_file_runs_is_named_however_far_up_it_is(tmp_path):
    root = tmp_path / "kb"
    root.mkdir()
    for number in range(9):
        (root / f"{number}.yml").write_text(f"INHERIT: {number + 1}.yml\n")
    (root / "9.yml").write_text("hooks: [evil.py]\n")
    (asked,) = request(root, "INHERIT: 0.yml")
    assert "file 9.yml" in asked.content


def test_settings_that_inherit_from_themselves_are_refused(tmp_path):
    with pytest.raises(CalmError, match="inherits from itself"):
        request(tmp_path / "kb", "INHERIT: mkdocs.yml")


def test_what_a_parent_names_is_found_where_mkdocs_finds_it(tmp_path):
    root = tmp_path / "kb"
    (root / "sub").mkdir(parents=True)
    (root / "sub/base.yml").write_text("hooks: [evil.py]\n")
    (root / "evil.py").write_text("one\n")
    (before,) = request(root, "INHERIT: sub/base.yml")
    (root / "evil.py").write_text("two\n")
    (after,) = request(root, "INHERIT: sub/base.yml")
    assert before.sha256 != after.sha256


def test_a_template_behind_a_link_is_part_of_what_was_allowed(tmp_path):
    root = tmp_path / "kb"
    (root / "over").mkdir(parents=True)
    (root / "evil").mkdir()
    (root / "over/partials").symlink_to("../evil")
    (root / "over/again").symlink_to(".")
    (root / "evil/main.html").write_text("one\n")
    settings = "theme: {name: material, custom_dir: over}"
    (before,) = request(root, settings)
    (root / "evil/main.html").write_text("two\n")
    assert request(root, settings)[0].sha256 != before.sha256


@pytest.fixture
def hostile(publish, canary):
    return publish(
        {
            "calmkb.toml": "",
            "mkdocs.yml": HOOKED,
            "docs/index.md": "# Hi\n",
            "evil.py": f"import pathlib\npathlib.Path({str(canary)!r}).touch()\n",
        }
    )


@pytest.mark.parametrize("args", [["build"], ["stage", "out"], ["check"], ["serve"]])
def test_no_hook_of_a_clone_runs_with(args, hostile, cli, canary):
    said = cli("site", *args)
    assert (said.code, canary.exists()) == (1, False)
    if args != ["check"]:  # which looks at a built site, and reads the settings as plain text
        assert "calmkb agents trust allow" in said.err


def test_a_hook_that_was_allowed_runs_until_it_changes(hostile, cli, canary):
    allow_everything()
    assert cli("site", "build").code == 0
    assert canary.exists()
    canary.unlink()
    (hostile / "evil.py").write_text((hostile / "evil.py").read_text() + "\n")
    assert cli("site", "build").code == 1
    assert not canary.exists()


def test_check_finds_the_site_where_the_settings_put_it(hostile, cli):
    (hostile / "mkdocs.yml").write_text("site_name: x\nplugins: [search, calmkb]\nsite_dir: out\n")
    assert cli("site", "build").code == 0
    said = cli("site", "check")
    assert said.code == 0, said.err
    assert (hostile / "out/index.html").is_file()


@pytest.mark.parametrize("target", ["../../outside", "../calmkb.toml", "../.git", "drafts/a.md"])
@pytest.mark.parametrize("args", [["build"], ["stage", "out"]])
def test_a_link_to_what_is_not_for_the_site_is_refused(target, args, publish, cli, tmp_path):
    clone = publish(
        {
            "calmkb.toml": "",
            "mkdocs.yml": "site_name: x\nplugins: [search, calmkb]\n",
            ".gitignore": "drafts\n",
            "docs/index.md": "# Hi\n",
            "docs/again.md": "# Hi\n",
        }
    )
    (clone / "docs/fine.md").symlink_to("again.md")
    assert cli("site", *args).code == 0
    (clone.parent / "outside").mkdir(exist_ok=True)
    (clone / "docs/drafts").mkdir()
    (clone / "docs/drafts/a.md").write_text("# Not yet\n")
    (clone / "docs/link").symlink_to(target)
    said = cli("site", *args)
    assert (said.code, "docs/link" in said.err) == (1, True)


def test_settings_that_nobody_wrote_are_too_large(tmp_path):
    with pytest.raises(CalmError, match=r"mkdocs\.yml is larger than 500 kB"):
        request(tmp_path, "site_name: x\n" + "# " + "x" * 600_000)
