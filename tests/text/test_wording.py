"""Hints and lists: the same for a few names as ever, and short and quick for very many."""

import time

import pytest

from renderer.text.wording import add_article, listed, misspelt, nearest, suggest

MANY = [f"name{n}x" for n in range(900)]


@pytest.mark.parametrize(
    ("name", "text"),
    [("Service", "a Service"), ("ExternalSecret", "an ExternalSecret"), ("User", "a User")],
)
def test_the_article_follows_the_first_letter(name, text):
    assert add_article(name) == text


def test_very_many_names_are_cut():
    assert listed(MANY[:100]).endswith(", name98x and name99x")
    assert listed(MANY).endswith(", name99x and 800 more")


def test_of_very_many_names_those_that_start_or_end_alike_are_compared():
    assert nearest("apart-from-that", [*MANY, "apart-form-that"]) == "apart-form-that"
    assert nearest("aprat-form-taht", [*MANY, "apart-form-that"]) == "apart-form-that"
    assert nearest("zzz", MANY) == ""
    assert nearest("name1y", MANY * 2) == ""


@pytest.mark.slow
def test_a_hint_takes_no_longer_the_more_names_are_alike():
    began = time.process_time()
    for number in range(500):
        nearest(f"nmae{number}x", MANY)
    assert time.process_time() - began < 5


def test_a_name_that_is_near_or_else_what_there_is():
    assert suggest("prd", ["dev", "prod"]) == "did you mean 'prod'?"
    assert suggest("zzz", ["dev", "prod"]) == "use dev or prod"
    assert suggest("zzz", ["dev", "prod"], "name one") == "name one"
    assert suggest("prd", ["dev", "prod"], shown="environments/{}".format) == (
        "did you mean environments/prod?"
    )


@pytest.mark.parametrize(
    ("name", "known"),
    [
        ("htpp", "http"),
        ("hhtp", "http"),
        ("htp", "http"),
        ("httpp", "http"),
        ("wed", "web"),
        ("scoerr", "scorer"),
        ("secretflo", "secretflow"),
        ("METAA", "META"),
    ],
)
def test_a_slip(name, known):
    assert misspelt(name, ["grpc", known]) == known


@pytest.mark.parametrize(
    ("name", "known"),
    [
        ("https", "http"),
        ("http", "https"),
        ("http1", "http2"),
        ("secretflow-2", "secretflow"),
        ("web-a", "web-b"),
        ("serving-http", "serving-grpc"),
        ("db", "dc"),
        ("http", "http"),
    ],
)
def test_another_name(name, known):
    assert misspelt(name, ["admin", known]) == ""
