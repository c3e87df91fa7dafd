"""From results to text: views of formatted strings, templates, the console."""
