#!/usr/bin/python3
"""Validates result files against docs/result.schema.json: validate_result.py FILE…  (`-` = standard input)

Exit status 1 and a line per fault if a file does not conform. Needs Debian's python3-jsonschema.
"""
import json
import pathlib
import sys

import jsonschema

SCHEMA = pathlib.Path(__file__).resolve().parent.parent / "docs" / "result.schema.json"


def main(files: list[str]) -> int:
    schema = json.loads(SCHEMA.read_text())
    jsonschema.Draft202012Validator.check_schema(schema)
    validator = jsonschema.Draft202012Validator(schema)
    faults = 0
    for file in files:
        document = json.load(sys.stdin) if file == "-" else json.loads(pathlib.Path(file).read_text())
        results = document["results"] if "results" in document else [document]  # of `compare`, of `run`
        for error in (error for result in results for error in validator.iter_errors(result)):
            deepest = jsonschema.exceptions.best_match([error])
            print(f"{file}: {deepest.json_path}: {deepest.message}", file=sys.stderr)
            faults += 1
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
