// Host time of the memory side: what one 128-byte transaction (request, four sectors, response) costs the simulator.
#include <benchmark/benchmark.h>

#include <cstdint>
#include <vector>

#include "memory/memory_system.h"

namespace {

using namespace warpfork;
using namespace warpfork::memory;

constexpr unsigned kCores = 15;
constexpr unsigned kOutstanding = 64;  // loads of one core under way
constexpr std::uint64_t kBase = 0xc0000000;

/// The GTX 480's shape: 6 channels of 2 slices, 40-byte flits, 924 MHz DRAM beside a 700 MHz core.
MemorySpec fermi() {
  MemorySpec spec;
  spec.clock = {.core_mhz = 700, .interconnect_mhz = 700, .dram_mhz = 924};
  spec.interconnect.flit_bytes = 40;
  spec.mapping = {
      .channels = 6, .slices_per_channel = 2, .interleave_bytes = 256, .bank_mask = 0xe100, .row_mask = 0x0fff0000};
  spec.l2.filled_by_copies = true;
  spec.dram.banks = 16;
  spec.dram.bank_groups = 4;
  return spec;
}

/// Every core keeps kOutstanding loads under way and reads its part of `bytes` line by line, round and round.
class StreamingCores {
 public:
  StreamingCores(MemorySystem& memory, std::uint64_t bytes) : memory_(memory), lines_(bytes / 128), next_(kCores) {
    for (unsigned core = 0; core < kCores; ++core) next_[core] = core * 37;
    outstanding_.assign(kCores, 0);
  }
  void cycle(Cycle now) {
    if (memory_.next_event() <= now) memory_.advance(now);
    for (unsigned core = 0; core < kCores; ++core) {
      if (memory_.response(core) != nullptr) {
        memory_.pop_response(core);
        --outstanding_[core];
        ++done;
      }
      if (outstanding_[core] == kOutstanding || !memory_.can_inject(core, 0)) continue;
      const std::uint64_t line = (next_[core] += kCores) % lines_;
      memory_.inject({kBase + line * 128, 128, AccessKind::Load, static_cast<std::uint16_t>(core), 0}, now);
      ++outstanding_[core];
    }
  }

  std::uint64_t done = 0;

 private:
  MemorySystem& memory_;
  std::uint64_t lines_;
  std::vector<std::uint64_t> next_;
  std::vector<unsigned> outstanding_;
};

void stream(benchmark::State& state, std::uint64_t bytes) {
  MemorySystem memory(fermi(), kCores);
  memory.warm(kBase, bytes);
  StreamingCores cores(memory, bytes);
  Cycle now = 0;
  for (; now < 2000; ++now) cores.cycle(now);
  cores.done = 0;
  for (auto _ : state) cores.cycle(now++);
  state.SetItemsProcessed(static_cast<std::int64_t>(cores.done));
  state.counters["time_of_one"] =
      benchmark::Counter(static_cast<double>(cores.done), benchmark::Counter::kIsRate | benchmark::Counter::kInvert);
}

void loads_that_hit_the_l2(benchmark::State& state) { stream(state, 512 * 1024); }
BENCHMARK(loads_that_hit_the_l2);

void loads_from_dram(benchmark::State& state) { stream(state, 64 * 1024 * 1024); }
BENCHMARK(loads_from_dram);

void one_load_at_a_time(benchmark::State& state) {
  MemorySystem memory(fermi(), kCores);
  memory.warm(kBase, 65536);
  Cycle now = 0;
  std::uint64_t line = 0;
  for (auto _ : state) {
    line = (line + 37) % 512;
    memory.inject({kBase + line * 128, 128, AccessKind::Load, 0, 0}, now);
    while (memory.response(0) == nullptr) memory.advance(now = memory.next_event());
    memory.pop_response(0);
  }
}
BENCHMARK(one_load_at_a_time);

}  // namespace

BENCHMARK_MAIN();
