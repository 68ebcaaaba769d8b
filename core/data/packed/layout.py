"""The layouts that shards can be written in, by name; light, as the command line offers them."""

from enum import StrEnum


class ShardLayout(StrEnum):
    PACKED = "packed"
    """The codes of many rows in a block, in as few bits as pay."""
    PUBLISHED = "published"
    """As in laion/laion_100m_vqgan_f8: every row has its codes, in 16 bits each."""
