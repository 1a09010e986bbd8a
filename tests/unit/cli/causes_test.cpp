// `run` where it is asked why a kernel is slow or wrong: --lines, --interval, --racecheck, --memcheck, limits.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "base/error.h"
#include "config/text_file.h"
#include "unit/cli/invocation.h"

namespace warpfork::cli {
namespace causes_test {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::Not;
using ::testing::ThrowsMessage;
using Json = nlohmann::json;

/// Warps that 64 times store to a column of words 128 bytes apart (line 8), to shared memory likewise (line 17), and
/// read a word there that the other of two warps writes (line 20).
Printed on_column(const std::string& options, unsigned threads = 32) {
  const std::string kernel = file_with("column.ptx", R"(.version 6.0
.target sm_70
.address_size 64
.file 1 "tile.cu"
.shared .align 4 .b8 tile[8192];
.visible .entry column(.param .u64 out) {
  .reg .b32 %r<7>; .reg .b64 %rd<4>; .reg .pred %p;
  ld.param.u64 %rd1, [out];
  mov.u32 %r1, %tid.x;
  mul.wide.u32 %rd2, %r1, 128;
  add.u64 %rd1, %rd1, %rd2;
  mov.u32 %r3, tile;
  mad.lo.u32 %r2, %r1, 128, %r3;
  and.b32 %r4, %r1, 32;
  xor.b32 %r4, %r4, 32;
  mad.lo.u32 %r4, %r4, 128, %r3;
  mov.u32 %r0, 0;
TURN:
  .loc 1 8 3
  st.global.u32 [%rd1], %r1;
  .loc 1 17 3
  st.shared.u32 [%r2], %r1;
  .loc 1 20 3
  ld.shared.u32 %r5, [%r4];
  add.u32 %r0, %r0, 1;
  setp.lt.u32 %p, %r0, 64;
  @%p bra TURN;
  .loc 1 22 3
  st.global.u32 [%rd1], %r5;
  ret;
}
)");
  const std::string launch =
      file_with("column.toml", "kernel = \"column\"\ngrid = 1\nblock = " + std::to_string(threads) +
                                   "\n[[argument]]\nbuffer = \"out\"\nbytes = 8192\n"
                                   "zeros = true\n");
  return invoke("run " + options + " " + kernel + " --launch " + launch);
}

Json launch_of(const std::string& options, unsigned threads = 32) {
  return Json::parse(on_column(options + " --json -", threads).output)["launches"][0];
}

TEST(Causes, tell_of_lines_and_losses_only_when_asked) {
  EXPECT_THAT(on_column("").output, AllOf(Not(HasSubstr("stalled by, %")), Not(HasSubstr("why slow"))));
  const std::string text = on_column("--lines").output;
  EXPECT_THAT(text, HasSubstr("stalled by, %"));
  EXPECT_THAT(text, HasSubstr("tile.cu:8 (column): 32.0 transactions a store where 1.0 would do:\n     uncoalesced."));
  EXPECT_THAT(text, HasSubstr("tile.cu:17 (column): 32-way bank conflict"));
}

TEST(Causes, stand_in_the_result_only_when_asked) {
  const Json plain = launch_of("");
  for (const char* key : {"lines", "intervals", "findings"}) EXPECT_FALSE(plain.contains(key)) << key;
  const Json asked = launch_of("--lines --interval 100 --racecheck");
  EXPECT_EQ(asked["cycles"], plain["cycles"]);
  EXPECT_EQ(asked["intervals"]["samples"].size(), (plain["cycles"].get<unsigned>() + 99) / 100);
  EXPECT_EQ(asked["findings"]["checks"], Json({"races"}));
  std::uint64_t issues = 0;
  for (const Json& line : asked["lines"]["instructions"]) issues += line["issues"].get<std::uint64_t>();
  EXPECT_EQ(issues, plain["warp_instructions"]);
}

TEST(Causes, of_a_race_are_both_accesses_and_the_exit_status) {
  const Printed none = on_column("--racecheck"), found = on_column("--racecheck", 64);
  EXPECT_EQ(none.status, 0);
  EXPECT_THAT(none.output, HasSubstr("races\n  none found\n"));
  EXPECT_EQ(found.status, 1);
  EXPECT_THAT(found.output, AllOf(HasSubstr("     write   tile.cu:17"), HasSubstr("     read    tile.cu:20")));
}

// Line 20 reads what the second of two warps writes, byte 4096: here is one of 32 threads, which reads it 64 times.
TEST(Causes, of_a_read_of_what_nobody_wrote_are_its_place_and_the_exit_status) {
  const Printed none = invoke("run --memcheck " + number_kernel() + " --launch " + number_launch()),
                found = on_column("--memcheck"), functional = on_column("--memcheck --functional-only");
  EXPECT_EQ(none.status, 0);
  EXPECT_THAT(none.output, HasSubstr("reads of what nobody had written\n  none found\n"));
  EXPECT_EQ(found.status, 1);
  EXPECT_THAT(found.output,
              AllOf(HasSubstr("  1. column, shared memory at 0x1000, 2 048 times\n     read    tile.cu:20"),
                    Not(HasSubstr("races"))));
  EXPECT_EQ(functional.status, 1);
  EXPECT_THAT(functional.output, HasSubstr("     read    tile.cu:20"));
}

TEST(Causes, of_memory_are_reads_of_a_buffer_without_contents) {
  const std::string kernel = file_with("copy.ptx", R"(.version 6.0
.target sm_20
.address_size 64
.visible .entry copy(.param .u64 data) {
  .reg .b32 %r<3>; .reg .b64 %rd<2>;
  ld.param.u64 %rd1, [data];
  ld.global.u32 %r1, [%rd1+12];
  st.global.u32 [%rd1], %r1;
  ret;
}
)");
  const auto printed = [&](const std::string& contents) {
    return invoke("run --memcheck " + kernel + " --launch " +
                  file_with("copy.toml",
                            "kernel = \"copy\"\ngrid = 1\nblock = 1\n[[argument]]\n"
                            "buffer = \"data\"\nbytes = 16\n" +
                                contents));
  };
  EXPECT_EQ(printed("zeros = true\n").status, 0);
  const Printed found = printed("");
  EXPECT_EQ(found.status, 1);
  EXPECT_THAT(found.output, AllOf(HasSubstr("PTX line 7 "), HasSubstr("'data', 16 bytes: byte 12\n")));
}

TEST(Causes, over_time_are_written_as_csv) {
  const std::string file = test_folder() + "/time.csv";
  on_column("--interval 100 --csv " + file);
  EXPECT_THAT(config::read_text(file), ::testing::StartsWith("launch,kernel,begin,cycles,"));
  EXPECT_THAT(config::read_text(file), HasSubstr("\n1,column,100,100,"));
}

TEST(Causes, need_timing_and_what_belongs_to_them) {
  const auto refusal = [](const char* options, const char* text) {
    EXPECT_THAT([&] { on_column(options); }, ThrowsMessage<Error>(HasSubstr(text))) << options;
  };
  refusal("--functional-only --lines", "--lines needs timing");
  refusal("--functional-only --interval 5", "--interval needs timing");
  refusal("--functional-only --racecheck", "--racecheck needs timing");
  refusal("--csv f", "give both");
  refusal("--launches 3-1", "--launches '3-1'");
  refusal("--launches 2", "--launches 2: the program made 1 launch;");
}

TEST(Causes, of_a_launch_that_is_cut_off_are_kept) {
  const Json whole = launch_of(""), cut = launch_of("--lines --max-instructions 5");
  EXPECT_EQ(cut["cut_off"], true);
  EXPECT_LT(cut["warp_instructions"], whole["warp_instructions"]);
  EXPECT_FALSE(cut["lines"]["instructions"].empty());
}

}  // namespace causes_test
}  // namespace warpfork::cli
