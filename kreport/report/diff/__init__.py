"""Old runs against new ones in words: tables, comments, annotations, calibration."""
