#!/usr/bin/env python3
"""Tests of `warpfork run --save-launch` on a CUDA program: saved_launch_test.py WARPFORK [TEST…]

A saved launch must give what the program's own launch gives where nothing before it was timed.
"""
import json
import sys
import unittest

sys.dont_write_bytecode = True
from program_case import ProgramCase, warpfork  # noqa: E402


class SavedLaunch(ProgramCase):
    name = "launches"

    def launches(self, *words):
        result = self.folder / "result.json"
        run = warpfork("run", *words[:-1], "--json", result, words[-1])
        self.assertEqual(run.returncode, 0, run.stderr)
        return json.loads(result.read_text())["launches"]

    def save(self, number, *options):
        file = self.folder / f"launch{number}.wfl"
        return file, self.launches("--save-launch", str(number), "-o", file, *options, self.program)

    def test_every_launch_is_as_in_the_program(self):
        for number in (1, 2, 3):
            for machine in ([], ["--divergence", "multi-path"], ["--machine", "tesla30", "--lines"]):
                with self.subTest(number=number, machine=machine):
                    file, launches = self.save(number, "--launches", str(number), *machine)
                    self.assertEqual(self.launches(*machine, file), [launches[number - 1]])

    def test_the_first_is_as_in_the_whole_run(self):
        file, launches = self.save(1)
        self.assertEqual([launch["mode"] for launch in launches], ["timing"] * 3)
        self.assertEqual(self.launches(file), launches[:1])

    def test_it_does_not_matter_how_the_program_was_run(self):
        timed, _ = self.save(3)
        bytes_of_timed = timed.read_bytes()
        executed, _ = self.save(3, "--functional-only")
        self.assertEqual(executed.read_bytes(), bytes_of_timed)

    def test_mechanisms_are_compared_on_it(self):
        file, _ = self.save(2, "--functional-only")
        run = warpfork("compare", file)
        self.assertEqual(run.returncode, 0, run.stderr)
        self.assertIn("capri", run.stdout)

    def test_a_launch_that_never_comes_is_an_error(self):
        run = warpfork("run", "--save-launch", "4", "-o", self.folder / "none.wfl", self.program)
        self.assertEqual(run.returncode, 1)
        self.assertIn("--save-launch 4: the program made 3 launches; none is saved", run.stderr)
        self.assertFalse((self.folder / "none.wfl").exists())


if __name__ == "__main__":
    unittest.main()
