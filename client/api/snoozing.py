"""How long a pause lasts that somebody asked for in words, such as ``15m`` or ``tomorrow``."""

from client.preferences.snooze import snooze_seconds as snooze_seconds
