"""What other people's settings may do here only with this person's approval, bound to its content.

Read `requests` first (`all_requests`), then the kinds: `programs` and `site_code`. Approvals are
given, required and revoked in `kb.base.approvals`.
"""
