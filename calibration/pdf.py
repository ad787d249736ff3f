"""A PDF of one page, drawn in millimetres from the top left: what a printed sheet needs, and no more.

Everything is vector, so that a printer puts every edge exactly where it belongs.
"""

from __future__ import annotations

from typing import Final

POINTS_PER_MM: Final = 72 / 25.4
# Half the side of the control square of a quarter circle, as a share of its radius.
_CIRCLE: Final = 0.5522847498


class Page:
    """One page of paper. Greys run from 0 (black) to 1 (white)."""

    def __init__(self, width_mm: float, height_mm: float) -> None:
        if not (width_mm > 0 and height_mm > 0):
            raise ValueError(f"a page needs a positive size, not {width_mm} x {height_mm} mm")
        self.width_mm = width_mm
        self.height_mm = height_mm
        self._drawing: list[str] = []

    def rectangle(self, x: float, y: float, width: float, height: float, grey: float = 0.0) -> None:
        """A filled rectangle; ``x`` and ``y`` are its top left corner."""
        self._drawing.append(f"{grey:.4f} g {self._box(x, y, width, height)} f")

    def outline(self, x: float, y: float, width: float, height: float, line: float = 0.3, grey: float = 0.5) -> None:
        """The four edges of a rectangle."""
        self._drawing.append(f"{grey:.4f} G {_length(line)} w {self._box(x, y, width, height)} S")

    def circle(self, x: float, y: float, radius: float, line: float = 0.3, grey: float = 0.5) -> None:
        """A circle's line around the centre."""
        bow = radius * _CIRCLE
        quarters = (
            ((radius, bow), (bow, radius), (0, radius)),
            ((-bow, radius), (-radius, bow), (-radius, 0)),
            ((-radius, -bow), (-bow, -radius), (0, -radius)),
            ((bow, -radius), (radius, -bow), (radius, 0)),
        )
        curves = " ".join(
            " ".join(self._point(x + across, y + down) for across, down in quarter) + " c" for quarter in quarters
        )
        self._drawing.append(f"{grey:.4f} G {_length(line)} w {self._point(x + radius, y)} m {curves} S")

    def text(self, x: float, y: float, words: str, size: float = 3.2) -> None:
        """A line of text that starts at ``x`` and stands on ``y``."""
        self._drawing.append(f"BT 0 g /F1 {_length(size)} Tf {self._point(x, y)} Td {_text(words)} Tj ET")

    def to_bytes(self, title: str) -> bytes:
        """The file. It asks the viewer to print without scaling."""
        content = "\n".join(self._drawing).encode("cp1252")
        size = f"{_length(self.width_mm)} {_length(self.height_mm)}"
        objects = [
            b"<< /Type /Catalog /Pages 2 0 R /ViewerPreferences << /PrintScaling /None >> >>",
            b"<< /Type /Pages /Kids [3 0 R] /Count 1 >>",
            f"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 {size}] /Contents 4 0 R "
            "/Resources << /Font << /F1 5 0 R >> >> >>".encode(),
            b"<< /Length %d >>\nstream\n%b\nendstream" % (len(content), content),
            b"<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding /WinAnsiEncoding >>",
            f"<< /Title {_text(title)} /Producer (Cityscan) >>".encode("cp1252"),
        ]
        return _file(objects)

    def _point(self, x: float, y: float) -> str:
        # PDF counts from the bottom left.
        return f"{_length(x)} {_length(self.height_mm - y)}"

    def _box(self, x: float, y: float, width: float, height: float) -> str:
        return f"{self._point(x, y + height)} {_length(width)} {_length(height)} re"


def _length(millimetres: float) -> str:
    return f"{millimetres * POINTS_PER_MM:.4f}"


def _text(words: str) -> str:
    """A text as PDF writes it, in brackets of which none may be in the text itself."""
    escaped = words.replace("\\", r"\\").replace("(", r"\(").replace(")", r"\)")
    return f"({escaped})"


def _file(objects: list[bytes]) -> bytes:
    """The objects with the table that says at which byte each of them starts."""
    file = bytearray(b"%PDF-1.6\n%\xe2\xe3\xcf\xd3\n")
    starts = []
    for number, content in enumerate(objects, start=1):
        starts.append(len(file))
        file += b"%d 0 obj\n%b\nendobj\n" % (number, content)
    table = len(file)
    file += b"xref\n0 %d\n0000000000 65535 f \n" % (len(objects) + 1)
    for start in starts:
        file += b"%010d 00000 n \n" % start
    trailer = b"<< /Size %d /Root 1 0 R /Info %d 0 R >>" % (len(objects) + 1, len(objects))
    file += b"trailer\n%b\nstartxref\n%d\n%%%%EOF\n" % (trailer, table)
    return bytes(file)
