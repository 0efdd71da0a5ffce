"""What other people's settings may do here only with this person's approval, bound to its content.

Read `programs` (`all_requests`); wings add theirs at a point. Approvals are given, required and
revoked in `kb.base.approvals`.
"""
