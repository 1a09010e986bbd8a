#include "simulation/trace_file.h"

#include <fmt/format.h>
#include <zlib.h>

#include <array>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <memory>

#include "base/error.h"
#include "process/deferred_signals.h"
#include "process/version.h"

namespace warpfork::simulation {

namespace {

constexpr std::size_t kPieceBytes = 1 << 16;

bool is_compressed(const std::string& name) { return name.ends_with(".gz"); }

void require_format(const std::string& name) {
  if (name == "-") throw Error("--trace: a timeline needs a file, it cannot be standard output");
  for (const char* other : {".zst", ".xz", ".bz2", ".zip"})
    if (name.ends_with(other))
      throw Error("--trace {}: viewers open JSON and gzip\n  let the name end in .json or .json.gz", name);
}

/// Under the name that the user knows.
[[noreturn]] void refuse(const std::string& name, const std::string& why) {
  throw Error("--trace: {}: cannot be written: {}", name, why);
}

}  // namespace

TraceFile::TraceFile(trace::Request& request) : name_(request.file) {
  if (name_.empty()) return;
  require_format(name_);
  output_.emplace(name_);
  if (is_compressed(name_)) plain_.emplace(name_ + ".json");
  folder_.emplace();
  // The program may change its folder.
  request.file = std::filesystem::absolute(plain_ ? plain_->path() : output_->path()).string();
  request.state_file = (folder_->path() / "state.json").string();
  request_ = request;
  // Every event begins with the end of the one before.
  append(
      "{\"displayTimeUnit\":\"ms\",\"traceEvents\":[\n"
      "{\"ph\":\"M\",\"pid\":1,\"tid\":0,\"name\":\"process_labels\",\"args\":{\"labels\":\"1 us = 1 core cycle\"}}");
}

bool TraceFile::has_launches() const { return !name_.empty() && trace::read_state(request_.state_file).launches != 0; }

std::string TraceFile::finish() {
  if (name_.empty()) return "";
  const trace::State state = trace::read_state(request_.state_file);
  if (!state.failure.empty()) refuse(name_, state.failure);
  const report::Tool tool = process::tool();
  std::string end =
      fmt::format("\n],\"otherData\":{{\"tool\":\"warpfork {}\",\"unit\":\"1 us = 1 core cycle\",\"cycles\":{}",
                  tool.version, state.cycles);
  if (state.full_at) end += fmt::format(",\"cut_off_at\":{}", *state.full_at);
  append(end + "}}\n");
  if (plain_) compress();
  output_->keep();
  if (state.launches == 0) return fmt::format("{}: nothing is drawn: no launch was timed", name_);
  if (request_.cycles.first >= state.cycles)
    return fmt::format("{}: nothing is drawn: the launches end at cycle {}, before --trace-cycles begins", name_,
                       state.cycles);
  if (!state.full_at) return "";
  return fmt::format(
      "{}: drawn up to cycle {} of {}: larger than --trace-limit {}; --trace-cycles and --trace-cores choose a part",
      name_, *state.full_at, state.cycles, request_.bytes >> 20);
}

void TraceFile::append(const std::string& text) const {
  std::ofstream stream(request_.file, std::ios::binary | std::ios::app);
  stream << text << std::flush;
  if (!stream) refuse(name_, std::strerror(errno));
}

void TraceFile::compress() const {
  std::ifstream from(plain_->path(), std::ios::binary);
  const std::unique_ptr<gzFile_s, int (*)(gzFile)> to(gzopen(output_->path().c_str(), "wb6"), gzclose);
  std::array<char, kPieceBytes> piece{};
  bool written = to != nullptr;
  while (written && from) {
    if (process::deferred_signal_came()) throw Error("interrupted");
    from.read(piece.data(), piece.size());
    const auto count = static_cast<unsigned>(from.gcount());
    written = count == 0 || gzwrite(to.get(), piece.data(), count) == static_cast<int>(count);
  }
  if (!written || gzflush(to.get(), Z_FINISH) != Z_OK) refuse(name_, std::strerror(errno));
}

}  // namespace warpfork::simulation
