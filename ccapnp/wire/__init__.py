"""Facts of the wire format that both codecs share: no reading, no writing, no policy."""
