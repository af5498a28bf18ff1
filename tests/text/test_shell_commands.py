"""curl commands: the bodies and addresses that a shell would send."""

import subprocess

import pytest
from hypothesis import strategies as st

from renderer.text.shell_commands import has_curl, requests_in
from tests.support.samples import tried

ADDRESS = "https://localhost:8082/api/v1/serving/create"


def only(text):
    (request,) = requests_in(text)
    return request


@pytest.mark.parametrize(
    "words",
    [
        f"-d '{{}}' {ADDRESS}",
        f"'{ADDRESS}' --data '{{}}'",
        f'--url "{ADDRESS}?x=1" --data-raw "{{}}"',
        f"-k -X POST {ADDRESS} \\\n --header \"Token: $(cat a/token)\" \\\n -d '{{}}'",
        f"-d'{{}}' {ADDRESS}",
        f"--data='{{}}' {ADDRESS}",
        f"{ADDRESS} --json {{}} && echo done",
        f"{ADDRESS} -d '{{}}' | jq .",
        f"-X POST '{ADDRESS.removeprefix('https://')}' -H 'accept: a/b' -d '{{}}'",
    ],
)
def test_address_and_body(words):
    assert has_curl(f"curl {words}")
    request = only(f"# sends it\nexport A=b\ncurl {words}\n")
    assert (request.address, request.body, request.problem) == ("/api/v1/serving/create", "{}", "")


@pytest.mark.parametrize(
    ("body", "said"),
    [
        ("@request.json", "request.json"),
        ('"{\\"a\\": \\"${NAME}\\"}"', "${NAME}"),
        ("'{\"a\": \"'$NAME'\"}'", "$NAME"),
        ('"$(cat request.json)"', "$(cat request.json)"),
    ],
)
def test_a_body_that_only_a_shell_knows(body, said):
    assert said in only(f"curl {ADDRESS} -d {body}\n").problem


def test_where_a_body_begins():
    text = f"x=1\ncurl {ADDRESS} \\\n  -d '{{\n}}'\n"
    request = only(text)
    assert text[request.start :].startswith(request.body)


def test_several_commands():
    text = "curl a://b/one -d 1\ncurl a://b/two\ncurl a://b/three -d 3\n"
    assert [request.body for request in requests_in(text)] == ["1", "3"]


@pytest.mark.parametrize("text", ["kind: curl\n", "a: curly\n", "# curl -d x\n", '{"curl": 1}', ""])
def test_texts_without_a_command(text):
    assert not has_curl(text)


@tried(st.text(st.characters(exclude_characters="\x00\r", codec="utf-8")), few=30, many=150)
def test_nothing_is_too_odd(text):
    list(requests_in(f"curl {text}"))


@pytest.mark.process
@pytest.mark.parametrize("body", ["'a b'\\''c'", '"a \\"b\\" c"', "a\\ b", "'a'\"b\"c", '"x\\\ny"'])
def test_words_are_those_of_a_shell(body):
    said = subprocess.run(["sh", "-c", f"printf %s {body}"], capture_output=True, text=True).stdout
    assert only(f"curl a://b -d {body}").body == said
