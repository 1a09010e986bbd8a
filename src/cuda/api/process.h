// The state behind the C interface. The CUDA runtime API passes no context, so there is one for the process.
#pragma once

#include <driver_types.h>
#include <sys/types.h>

#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <set>
#include <string>

#include "base/memory_shortage.h"
#include "cuda/driver/contexts.h"
#include "cuda/driver/links.h"
#include "cuda/driver/texture_references.h"
#include "cuda/runtime/api_error.h"
#include "cuda/runtime/runtime.h"
#include "cuda/session/session_writer.h"

namespace warpfork::cuda {

/// Never destroyed: programs call into the library from destructors that run at any time before the process ends.
class Process {
 public:
  static Process& instance();

  /// Held through every call, in which device memory is open; recursive because a host function in a stream may call
  /// back.
  class Call {
   public:
    explicit Call(Process& process);
    ~Call();
    Call(const Call&) = delete;
    Call& operator=(const Call&) = delete;

   private:
    Process& process_;
    std::lock_guard<std::recursive_mutex> guard_;
  };
  /// Opens the session on first use. Throws ApiError: with a text the first time that it fails, silently after; and in
  /// a process that was forked from the one that uses the device, which has none, as on a GPU.
  Runtime& runtime();
  /// Of the driver API. Throws ApiError in such a process, too.
  driver::Contexts& contexts();
  driver::Links& links() { return links_; }
  driver::TextureReferences& texture_references() { return texture_references_; }
  /// The code by which every call must fail from now on, or cudaSuccess.
  cudaError_t lost() const;

  void record_launch(const report::LaunchRecord& record);
  /// What stands before a text of ours on standard error.
  static constexpr const char* kReporter = "warpfork: ";
  /// Tells the user on standard error, after `reporter`, and the parent through the session; kernels are named as their
  /// authors wrote them. A text is told once, however often the program tries again.
  void report(const std::string& text, const char* reporter = kReporter);
  /// The same of an error that a call ends with, if it has a text. What was refused is no failure of the run.
  void tell(const ApiError& error);
  /// What the thread's last call told becomes a failure of the run, if it was refused, unless the thread asks for the
  /// last error: for calls whose results nobody sees.
  void await_question();
  /// The thread asks for the last error.
  void answer_question();
  /// Failures of the run unless the thread asks.
  using Unnoticed = std::set<std::string>;
  Unnoticed unnoticed() const;
  void set_unnoticed(Unnoticed refusals);
  /// Names a call that is not supported, once.
  void report_unsupported(const std::string& call, const std::string& why);
  /// Writes the end of the session's result.
  void finish();
  /// The process is about to end as its memory is too short for anything else: the run has failed.
  static void memory_is_short();

  /// Of the calling thread: what cudaGetLastError returns and clears.
  static cudaError_t& last_error();

 private:
  Process() = default;
  void start();
  void require_own() const;
  void print(const std::string& text);
  bool is_told_first(const std::string& message, const char* reporter);

  mutable std::recursive_mutex lock_;
  unsigned calls_ = 0;                                        // within one another
  std::optional<MemoryShortageHandler> for_memory_shortage_;  // while there is a call
  cudaError_t start_failure_ = cudaSuccess;
  pid_t owner_ = 0;  // the process that has started, 0 = none
  std::unique_ptr<SessionWriter> session_;
  std::unique_ptr<Runtime> runtime_;
  driver::Contexts contexts_;
  driver::Links links_;
  driver::TextureReferences texture_references_;
  std::set<std::string> reported_, unsupported_;
  // By numbers of threads:
  std::map<std::uint64_t, std::string> refused_last_;  // by the thread's last call that told something
  std::map<std::uint64_t, Unnoticed> refused_unnoticed_;
};

}  // namespace warpfork::cuda
