"""Twice as much input takes about twice the work, counted in calls and not in time."""

import sys

import pytest

from renderer import check
from tests.support.memory import project
from tests.support.repositories import DESCRIPTION, ENVIRONMENT, HEADER, RISK, SERVING, SMALL
from tests.support.samples import sample

FEW, MANY = 100, 500
#: A part that looks at every pair takes more than that.
MOST_GROWTH = 1.1 * MANY / FEW
TOP = HEADER.format("Serving") + "initiator: alice\napp_image: scorer\n"


def parties(number):
    domains = ["alice", "bob", *(f"d{index}" for index in range(number))]
    listed = "".join(f"  - {{domain_id: {domain}}}\n" for domain in domains)
    places = ENVIRONMENT.replace("alice, bob", ", ".join(domains))
    return {DESCRIPTION: places, RISK: f"{TOP}parties:\n{listed}"}


def configured_parties(number):
    files = parties(number)
    party = "{modelConfig: {sourceType: ST_FILE, sourcePath: m}, channelDesc: {protocol: http}}"
    domains = ["alice", "bob", *(f"d{index}" for index in range(number))]
    config = "".join(f"    {domain}: {party}\n" for domain in domains)
    head = "app: secretflow-serving\nserving_input_config:\n  partyConfigs:\n"
    return {**files, RISK: f"{files[RISK]}{head}{config}"}


def unknown_parties(number):
    listed = "".join(f"  - {{domain_id: d{index}}}\n" for index in range(number))
    return {RISK: f"{TOP}parties:\n{listed}"}


def annotations(number):
    return {RISK: f"{SERVING}annotations:\n" + "".join(f"  a{i}: x\n" for i in range(number))}


def labels(number):
    return {RISK: f"{SERVING}labels:\n" + "".join(f"  a{i}: x\n" for i in range(number))}


def calls(files):
    """How many functions are called to check a repository."""
    opened = project({**SMALL, **files})
    counted = 0

    def count(_frame, event, _what):
        nonlocal counted
        counted += event in ("call", "c_call")

    before = sys.getprofile()
    sys.setprofile(count)
    try:
        check(opened)
    finally:
        sys.setprofile(before)
    return counted


INPUTS = [parties, configured_parties, unknown_parties, annotations, labels]


@pytest.mark.parametrize("make", sample(INPUTS, unknown_parties, labels), ids=lambda f: f.__name__)
def test_work_grows_with_the_input(make):
    calls(make(1))  # what is done once for all
    few, many = calls(make(FEW)), calls(make(MANY))
    assert many < MOST_GROWTH * few, f"{few:,} calls became {many:,}"
