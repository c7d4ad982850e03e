"""Checks of arguments that backends share, with one error class and wording for each."""
