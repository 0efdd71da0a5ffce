"""One of each kind that another package can add to calmkb."""
