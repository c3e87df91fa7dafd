"""The archive of reports, and the runs of the past that are read from it."""
