#!/usr/bin/env python3
"""Tests of scripts/mutation_check.py on small lists of mutants and small programs; nothing is built."""
import os
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


def verdict(tests: str) -> str:
    """What is said of a mutant under which the room's tests are this shell script and may take a second."""
    with tempfile.TemporaryDirectory() as folder:
        root = pathlib.Path(folder)
        for name, script in (("ninja", "exit 0"), ("test_room", f"echo '[ RUN      ] Suite.one'\n{tests}")):
            (root / name).write_text(f"#!/bin/sh\n{script}\n")
            (root / name).chmod(0o755)
        tree = object.__new__(mutation_check.Tree)
        tree.root, tree.build_folder, tree.jobs = root, root, 1
        tree.environment = os.environ | {"PATH": f"{root}:{os.environ['PATH']}"}
        with unittest.mock.patch.object(mutation_check, "SECONDS", 1):
            return tree.verdict("test_room")


class MutationCheck(unittest.TestCase):
    def test_every_find_must_occur_once(self):
        for source, times in (("x = 1;", 1), ("x = 2;", 0), ("x = 1; x = 1;", 2)):
            result = dry_run(source, one="x = 1;")
            self.assertEqual(result == 0, times == 1)
            self.assertEqual(f"one.toml, 'a way': `find` occurs {times} times in a.cpp" in str(result), times != 1)

    def test_without_names_every_list_is_tried(self):
        self.assertIn("one.toml", str(dry_run("x y", one="z", two="y")))
        self.assertIn("two.toml", str(dry_run("x y", one="x", two="z")))

    def test_hangs_are_told_by_time_of_the_processor_so_that_a_busy_machine_makes_none(self):
        self.assertEqual(verdict("while :; do :; done"), "caught by Suite.one (hangs)")
        self.assertEqual(verdict("sleep 2"), "survives")

    def test_names_the_test_that_failed_or_ran_when_the_program_died(self):
        self.assertEqual(verdict("echo '[  FAILED  ] Suite.two'; exit 1"), "caught by Suite.two")
        self.assertEqual(verdict("kill -SEGV $$"), "caught by Suite.one (crashes)")


if __name__ == "__main__":
    unittest.main()
