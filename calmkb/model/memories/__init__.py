"""A memory: what it says, who approved it, whether its trouble came back.

Read `memories` first (`Memory`, `Evidence`, `Approval`, `Standing`); then `backtest` (`Backtest`),
and `enforcement` (what its checks stopped).
"""
