// The kinds of pictures that are made of results.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "html_report/run.h"
#include "plot/picture.h"

namespace warpfork::plot {

struct Choice {
  std::string quantity = "ipc";  // of curves and sweeps
  std::string x;                 // of sweeps: the setting on the axis; empty = the first that has numbers
  double width = 84;             // mm
};

struct Kind {
  std::string_view name, summary;
  /// Throws Error where the runs have nothing to be drawn.
  Picture (*draw)(const std::vector<html_report::Run>&, const Choice&);
};

std::span<const Kind> kinds();
/// Throws Error with the known names if there is none of that name.
const Kind& find_kind(std::string_view name);

}  // namespace warpfork::plot
