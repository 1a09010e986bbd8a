// The option --energy of `run` and `compare` on a bare kernel.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "base/error.h"
#include "unit/cli/invocation.h"

namespace warpfork::cli {
namespace energy_test {

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

TEST(Energy, power_and_energy_delay_product_are_the_sums_of_their_parts) {
  const Json energy = Json::parse(on_number("run --energy --json -").output)["energy"];
  const auto processor = [](const Json& parts, const auto& value) {
    double sum = 0;
    for (const auto& [name, part] : parts.items())
      if (name != "DRAM") sum += value(part);
    return sum;
  };
  const auto number = [](const Json& part) { return part.get<double>(); };
  EXPECT_NEAR(processor(energy["part_watts"], number) / energy["watts"].get<double>(), 1, 1e-9);
  EXPECT_NEAR(processor(energy["part_peak_watts"], number) / energy["peak_watts"].get<double>(), 1, 1e-9);
  EXPECT_NEAR(processor(energy["part_edp"], number) / energy["edp"].get<double>(), 1, 1e-9);
  const Json& launch = energy["launches"][0];
  const auto first = [](const Json& part) { return part[0].get<double>(); };
  EXPECT_NEAR(processor(launch["part_watts_over_time"], first), launch["watts_over_time"][0].get<double>(), 1e-9);
}

TEST(Energy, of_contestants_stands_side_by_side) {
  const std::string output = on_number("compare --energy --divergence pdom --lanes simt,tsimt").output;
  EXPECT_THAT(output, AllOf(HasSubstr("EDP"), HasSubstr("100.0 %"), HasSubstr("µJ"), HasSubstr("mm²")));
  EXPECT_THAT(output, AllOf(HasSubstr("register file"), HasSubstr("static")));  // part by part, too
}

TEST(Energy, without_timing_or_prices_is_refused) {
  EXPECT_THAT([] { on_number("run --energy --functional-only"); },
              ThrowsMessage<Error>(HasSubstr("--energy needs timing")));
  EXPECT_THAT([] { on_number("run --energy --set energy.prices=7nm"); },
              ThrowsMessage<Error>(HasSubstr("there is no price list '7nm'")));
}

}  // namespace energy_test
}  // namespace warpfork::cli
