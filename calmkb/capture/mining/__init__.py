"""Learning signals found in transcripts: corrections, rules, praise, repeated requests.

Read `signals` first; `corrections` and `praise` decide about one sentence each.
"""
