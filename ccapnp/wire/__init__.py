"""What codecs share: pointer bits, shapes, limits, framing, bytes from and to files; no pointer is followed here."""
