"""Learning signals found in transcripts: corrections, rules, praise, repeated requests.

Read `signals` first; `corrections` decides about one sentence.
"""
