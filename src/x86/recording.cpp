#include "x86/recording.h"

#include <fmt/format.h>

#include <vector>

#include "x86/frame_reader.h"
#include "x86/recorded_thread.h"

namespace warpfork::x86 {

namespace {

/// The part of the file that an entry stands for, made by what reads its bytes.
template <typename Part>
Part read_part(const RecordingFile& file, const archive::Section& entry, const std::string& name) {
  return Part(file.section(entry, name), fmt::format("{}: offset {}: {}", file.path(), entry.offset, name));
}

}  // namespace

Recording::Recording(const std::string& path)
    : file_(path),
      code_(read_part<RecordedCode>(file_, file_.directory().code, "its code")),
      symbols_(read_part<SymbolTable>(file_, file_.directory().symbols, "its symbols")),
      lines_(read_part<LineTable>(file_, file_.directory().lines, "its source lines")) {}

std::uint64_t Recording::instructions(std::uint32_t thread) const {
  std::uint64_t sum = 0;
  for (const FrameEntry& frame : file_.directory().threads[thread].frames) sum += frame.header.instructions;
  return sum;
}

std::unique_ptr<InstructionStream> Recording::open(std::uint32_t thread) const {
  return std::make_unique<RecordedThread>(file_, code_, thread);
}

void Recording::verify() const {
  std::vector<std::uint32_t> tokens;
  for (std::uint32_t thread = 0; thread < threads(); ++thread)
    for (FrameReader frames(file_, thread); frames.next(tokens);) {
    }
}

}  // namespace warpfork::x86
