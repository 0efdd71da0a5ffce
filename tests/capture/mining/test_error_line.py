"""The line that a careful reader would quote of a failed call."""

import pytest

from calmkb.capture.tool_calls.error_line import (
    ends_in_failure,
    find_error_line,
    is_noise,
    normalised,
)

NPM = """\
Exit code 254
npm error code ENOENT
npm error syscall open
npm error path /home/dev/shop/package.json
npm error errno -2
npm error enoent Could not read package.json: Error: ENOENT: no such file, open '…/package.json'
npm error A complete log of this run can be found in: /home/dev/.npm/_logs/x-debug-0.log
"""
SSH = """\
Exit code 128
** WARNING: connection is not using a post-quantum key exchange algorithm.
** This session may be vulnerable to "store now, decrypt later" attacks.
remote: error: GH013: Repository rule violations found for refs/heads/main.
To github.com:dev/shop.git
error: failed to push some refs to 'github.com:dev/shop.git'
"""
LINT = """\
Exit code 1
[lint:go] $ golangci-lint run ./...
[lint:go] till/sum.go:41:8: Error return value of `os.Remove` is not checked (errcheck)
[lint:go] \tdefer os.Remove(name)
[lint:go] \t     ^
[lint:go] 1 issues:
[lint:go] * errcheck: 1
[lint:go] ERROR task failed
"""
DUPLICATES = """\
Exit code 1
till/sum_test.go:17: 17-67 lines are duplicate of `till/tax_test.go:16-66` (dupl)
func TestSum(t *testing.T) {
\tt.Fatalf("failed to open the till: %v", err)
}
2 issues:
* dupl: 2
"""
GO_TEST = """\
Exit code 1
--- FAIL: TestReceipt (0.02s)
    till.go:12: Hook output: 2026/01/06 INFO receipt printed=false
    receipt_test.go:80: Open() output: Error reading nothing
    receipt_test.go:88: total = 3, want 4
FAIL
FAIL\tshop/till\t0.391s
FAIL
"""
ALOUD = """\
=== RUN   TestReceipt
    receipt_test.go:88: the receipt should name the till
--- FAIL: TestReceipt (0.00s)
FAIL
"""
TESTIFY = """\
FAIL\tshop/other 0.475s
--- FAIL: TestReceipt (0.06s)
    receipt_test.go:90:
        \tError Trace:\t/home/dev/shop/receipt_test.go:90
        \tError:      \tShould be true
        \tTest:       \tTestReceipt
"""
BUILD = """\
Exit code 1
# shop/till [shop/till.test]
till/sum_test.go:31:45: undefined: openTill
FAIL\tshop/till [build failed]
FAIL
"""


@pytest.mark.parametrize(
    ("output", "line"),
    [
        (NPM, "enoent Could not read package.json: Error: ENOENT: no such file, open "
              "'…/package.json'"),
        (SSH, "error: GH013: Repository rule violations found for refs/heads/main."),
        (LINT, "till/sum.go:41:8: Error return value of `os.Remove` is not checked (errcheck)"),
        (DUPLICATES, "till/sum_test.go:17: 17-67 lines are duplicate of `till/tax_test.go:16-66` "
                     "(dupl)"),
        (GO_TEST, "TestReceipt: receipt_test.go:88: total = 3, want 4"),
        ("--- FAIL: TestTill (0.04s)\n    --- FAIL: TestTill/opens (0.01s)\n"
         "        till_test.go:122: Open() = 7, want 6\nFAIL",
         "TestTill: till_test.go:122: Open() = 7, want 6"),
        (ALOUD, "TestReceipt: receipt_test.go:88: the receipt should name the till"),
        (TESTIFY, "TestReceipt: Error: Should be true"),
        (TESTIFY.replace("--- FAIL: TestReceipt (0.06s)", "…"),
         "TestReceipt: Error: Should be true"),
        (BUILD, "till/sum_test.go:31:45: undefined: openTill"),
        ("mise WARN  failed to write cache file\nError: no such task: lint", "Error: no such task: "
         "lint"),
        ("go: updates to go.mod needed; to update it:\n\tgo mod tidy",
         "go: updates to go.mod needed; to update it: go mod tidy"),
        ("src/till.ts(3,5): error TS2322: Type 'string' is not assignable to type 'number'.",
         "src/till.ts(3,5): error TS2322: Type 'string' is not assignable to type 'number'."),
        ("Exit code 1\n> shop@1.0.0 test\n> exit 1", ""),
        ("till_test.go:94: Second sale: 3, till: open\nFAIL\n", ""),
        ("till.go:8:13: string `a", "till.go:8:13: string `a"),
        ("till.go:8:13: string `a\nb` has 3 occurrences (goconst)",
         "till.go:8:13: string `a b` has 3 occurrences (goconst)"),
        ("Fetching from origin\nFailed to fetch: remote not found\nError: no till\n…\nFAIL\n", ""),
        ("warning: unused variable: `x`\n[ 40%] Building\nFAIL shop/till 1.156s", ""),
    ],
)  # fmt: skip
def test_the_telling_line_is_found(output: str, line: str) -> None:
    assert find_error_line(output) == line


@pytest.mark.parametrize(
    "output",
    [
        "<tool_use_error>Sibling tool call errored</tool_use_error>",
        "This command requires approval",
        "This Bash command contains multiple operations. The following part requires approval: x",
        "cd in '/x' was blocked. For security, the client may only change directories within",
        "Exit code 1\n(eval):cd:1: no such file or directory: web/till",
        "Exit code 1\nbash: line 1: cd: web/till: No such file or directory",
        "Exit code 1\n(eval):1: parse error near `('",
        "Exit code 137\nhalf done\n[Request interrupted by user for tool use]",
        "Agent type 'reviewer' not found. Available agents: Bash, Explore",
        "stopped after 1 steps",
    ],
)
def test_what_never_ran_is_no_failure(output: str) -> None:
    assert is_noise(output)


@pytest.mark.parametrize(
    "output",
    [
        "Exit code 1\nError: File does not exist: till.toml",
        "Exit code 1\nfatal: the page was blocked by CORS",
        'Exit code 1\nERROR: syntax error at or near "FORM"',
    ],
)
def test_what_a_command_says_itself_is_no_slip_of_the_agent(output: str) -> None:
    assert not is_noise(output)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("connect ECONNREFUSED 127.0.0.1:5432", "connect ECONNREFUSED 127.0.0.1:61034"),
        ("cannot read /tmp/run1/x line 10", "cannot read /var/folders/ab/T/run2/x line 7"),
        ("fatal: bad object e53647ba1f1e", "fatal: bad object 0a1b2c3d4e5f"),
        ("panic at 0x7ffe12 in pid 812", "panic at 0x55aa in pid 90412"),
        ("timed out after 2m0s (1.5s, 300ms)", "timed out after 30s (20ms, 4s)"),
        ("id 550e8400-e29b-41d4-a716-446655440000 gone",
         "id 123e4567-e89b-12d3-a456-426614174000 gone"),
        ("till/a.go:12:3: x is unused", "till/a.go:99:14: x is unused"),
    ],
)  # fmt: skip
def test_one_fault_stays_one_under_what_changes(one: str, other: str) -> None:
    assert normalised(one) == normalised(other)


def test_two_faults_stay_two() -> None:
    assert normalised("no script: test") != normalised("no script: lint")


@pytest.mark.parametrize(
    "output",
    ["ok a\n--- FAIL: TestX (0.1s)", "npm error Missing script", "Found 3 errors in 1 file"],
)
def test_a_checker_that_found_something_is_known_by_its_words(output: str) -> None:
    assert ends_in_failure(output)
    assert not ends_in_failure("ok shop 0.1s\n12 passed, 0 failed\nFound 0 errors")
