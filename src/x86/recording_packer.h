// Makes one self-contained recording of what the recorder left in its folder.
#pragma once

#include <cstdint>
#include <filesystem>

#include "x86/elf_program.h"
#include "x86/recording_format.h"

namespace warpfork::x86 {

/// The files of the recorder's folder by name.
struct RecorderFolder {
  std::filesystem::path path;

  std::filesystem::path request() const { return path / "request"; }
  std::filesystem::path frames() const { return path / "frames"; }      ///< becomes the recording
  std::filesystem::path code() const { return path / "code"; }          ///< a RecordedCode's bytes
  std::filesystem::path end() const { return path / "end"; }            ///< written last
  std::filesystem::path progress() const { return path / "progress"; }  ///< 8 bytes: instructions so far
};

/// Makes `frames`, which the recorder appends to, and `progress`. Throws Error with the system's reason.
void prepare_recorder_folder(const RecorderFolder& folder);

/// What the recorder wrote at the program's end.
struct RecorderEnd {
  struct Thread {
    std::uint32_t creator = 0, calls = 0;  ///< calls: that it was in where its recording began
  };
  bool is_whole = false;    ///< false: the program ended otherwise
  bool has_started = true;  ///< false: the start symbol was never reached
  std::string failure;      ///< why the recorder gave up; empty if it did not
  std::vector<Thread> threads;
};
RecorderEnd read_recorder_end(const RecorderFolder& folder);

/// Completes `frames`: behind it code, symbols, lines and directory, at its beginning the header. Throws Error with the
/// system's reason if that cannot be written, and if the program ran what the emulator executes wrongly.
void pack_recording(const RecorderFolder& folder, const RecordingFacts& facts, const RecorderEnd& end,
                    const ElfProgram& program);

}  // namespace warpfork::x86
