"""The way of the data is one-way: the engine knows no pictures, and neither engine nor vision knows the page."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
FORBIDDEN = {
    "engine": {"vision", "calibration", "cityscan", "page", "app", "cv2", "skimage", "PIL", "streamlit", "bpy", "rich"},
    "calibration": {"vision", "cityscan", "page", "app", "streamlit", "bpy"},
    "vision": {"cityscan", "page", "app", "streamlit"},
    "cityscan": {"streamlit", "bpy", "page", "app"},
    # Beside streamlit, what the page shows comes from these alone.
    "page": {"cityscan", "app", "bpy", "rich"},
}


def imported_packages(path: Path) -> set[str]:
    found: set[str] = set()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            found |= {alias.name.split(".")[0] for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module and node.level == 0:
            found.add(node.module.split(".")[0])
    return found


@pytest.mark.parametrize("package", FORBIDDEN)
def test_packages_import_only_what_they_may_know(package: str) -> None:
    files = list((ROOT / package).rglob("*.py"))
    assert files
    wrong = {
        str(file.relative_to(ROOT)): bad for file in files if (bad := imported_packages(file) & FORBIDDEN[package])
    }
    assert wrong == {}


def test_blender_is_imported_by_its_back_end_alone() -> None:
    users = {file.relative_to(ROOT) for file in (ROOT / "vision").rglob("*.py") if "bpy" in imported_packages(file)}
    assert all(user.parts[:3] == ("vision", "synth", "blender") for user in users)
