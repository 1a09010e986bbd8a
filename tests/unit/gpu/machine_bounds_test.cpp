// Every integer of a machine's description, as small and as large as it may be: refused with a reason, or a small
// kernel runs.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/error.h"
#include "config/field.h"
#include "gtx480_spec.h"
#include "kernel.h"

namespace warpfork::gpu {
namespace machine_bounds_test {

constexpr Cycle kMostCycles = 100'000;  // a latency may be as long as it likes

/// visit(path, field) for every 32-bit integer.
template <typename Visit>
void for_integers(const std::vector<config::Field>& fields, const std::string& prefix, Visit visit) {
  for (const config::Field& field : fields) {
    for_integers(field.members, prefix + field.name + ".", visit);
    if (field.target && std::holds_alternative<std::uint32_t*>(*field.target)) visit(prefix + field.name, field);
  }
}

class MachineBounds : public testing::Test {
 protected:
  Kernel kernel_{"ld.global.u32 %r0, [%mine];\nadd.u32 %r0, %r0, 1;\nst.global.u32 [%mine], %r0;", {2}, {64}};
};

TEST_F(MachineBounds, an_integer_at_its_bounds_is_refused_or_a_kernel_runs) {
  MachineSpec spec = one_core();
  for_integers(config::fields_of(spec), "", [&](const std::string& path, const config::Field& field) {
    std::uint32_t& value = **std::get_if<std::uint32_t*>(&*field.target);
    const std::uint32_t usual = value;
    for (const std::uint64_t bound : {field.range.least, field.range.most}) {
      value = static_cast<std::uint32_t>(bound);
      EXPECT_NO_THROW(kernel_.error(spec, {.max_cycles = kMostCycles})) << path << " = " << value;
    }
    value = usual;
  });
  EXPECT_EQ(kernel_.error(spec), "");
}

TEST_F(MachineBounds, values_outside_are_refused_by_name) {
  MachineSpec spec = one_core();
  for (const char* key :
       {"core.l1d.miss_queue", "memory.l2.miss_queue", "memory.l2.dram_queue", "core.texture.ways",
        "core.l1i.line_bytes", "core.execution.sp_units", "memory.interconnect.internal_speedup",
        "memory.interconnect.flit_bytes", "memory.interconnect.input_buffer", "memory.dram.burst_bytes",
        "memory.dram.return_queue", "memory.l2.rop_delay", "core.fetch_bytes", "core.shared.latency",
        "core.registers_per_thread", "core.execution.simple.latency", "core.l1d.hit_latency"})
    EXPECT_THAT([&] { config::apply_override(spec, std::string(key) + "=4294967295"); },
                testing::ThrowsMessage<Error>(testing::HasSubstr(std::string("'") + key + "' must be an integer")));
}

}  // namespace machine_bounds_test
}  // namespace warpfork::gpu
