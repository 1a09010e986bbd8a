// A number for each thread of the process, which no later one gets again, as it may get a std::thread::id.
#pragma once

#include <atomic>
#include <cstdint>

namespace warpfork::cuda {

/// Of the calling thread.
inline std::uint64_t number_of_thread() {
  static std::atomic<std::uint64_t> threads = 0;
  thread_local const std::uint64_t number = threads++;
  return number;
}

}  // namespace warpfork::cuda
