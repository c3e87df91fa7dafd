"""One module a layout of runs, each known by its columns."""
