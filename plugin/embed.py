"""A compiled node as text for a generated module: its packed message in base64."""

from __future__ import annotations

from base64 import b64encode
from functools import lru_cache

from ccapnp.schema import Node
from ccapnp.wire.framing import framed_pieces

__all__ = ["embed_node"]

_DATA_WORDS = 5
"""What schema.capnp's Node had before it said where in its file it stands, which is not kept."""


@lru_cache(maxsize=10_000)  # several files may use it
def embed_node(node: Node) -> str:
    """The node without its place in the source; the same text whichever compiler it comes from."""
    shape, word = node.record.shape, node.record.word
    codec = shape.codec
    words, _ = codec.total_size(shape, word)
    root = codec.new_message(words + 16)
    copy, copy_word = root.init_struct(0, _DATA_WORDS, shape.pointers, lambda shape, word: (shape, word))
    size = min(shape.data_words, _DATA_WORDS) << 3
    copy.u8[copy_word << 3 : (copy_word << 3) + size] = shape.u8[word << 3 : (word << 3) + size]
    for index in range(shape.pointers):
        copy.copy_pointer(copy_word + _DATA_WORDS + index, shape, word + shape.data_words + index)
    return b64encode(codec.pack(framed_pieces(root.pieces()))).decode()
