// SPDX-License-Identifier: GPL-2.0-or-later
// What all streams of a recording share.
#pragma once

#include <atomic>
#include <cstdint>
#include <map>
#include <mutex>
#include <string>
#include <vector>

#include "code_table.h"
#include "frame_file.h"
#include "request.h"

namespace recorder {

enum class Phase : std::uint8_t { Waiting, Running, Ended };

class Session {
 public:
  explicit Session(std::string folder) : folder_(std::move(folder)) {}

  /// Reads the request and opens the files of the work folder. Returns what is wrong, or an empty text.
  std::string open();
  /// Writes the code and then the file `end`, whose presence says that the recording is whole.
  void close();

  /// Number of a new stream, whose thread was created by that of stream `creator`.
  std::uint32_t add_stream(std::uint32_t creator);
  /// In how many calls its thread was where its recording began.
  void set_calls(std::uint32_t stream, std::uint32_t calls);
  /// The kernel clears the word at `address` when the stream's thread ends; pthread_join waits for it.
  void set_exit_word(std::uint64_t address, std::uint32_t stream);
  /// Number of the stream to which the word belongs, or 0 (which nobody can join).
  std::uint32_t stream_of_exit_word(std::uint64_t address);

  void count(std::uint64_t instructions) { progress_->fetch_add(instructions, std::memory_order_relaxed); }
  std::uint64_t next_sequence() { return sequence_.fetch_add(1); }
  /// Ends the recording for a reason that the user must hear of.
  void fail(const std::string& reason);

  Request request;
  CodeTable code{request};
  FrameFile frames;
  std::atomic<Phase> phase = Phase::Running;

 private:
  std::string folder_;
  std::atomic<std::uint64_t>* progress_ = nullptr;  // in a file that the progress line looks at
  std::atomic<std::uint64_t> sequence_ = 1;
  std::mutex mutex_;  // of what follows
  struct Thread {
    std::uint32_t creator, calls;
  };
  std::vector<Thread> threads_;  // by stream
  std::map<std::uint64_t, std::uint32_t> exit_words_;
  std::string failure_;
};

}  // namespace recorder
