#!/usr/bin/env python3
"""What the workloads copy back from the GPU of this machine, as JSON: record_workloads.py FOLDER_OF_PROGRAMS"""
import json
import pathlib
import sys

from programs import downloads, workloads

print(json.dumps({p.name: downloads([p]) for p in workloads(pathlib.Path(sys.argv[1]))}, indent=1))
