"""Amounts in the user's locale: numbers, bytes, durations, moments and energy."""

from datetime import date, datetime, timedelta

from PySide6.QtCore import QCoreApplication, QDate, QLocale, QTime

translate = QCoreApplication.translate

_MINUTE, _HOUR, _DAY = 60, 3600, 86_400
_JOULES_PER_WATT_HOUR = 3600


def count(n: int) -> str:
    """Return a whole number of any size as text, such as ``12,345``."""
    return QLocale().toString(float(n), "f", 0)


def decimal(x: float, digits: int = 1) -> str:
    """Return a number with that many decimals."""
    return QLocale().toString(float(x), "f", digits)


def percent(share: float, digits: int = 0) -> str:
    """Return a share of 1 as a percentage."""
    #: A percentage; {number} is written already. German, French, Spanish and Russian put a (hard) space before %.
    return translate("Amounts", "{number}%").format(number=decimal(share * 100, digits))


def unit(name: str) -> str:
    """Return the name of a unit of bytes or bits, such as ``Mo`` for MB in French."""
    return {
        "MB": translate("Amounts", "MB"),
        "GB": translate("Amounts", "GB"),
        "TB": translate("Amounts", "TB"),
        "MiB": translate("Amounts", "MiB"),
        "GiB": translate("Amounts", "GiB"),
        "TiB": translate("Amounts", "TiB"),
        "kB/s": translate("Amounts", "kB/s"),
        "MB/s": translate("Amounts", "MB/s"),
        "GB/s": translate("Amounts", "GB/s"),
        "kbit/s": translate("Amounts", "kbit/s"),
        "Mbit/s": translate("Amounts", "Mbit/s"),
        "Gbit/s": translate("Amounts", "Gbit/s"),
    }.get(name, name)


def around_percent() -> tuple[str, str]:
    """Return the texts before and after the number of a percentage."""
    before, _, after = translate("Amounts", "{number}%").partition("{number}")
    return before, after


def around_minutes() -> tuple[str, str]:
    """Return the texts before and after a number of minutes."""
    before, _, after = translate("Amounts", "{minutes} min").partition("{minutes}")
    return before, after


def data_size(size: float) -> str:
    """Return a number of bytes in a suitable unit, such as ``1.2 GB``, with units of 1000."""
    form = QLocale.DataSizeFormat.DataSizeSIFormat
    return QLocale().formattedDataSize(max(0, int(size)), 0 if size < 1000 else 1, form)


def duration(seconds: float) -> str:
    """Return a duration in its two largest units, such as ``2 h 15 min``."""
    whole = max(0, round(seconds))
    if whole < _MINUTE:
        return translate("Amounts", "{seconds} s").format(seconds=count(whole))
    if whole < _HOUR:
        minutes, rest = divmod(whole, _MINUTE)
        return _minutes(minutes) if rest == 0 or minutes >= 10 else _minutes_seconds(minutes, rest)
    if whole < _DAY:
        return _hours(*divmod(whole // _MINUTE, 60))
    return _days(*divmod(whole // _HOUR, 24))


def clock(moment: datetime) -> str:
    """Return the time of day in the moment's own zone."""
    return QLocale().toString(QTime(moment.hour, moment.minute), QLocale.FormatType.ShortFormat)


def day(of: date) -> str:
    """Return a date, such as ``1 Mar 2026``."""
    #: How a date is written: d, day; MMM, short name of the month; yyyy, year; other letters in 'quotes'.
    return QLocale().toString(_qdate(of), translate("Amounts", "d MMM yyyy"))


def short_day(of: date) -> str:
    """Return a date without its year, for axes and lists, such as ``1 Mar``."""
    #: How a date without its year is written: d, day; MMM, short name of the month; other letters in 'quotes'.
    return QLocale().toString(_qdate(of), translate("Amounts", "d MMM"))


def moment(at: datetime, now: datetime) -> str:
    """Return a moment in the zone of ``now``: its time if it is today, else with the weekday or the date."""
    local = at.astimezone(now.tzinfo)
    if local.date() == now.date():
        return clock(local)
    if abs(local.date() - now.date()) < timedelta(days=7):
        weekday = QLocale().dayName(local.isoweekday())
        #: A moment of the days around today, such as "Tuesday, 14:30".
        return translate("Amounts", "{weekday}, {time}").format(weekday=weekday, time=clock(local))
    #: A moment, such as "1 Mar 2026, 14:30".
    return translate("Amounts", "{date}, {time}").format(date=day(local.date()), time=clock(local))


def energy(joules: float) -> str:
    """Return an amount of energy in watt-hours or kilowatt-hours."""
    watt_hours = max(0.0, joules) / _JOULES_PER_WATT_HOUR
    if watt_hours < 1000:
        written = decimal(watt_hours, 0 if watt_hours >= 10 else 1)
        return translate("Amounts", "{number} Wh").format(number=written)
    thousands = watt_hours / 1000
    written = decimal(thousands, 1 if thousands < 100 else 0)
    return translate("Amounts", "{number} kWh").format(number=written)


def money(amount: float, currency: str) -> str:
    """Return an amount of money; the currency is as the user writes it, and may be empty."""
    #: An amount of money, such as "1.25 EUR".
    text = translate("Amounts", "{number} {currency}")
    return text.format(number=decimal(amount, 2), currency=currency).strip()


def mass(grams: float) -> str:
    """Return a mass in grams or kilograms."""
    if grams < 1000:
        return translate("Amounts", "{number} g").format(number=decimal(grams, 0))
    return translate("Amounts", "{number} kg").format(number=decimal(grams / 1000, 1))


def _minutes(minutes: int) -> str:
    return translate("Amounts", "{minutes} min").format(minutes=count(minutes))


def _minutes_seconds(minutes: int, seconds: int) -> str:
    text = translate("Amounts", "{minutes} min {seconds} s")
    return text.format(minutes=count(minutes), seconds=count(seconds))


def _hours(hours: int, minutes: int) -> str:
    if minutes == 0:
        return translate("Amounts", "{hours} h").format(hours=count(hours))
    text = translate("Amounts", "{hours} h {minutes} min")
    return text.format(hours=count(hours), minutes=count(minutes))


def _days(days: int, hours: int) -> str:
    if hours == 0:
        return translate("Amounts", "{days} d").format(days=count(days))
    return translate("Amounts", "{days} d {hours} h").format(days=count(days), hours=count(hours))


def _qdate(of: date) -> QDate:
    return QDate(of.year, of.month, of.day)
