#!/usr/bin/env python3
"""Tests of scripts/host_instructions.py: which counts it lets pass, and which it refuses to compare."""
import contextlib
import importlib.util
import io
import pathlib
import tempfile
import unittest

SCRIPT = pathlib.Path(__file__).resolve().parents[2] / "scripts" / "host_instructions.py"
spec = importlib.util.spec_from_file_location("host_instructions", SCRIPT)
script = importlib.util.module_from_spec(spec)
spec.loader.exec_module(script)


def check(timing: float, functional: float = 100) -> tuple[int, str]:
    """What becomes of these counts where 1000 and 100 are recorded."""
    said = io.StringIO()
    with contextlib.redirect_stdout(said):
        status = script.check({"kernel": {"timing": timing, "functional": functional}},
                              {"kernel": {"timing": 1000, "functional": 100}})
    return status, said.getvalue()


class HostInstructions(unittest.TestCase):
    def test_counts_may_fall_and_rise_by_two_in_a_hundred(self):
        for timing in (500, 1000, 1020):
            self.assertEqual(check(timing), (0, ""))

    def test_a_higher_one_fails_and_the_remedy_is_named(self):
        status, said = check(1021)
        self.assertEqual(status, 1)
        self.assertIn("kernel, timing: 1000 -> 1021", said)
        self.assertIn("./dev bench --record", said)

    def test_each_mode_is_held_by_itself(self):
        status, said = check(500, 103)
        self.assertEqual(status, 1)
        self.assertIn("kernel, functional: 100 -> 103", said)

    def test_a_build_is_named_by_what_its_counts_depend_on(self):
        with tempfile.TemporaryDirectory() as folder:
            build = pathlib.Path(folder)
            (build / "CMakeFiles" / "3.25.1").mkdir(parents=True)
            (build / "CMakeFiles" / "3.25.1" / "CMakeCXXCompiler.cmake").write_text(
                'set(CMAKE_CXX_COMPILER_ID "GNU")\nset(CMAKE_CXX_COMPILER_VERSION "12.2.0")\n')
            (build / "CMakeCache.txt").write_text("CMAKE_BUILD_TYPE:STRING=Release\nCMAKE_CXX_FLAGS:STRING=\n")
            self.assertRegex(script.built_with(build), r"^GNU, 12\.2\.0, Release, glibc [0-9.]+, (no )?AVX2$")


if __name__ == "__main__":
    unittest.main()
