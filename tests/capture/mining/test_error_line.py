"""The line that a careful reader would quote of a failed call."""

import pytest

from calmkb.capture.tool_calls.error_line import (
    ends_in_failure,
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
    "output",
    ["ok a\n--- FAIL: TestX (0.1s)", "npm error Missing script", "Found 3 errors in 1 file"],
)
def test_a_checker_that_found_something_is_known_by_its_words(output: str) -> None:
    assert ends_in_failure(output)
    assert not ends_in_failure("ok shop 0.1s\n12 passed, 0 failed\nFound 0 errors")
