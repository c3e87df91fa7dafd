"""Speed of whole processes against their floors, as ratios within one run."""
