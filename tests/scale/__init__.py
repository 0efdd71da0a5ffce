"""What a command costs grows with what it is about, not with the whole journal."""
