"""`make soak`: the stores under kills, full disks and rivals, at length and unattended."""
