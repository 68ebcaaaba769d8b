"""An aggregate is one of its group only with most of the group's users in it."""

import pytest

from core.swarm.aggregation.most_users import has_most_users

CASES = {
    "all": ("abcd", "abcd", True),
    "three of four": ("abc", "abcd", True),
    "half of four: a hostile one and one more would be clipped by no rule": ("ab", "abcd", False),
    "two of three: one was lost": ("ab", "abc", True),
    "one of three": ("a", "abc", False),
    "one of two: which of them is right cannot be told": ("a", "ab", True),
    "none of two": ("", "ab", False),
    "alone": ("a", "a", True),
    "many peers of one user count once": ("aaa", "aaabc", False),
    "one peer of each user stands for it": ("abc", "aaabcde", True),
    "three of six": ("abc", "abcdef", False),
}


@pytest.mark.parametrize(("included", "users", "enough"), CASES.values(), ids=list(CASES))
def test_more_than_half_of_the_users_make_an_aggregate(included: str, users: str, enough: bool) -> None:
    assert has_most_users(included, users) is enough
