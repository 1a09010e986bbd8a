#include <gtest/gtest.h>

#include "config/description.h"
#include "gpu/machine_spec.h"

namespace warpfork::simulation {
namespace machine_files_test {

gpu::MachineSpec read(const char* name) {
  gpu::MachineSpec spec;
  config::bind(spec, std::filesystem::path("machines") / (std::string(name) + ".toml"));
  return spec;
}

// The sums below are from the machines' own documents: GPGPU-Sim's SM2_GTX480 and Table III of the STSIMT paper.
TEST(MachineFiles, gtx480_has_its_cache_sizes_and_clocks) {
  const gpu::MachineSpec spec = read("gtx480");
  EXPECT_EQ(spec.core.l1d.sets * spec.core.l1d.ways * spec.core.l1d.line_bytes, 16384u);
  EXPECT_EQ(spec.memory.l2.sets * spec.memory.l2.ways * 128 * spec.memory.mapping.channels *
                spec.memory.mapping.slices_per_channel,
            768u * 1024);
  EXPECT_EQ(spec.memory.clock.dram_mhz, 924u);
  EXPECT_EQ(spec.core.execution.of(simt::TimingClass::IntAdd).latency, 4u);
  EXPECT_EQ(spec.core.execution.of(simt::TimingClass::Fp64Div).unit, "sfu");
}

TEST(MachineFiles, tesla30_has_its_cache_sizes_and_clocks) {
  const gpu::MachineSpec spec = read("tesla30");
  EXPECT_EQ(spec.core.l1d.sets * spec.core.l1d.ways * spec.core.l1d.line_bytes, 32768u);
  EXPECT_EQ(spec.memory.l2.sets * spec.memory.l2.ways * 128 * spec.memory.mapping.channels, 1024u * 1024);
  EXPECT_EQ(spec.core.threads / spec.core.warp_size, spec.core.warps);
  EXPECT_EQ(spec.memory.clock.interconnect_mhz, 650u);
}

TEST(MachineFiles, name_themselves_as_their_files) {
  for (const char* name : {"gtx480", "tesla30"}) EXPECT_EQ(read(name).name, name);
}

}  // namespace machine_files_test
}  // namespace warpfork::simulation
