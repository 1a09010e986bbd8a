// The option --energy of `run` and `compare` on a bare kernel.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "base/error.h"
#include "unit/cli/invocation.h"

namespace warpfork::cli {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::Not;
using ::testing::ThrowsMessage;
using Json = nlohmann::json;

Printed on_number(const std::string& words) {
  return invoke(words + " " + number_kernel() + " --launch " + number_launch(""));
}

TEST(Energy, is_reported_where_it_is_asked_for_alone) {
  EXPECT_THAT(on_number("run --energy").output, AllOf(HasSubstr("register file"), HasSubstr("energy-delay product")));
  EXPECT_THAT(on_number("run").output, Not(HasSubstr("energy")));
  const Json result = Json::parse(on_number("run --json -").output);
  EXPECT_FALSE(result.contains("energy") || result.contains("area") || result["launches"][0].contains("activity"));
}

TEST(Energy, of_a_result_is_the_sum_of_its_parts_and_launches) {
  const Json result = Json::parse(on_number("run --energy --json -").output);
  double parts = 0;
  for (const Json& part : result["energy"]["parts"]) parts += part.get<double>();
  EXPECT_NEAR(parts, result["energy"]["total"].get<double>(), 1e-9 * parts);
  EXPECT_EQ(result["energy"]["launches"][0]["total"], result["energy"]["total"]);
  EXPECT_GT(result["energy"]["peak_watts"], result["energy"]["watts"]);
  EXPECT_EQ(result["launches"][0]["activity"]["instructions"], result["launches"][0]["warp_instructions"]);
  EXPECT_EQ(result["area"]["unit"], "mm2");
  EXPECT_FALSE(result["energy"]["launches"][0]["watts_over_time"].empty());
}

TEST(Energy, of_contestants_stands_side_by_side) {
  const std::string output = on_number("compare --energy --divergence pdom --lanes simt,tsimt").output;
  EXPECT_THAT(output, AllOf(HasSubstr("EDP"), HasSubstr("100.0 %"), HasSubstr("µJ"), HasSubstr("mm²")));
}

TEST(Energy, without_timing_or_prices_is_refused) {
  EXPECT_THAT([] { on_number("run --energy --functional-only"); },
              ThrowsMessage<Error>(HasSubstr("--energy needs timing")));
  EXPECT_THAT([] { on_number("run --energy --set energy.prices=7nm"); }, ThrowsMessage<Error>(HasSubstr("7nm.toml")));
}

}  // namespace
}  // namespace warpfork::cli
