"""The contrast of two colours, as WCAG 2 defines it."""

from gui.design.tokens import channels


def contrast(colour: str, other: str) -> float:
    """Return the contrast ratio of WCAG 2: 1 for none, 21 for black on white."""
    light, dark = sorted((_luminance(colour), _luminance(other)), reverse=True)
    return (light + 0.05) / (dark + 0.05)


def _luminance(colour: str) -> float:
    red, green, blue = (_linear(channel / 255) for channel in channels(colour))
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def _linear(channel: float) -> float:
    return channel / 12.92 if channel <= 0.04045 else float(((channel + 0.055) / 1.055) ** 2.4)
