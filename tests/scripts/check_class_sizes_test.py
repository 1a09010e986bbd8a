#!/usr/bin/env python3
"""Tests of scripts/check_class_sizes.py on small sources."""
import pathlib
import subprocess
import sys
import tempfile
import unittest

SCRIPT = pathlib.Path(__file__).resolve().parents[2] / "scripts" / "check_class_sizes.py"
sys.path.insert(0, str(SCRIPT.parent))
sys.dont_write_bytecode = True
import check_class_sizes  # noqa: E402


def sizes(**sources: str) -> dict[str, int]:
    """Lines of each class of sources that are given by file name, with _ for its dot."""
    with tempfile.TemporaryDirectory() as folder:
        for name, text in sources.items():
            (pathlib.Path(folder) / name.replace("_", ".")).write_text(text)
        return {"::".join(name): lines for name, lines in check_class_sizes.sizes(pathlib.Path(folder)).items()}


class ClassSizes(unittest.TestCase):
    def test_counts_members_in_all_files(self):
        self.assertEqual(sizes(
            a_h="namespace n {\nclass A {\n  void f();\n};\n}\n",
            a_cpp="namespace n {\nvoid A::f() {\n}\n}\n",
            b_cpp="namespace n {\nA::A() : x_{1}, y_(2) {\n}\nbool A::operator()(int) { return true; }\n}\n"),
            {"n::A": 3 + 2 + 3})

    def test_counts_neither_comments_nor_blank_lines(self):
        self.assertEqual(sizes(a_h="/* {\n{ */\nclass A {\n  // }\n\n  int x = 1'000;  // {\n  char c = '{';\n};\n"), {"A": 4})

    def test_counts_nested_classes_to_the_one_that_holds_them(self):
        self.assertEqual(sizes(
            a_h="struct A {\n  struct B;\n};\n",
            a_cpp="struct A::B {\n  void f();\n};\nvoid A::B::f() {}\nA::B A::g() {}\n"), {"A": 3 + 3 + 2})

    def test_is_not_misled_by_return_types_templates_and_free_functions(self):
        self.assertEqual(sizes(
            a_h="struct A {\n};\ntemplate <class T>\nclass C final : public A {\n};\n"
                "template <class T>\nA C<T>::f() {}\nenum class E { X };\nconstexpr A kA{1};\nA::T free(A a) {}\n"),
            {"A": 2, "C": 3 + 2})

    def test_parts_classes_of_one_name_in_unnamed_namespaces(self):
        text = "namespace {\nstruct A {\n};\n}\n"
        self.assertEqual(sizes(a_cpp=text, b_cpp=text), {"a.cpp::A": 2, "b.cpp::A": 2})

    def test_refuses_a_class_of_301_lines_and_names_it(self):
        for lines, status in ((300, 0), (301, 1)):
            with tempfile.TemporaryDirectory() as folder:
                text = "struct Large {\n" + "  int x;\n" * (lines - 2) + "};\n"
                (pathlib.Path(folder) / "a.h").write_text(text)
                done = subprocess.run([SCRIPT, folder], stderr=subprocess.PIPE, text=True, check=False)
            self.assertEqual(done.returncode, status)
            self.assertEqual("Large: 301 lines" in done.stderr, status == 1)


if __name__ == "__main__":
    unittest.main()
