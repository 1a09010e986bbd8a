#include "compiler/diagnostics.h"

#include <algorithm>
#include <array>

#include "compiler/each_line.h"

namespace warpfork::compiler {

namespace {

constexpr std::string_view kInclusion = "In file included from ";

/// What clang 14 to 19 say of a launch in device code, the second of a template's, behind a word that may be coloured.
constexpr std::array<std::string_view, 2> kRefusedLaunches{
    "reference to __global__ function '", "reference to __host__ function '__cudaPushCallConfiguration'"};
constexpr const char* kRemedyOfLaunches =
    "warpfork cc: this clang has no launches from kernels: build the program by nvcc -rdc=true … -lcudadevrt, which "
    "`warpfork run` takes as it is\n";

/// What the names of the headers of NVIDIA's libraries begin with.
constexpr std::array<std::string_view, 8> kLibraryHeaders{"cublas",   "cudnn",    "cufft",    "curand.h",
                                                          "cusolver", "cusparse", "cutensor", "nccl"};
constexpr const char* kRemedyOfLibraries =
    "warpfork cc: NVIDIA's libraries are not there: they bring machine code, which cannot be simulated; use kernels "
    "of your own, or those of Thrust and CUB\n";

/// `a.cu:1:10: fatal error: 'cublas_v2.h' file not found`
bool misses_library(std::string_view said) {
  const auto end = said.find("' file not found");
  if (end == std::string_view::npos) return false;
  const std::string_view name = said.substr(said.rfind('\'', end - 1) + 1);
  return std::ranges::any_of(kLibraryHeaders, [&](std::string_view header) { return name.starts_with(header); });
}

/// Takes a message with its notes off the text: up to the next one, or to the count of all.
std::string_view take_message(std::string_view& text) {
  std::size_t end = 0;
  bool has_begun = false;  // behind the lines that say where the file was included
  while (end < text.size()) {
    const std::string_view line = text.substr(end, text.find('\n', end) - end);
    const bool is_head = mentions(line, "warning: ") || mentions(line, "error: ");
    const bool is_count = mentions(line, " generated when compiling for ");
    if (has_begun && (is_head || is_count || line.starts_with(kInclusion))) break;
    has_begun = has_begun || !line.starts_with(kInclusion);
    end = std::min(end + line.size() + 1, text.size());
  }
  const std::string_view message = text.substr(0, end);
  text.remove_prefix(end);
  return message;
}

}  // namespace

std::string said_once(std::string_view device, std::string_view host) {
  std::string all;
  const std::string at_the_end = remedies(device);
  while (!device.empty()) {
    const std::string_view message = take_message(device);
    if (!mentions(message, " generated when compiling for ") && !mentions(host, message)) all += message;
  }
  return all.append(host).append(at_the_end);
}

std::string remedies(std::string_view said) {
  const bool has_launches =
      std::ranges::any_of(kRefusedLaunches, [&](std::string_view words) { return mentions(said, words); });
  if (has_launches) return kRemedyOfLaunches;
  return misses_library(said) ? kRemedyOfLibraries : "";
}

}  // namespace warpfork::compiler
