// A recorded program: its code, names, source lines and threads.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>

#include "x86/instruction_stream.h"
#include "x86/line_table.h"
#include "x86/recorded_code.h"
#include "x86/recording_file.h"
#include "x86/symbol_table.h"

namespace warpfork::x86 {

class Recording {
 public:
  /// Throws Error with the place and the reason if the file is no recording, cut off or damaged. Frames are checked
  /// when they are read.
  explicit Recording(const std::string& path);

  const std::string& path() const { return file_.path(); }
  const RecordingFacts& facts() const { return file_.directory().facts; }
  /// All instructions that were executed while recording.
  const Code& code() const { return code_.code(); }
  const SymbolTable& symbols() const { return symbols_; }
  /// Nothing for code without debug information.
  std::optional<SourceLine> source_line(std::uint64_t pc) const { return lines_.at(pc); }

  /// In the order of their creation; the program's first thread is 0.
  std::uint32_t threads() const { return static_cast<std::uint32_t>(file_.directory().threads.size()); }
  /// The thread that created this one; of thread 0: 0.
  std::uint32_t creator(std::uint32_t thread) const { return file_.directory().threads[thread].creator; }
  /// A little more than its stream has: every iteration of a string instruction counts.
  std::uint64_t instructions(std::uint32_t thread) const;

  /// The thread from its beginning. The recording must outlive it. Streams may be used by different threads.
  std::unique_ptr<InstructionStream> open(std::uint32_t thread) const;

  /// Reads every frame. Throws Error with the place of the first that is damaged.
  void verify() const;

 private:
  RecordingFile file_;
  RecordedCode code_;
  SymbolTable symbols_;
  LineTable lines_;
};

}  // namespace warpfork::x86
