#!/usr/bin/env python3
"""What the hardware counters of this machine's GPU say of the workloads, as JSON: record_counters.py FOLDER_OF_PROGRAMS

Sums over all launches of a program. Needs Nsight Compute (ncu) and the right to read counters. Programs of hundreds of
launches are left out: a launch takes ncu a quarter of a second."""
import csv
import json
import pathlib
import subprocess
import sys

from programs import workloads

MANY_LAUNCHES = ("gaussian",)
CONTENDED = ("spin_lock",)  # instructions that depend on who gets the lock
COUNTERS = {
    "warp_instructions": "smsp__inst_executed",
    "thread_instructions": "smsp__thread_inst_executed",
    "executed_thread_instructions": "smsp__thread_inst_executed_pred_on",
    "global_load_requests": "l1tex__t_requests_pipe_lsu_mem_global_op_ld",
    "global_load_sectors": "l1tex__t_sectors_pipe_lsu_mem_global_op_ld",
    "global_store_requests": "l1tex__t_requests_pipe_lsu_mem_global_op_st",
    "global_store_sectors": "l1tex__t_sectors_pipe_lsu_mem_global_op_st",
    "shared_load_requests": "smsp__inst_executed_op_shared_ld",
    "shared_load_conflicts": "l1tex__data_bank_conflicts_pipe_lsu_mem_shared_op_ld",
    "shared_store_requests": "smsp__inst_executed_op_shared_st",
    "shared_store_conflicts": "l1tex__data_bank_conflicts_pipe_lsu_mem_shared_op_st",
}


def counters(program):
    metrics = ",".join(f"{metric}.sum" for metric in COUNTERS.values())
    command = ["ncu", "--clock-control", "none", "--csv", "--page", "raw", "--metrics", metrics, program]
    done = subprocess.run(command, stdout=subprocess.PIPE, check=True, text=True)
    header, _, *launches = csv.reader(line for line in done.stdout.splitlines() if line.startswith('"'))
    columns = [dict(zip(header, launch)) for launch in launches]
    sums = {name: sum(int(c[f"{metric}.sum"].replace(",", "")) for c in columns) for name, metric in COUNTERS.items()}
    return {"launches": len(launches), **sums}


if __name__ == "__main__":
    programs = [p for p in workloads(pathlib.Path(sys.argv[1])) if p.name not in MANY_LAUNCHES + CONTENDED]
    print(json.dumps({p.name: counters(p) for p in programs}, indent=1))
