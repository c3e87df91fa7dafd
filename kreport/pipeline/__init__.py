"""What each command does, as plain functions: read, model, report. No Typer here."""
