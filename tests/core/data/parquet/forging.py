"""Numbers as Thrift writes them, for Parquet files that lie."""


def unsigned(number: int) -> bytes:
    """A number that is not negative, 7 bits a byte."""
    written = b""
    while number >= 0x80:
        written, number = written + bytes([number & 0x7F | 0x80]), number >> 7
    return written + bytes([number])


def varint(number: int) -> bytes:
    """The same as Thrift writes numbers that might be negative."""
    return unsigned(number << 1)


def same_length(small: int, length: int) -> bytes:
    """The number in more bytes than it needs."""
    short = varint(small)
    if len(short) == length:
        return short
    return bytes([*(byte | 0x80 for byte in short), *[0x80] * (length - len(short) - 1), 0])
