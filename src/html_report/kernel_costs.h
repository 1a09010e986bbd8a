// What a kernel's lines cost, and its control-flow graph: what `run --lines` counted, over all launches of the kernel.
#pragma once

#include "html_report/run.h"
#include "report/json.h"

namespace warpfork::html_report {

/// A list with one entry for each kernel of the run that was counted by line:
///   name, launches
///   lines   by file and line, else by PTX line: `file` ("" = none), `line`, `ptx` (first and last PTX line), `text`
///   (the
///           instruction, without a file), and what it cost
///   blocks  the control-flow graph: `instructions` (each `ptx_line`, `text` and what it cost), `next` (numbers of
///   blocks),
///           `meets` (number of the block where threads that part meet again, or null), and what it cost
/// What something cost: `issues`, `time` (share of the kernel's scheduler cycles, as in docs/why-slow.md), `cause` and
/// `stalled` (the largest cause of stalls, and its share), `lost` (share of the kernel's lane-slots), `lanes` (mean
/// active ones), `transactions` and `rounds` (a request; null without one), `misses`, `awaited`
/// (share of the scheduler cycles in which warps waited for its answers from memory).
report::Json kernel_costs(const Run& run);

}  // namespace warpfork::html_report
