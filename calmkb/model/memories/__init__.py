"""A memory: what it says, who approved it, whether it helped, what it would have saved.

Read `memories` first (`Memory`, `Evidence`); then `approval`, `health` (`Helping`, `MemoryHealth`),
`backtest` (`Backtest`), `turns_lost`, and `enforcement` (`Call`, which checks are held against).
"""
