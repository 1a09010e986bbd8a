#include "compiler/option_files.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>
#include <vector>

#include "base/error.h"
#include "process/temporary_folder.h"

namespace warpfork::compiler {
namespace option_files_test {

using testing::ElementsAre;

class OptionFiles : public testing::Test {
 protected:
  std::string file(const std::string& name, const std::string& text) const {
    const std::string path = folder_.path() / name;
    std::ofstream(path) << text;
    return path;
  }
  static std::deque<std::string> all(const std::vector<std::string>& words) { return with_option_files(words); }

  process::TemporaryFolder folder_;
};

TEST_F(OptionFiles, words_of_a_file_stand_in_its_place) {
  const std::string path = file("objects.rsp", " -L folder\n\ta.o\r\nb.o ");
  EXPECT_THAT(all({"-c", "-optf", path, "x.cu"}), ElementsAre("-c", "-L", "folder", "a.o", "b.o", "x.cu"));
  EXPECT_THAT(all({"--options-file=" + path}), ElementsAre("-L", "folder", "a.o", "b.o"));
}

TEST_F(OptionFiles, quotes_and_backslashes_keep_words_together) {
  const std::string path = file("words", R"("two words" -DTEXT=\"a\" 'it\s' a\ b "" "it's")");
  EXPECT_THAT(all({"--options-file", path}), ElementsAre("two words", "-DTEXT=\"a\"", "it\\s", "a b", "", "it's"));
}

TEST_F(OptionFiles, several_files_and_files_in_files_are_read) {
  const std::string one = file("one", "a"), other = file("other", "-optf " + one + " b");
  EXPECT_THAT(all({"-optf=" + one + "," + other}), ElementsAre("a", "a", "b"));
}

TEST_F(OptionFiles, what_cannot_be_read_is_told) {
  const auto error_of = [](const std::vector<std::string>& words) {
    try {
      with_option_files(words);
    } catch (const Error& error) {
      return std::string(error.what());
    }
    return std::string("no error");
  };
  const std::string self = folder_.path() / "self";
  file("self", "-optf " + self);
  EXPECT_THAT(error_of({"-optf", self}), testing::HasSubstr("names itself"));
  EXPECT_THAT(error_of({"-optf", file("open", "a \"b")}), testing::HasSubstr("has no counterpart"));
  EXPECT_THAT(error_of({"-optf"}), testing::HasSubstr("needs a value"));
  EXPECT_THAT(error_of({"-optf", "none"}), testing::HasSubstr("none"));
}

}  // namespace option_files_test
}  // namespace warpfork::compiler
