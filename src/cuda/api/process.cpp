#include "cuda/api/process.h"

#include <errno.h>
#include <fmt/format.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <utility>

#include "base/error.h"
#include "cuda/api/embedding.h"
#include "cuda/thread_number.h"
#include "report/kernel_name.h"

namespace warpfork::cuda {

Process& Process::instance() {
  static Process& process = *new Process;
  return process;
}

cudaError_t& Process::last_error() {
  static thread_local cudaError_t error = cudaSuccess;
  return error;
}

Process::Call::Call(Process& process) : process_(process), guard_(process.lock_) {
  if (process_.calls_++ != 0) return;
  process_.for_memory_shortage_.emplace(memory_is_short);
  if (process_.runtime_) process_.runtime_->open_to_host();
}

Process::Call::~Call() {
  if (--process_.calls_ != 0) return;
  if (process_.runtime_) process_.runtime_->close_to_host();
  process_.for_memory_shortage_.reset();
}

/// What it did would be in no result, and its copy of the device another one.
void Process::require_own() const {
  if (owner_ == 0 || owner_ == getpid()) return;
  throw ApiError(cudaErrorInitializationError,
                 "a process that was forked from one that uses CUDA cannot use it, here as on a GPU; fork before the "
                 "first CUDA call");
}

driver::Contexts& Process::contexts() {
  require_own();
  return contexts_;
}

Runtime& Process::runtime() {
  require_own();
  if (start_failure_ != cudaSuccess) throw ApiError(start_failure_);
  if (!runtime_) {
    try {
      start();
    } catch (const std::exception& error) {
      start_failure_ = cudaErrorInitializationError;
      throw ApiError(start_failure_, message_of(error));
    }
  }
  return *runtime_;
}

void Process::start() {
  const char* path = std::getenv(kSessionVariable);
  if (!path)
    throw Error("{}: this is warpfork's CUDA runtime, which has no GPU of its own; start the program by 'warpfork run'",
                program_invocation_short_name);
  const SessionRequest request = load_request(path);
  session_ = std::make_unique<SessionWriter>(request.result_file, kEmbedding.runtime_version);
  runtime_ = std::make_unique<Runtime>(
      request.device, program_invocation_short_name, kEmbedding.make_sink(request),
      [this](const std::string& text) { print(text); },
      [this](const report::LaunchRecord& record) { record_launch(record); });
  owner_ = getpid();
  runtime_->guard_from_host([this](const std::string& text) { report(text); });
}

cudaError_t Process::lost() const {
  if (start_failure_ != cudaSuccess) return start_failure_;
  return runtime_ ? runtime_->lost() : cudaSuccess;
}

void Process::record_launch(const report::LaunchRecord& record) {
  for (const std::string& note : runtime_->take_notes())
    is_told_first("note: " + warpfork::report::with_readable_names(note), kReporter);
  session_->launch(record);
  if (!session_->failure().empty()) throw ApiError(cudaErrorOperatingSystem, session_->failure());
}

/// Among the program's own output, in its place.
void Process::print(const std::string& text) {
  std::fwrite(text.data(), 1, text.size(), stdout);
  std::fflush(stdout);
  session_->printed();
}

bool Process::is_told_first(const std::string& message, const char* reporter) {
  if (!reported_.insert(message).second) return false;
  std::fflush(stdout);  // what the program said before must stand before
  fmt::print(stderr, "{}{}\n", reporter, message);
  return true;
}

void Process::report(const std::string& text, const char* reporter) {
  const std::string message = warpfork::report::with_readable_names(text);
  if (is_told_first(message, reporter) && session_) session_->error(message);
}

void Process::tell(const ApiError& error) {
  std::string& refused = refused_last_[number_of_thread()];
  refused.clear();
  if (error.code() == cudaErrorMemoryAllocation && session_ && runtime_)
    session_->short_of_memory(runtime_->memory().missing_memory());
  if (error.silent()) return;
  if (!error.is_refusal()) return report(error.what(), error.is_the_kernels() ? "" : kReporter);
  refused = warpfork::report::with_readable_names(error.what());
  if (is_told_first(refused, kReporter) && session_) session_->refused(refused);
}

void Process::await_question() {
  const std::lock_guard guard(lock_);
  const std::string& refused = refused_last_[number_of_thread()];
  if (!refused.empty()) refused_unnoticed_[number_of_thread()].insert(refused);
}

void Process::answer_question() { set_unnoticed({}); }

Process::Unnoticed Process::unnoticed() const {
  const std::lock_guard guard(lock_);
  const auto found = refused_unnoticed_.find(number_of_thread());
  return found == refused_unnoticed_.end() ? Unnoticed() : found->second;
}

void Process::set_unnoticed(Unnoticed refusals) {
  const std::lock_guard guard(lock_);
  if (refusals.empty())
    refused_unnoticed_.erase(number_of_thread());
  else
    refused_unnoticed_[number_of_thread()] = std::move(refusals);
}

void Process::report_unsupported(const std::string& call, const std::string& why) {
  if (!unsupported_.insert(call).second) return;
  std::fflush(stdout);
  fmt::print(stderr, "{}{} is not supported{}{}\n", kReporter, call, why.empty() ? "" : ": ", why);
}

void Process::finish() {
  if (!session_) return;
  const MemoryShortageHandler for_destructors(memory_is_short);
  for (const auto& [thread, refusals] : refused_unnoticed_)
    for (const std::string& refusal : refusals) session_->error(refusal);
  session_->end({unsupported_.begin(), unsupported_.end()});
  if (!session_->failure().empty()) is_told_first(session_->failure(), kReporter);
}

void Process::memory_is_short() {
  if (const auto& session = instance().session_) session->memory_is_short();
}

}  // namespace warpfork::cuda
