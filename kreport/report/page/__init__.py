"""The page and the picture: plots in coordinates, rows that unfold, trend lines."""
