"""A memory: what it says, who approved it, whether its trouble came back.

Read `memories` first (`Memory`, `Evidence`); then `approval`, `health` (`Standing`,
`FeedbackCounts`), `backtest` (`Backtest`), and `enforcement` (`Call`, which checks are held
against).
"""
