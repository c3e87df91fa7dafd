"""Readers: one module a layout, all to the canonical run table of `kreport.schema`."""
