#include "sweep/local_engine.h"

#include <poll.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <iterator>
#include <utility>

#include "base/error.h"

namespace warpfork::sweep {

namespace {

constexpr std::chrono::seconds kGrace{5};  // to end by itself, with its temporary files
constexpr std::uint64_t kKibibyte = 1024;

}  // namespace

LocalEngine::LocalEngine(const LocalLimits& limits, std::function<std::uint64_t(std::size_t)> bytes_of,
                         const process::DeferredSignals& signals)
    : limits_(limits), bytes_of_(std::move(bytes_of)), signals_(signals) {}

LocalEngine::~LocalEngine() { cancel(); }

void LocalEngine::submit(std::vector<Job> jobs) { std::ranges::move(jobs, std::back_inserter(waiting_)); }

std::vector<JobEnd> LocalEngine::wait(std::chrono::milliseconds time) {
  start_some();
  await_end(time);
  std::vector<JobEnd> ends = reap();
  start_some();
  return ends;
}

void LocalEngine::start_some() {
  while (!waiting_.empty()) {
    const std::uint64_t bytes = bytes_of_(waiting_.front().number);
    if (!is_room_for(bytes)) return;
    const pid_t process = process::start_child(waiting_.front().command, signals_);
    const int descriptor = static_cast<int>(syscall(SYS_pidfd_open, process, 0));
    running_.push_back({waiting_.front().number, process, descriptor, bytes, Clock::now()});
    if (descriptor < 0) throw Error("a process cannot be watched: {}", std::strerror(errno));
    waiting_.pop_front();
  }
}

bool LocalEngine::is_room_for(std::uint64_t bytes) const {
  if (running_.empty()) return true;
  for (const Running& one : running_) bytes += one.bytes;
  return running_.size() < limits_.jobs && bytes <= limits_.memory_bytes;
}

/// Whether one has ended.
bool LocalEngine::await_end(std::chrono::milliseconds time) const {
  std::vector<pollfd> events;
  for (const Running& one : running_) events.push_back({one.descriptor, POLLIN, 0});
  return poll(events.data(), events.size(), static_cast<int>(time.count())) > 0;
}

std::vector<JobEnd> LocalEngine::reap() {
  std::vector<JobEnd> ends;
  std::erase_if(running_, [&](const Running& one) {
    int status = 0;
    rusage use{};
    if (wait4(one.process, &status, WNOHANG, &use) == 0) return false;
    close(one.descriptor);
    ends.push_back({one.number, process::end_of(status),
                    std::chrono::duration<double>(Clock::now() - one.start).count(),
                    static_cast<std::uint64_t>(use.ru_maxrss) * kKibibyte});
    return true;
  });
  return ends;
}

void LocalEngine::cancel() {
  waiting_.clear();
  for (const Running& one : running_) kill(one.process, SIGTERM);
  const Clock::time_point last = Clock::now() + kGrace;
  while (!running_.empty() && Clock::now() < last) {
    await_end(std::chrono::milliseconds(100));
    reap();
  }
  for (const Running& one : running_) kill(one.process, SIGKILL);
  while (!running_.empty()) {
    await_end(kGrace);
    reap();
  }
}

}  // namespace warpfork::sweep
