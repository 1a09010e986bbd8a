// The page that shows a warp cycle by cycle, under one mechanism or under two side by side.
#pragma once

#include <string>
#include <vector>

#include "report/result_document.h"

namespace warpfork::step {

/// What the page says of what it shows.
struct Shown {
  std::string warp;                // "block 0,0,0, warp 3, launch 1"
  std::vector<report::Json> runs;  // what explain::WarpFrames kept under each mechanism
};

/// The whole file.
std::string page(const Shown& shown);

}  // namespace warpfork::step
