// Which warp's life is to be told, and how much of it.
#pragma once

#include <string>
#include <string_view>

#include "base/types.h"
#include "report/result_document.h"

namespace warpfork::explain {

struct Request {
  std::string kernel;               // as in the PTX or as its author wrote it; empty = any
  std::uint64_t launch_number = 1;  // of the launches of this kernel
  Dim3 block{0, 0, 0};
  WarpId warp = 0;  // of the block
  Cycle from_cycle = 0;
  Cycle cycles = 0;         // from there on, 0 = to the end
  std::uint64_t limit = 0;  // lines of text, 0 = no limit
  bool every_instruction = false;
  bool keeps_frames = false;  // what it was in every cycle, see WarpFrames
  std::string result_file;    // see Explainer; empty = nothing is to be explained
};

report::Json to_json(const Request& request);
Request request_from(const report::Json& json);

/// Sets from_cycle and cycles from "A-B" or "A-", cycles of the launch. Throws Error for anything else.
void set_cycles(Request& request, std::string_view text);

/// Sets block and warp from "B.W", where B is x or x,y,z: "3.0", "1,2,0.7". Throws Error for anything else.
void set_place(Request& request, std::string_view text);

}  // namespace warpfork::explain
