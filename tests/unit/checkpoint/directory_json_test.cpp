#include "checkpoint/directory_json.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <functional>
#include <nlohmann/json.hpp>

#include "base/error.h"
#include "unit/checkpoint/sample_launch.h"

namespace warpfork::checkpoint {
namespace directory_json_test {

using ::testing::AllOf;
using ::testing::HasSubstr;
using Json = nlohmann::ordered_json;

std::string sample_text() { return to_text({SampleLaunch().saved(), {64, 10, 20, 30}, {{0xc0000000, {1, 2, 3, 4}}}}); }

/// The message with which the sample is refused once it is changed.
std::string refusal_after(const std::function<void(Json&)>& change) {
  Json json = Json::parse(sample_text());
  change(json);
  try {
    directory_from(json.dump(), "f.wfl: its directory");
  } catch (const Error& error) {
    return error.what();
  }
  return "";
}

TEST(LaunchDirectory, comes_back_as_it_was) {
  const Directory directory = directory_from(sample_text(), "f");
  EXPECT_EQ(to_text(directory), sample_text());
  EXPECT_EQ(directory.ptx.raw_bytes, 20u);
  EXPECT_EQ(directory.pieces.at(0).address, 0xc0000000u);
  EXPECT_EQ(directory.pieces.at(0).section.checksum, 4u);
}

TEST(LaunchDirectory, refuses_numbers_that_are_none_or_do_not_fit) {
  const auto with = [](const Json& value) {
    return refusal_after([&](Json& json) { json["launch"]["grid"][0] = value; });
  };
  EXPECT_EQ(with(0xffffffffu), "");
  EXPECT_THAT(with(0x100000000u), HasSubstr("4294967296 where a number from 0 to 4294967295 belongs"));
  EXPECT_THAT(with(-1), HasSubstr("-1 where a number"));
  EXPECT_THAT(with(1.5), HasSubstr("1.5 where a number"));
  EXPECT_THAT(with("1"), HasSubstr("\"1\" where a number"));
}

TEST(LaunchDirectory, refuses_what_is_missing_with_the_place) {
  for (const char* key : {"kernel", "grid", "parameters", "variables", "allocations", "copies", "code_place"})
    EXPECT_THAT(refusal_after([&](Json& json) { json["launch"].erase(key); }),
                AllOf(HasSubstr("f.wfl: its directory: "), HasSubstr(key)));
  EXPECT_THAT(refusal_after([](Json& json) { json = 3; }), HasSubstr("f.wfl: its directory"));
  EXPECT_THAT(refusal_after([](Json& json) { json["pieces"][0].erase(1); }), HasSubstr("f.wfl: its directory"));
}

}  // namespace directory_json_test
}  // namespace warpfork::checkpoint
