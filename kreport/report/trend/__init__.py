"""Series over time in words: sparklines, sentences, JSON."""
