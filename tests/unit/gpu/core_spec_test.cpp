#include "gpu/core_spec.h"

#include <gtest/gtest.h>

#include <functional>

#include "base/error.h"

namespace warpfork::gpu {
namespace core_spec_test {

std::string fault(const std::function<void(CoreSpec&)>& change) {
  CoreSpec spec;
  change(spec);
  try {
    validate(spec);
    return "";
  } catch (const Error& error) {
    return error.what();
  }
}

TEST(CoreSpec, has_between_1_and_128_warps) {
  EXPECT_EQ(fault([](CoreSpec& spec) { spec.warps = 128; }), "");
  EXPECT_EQ(fault([](CoreSpec& spec) { spec.warps = 129; }), "core.warps is 129; 1 to 128 are supported");
  EXPECT_EQ(fault([](CoreSpec& spec) { spec.warps = spec.schedulers = 1; }), "");
  EXPECT_EQ(fault([](CoreSpec& spec) { spec.warps = 0; }), "core.warps is 0; 1 to 128 are supported");
}

TEST(CoreSpec, has_no_more_schedulers_than_warps) {
  EXPECT_EQ(fault([](CoreSpec& spec) { spec.schedulers = 48; }), "");
  EXPECT_EQ(fault([](CoreSpec& spec) { spec.schedulers = 49; }),
            "core.schedulers is 49; 1 to core.warps = 48 are supported");
}

TEST(CoreSpec, fetches_at_least_an_instruction) {
  EXPECT_EQ(fault([](CoreSpec& spec) { spec.fetch_bytes = 8; }), "");
  EXPECT_EQ(fault([](CoreSpec& spec) { spec.fetch_bytes = 7; }),
            "core.instruction_bytes is 8 and core.fetch_bytes 7; a fetch must hold an instruction");
}

// What was beyond the line was not delivered, but kept the cache's port.
TEST(CoreSpec, fetches_at_most_a_line) {
  const auto from_lines_of_64 = [](unsigned bytes) {
    return fault([bytes](CoreSpec& spec) {
      spec.fetch_bytes = bytes;
      spec.l1i.line_bytes = 64;
    });
  };
  EXPECT_EQ(from_lines_of_64(64), "");
  EXPECT_EQ(from_lines_of_64(65),
            "core.fetch_bytes is 65 and core.l1i.line_bytes 64; a fetch reads no more than a line");
}

TEST(CoreSpec, has_no_instruction_in_two_lines) {
  const auto of_bytes = [](unsigned bytes) {
    return fault([bytes](CoreSpec& spec) {
      spec.instruction_bytes = spec.fetch_bytes = bytes;
      spec.l1i.line_bytes = 32;
    });
  };
  const std::string rule =
      "; it must be a power of two, at most core.l1i.line_bytes = 32, as no instruction lies in two lines";
  EXPECT_EQ(of_bytes(32), "");
  EXPECT_EQ(of_bytes(12), "core.instruction_bytes is 12" + rule);
  EXPECT_EQ(of_bytes(64), "core.instruction_bytes is 64" + rule);
}

// The bounds of a file's keys are those of the core, wherever in it.
TEST(CoreSpec, has_its_numbers_within_the_bounds_that_a_file_has) {
  EXPECT_EQ(fault([](CoreSpec& spec) { spec.collector.banks = 33; }),
            "core.collector.banks is 33; 1 to 32 are supported");
  EXPECT_EQ(fault([](CoreSpec& spec) { spec.l1i.mshr_merges = 4097; }),
            "core.l1i.mshr_merges is 4097; 1 to 4096 are supported");
  EXPECT_EQ(fault([](CoreSpec& spec) { spec.lanes.collector_groups = 0; }),
            "core.lanes.collector_groups is 0; 1 to 8 are supported");
}

TEST(CoreSpec, has_some_of_everything_that_an_instruction_needs) {
  EXPECT_EQ(fault([](CoreSpec& spec) { spec.collector.sfu_units = 0; }),
            "core.collector.sfu_units is 0; 1 to 32 are supported");
  EXPECT_EQ(fault([](CoreSpec& spec) { spec.execution.result_buses = 0; }),
            "core.execution.result_buses is 0; 1 to 1024 are supported");
}

// A fetch of 2^32 - 1 bytes, or a DRAM burst, was rounded up to none, and a queue's places beside another's added up to
// few or none; 2^27 registers of 32 threads were none, which a core's were divided by.
TEST(CoreSpec, has_no_numbers_that_sums_of_32_bits_cannot_hold) {
  EXPECT_EQ(fault([](CoreSpec& spec) { spec.fetch_bytes = ~0u; }),
            "core.fetch_bytes is 4294967295; 1 to 128 are supported");
  EXPECT_EQ(fault([](CoreSpec& spec) { spec.registers_per_thread = 1u << 27; }),
            "core.registers_per_thread is 134217728; 0 to 65536 are supported");
  EXPECT_EQ(fault([](CoreSpec& spec) { spec.shared.latency = ~0u; }),
            "core.shared.latency is 4294967295; 1 to 4096 are supported");
}

TEST(CoreSpec, says_nothing_that_nothing_goes_by) {
  EXPECT_EQ(fault([](CoreSpec& spec) { spec.l1d.hit_latency = 2; }), "");
  EXPECT_EQ(fault([](CoreSpec& spec) { spec.constant.hit_latency = 2; }),
            "core.constant.hit_latency is 2; nothing goes by it, so that it can only be 1");
  EXPECT_EQ(fault([](CoreSpec& spec) { spec.l1i.allocate_local_stores = true; }),
            "core.l1i.allocate_local_stores is true; nothing goes by it, so that it can only be false");
  EXPECT_EQ(fault([](CoreSpec& spec) { spec.execution.Memory.latency = 20; }),
            "core.execution.memory.latency is 20; nothing goes by it, so that it can only be 1");
}

TEST(CoreSpec, says_for_how_long_a_product_of_matrices_keeps_its_unit_if_it_says_anything_of_it) {
  const auto of_f16 = [](UnitTimingSpec timing) {
    return fault([&](CoreSpec& spec) { static_cast<UnitTimingSpec&>(spec.execution.MatrixF16) = timing; });
  };
  EXPECT_EQ(of_f16({"sp", 0, 0}), "");
  EXPECT_EQ(of_f16({"sfu", 18, 4}), "");
  EXPECT_EQ(
      of_f16({"sp", 18, 0}),
      "core.execution.matrix_f16: unit is sp and latency 18, but interval is 0, so that its multiply-adds' count; "
      "set core.execution.matrix_f16.interval, too");
  EXPECT_NE(of_f16({"sfu", 0, 0}), "");
}

TEST(CoreSpec, leaves_it_to_the_mechanism_whether_the_scoreboard_tells_lanes_apart) {
  CoreSpec spec;
  EXPECT_TRUE(tells_lanes_apart(spec, true));
  EXPECT_FALSE(tells_lanes_apart(spec, false));
  spec.scoreboard_masks = "always";
  EXPECT_TRUE(tells_lanes_apart(spec, false));
  spec.scoreboard_masks = "never";
  EXPECT_FALSE(tells_lanes_apart(spec, true));
  spec.scoreboard_masks = "some";
  EXPECT_THROW(tells_lanes_apart(spec, true), Error);
}

}  // namespace core_spec_test
}  // namespace warpfork::gpu
