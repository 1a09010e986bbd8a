#!/usr/bin/python3
"""Validates JSON that warpfork wrote against its schema in docs/: validate_result.py [--strict] FILE…  (`-` = standard input)

With --strict a key that the schema does not name is a fault, too: of what this version writes none is. Exit status 1 and a
line per fault if a file does not conform. Needs Debian's python3-jsonschema.
"""
import functools
import json
import pathlib
import sys

import jsonschema

DOCS = pathlib.Path(__file__).resolve().parent.parent / "docs"
ID = "urn:warpfork:schema:"


def schema_name(document: dict) -> str:
    if "point" in document:
        return "sweep"
    if "figures" in document:
        return "experiment"
    if "results" in document:
        return "cpu-comparison" if any("core" in result for result in document["results"]) else "comparison"
    return "cpu-result" if "core" in document else "result"


def published(name: str) -> dict:
    return json.loads((DOCS / f"{name}.schema.json").read_text())


def with_local_references(node, name: str, named: set[str]):
    """The schema with references as they are where all schemas are members of one `$defs`; `named`: those referred to."""
    if isinstance(node, list):
        return [with_local_references(part, name, named) for part in node]
    if not isinstance(node, dict):
        return node
    node = {key: with_local_references(part, name, named) for key, part in node.items() if key != "$id"}
    if isinstance(target := node.get("$ref"), str):
        document, _, place = target.partition("#")
        other = document.removeprefix(ID).rpartition(":")[0] if document else name
        named.add(other)
        node["$ref"] = f"#/$defs/{other}{place}"
    return node


def closed(node):
    """The schema of objects with the named keys alone."""
    if isinstance(node, list):
        return [closed(part) for part in node]
    if not isinstance(node, dict):
        return node
    node = {key: closed(part) for key, part in node.items()}
    if node.get("type") == "object" and "properties" in node:
        node["additionalProperties"] = False
    return node


@functools.cache
def validator(name: str, strict: bool) -> jsonschema.Draft202012Validator:
    schemas, wanted = {}, {name}
    while missing := wanted - schemas.keys():
        other = min(missing)
        schemas[other] = with_local_references(published(other), other, wanted)
    schema = {"$defs": closed(schemas) if strict else schemas, "$ref": f"#/$defs/{name}"}
    jsonschema.Draft202012Validator.check_schema(schema)
    return jsonschema.Draft202012Validator(schema)


def faults_of(document: dict, strict: bool) -> list[str]:
    deepest = [jsonschema.exceptions.best_match([error])
               for error in validator(schema_name(document), strict).iter_errors(document)]
    return [f"{error.json_path}: {error.message}" for error in deepest]


def main(words: list[str]) -> int:
    files = [word for word in words if word != "--strict"]
    faults = 0
    for file in files:
        document = json.load(sys.stdin) if file == "-" else json.loads(pathlib.Path(file).read_text())
        for fault in faults_of(document, "--strict" in words):
            print(f"{file}: {fault}", file=sys.stderr)
            faults += 1
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
