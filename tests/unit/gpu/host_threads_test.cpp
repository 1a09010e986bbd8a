#include "gpu/host_threads.h"

#include <gtest/gtest.h>
#include <sys/resource.h>

#include <array>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <new>

#include "base/error.h"

namespace warpfork::gpu {
namespace host_threads_test {

TEST(HostThreads, each_number_is_worked_on_once) {
  std::array<int, 64> times{};
  HostThreads threads(3, 64, [&](unsigned number) { ++times[number]; });
  for (int round = 0; round < 1000; ++round) threads.run(0xff00'0000'0000'0101);
  for (unsigned number = 0; number < 64; ++number)
    EXPECT_EQ(times[number], 0xff00'0000'0000'0101 >> number & 1 ? 1000 : 0) << number;
}

TEST(HostThreads, one_is_the_caller_alone) {
  const auto caller = std::this_thread::get_id();
  std::thread::id worker;
  HostThreads threads(1, 2, [&](unsigned) { worker = std::this_thread::get_id(); });
  threads.run(0b10);
  EXPECT_EQ(threads.count(), 1u);
  EXPECT_EQ(worker, caller);
}

TEST(HostThreads, what_was_done_before_a_round_is_seen_in_it_and_what_was_done_in_it_behind_it) {
  unsigned given = 0;
  std::array<unsigned, 8> seen{};
  HostThreads threads(4, 8, [&](unsigned number) { seen[number] = given; });
  for (given = 1; given < 500; ++given) {
    threads.run(0xff);
    for (const unsigned value : seen) ASSERT_EQ(value, given);
  }
}

TEST(HostThreads, borders_are_told_of_once_for_each_piece_of_work) {
  std::atomic<unsigned> borders = 0;
  const std::function<void()> at_borders = [&] { ++borders; };
  HostThreads threads(2, 8, [](unsigned) {});
  threads.run(0b111, &at_borders);
  threads.run(0b11);
  EXPECT_EQ(borders, 3u);
}

// A lack of memory on one of them ended the program without a word.
TEST(HostThreads, what_the_work_throws_comes_to_the_caller_when_all_is_done) {
  std::atomic<unsigned> done = 0;
  HostThreads threads(3, 8, [&](unsigned number) {
    ++done;
    if (number % 2 == 1) throw std::bad_alloc();
  });
  EXPECT_THROW(threads.run(0xff), std::bad_alloc);
  EXPECT_EQ(done, 8u);
  EXPECT_NO_THROW(threads.run(0b0101'0101));
  EXPECT_EQ(done, 12u);
}

/// With room for the stacks of some of so many.
int start_with_little_memory(unsigned threads) {
  std::uint64_t pages = 0;
  std::ifstream("/proc/self/statm") >> pages;
  const rlim_t bytes = (pages << 12) + (64 << 20);
  const rlimit limit{bytes, bytes};
  setrlimit(RLIMIT_AS, &limit);
  try {
    const HostThreads many(threads, threads, [](unsigned) {});
  } catch (const Error& error) {
    std::fputs(error.what(), stderr);
    return 3;
  }
  return 0;
}

TEST(HostThreads, that_cannot_be_started_are_an_error) {
  EXPECT_EXIT(
      std::_Exit(start_with_little_memory(64)), testing::ExitedWithCode(3),
      "host thread [0-9]+ of 64 cannot be started: Resource temporarily unavailable\n  take fewer by --threads");
}

}  // namespace host_threads_test
}  // namespace warpfork::gpu
