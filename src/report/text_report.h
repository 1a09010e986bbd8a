// What a run prints for people.
#pragma once

#include <span>
#include <string>

#include "report/launch_record.h"

namespace warpfork::report {

/// The launches, kernel by kernel where the time went, and the total.
///
/// Printed sample (two launches of one kernel):
///   launch       cycles  warp instr.    IPC  SIMD eff.  idle cycles  live warps
///   1  bfs_step  12 345       28 520  23.10     31.2 %        4 567  48.0 of 48
///   2  bfs_step  10 345       23 600  24.00     33.0 %        3 567  47.1 of 48
///   total        22 690       52 120  23.51     32.0 %        8 134
///
///   bfs_step (2 launches)
///     schedulers  memory 61.0 %, issued 20.1 %, scoreboard 10.2 %, … of 45 380 scheduler cycles
///     threads     data_hazard 51.0 %, suspended 38.1 %, … of 1 089 120 thread-cycles
///     splits      1.31 per warp, 3 at most; schedulable threads: 52.0 % with 1, 60.5 % with 2, 61.9 % with 3
///     tables      most entries in use by a warp: split 3, reconvergence 2; 40 spilled, 38 brought back, 1 248 bytes
///     scalars     7 120 of 52 120 warp instructions (13.7 %) were one for the warp
///     caches      l1d 3 072 accesses, 42.0 % missed (1.55 MPKI); …
///     dram        1 200 reads, 80 writes, 70.1 % row hits
///     branches    bfs.cu:41 (pc 17): 120 of 400 diverged, 1.3 splits, 1 234 lane-slots lost
/// Lines longer than a terminal is wide are broken.
/// Where registers cost blocks, or more are alive than a thread can have, a line says so (register_note.h).
/// Where launches were sampled, "± 0.8 %" stands below or behind what was estimated and may be off by so much, of
/// shares in percentage points ("memory 61.0 ± 0.4 %"), and a line says how much was simulated:
///     sampled     338 of 1 172 blocks in detail, 10 batches; ±: 95 % confidence
/// A launch that was cut off has "cut off:" before its name.
/// Under tbc and capri a branch goes on "; compacted 8 warps into 6, waited in vain 2 of 3 times (40 cycles)".
std::string text_report(std::span<const LaunchRecord> launches);

/// Whether it names a branch by its line of PTX, because its source is not known.
bool names_ptx_lines(std::span<const LaunchRecord> launches);

/// How to see the lines of a program's PTX that a text names:
///   PTX lines: warpfork inspect bfs --ptx prints them. Built by warpfork cc, or with
///     nvcc -lineinfo, a program shows its own lines, too.
/// Without the second sentence where it shows them already.
std::string where_ptx_lines_are(const std::string& program, bool has_source_lines = false);

/// The same of a program whose file has no PTX:
///   PTX lines: of code that python3 loads. warpfork run --save-launch N -o FILE.wfl keeps
///     launch N with its PTX, and warpfork inspect FILE.wfl --ptx prints that.
std::string where_loaded_ptx_lines_are(const std::string& program);

}  // namespace warpfork::report
