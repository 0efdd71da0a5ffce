"""What other people's settings may do here only with this person's approval, bound to its content.

Read `requests` first (`all_requests`), then `programs`; wings add theirs at a point. Approvals are
given, required and revoked in `kb.base.approvals`.
"""
