// One core with its memory path, its clock in the test's hand: what it does not notice while it sleeps.
#include "gpu/core.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "gtx480_spec.h"
#include "kernel.h"
#include "report/launch_json.h"
#include "report/launch_statistics.h"
#include "report/listener_pair.h"

namespace warpfork::gpu {
namespace core_test {

enum class Clock { EveryCycle, OnlyWhenSomethingHappens, AskedMeanwhile, Observed };

/// Nothing of a core sleeps in a cycle as long as somebody hears of each stall.
struct Observer final : report::LaunchListener {
  bool observes_stalls() const override { return true; }
};

struct Result {
  Cycle cycles;
  std::string record;
};

/// Three blocks of the kernel on one core.
Result run(Kernel& kernel, const MachineSpec& spec, Clock clock) {
  memory::MemorySystem memory(spec.memory, 1);
  Core core(spec, 0, memory);
  report::LaunchStatistics statistics(kernel.program().code.size(), 1, spec.core.warps);
  kernel.clear_out();
  const KernelTables tables(spec.core, kernel.program());
  Observer observer;
  report::ListenerPair observed(statistics.of_core(0), observer);
  core.begin_kernel(kernel.launch(), tables, {}, 2, clock == Clock::Observed ? observed : statistics.of_core(0));
  unsigned blocks = 3;
  Cycle now = 0;
  for (Cycle wake = kNever;; ++now) {
    if (memory.next_event() <= now) memory.advance(now);
    if (clock == Clock::EveryCycle || clock == Clock::Observed || wake <= now || memory.response(0) != nullptr) {
      core.cycle(now);
      wake = core.next_event(now);
    }
    if (blocks != 0 && core.has_room()) {
      core.start_block({3 - blocks--, 0, 0}, now);
      wake = now + 1;
    }
    if (core.empty() && blocks == 0) break;
    if (clock == Clock::AskedMeanwhile && now % 7 == 0) core.tell_so_far(now);
  }
  core.end_kernel();
  report::LaunchRecord record;
  record.timed = true;
  statistics.fill(record);
  return {now, to_json(record).dump()};
}

class CoreClock : public ::testing::TestWithParam<const char*> {};

TEST_P(CoreClock, cycles_in_which_the_core_sleeps_or_is_asked_change_nothing) {
  Kernel kernel(R"(
      ld.global.u32 %r2, [%mine];
      and.b32 %r3, %thread, 3;
      setp.eq.u32 %p0, %r3, 1;
      @%p0 bra ODD;
      div.u32 %r2, %r2, 3;
      st.shared.u32 [table], %r2;
      bra MEET;
    ODD:
      atom.global.add.u32 %r4, [%out + 4096], 1;
      sqrt.rn.f32 %r4, %r4;
    MEET:
      membar.gl;
      bar.sync 0;
      ld.shared.u32 %r5, [table];
      add.u32 %r5, %r5, %r2;
      st.global.u32 [%mine], %r5;
      ret;)",
                {3, 1, 1}, {96, 1, 1}, 2048, ".shared .align 4 .b8 table[4];");
  const MachineSpec spec = one_core(GetParam());
  const Result awake = run(kernel, spec, Clock::EveryCycle);
  const Result sleeping = run(kernel, spec, Clock::OnlyWhenSomethingHappens);
  EXPECT_EQ(awake.cycles, sleeping.cycles);
  EXPECT_EQ(awake.record, sleeping.record);
  const Result asked = run(kernel, spec, Clock::AskedMeanwhile);
  EXPECT_EQ(asked.cycles, sleeping.cycles);
  EXPECT_EQ(asked.record, sleeping.record);
  const Result observed = run(kernel, spec, Clock::Observed);
  EXPECT_EQ(observed.cycles, sleeping.cycles);
  EXPECT_EQ(observed.record, sleeping.record);
}

INSTANTIATE_TEST_SUITE_P(Mechanism, CoreClock, ::testing::Values("pdom", "multi-path", "multi-path-or", "tbc", "capri"),
                         [](const auto& info) {
                           std::string name = info.param;
                           std::replace(name.begin(), name.end(), '-', '_');
                           return name;
                         });

}  // namespace core_test
}  // namespace warpfork::gpu
