"""Views and in-place writes where a library's arrays can't share memory or mayn't be written."""
