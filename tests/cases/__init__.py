"""Text in, verdict out: every case is in a `.case` file, and one driver reads them all.

`[case NAME]` is followed by the input, `[out]` and what is expected. `[cases NAME]` is followed by
lines of `input => expected`, in which \\n, \\t and \\\\ stand for what they stand for in Python. A
name that ends with `-xfail` is a case that is known to go wrong.
"""
