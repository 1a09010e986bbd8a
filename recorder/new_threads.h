// SPDX-License-Identifier: GPL-2.0-or-later
// Threads between their creation and their first block.
#pragma once

#include <condition_variable>
#include <cstdint>
#include <map>
#include <mutex>

#include "stream.h"

namespace recorder {

/// The streams of threads that have been created and have not run yet, by thread id. All functions may be called by
/// several threads at the same time.
class NewThreads {
 public:
  /// `stream`: nullptr for a thread that is not recorded.
  void add(std::int64_t id, Stream* stream) {
    const std::lock_guard lock(mutex_);
    streams_[id] = stream;
    added_.notify_all();
  }

  /// The stream of thread `id`, which this thread is; waits until who created it has added it.
  Stream* take(std::int64_t id) {
    std::unique_lock lock(mutex_);
    added_.wait(lock, [&] { return streams_.contains(id); });
    Stream* const stream = streams_[id];
    if (stream) streams_.erase(id);  // a thread that is not recorded asks again
    return stream;
  }

 private:
  std::mutex mutex_;
  std::condition_variable added_;
  std::map<std::int64_t, Stream*> streams_;
};

}  // namespace recorder
