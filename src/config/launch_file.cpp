#include "config/launch_file.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>

#include "base/error.h"
#include "base/text.h"
#include "config/table_reader.h"
#include "config/text_file.h"

namespace warpfork::config {

namespace {

constexpr std::uint64_t kMaxBufferBytes = std::uint64_t{1} << 40;  // well above any device's memory
constexpr std::uint64_t kMaxSharedBytes = std::numeric_limits<std::uint32_t>::max();
constexpr ScalarType kByte{"u8", ScalarType::Kind::Unsigned, 1};

std::vector<std::byte> read_bytes(const TableReader& table, const std::filesystem::path& folder) {
  std::string text;
  try {
    text = read_text(folder / table.text("file"));
  } catch (const Error& error) {
    constexpr std::string_view kWord = "error: ";  // which the place says already
    std::string cause = error.what();
    if (const std::size_t at = cause.find(kWord); at != cause.npos) cause.erase(at, kWord.size());
    throw Error("{}{}", table.place("file"), cause);
  }
  std::vector<std::byte> bytes(text.size());
  if (!text.empty()) std::memcpy(bytes.data(), text.data(), text.size());
  return bytes;
}

ScalarArgument read_scalar(const TableReader& table) {
  for (const char* key : {"buffer", "bytes", "file", "fill", "zeros", "output"})
    if (table.has(key)) throw Error("{}'{}' goes with 'buffer', not with 'scalar'", table.place(key), key);
  const ScalarType type = table.scalar_type("type");
  std::vector<std::byte> value = table.scalars("scalar", type);
  if (value.size() != type.bytes) throw Error("{}'scalar' must be a single value", table.place("scalar"));
  return {type, std::move(value)};
}

BufferArgument read_buffer(const TableReader& table, const std::filesystem::path& folder) {
  BufferArgument buffer;
  buffer.name = table.text("buffer");
  if (table.has("file") + table.has("fill") + table.has("zeros") > 1)
    throw Error("{}buffer '{}' has more than one of 'file', 'fill' and 'zeros'", table.place("buffer"), buffer.name);
  if (table.has("zeros") && !table.boolean("zeros")) throw Error("{}'zeros' can only be true", table.place("zeros"));
  if (table.has("file")) buffer.contents = read_bytes(table, folder);
  buffer.bytes =
      table.has("file") && !table.has("bytes") ? buffer.contents.size() : table.natural("bytes", kMaxBufferBytes);
  if (buffer.bytes == 0) throw Error("{}buffer '{}' has no bytes", table.place("bytes"), buffer.name);
  if (table.has("file") && buffer.contents.size() != buffer.bytes)
    throw Error("{}buffer '{}' has {}, but '{}' holds {}", table.place("bytes"), buffer.name,
                counted(buffer.bytes, "byte"), table.text("file"), buffer.contents.size());
  if (table.has("type") && !table.has("fill"))
    throw Error("{}'type' goes with 'fill' or 'scalar'", table.place("type"));
  if (table.has("fill")) buffer.pattern = table.scalars("fill", table.has("type") ? table.scalar_type("type") : kByte);
  if (!buffer.pattern.empty() && buffer.bytes % buffer.pattern.size() != 0)
    throw Error("{}a buffer of {} takes no whole number of fills of {}", table.place("fill"),
                counted(buffer.bytes, "byte"), counted(buffer.pattern.size(), "byte"));
  buffer.is_initialised = table.has("file") || table.has("fill") || table.has("zeros");
  if (table.has("output")) buffer.output = folder / table.text("output");
  return buffer;
}

Argument read_argument(const TableReader& table, const std::filesystem::path& folder) {
  if (table.has("scalar")) return read_scalar(table);
  if (table.has("buffer")) return read_buffer(table, folder);
  throw Error("{}an argument needs 'scalar' or 'buffer'", table.place("scalar"));
}

Expectation read_expectation(const TableReader& table, const LaunchFile& launch, const std::filesystem::path& folder) {
  Expectation expectation{table.text("buffer"), table.scalar_type("type"), {}, 0};
  const BufferArgument* buffer = launch.find_buffer(expectation.buffer);
  if (!buffer) {
    std::vector<std::string> names;
    for (const Argument& argument : launch.arguments)
      if (const auto* known = std::get_if<BufferArgument>(&argument)) names.push_back(known->name);
    throw Error("{}no argument is a buffer '{}'\n  buffers: {}", table.place("buffer"), expectation.buffer,
                fmt::join(names, ", "));
  }
  if (table.has("file") == table.has("values"))
    throw Error("{}an expectation needs either 'file' or 'values'", table.place("buffer"));
  expectation.expected = table.has("file") ? read_bytes(table, folder) : table.scalars("values", expectation.type);
  if (expectation.expected.size() != buffer->bytes || buffer->bytes % expectation.type.bytes != 0)
    throw Error("{}expected: {} of type {}, but buffer '{}' has {}", table.place(table.has("file") ? "file" : "values"),
                counted(expectation.expected.size(), "byte"), expectation.type.name, buffer->name, buffer->bytes);
  if (table.has("tolerance")) expectation.tolerance = table.real("tolerance");
  if (!(expectation.tolerance >= 0)) throw Error("{}'tolerance' must be at least 0", table.place("tolerance"));
  return expectation;
}

}  // namespace

void BufferArgument::initialise(std::span<std::byte> target) const {
  if (!contents.empty())
    std::copy(contents.begin(), contents.end(), target.begin());
  else if (std::ranges::all_of(pattern, [](std::byte byte) { return byte == std::byte{0}; }))
    std::ranges::fill(target, std::byte{0});
  else
    for (std::size_t i = 0; i < target.size(); ++i) target[i] = pattern[i % pattern.size()];
}

const BufferArgument* LaunchFile::find_buffer(std::string_view name) const {
  for (const Argument& argument : arguments)
    if (const auto* buffer = std::get_if<BufferArgument>(&argument); buffer && buffer->name == name) return buffer;
  return nullptr;
}

LaunchFile parse_launch(std::string_view text, std::string_view name, const std::filesystem::path& folder) {
  const toml::table root = parse_toml(text, name);
  const TableReader top(root, name, "a launch file", {"kernel", "grid", "block", "shared", "argument", "expect"});
  LaunchFile launch;
  launch.kernel = top.text("kernel");
  launch.grid = top.extent("grid");
  launch.block = top.extent("block");
  if (top.has("shared")) launch.shared_bytes = static_cast<std::uint32_t>(top.natural("shared", kMaxSharedBytes));
  for (const toml::table* table : top.tables("argument")) {
    const TableReader reader(*table, name, "an argument",
                             {"scalar", "type", "buffer", "bytes", "file", "fill", "zeros", "output"});
    Argument argument = read_argument(reader, folder);
    if (const auto* buffer = std::get_if<BufferArgument>(&argument); buffer && launch.find_buffer(buffer->name))
      throw Error("{}there is already a buffer '{}'", reader.place("buffer"), buffer->name);
    launch.arguments.push_back(std::move(argument));
  }
  for (const toml::table* table : top.tables("expect")) {
    const TableReader reader(*table, name, "an expectation", {"buffer", "file", "values", "type", "tolerance"});
    launch.expectations.push_back(read_expectation(reader, launch, folder));
  }
  return launch;
}

LaunchFile read_launch_file(const std::filesystem::path& file) {
  return parse_launch(read_text(file), file.string(), file.parent_path());
}

}  // namespace warpfork::config
