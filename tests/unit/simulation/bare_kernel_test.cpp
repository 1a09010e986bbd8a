#include "simulation/bare_kernel.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>
#include <iterator>
#include <nlohmann/json.hpp>

#include "base/error.h"
#include "unit/simulation/functional_sink.h"
#include "unit/test_folder.h"

namespace warpfork::simulation {
namespace bare_kernel_test {

using ::testing::HasSubstr;
using ::testing::ThrowsMessage;

// out[i] = i < 5 ? i + addend : 100 + addend
constexpr const char* kKernel = R"(
.version 3.2
.target sm_20
.address_size 64
.visible .entry parts(.param .u64 out, .param .u32 addend)
{
  .reg .pred %p<2>;
  .reg .b32 %r<5>;
  .reg .b64 %rd<5>;
  ld.param.u64 %rd1, [out];
  ld.param.u32 %r1, [addend];
  mov.u32 %r2, %tid.x;
  setp.lt.u32 %p1, %r2, 5;
  mov.u32 %r3, 100;
  @!%p1 bra MEET;
  mov.u32 %r3, %r2;
MEET:
  add.u32 %r3, %r3, %r1;
  mul.wide.u32 %rd2, %r2, 4;
  add.u64 %rd3, %rd1, %rd2;
  st.global.u32 [%rd3], %r3;
  exit;
}
)";

const std::string kHead =
    "kernel = \"parts\"\ngrid = 1\nblock = 8\n"
    "[[argument]]\nbuffer = \"out\"\nbytes = 32\nzeros = true\noutput = \"parts.out.bin\"\n";
const std::string kAddend = "[[argument]]\nscalar = 1\ntype = \"u32\"\n";

process::Outcome run(const std::string& launch, const std::string& mechanism = "pdom") {
  const std::string ptx_file = test_folder() + "/parts.ptx";
  const std::string launch_file = test_folder() + "/parts.launch.toml";
  std::ofstream(ptx_file) << kKernel;
  std::ofstream(launch_file) << launch;
  FunctionalSink sink(mechanism);
  return run_bare_kernel(ptx_file, launch_file, sink, 1 << 20);
}

std::string expecting(const std::string& values) {
  return kHead + kAddend + "[[expect]]\nbuffer = \"out\"\ntype = \"u32\"\nvalues = " + values + "\n";
}

TEST(BareKernel, runs_and_compares_what_is_expected) {
  const process::Outcome outcome = run(expecting("[1, 2, 3, 4, 5, 101, 101, 101]"));
  EXPECT_EQ(outcome.status, 0);
  EXPECT_EQ(outcome.program["name"], "parts.ptx");
  EXPECT_EQ(outcome.program["expectations"][0]["differing"], 0);
  EXPECT_EQ(outcome.launches[0].name, "parts");
}

TEST(BareKernel, reports_each_buffer_that_is_not_as_expected) {
  const process::Outcome outcome = run(expecting("[1, 2, 3, 4, 5, 101, 7, 101]"));
  EXPECT_EQ(outcome.status, 1);
  EXPECT_EQ(outcome.complaints.at(0), "out: 1 of 8 elements differ, first [6]: got 101, expected 7; largest error 94");
  EXPECT_EQ(outcome.program["expectations"][0]["first"]["index"], 6);
}

TEST(BareKernel, leaves_the_same_buffers_under_every_mechanism) {
  const process::Outcome first = run(kHead + kAddend);
  for (const char* mechanism : {"multi-path", "multi-path-or"})
    EXPECT_EQ(run(kHead + kAddend, mechanism).buffers[0].bytes, first.buffers[0].bytes);
}

TEST(BareKernel, writes_the_output_files) {
  const process::Outcome outcome = run(kHead + kAddend);
  std::ifstream stream(test_folder() + "/parts.out.bin", std::ios::binary);
  const std::string written(std::istreambuf_iterator<char>(stream), {});
  ASSERT_EQ(written.size(), 32u);
  EXPECT_EQ(written[4], 2);
}

TEST(BareKernel, keeps_outputs_from_what_the_launch_is_made_of) {
  const std::string out = "output = \"parts.out.bin\"", kernel = "output = \"parts.ptx\"";
  std::string launch = kHead + kAddend;
  launch.replace(launch.find(out), out.size(), kernel);
  EXPECT_THAT([&] { run(launch); }, ThrowsMessage<Error>(HasSubstr("parts.ptx: would be overwritten")));
}

TEST(BareKernel, arguments_that_do_not_fit_the_kernel_are_errors) {
  EXPECT_THAT([] { run(kHead); }, ThrowsMessage<Error>(HasSubstr("has 2 parameters, but the launch file gives 1")));
  EXPECT_THAT(
      [] { run(kHead + "[[argument]]\nscalar = 1\ntype = \"u64\"\n"); },
      ThrowsMessage<Error>(HasSubstr("argument 2 has 8 bytes, but parameter 'addend' of kernel 'parts' has 4")));
}

/// What comes to standard output of a kernel that prints a line and then stores to where nothing is.
std::string printed_by_failing_kernel(process::GuestOutput output) {
  const std::string ptx_file = test_folder() + "/fails.ptx", launch_file = test_folder() + "/fails.toml";
  std::ofstream(ptx_file) << R"(
.version 3.2
.target sm_20
.address_size 64
.extern .func (.param .b32 status) vprintf (.param .b64 format, .param .b64 list);
.global .align 1 .b8 line[4] = {104, 105, 10, 0};
.visible .entry fails() {
  .reg .b64 %d<2>;
  mov.u64 %d0, line;
  cvta.global.u64 %d0, %d0;
  mov.u64 %d1, 0;
  {
    .param .b64 format; .param .b64 rest; .param .b32 status;
    st.param.b64 [format], %d0;
    st.param.b64 [rest], %d1;
    call.uni (status), vprintf, (format, rest);
  }
  st.global.u64 [%d1], %d1;
  ret;
})";
  std::ofstream(launch_file) << "kernel = \"fails\"\ngrid = 1\nblock = 1\n";
  FunctionalSink sink;
  testing::internal::CaptureStdout();
  EXPECT_THROW(run_bare_kernel(ptx_file, launch_file, sink, 1 << 20, 32, output), Error);
  return testing::internal::GetCapturedStdout();
}

TEST(BareKernel, what_a_failing_one_has_printed_stays_the_callers_where_it_is_captured) {
  EXPECT_EQ(printed_by_failing_kernel(process::GuestOutput::Standard), "hi\n");
  EXPECT_EQ(printed_by_failing_kernel(process::GuestOutput::Captured), "");
}

}  // namespace bare_kernel_test
}  // namespace warpfork::simulation
