// The fast executor against a GPU: what an NVIDIA H200 left behind after every form of every instruction, each on 1,024
// sets of operands that like the edges (tests/silicon/README.md).
#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <fstream>
#include <map>
#include <set>

#include "fast_run.h"
#include "instruction_forms.h"

namespace warpfork::simt {
namespace silicon_test {

const std::string kFolder = "tests/data/silicon/nvidia-h200/";

/// Forms with which that GPU does not do what the ISA says: `.ftz` flushes operands in single precision, but there it
/// does not where the result is a half.
const std::set<std::string> kUnlikeTheIsa{"cvt.rm.ftz.f16.f32 %h0, %r0;", "cvt.rp.ftz.f16.f32 %h0, %r0;"};

std::map<std::string, std::uint64_t> recorded_digests() {
  std::ifstream file(kFolder + "instructions.txt");
  std::map<std::string, std::uint64_t> digests;
  std::uint64_t digest = 0;
  for (std::string form; file >> std::hex >> digest && file.get() && std::getline(file, form);) digests[form] = digest;
  return digests;
}

/// How many of the forms were recorded; each of them leaves the same behind here.
std::size_t agree_with_the_gpu(const std::vector<std::string>& forms, Grouping grouping) {
  const std::map<std::string, std::uint64_t> recorded = recorded_digests();
  std::size_t compared = 0;
  for (const std::string& form : forms) {
    const auto found = recorded.find(form);
    if (found == recorded.end() || kUnlikeTheIsa.contains(form)) continue;
    std::vector<Outcome> outcomes;
    for (const std::vector<ThreadRegisters>& threads : form_operands())
      outcomes.push_back(run_fast(form, threads, grouping, 4));
    EXPECT_EQ(digest(outcomes), found->second) << form;
    ++compared;
  }
  return compared;
}

TEST(Silicon, instructions_leave_behind_what_they_leave_on_a_gpu) {
  EXPECT_GE(agree_with_the_gpu(instruction_forms(), Grouping::Scattered), 2000u);
}

TEST(Silicon, warp_wide_instructions_leave_behind_what_they_leave_on_a_gpu) {
  EXPECT_GE(agree_with_the_gpu(warp_instruction_forms(), Grouping::Together), 40u);
}

/// The largest error that the ISA states: relative, or absolute where a result is near zero or the function a sine.
struct Error {
  double relative = 0, absolute = 0, largest_operand = INFINITY;
};

Error stated_error(const std::string& form) {
  if (form.starts_with("sin") || form.starts_with("cos")) return {.absolute = 0x1.6ap-21, .largest_operand = 2 * M_PI};
  if (form.starts_with("lg2")) return {.relative = 0x1p-22, .absolute = 0x1p-22};
  if (form.starts_with("tanh")) return {.relative = 0x1p-11};
  return {.relative = 0x1p-22, .absolute = 0x1p-149};  // rcp, sqrt, rsqrt and ex2 are as good or better
}

/// Two results, each as near to the exact one as it must be.
bool are_both_right(float a, float b, const Error& error) {
  if (std::isnan(a) || std::isinf(a)) return std::bit_cast<std::uint32_t>(a) == std::bit_cast<std::uint32_t>(b);
  return std::fabs(double{a} - double{b}) <= 2 * (error.relative * std::fabs(double{a}) + error.absolute);
}

TEST(Silicon, approximate_instructions_are_within_the_stated_errors_of_a_gpus) {
  std::ifstream file(kFolder + "approximate.txt");
  const std::vector<ThreadRegisters> threads = form_operands().front();
  for (const std::string& form : approximate_forms()) {
    std::string recorded;
    ASSERT_TRUE(std::getline(file, recorded)) << form;
    ASSERT_EQ(recorded, form);
    const Outcome ours = run_fast(form, threads, Grouping::Together, 4);
    for (std::size_t i = 0; i < threads.size(); ++i) {
      ASSERT_TRUE(std::getline(file, recorded));
      if (std::fabs(std::bit_cast<float>(threads[i].r[1])) > stated_error(form).largest_operand) continue;
      const auto gpus = std::bit_cast<float>(static_cast<std::uint32_t>(std::stoul(recorded, nullptr, 16)));
      EXPECT_TRUE(are_both_right(gpus, std::bit_cast<float>(ours.threads[i].r[0]), stated_error(form)))
          << form << " of " << std::hex << threads[i].r[1] << ", " << threads[i].r[2] << ": " << recorded
          << " on the GPU, " << ours.threads[i].r[0] << " here";
    }
  }
}

}  // namespace silicon_test
}  // namespace warpfork::simt
