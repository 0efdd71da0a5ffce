"""The pages: which there are, and what each is given.

Read `table` first (`pages`, the list of them), then `page` (`Page`) and a subject, such as `weeks`.
"""
