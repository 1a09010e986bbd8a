#include "html_report/source_text.h"

#include <gtest/gtest.h>

#include <chrono>
#include <fstream>
#include <nlohmann/json.hpp>
#include <vector>

#include "unit/test_folder.h"

namespace warpfork::html_report {
namespace source_text_test {

namespace fs = std::filesystem;
using report::Json;

fs::path folder_with_source() {
  const fs::path folder = fs::path(test_folder()) / "source";
  fs::create_directories(folder);
  std::ofstream file(folder / "k.cu");
  for (int line = 1; line <= 20; ++line) file << "line " << line << "\n";
  return folder;
}

Json kernels(unsigned first, unsigned last) {
  return Json::array({{{"lines", {{{"file", "k.cu"}, {"line", first}}, {{"file", "k.cu"}, {"line", last}}}}}});
}

Json texts(unsigned first, unsigned last, const fs::path& place, int seconds_later = 0) {
  const fs::file_time_type source = fs::last_write_time(folder_with_source() / "k.cu");
  return source_texts(kernels(first, last), std::vector{place}, source + std::chrono::seconds(seconds_later));
}

TEST(SourceText, has_the_lines_between_and_three_around) {
  const Json text = texts(10, 12, folder_with_source())["k.cu"];
  EXPECT_EQ(text["first"], 7);
  EXPECT_EQ(text["lines"].size(), 9u);
  EXPECT_EQ(text["lines"][0], "line 7");
}

TEST(SourceText, begins_and_ends_with_the_file) {
  const Json text = texts(2, 19, folder_with_source() / "k.cu")["k.cu"];
  EXPECT_EQ(text["first"], 1);
  EXPECT_EQ(text["lines"].size(), 20u);
}

TEST(SourceText, tells_that_it_was_written_after_the_results) {
  EXPECT_TRUE(texts(2, 3, folder_with_source(), -1)["k.cu"]["newer"]);
  EXPECT_FALSE(texts(2, 3, folder_with_source(), 0)["k.cu"]["newer"]);
}

TEST(SourceText, that_is_not_found_is_left_out) { EXPECT_TRUE(texts(2, 3, "/nowhere").empty()); }

}  // namespace source_text_test
}  // namespace warpfork::html_report
