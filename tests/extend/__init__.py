"""What other packages add to calmkb, and what is there without a wing."""
