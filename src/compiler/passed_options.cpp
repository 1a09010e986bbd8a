#include "compiler/passed_options.h"

#include <algorithm>
#include <array>

#include "base/error.h"

namespace warpfork::compiler {

namespace {

/// Of nvcc's front end: numbered warnings, which are none of clang's, and how they are told.
constexpr std::array<std::string_view, 16> kMessages{
    "--diag_suppress",      "--diag_warning",         "--diag_error",
    "--diag_remark",        "--diag_default",         "--diag_once",
    "--diag_warn",          "--display_error_number", "--no_display_error_number",
    "--promote_warnings",   "--no_warnings",          "--remarks",
    "--brief_diagnostics",  "--no_brief_diagnostics", "--wrap_diagnostics",
    "--no_wrap_diagnostics"};
/// Of nvlink: what it is not to warn of.
constexpr std::array<std::string_view, 6> kLinkMessages{"-w",
                                                        "--disable-warnings",
                                                        "--suppress-stack-size-warning",
                                                        "-suppress-stack-size-warning",
                                                        "--suppress-arch-warning",
                                                        "-suppress-arch-warning"};
constexpr std::array<std::string_view, 6> kLinkReports{
    "-v", "--verbose", "--dump-callgraph", "-dump-callgraph", "--report-arch", "-report-arch"};

template <typename Names>
bool has(const Names& names, std::string_view name) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

}  // namespace

std::string_view left_out_of(const std::string& option, const std::string& word) {
  const std::string_view name = std::string_view(word).substr(0, word.find('='));
  const bool is_front_end = option == "-Xcudafe";
  if (is_front_end && (name[0] != '-' || has(kMessages, name))) return {};  // or the number of a warning
  if (!is_front_end && has(kLinkMessages, name)) return {};
  if (!is_front_end && has(kLinkReports, name)) return "tells nothing: no device code is linked";
  throw Error("warpfork cc: {} {} is not possible: {}", option, word,
              is_front_end ? "clang reads the sources" : "no device code is linked");
}

}  // namespace warpfork::compiler
