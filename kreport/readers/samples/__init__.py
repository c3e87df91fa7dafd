"""Files of raw samples, reduced as they are read."""
