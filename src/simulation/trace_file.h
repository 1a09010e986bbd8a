// The file of a timeline that `run` draws.
#pragma once

#include <optional>
#include <string>

#include "process/output_file.h"
#include "process/temporary_folder.h"
#include "trace/request.h"

namespace warpfork::simulation {

/// JSON of the Trace Event Format. Events are written while the program runs; the file takes its name when it is
/// finished, compressed if that ends in ".gz".
class TraceFile {
 public:
  /// Where the request names a file: it names the file beside it, which is written until finish(), from now on. Throws
  /// Error if it cannot be written.
  explicit TraceFile(trace::Request& request);

  /// Whether a launch was timed so far.
  bool has_launches() const;
  /// The run is over, whether it ended well or not. Returns what a user should know: that not all was drawn, or
  /// nothing; empty = nothing. Throws Error if the file cannot be written.
  std::string finish();

 private:
  void append(const std::string& text) const;
  void compress() const;

  std::string name_;
  trace::Request request_;
  std::optional<process::OutputFile> output_, plain_;  // plain_: what is to be compressed
  std::optional<process::TemporaryFolder> folder_;
};

}  // namespace warpfork::simulation
