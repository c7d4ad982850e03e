"""Badges: the short form of a report, which claims no more than the report."""

from __future__ import annotations

import copy
import io
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest
from click.testing import CliRunner
from PIL import Image

from compliance import badge, store
from compliance.cli import main
from tests.compliance.conftest import REPOSITORY

REPORTS = REPOSITORY / "reports"
SVG = "{http://www.w3.org/2000/svg}"
GREEN, ORANGE, RED, GREY = "#1a7f37", "#b35900", "#b3261e", "#6a737d"


def changed(change: Callable[[dict[str, Any]], None]) -> store.Stored:
    """A full report of NumPy itself, with changes."""
    report = copy.deepcopy(store.load(REPORTS / "numpy.json").report)
    change(report["data"])
    return store.Stored(REPORTS / "numpy.json", report)


def outcomes(data: dict[str, Any], outcome: str) -> None:
    for test in data["tests"]:
        test["outcome"] = outcome


class TestMessage:
    @pytest.mark.parametrize("name", ["arrayapi_unify.numpy", "numpy", "array_api_compat.torch"])
    def test_counts_are_the_reports(self, name: str) -> None:
        """The counts from the file, by the outcome of each test."""
        found = json.loads((REPORTS / f"{name}.json").read_text("utf-8"))
        came_to = [test["outcome"] for test in found["data"]["tests"]]
        (lines,) = (test["lines"] for test in found["data"]["tests"] if "lines" in test)
        runs = [part.split("-") for part in lines.split(",")]
        passed = sum(int(run[-1]) - int(run[0]) + 1 for run in runs)
        failed = sum(came_to.count(word) for word in ("failed", "error"))
        made = badge.badge(store.load(REPORTS / f"{name}.json"))
        assert made.label == "Array API 2025.12"
        assert made.message.startswith(f"{passed}/{passed + failed} (")
        assert ("100%" in made.message) == (failed == 0)
        assert made.colour == (ORANGE if failed else GREEN)

    def test_one_failure_is_not_100_percent(self) -> None:
        def one_fails(data: dict[str, Any]) -> None:
            outcomes(data, "passed")
            data["tests"][0]["outcome"] = "failed"

        made = badge.badge(changed(one_fails))
        assert made.message == "1383/1384 (99.9%)"
        assert made.colour == ORANGE

    def test_nothing_passes(self) -> None:
        made = badge.badge(changed(lambda data: outcomes(data, "failed")))
        assert (made.message, made.colour) == ("0/1384 (0%)", RED)

    def test_what_is_lost_is_said(self) -> None:
        def lost(data: dict[str, Any]) -> None:
            outcomes(data, "passed")
            for test in data["tests"][:3]:
                test["outcome"] = "lost_extension"

        assert badge.badge(changed(lost)).message == "1381/1381 (100%), 3 lost"

    @pytest.mark.parametrize(
        ("field", "value", "message"),
        [
            ("official", 0, "official suite not run"),
            ("partial", 1, "only a part was run"),
            ("pinned_suite", 0, "another suite"),
        ],
    )
    def test_what_is_no_full_result_has_no_number(
        self, field: str, value: int, message: str
    ) -> None:
        made = badge.badge(changed(lambda data: data["summary"].update({field: value})))
        assert (made.message, made.colour) == (message, GREY)


class TestDrawing:
    def test_is_svg_that_says_it(self) -> None:
        made = badge.Badge("Array <API>", 'a & "b"', RED)
        root = ElementTree.fromstring(made.svg)
        texts = [element.text for element in root.iter(f"{SVG}text")]
        assert texts == ["Array <API>", 'a & "b"']
        assert root.attrib["aria-label"] == 'Array <API>: a & "b"'

    def test_texts_stand_within(self) -> None:
        root = ElementTree.fromstring(badge.Badge("label", "a much longer message", RED).svg)
        ends = [
            float(element.attrib["x"]) + float(element.attrib["textLength"])
            for element in root.iter(f"{SVG}text")
        ]
        second = float(list(root.iter(f"{SVG}text"))[1].attrib["x"])
        assert ends[0] < second < ends[1] < float(root.attrib["width"])

    def test_needs_nothing_from_anywhere(self) -> None:
        svg = badge.badge(store.load(REPORTS / "numpy.json")).svg
        assert svg.replace("http://www.w3.org/2000/svg", "").count("http") == 0

    def test_is_png_of_the_same_colours(self) -> None:
        image = Image.open(io.BytesIO(badge.Badge("Array API", "9/10", RED).png))
        width, height = image.size
        halves = [image.getpixel((x, height // 8)) for x in (width // 50, width - width // 50)]
        assert ["#" + bytes(pixel[:3]).hex() for pixel in halves] == ["#3d444d", RED]
        assert (255, 255, 255, 255) in {color for _, color in image.getcolors(2**16)}  # letters
        longer = Image.open(io.BytesIO(badge.Badge("Array API", "9/10, 3 lost", RED).png))
        assert longer.size[0] > width


class TestCommand:
    def test_the_name_of_no_kind(self, tmp_path: Path) -> None:
        target = tmp_path / "badge.gif"
        arguments = ["badge", str(REPORTS / "numpy.json"), "--output", str(target)]
        done = CliRunner().invoke(main, arguments)
        assert done.exit_code == 2
        assert ".svg, .png or .json" in done.output
        assert not target.exists()

    def test_drawing_and_data(self, tmp_path: Path) -> None:
        for name in ("new/badge.svg", "badge.png", "badge.json"):
            arguments = ["badge", str(REPORTS / "numpy.json"), "--output", str(tmp_path / name)]
            done = CliRunner().invoke(main, arguments)
            assert done.exit_code == 0, done.output
        data = json.loads((tmp_path / "badge.json").read_text("utf-8"))
        assert data["schemaVersion"] == 1
        assert set(data) == {"schemaVersion", "label", "message", "color"}
        assert data["message"] in (tmp_path / "new" / "badge.svg").read_text("utf-8")
        assert data["message"] in done.output

    def test_what_is_no_report(self, tmp_path: Path) -> None:
        (tmp_path / "other.json").write_text("{}", encoding="utf-8")
        arguments = ["badge", str(tmp_path / "other.json"), "--output", str(tmp_path / "b.svg")]
        done = CliRunner().invoke(main, arguments)
        assert done.exit_code == 2
        assert "no compliance report" in done.output
        assert not (tmp_path / "b.svg").exists()
