"""Measured figures stand once in README and docs, with the script that measures them."""

import check_figures


def test_figures_stand_once_with_their_script():
    assert [] == check_figures.faults(check_figures.pages())


def test_faults_are_found(tmp_path):
    """A figure without a script, and one that stands on two pages, but not those left out."""
    first, second = tmp_path / "first.md", tmp_path / "second.md"
    first.write_text(
        "# One\n\nIt takes 42 ms.\n\n```text\n# a comment\n43 ms\n```\n\n"
        "<!-- limits -->\n44 s\n<!-- end -->\n\n## Two\n\n`scripts/a/b.py`: 31 M/s and 7 MB,\n"
        "twenty times as fast.\n"
    )
    second.write_text("`scripts/a/b.py` measures\n31 M/s and 7 MB.\nIt is Twenty times as fast.\n")
    assert [
        "first.md, line 3: 42 ms: the section names no script",
        "second.md, line 2: 31 M/s: also in first.md, line 16",
        "second.md, line 3: Twenty times as fast: also in first.md, line 17",
    ] == check_figures.faults([first, second])
