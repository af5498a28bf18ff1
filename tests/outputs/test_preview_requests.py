"""Commands that ask an address, as a shell reads them."""

import shlex

from renderer.outputs.requests import address_command
from renderer.values.unit_details import Address

ASKED = Address("predict", "http://in", "all", "http://<ingress>/m", (("Host", "a.example"),))


def words(item):
    return shlex.split(address_command(item).replace("\\\n", " "))


def test_an_address_that_is_not_to_be_tried_has_no_command():
    assert address_command(ASKED) == ""


def test_a_gateway_is_asked_with_its_headers():
    made = words(ASKED._replace(method="GET"))
    assert made == ["curl", "--fail", "--header", "Host: a.example", "http://<ingress>/m"]


def test_without_a_gateway_the_address_itself_is_asked():
    assert words(Address("live", "http://in", "all", method="GET")) == [
        "curl",
        "--fail",
        "http://in",
    ]


def test_a_body_is_sent_as_json_whatever_it_holds():
    body = '{"a": "it\'s $HOME"}'
    made = words(ASKED._replace(method="POST", body=body))
    assert made[made.index("--data") + 1] == body
    assert "Content-Type: application/json" in made
