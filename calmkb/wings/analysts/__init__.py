"""Four analysts read the sessions before a review: programs of the user.

Read `verbs` first; `questions` is what they are asked, `answers` reads what came back as hostile
input.
"""
