"""What the runs of the past say: levels, change points, classes over time, bands."""
