"""What every run journal keeps, on whichever engine."""

import pytest

pytestmark = pytest.mark.anyio


async def test_a_session_begins_active_and_is_found_again(journal):
    session = await journal.create_session("coding", title="Checkout")
    assert await journal.get_session(session.id) == session
    assert (session.status, session.title) == ("active", "Checkout")
