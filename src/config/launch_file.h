// launch.toml: one launch of a bare kernel, its arguments, and what its buffers must hold afterwards.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "base/types.h"
#include "config/scalar_type.h"

namespace warpfork::config {

/// `scalar = 3`, `type = "u32"`: the bytes of one parameter.
struct ScalarArgument {
  ScalarType type;
  std::vector<std::byte> value;
};

/// `buffer = "out"`, `bytes = 128` and one of `file`, `fill`, `zeros` or none: device memory whose address is the
/// parameter.
struct BufferArgument {
  std::string name;
  std::uint64_t bytes = 0;
  std::vector<std::byte> contents;              // of the file, all `bytes` of them; empty if filled
  std::vector<std::byte> pattern;               // repeated over the buffer; empty = zeros
  bool is_initialised = false;                  // the file says what it holds; else --memcheck takes it for not written
  std::optional<std::filesystem::path> output;  // where to write the buffer after the run

  /// Writes the initial contents to `target`, which has `bytes` bytes.
  void initialise(std::span<std::byte> target) const;
};

using Argument = std::variant<ScalarArgument, BufferArgument>;

/// `[[expect]]`: what a buffer holds after the run, as elements of one type.
struct Expectation {
  std::string buffer;
  ScalarType type;
  std::vector<std::byte> expected;
  double tolerance = 0;  // floats: largest |got − expected| / |expected|; integers: largest difference; 0 = exact
};

struct LaunchFile {
  std::string kernel;
  Dim3 grid, block;
  std::uint32_t shared_bytes = 0;  // dynamic
  std::vector<Argument> arguments;
  std::vector<Expectation> expectations;

  /// Null if no argument is a buffer of that name.
  const BufferArgument* find_buffer(std::string_view name) const;
};

/// Reads the file and the buffer files it names, whose paths are relative to it. Throws Error with file, line and
/// column.
///
/// A whole launch file:
///   kernel = "scale"
///   grid   = [4, 1, 1]          # or one number, or two
///   block  = [64, 1, 1]
///   shared = 0                  # bytes of dynamic shared memory; may be left out
///   [[argument]]                # in the order of the kernel's parameters
///   buffer = "in"
///   bytes  = 1024               # with `file` it may be left out
///   file   = "in.bin"           # or fill = 7 (every byte), or fill = 0.5 with type = "f32", or zeros = true
///   [[argument]]
///   buffer = "out"
///   bytes  = 1024
///   zeros  = true
///   output = "out.bin"          # written after the run
///   [[argument]]
///   scalar = 0.5
///   type   = "f32"
///   [[expect]]
///   buffer = "out"
///   file   = "expected.bin"     # or values = [1, 2, …]
///   type   = "f32"
///   tolerance = 1e-6            # may be left out: exact
LaunchFile read_launch_file(const std::filesystem::path& file);

/// The same from text; buffer files are looked for in `folder`.
LaunchFile parse_launch(std::string_view text, std::string_view name, const std::filesystem::path& folder);

}  // namespace warpfork::config
