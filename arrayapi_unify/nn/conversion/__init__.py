"""Conversions of layers from and to other libraries; nothing else imports them, except lazily."""
