"""SVG as text."""

from __future__ import annotations

from meeple.core.svg import Markup, number, tag


def test_equal_values_of_other_types_are_written_each_its_own_way() -> None:
    # Attributes are remembered, and 1, 1.0 and True are equal to a dictionary.
    assert tag("a", x=True) == '<a x="True"></a>'
    assert tag("g", x=1, y=1.5, z=1.0) == '<g x="1" y="1.5" z="1"/>'
    assert tag("g", x=1) == '<g x="1"/>'


def test_nothing_is_zero_from_below() -> None:
    assert number(-0.0) == number(0.0) == number(-0.001) == "0"
    assert number(-0.01) == "-0.01"


def test_names_and_texts_are_escaped() -> None:
    assert tag("g", 'a<b"', class_='x"y', stroke_width=None) == '<g class="x&quot;y">a&lt;b"</g>'
    assert tag("g", Markup("<b/>")) == "<g><b/></g>"
