"""The command line: one module a command, each a signature whose body imports the work."""
