"""How much planted text gets through, by default settings. Read `cases`, then `report`."""
