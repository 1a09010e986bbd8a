// SPDX-License-Identifier: GPL-2.0-or-later
#include "session.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <fstream>

namespace recorder {

namespace {

/// The first word of the file, shared with whoever reads it; nullptr if that fails.
std::atomic<std::uint64_t>* shared_word(const std::string& path) {
  const int file = ::open(path.c_str(), O_RDWR | O_CLOEXEC);
  if (file < 0) return nullptr;
  void* const word = mmap(nullptr, sizeof(std::uint64_t), PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
  ::close(file);
  return word == MAP_FAILED ? nullptr : static_cast<std::atomic<std::uint64_t>*>(word);
}

}  // namespace

std::string Session::open() {
  if (!request.read(folder_ + "/request")) return folder_ + "/request: cannot be read";
  progress_ = shared_word(folder_ + "/progress");
  if (!progress_) return folder_ + "/progress: cannot be used";
  if (!frames.open(folder_ + "/frames")) return folder_ + "/frames: cannot be written";
  if (request.waits_for_start) phase = Phase::Waiting;
  return "";
}

void Session::close() {
  if (frames.failure() != 0) fail(std::strerror(frames.failure()));
  if (!code.write(folder_ + "/code")) fail(std::strerror(errno));
  if (!failure_.empty()) frames.discard();
  frames.close();
  if (frames.failure() != 0) fail(std::strerror(frames.failure()));
  std::ofstream end(folder_ + "/end");
  for (const Thread& thread : threads_) end << "stream " << thread.creator << ' ' << thread.calls << '\n';
  if (phase == Phase::Waiting) end << "never started\n";
  if (!failure_.empty()) end << "failed " << failure_ << '\n';
  end << "end\n";
}

std::uint32_t Session::add_stream(std::uint32_t creator) {
  const std::lock_guard lock(mutex_);
  threads_.push_back({creator, 0});
  return static_cast<std::uint32_t>(threads_.size() - 1);
}

void Session::set_calls(std::uint32_t stream, std::uint32_t calls) {
  const std::lock_guard lock(mutex_);
  threads_[stream].calls = calls;
}

void Session::set_exit_word(std::uint64_t address, std::uint32_t stream) {
  const std::lock_guard lock(mutex_);
  exit_words_[address] = stream;
}

std::uint32_t Session::stream_of_exit_word(std::uint64_t address) {
  const std::lock_guard lock(mutex_);
  const auto found = exit_words_.find(address);
  return found == exit_words_.end() ? 0 : found->second;
}

void Session::fail(const std::string& reason) {
  phase = Phase::Ended;
  const std::lock_guard lock(mutex_);
  if (failure_.empty()) failure_ = reason;
}

}  // namespace recorder
