// The runtime library's side of a session's result: lines of JSON, written as they happen.
#pragma once

#include <sys/types.h>

#include <string>
#include <vector>

#include "cuda/json.h"
#include "report/launch_record.h"

namespace warpfork::cuda {

/// Appends one JSON object a line to the result file; a file whose last line is not an `end` is of a program that
/// did not finish. Only the process that made the writer writes: a forked child's copy is silent.
///
/// Written sample:
///   {"begin":{"runtime_version":12000}}
///   {"printed":true}
///   {"launch":{"name":"bfs","cycles":1234}}
///   {"refused":"launch of 'bfs' with 2048 threads per block …"}
///   {"short_of_memory":"cudaMalloc of 2147483648 bytes was refused …"}
///   {"error":"bfs.ptx:31: error: …"}
///   {"end":{"unsupported_calls":["cudaGraphLaunch"]}}
class SessionWriter {
 public:
  /// Throws Error if the file cannot be opened or written, or another process of the session is writing it.
  SessionWriter(const std::string& path, int runtime_version);
  ~SessionWriter();
  SessionWriter(const SessionWriter&) = delete;
  SessionWriter& operator=(const SessionWriter&) = delete;

  void launch(const report::LaunchRecord& record);
  /// A kernel printed something among the program's own output.
  void printed();
  void error(const std::string& message);
  /// What was not done, and the program may know.
  void refused(const std::string& message);
  /// An allocation for which there was no room, which programs may try for.
  void short_of_memory(const std::string& message);
  /// An error that is written without taking memory.
  void memory_is_short() noexcept;
  /// The last line; what comes after it is ignored.
  void end(const std::vector<std::string>& unsupported_calls);

  /// Why a line could not be written, with the remedy; the file then has the name torn_name(), and no later line is
  /// written. Empty = all were.
  const std::string& failure() const { return failure_; }

 private:
  bool is_open() const;
  void line(const Json& object);
  void fail(const std::string& why);

  std::string path_;
  int file_ = -1;
  pid_t owner_ = 0;
  bool ended_ = false;
  std::string failure_;
};

}  // namespace warpfork::cuda
