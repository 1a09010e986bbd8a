#!/usr/bin/env python3
"""Tests of the published schemas (docs/schemas.md): schemas_test.py WARPFORK [TEST…]

They obey the rule for versions, and describe all that the commands write.
"""
import json
import pathlib
import re
import subprocess
import sys
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
DOCS = ROOT / "docs"
sys.path[:0] = [str(ROOT / "scripts"), str(ROOT / "tests")]
import emulator  # noqa: E402  (of the folders above)
import validate_result  # noqa: E402

KERNEL = """.version 6.0
.target sm_20
.address_size 64
.visible .entry number(.param .u64 out) {
  .reg .b32 %r<3>; .reg .b64 %rd<3>; .reg .pred %p1;
  ld.param.u64 %rd1, [out];
  mov.u32 %r1, %tid.x;
  setp.gt.u32 %p1, %r1, 1;
  @%p1 bra DONE;
  mul.wide.u32 %rd2, %r1, 4;
  add.u64 %rd1, %rd1, %rd2;
  st.global.u32 [%rd1], %r1;
DONE:
  ret;
}
"""
LAUNCH = """kernel = "number"
grid = 1
block = 4
[[argument]]
buffer = "out"
bytes = 16
zeros = true
[[expect]]
buffer = "out"
type = "u32"
values = [0, 1, 0, 0]
"""


def schemas() -> dict[str, dict]:
    return {file.name.removesuffix(".schema.json"): json.loads(file.read_text())
            for file in sorted(DOCS.glob("*.schema.json"))}


def places(node, place: str):
    """Every part of a schema, with its place."""
    yield place, node
    parts = node.items() if isinstance(node, dict) else enumerate(node) if isinstance(node, list) else ()
    for key, part in parts:
        yield from places(part, f"{place}/{key}")


class Rule(unittest.TestCase):
    def test_the_number_of_a_form_is_the_end_of_its_name(self):
        self.assertGreaterEqual(len(schemas()), 6)
        for name, schema in schemas().items():
            number = schema["properties"]["schema"]["const"]
            self.assertEqual(schema["$id"], f"urn:warpfork:schema:{name}:{number}")
            self.assertIn("schema", schema["required"], name)

    def test_a_key_that_comes_later_is_accepted_by_a_schema_of_today(self):
        for name, schema in schemas().items():
            for place, part in places(schema, name):
                if isinstance(part, dict):
                    self.assertIsNot(part.get("additionalProperties"), False, place)
                    self.assertNotIn("unevaluatedProperties", part, place)

    def test_every_key_is_described(self):
        for name, schema in schemas().items():
            for place, part in places(schema, name):
                if isinstance(part, dict) and part.get("type") == "object":
                    for key, described in part.get("properties", {}).items():
                        self.assertGreater(len(described.get("description", "")), 2, f"{place}: {key}")

    def test_what_a_schema_refers_to_is_there(self):
        known = {schema["$id"] for schema in schemas().values()}
        for name, schema in schemas().items():
            for place, part in places(schema, name):
                reference = part.get("$ref", "#") if isinstance(part, dict) else "#"
                self.assertIn(reference.partition("#")[0], known | {""}, place)
            validate_result.validator(name, False)

    def test_the_page_lists_every_schema_with_its_number(self):
        listed = re.findall(r"\]\((\S+)\.schema\.json\) \| (\d+) \|", (DOCS / "schemas.md").read_text())
        self.assertEqual(sorted(listed),
                         sorted((name, schema["$id"].rpartition(":")[2]) for name, schema in schemas().items()))


class Outputs(unittest.TestCase):
    warpfork = ""

    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)
        (self.folder / "number.ptx").write_text(KERNEL)
        (self.folder / "number.toml").write_text(LAUNCH)

    def written(self, *words: str) -> dict:
        done = subprocess.run([self.warpfork, *words, "--json", "result.json"], cwd=self.folder, capture_output=True,
                              text=True, check=False)
        self.assertEqual(done.returncode, 0, done.stderr)
        return json.loads((self.folder / "result.json").read_text())

    def expect_all_described(self, *words: str) -> dict:
        document = self.written(*words)
        self.assertEqual(validate_result.faults_of(document, strict=True), [])
        return document

    def test_of_run_have_no_key_that_is_not_described(self):
        kernel = ("number.ptx", "--launch", "number.toml")
        document = self.expect_all_described("run", "--energy", "--lines", "--racecheck", "--interval", "10", *kernel)
        self.expect_all_described("run", "--functional-only", *kernel)
        for mechanism in ("tbc", "multi-path"):
            self.expect_all_described("run", "--divergence", mechanism, *kernel)
        document["launches"][0]["caches"]["l1d"]["undescribed"] = 1
        self.assertEqual(len(validate_result.faults_of(document, strict=True)), 1)
        self.assertEqual(validate_result.faults_of(document, strict=False), [])

    def test_of_compare_have_no_key_that_is_not_described(self):
        document = self.expect_all_described("compare", "--energy", "--lanes", "simt,tsimt", "number.ptx", "--launch",
                                             "number.toml")
        self.assertEqual(len(document["results"]), 2)
        del document["results"][1]["totals"]
        self.assertEqual(len(validate_result.faults_of(document, strict=False)), 1)

    @unittest.skipUnless(emulator.takes_plugins(), emulator.WANTED)
    def test_of_cpu_runs_have_no_key_that_is_not_described(self):
        (self.folder / "nothing.c").write_text("int main(void) { return 0; }\n")
        subprocess.run(["gcc", "-static", "-no-pie", "-fcf-protection=none", "-o", "nothing", "nothing.c"],
                       cwd=self.folder, check=True)
        subprocess.run([self.warpfork, "record", "-o", "nothing.wft", "--", "./nothing"], cwd=self.folder, check=True,
                       capture_output=True)
        self.expect_all_described("cpu", "run", "nothing.wft")
        document = self.expect_all_described("cpu", "compare", "nothing.wft")
        self.assertEqual([result["core"] for result in document["results"]], ["smt", "ditva", "simt-x"])


if __name__ == "__main__":
    Outputs.warpfork = str(pathlib.Path(sys.argv.pop(1)).resolve())
    unittest.main()
