#!/usr/bin/python3
"""Validates results against their schemas in docs/: validate_result.py FILE…  (`-` = standard input)

A file is a result of `run`, a list of these of `compare`, or a point of a sweep. Exit status 1 and a line per fault if a
file does not conform. Needs Debian's python3-jsonschema.
"""
import json
import pathlib
import sys

import jsonschema

DOCS = pathlib.Path(__file__).resolve().parent.parent / "docs"


def validator(name: str) -> jsonschema.Draft202012Validator:
    schema = json.loads((DOCS / name).read_text())
    jsonschema.Draft202012Validator.check_schema(schema)
    return jsonschema.Draft202012Validator(schema)


def parts(document: dict) -> list[tuple[str, dict]]:
    """What of the document has which schema."""
    if "point" in document:
        of_gpu = [document["result"]] if "launches" in document.get("result", {}) else []
        return [("sweep.schema.json", document)] + [("result.schema.json", result) for result in of_gpu]
    return [("result.schema.json", result) for result in document.get("results", [document])]


def main(files: list[str]) -> int:
    faults = 0
    for file in files:
        document = json.load(sys.stdin) if file == "-" else json.loads(pathlib.Path(file).read_text())
        for schema, part in parts(document):
            for error in validator(schema).iter_errors(part):
                deepest = jsonschema.exceptions.best_match([error])
                print(f"{file}: {deepest.json_path}: {deepest.message}", file=sys.stderr)
                faults += 1
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
