#!/usr/bin/env python3
"""Tests of scripts/mutation_check.py on small lists of mutants; nothing is built."""
import pathlib
import sys
import tempfile
import unittest
import unittest.mock

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "scripts"))
sys.dont_write_bytecode = True
import mutation_check  # noqa: E402


def dry_run(source: str, **finds: str) -> int | str | None:
    """What the script exits with in a tree of one source, by name of a list the `find` of its only mutant."""
    with tempfile.TemporaryDirectory() as folder:
        root = pathlib.Path(folder)
        (root / "tests" / "mutation").mkdir(parents=True)
        (root / "a.cpp").write_text(source)
        for name, find in finds.items():
            (root / "tests" / "mutation" / f"{name}.toml").write_text(
                f"[[mutant]]\nfile = 'a.cpp'\nwhat = 'a way'\nfind = '{find}'\nreplace = ''\n")
        with unittest.mock.patch.object(mutation_check, "ROOT", root), \
                unittest.mock.patch.object(sys, "argv", ["mutation_check.py", "--dry-run"]):
            try:
                return mutation_check.main()
            except SystemExit as refusal:
                return refusal.code


class MutationCheck(unittest.TestCase):
    def test_every_find_must_occur_once(self):
        for source, times in (("x = 1;", 1), ("x = 2;", 0), ("x = 1; x = 1;", 2)):
            result = dry_run(source, one="x = 1;")
            self.assertEqual(result == 0, times == 1)
            self.assertEqual(f"one.toml, 'a way': `find` occurs {times} times in a.cpp" in str(result), times != 1)

    def test_without_names_every_list_is_tried(self):
        self.assertIn("one.toml", str(dry_run("x y", one="z", two="y")))
        self.assertIn("two.toml", str(dry_run("x y", one="x", two="z")))


if __name__ == "__main__":
    unittest.main()
