"""Fuzzing of the readers: what any bytes at all may do to them, and how to look for more."""
