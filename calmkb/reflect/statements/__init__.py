"""What sessions said, a sentence at a time: how it is read and worded, and what holds it back."""
