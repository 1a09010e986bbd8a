#include "process/output_file.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>

#include <filesystem>
#include <fstream>
#include <thread>

#include "base/error.h"
#include "config/text_file.h"
#include "process/temporary_folder.h"

namespace warpfork::process {
namespace output_file_test {

namespace fs = std::filesystem;
using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::ThrowsMessage;

class OutputFileTest : public ::testing::Test {
 protected:
  std::size_t files() const {
    return static_cast<std::size_t>(std::distance(fs::directory_iterator(folder_.path()), {}));
  }

  const TemporaryFolder folder_;
  const std::string file_ = (folder_.path() / "result.json").string();
};

TEST_F(OutputFileTest, takes_the_place_of_the_old_one_only_when_it_is_whole) {
  write_text(file_, "old");
  OutputFile output(file_);
  std::ofstream(output.path()) << "new";
  EXPECT_EQ(config::read_text(file_), "old");
  output.keep();
  EXPECT_EQ(config::read_text(file_), "new");
  EXPECT_EQ(files(), 1u);
}

TEST_F(OutputFileTest, is_none_that_is_read_or_written_by_another_name) {
  write_text(file_, "old");
  const std::string link = file_ + ".link", same = (folder_.path() / "." / "result.json").string();
  fs::create_symlink(file_, link);
  for (const std::string& name : {file_, link, same}) {
    EXPECT_THAT([&] { require_apart({name}, {file_}); }, ThrowsMessage<Error>(HasSubstr("is what the command reads")));
    EXPECT_THAT([&] { require_apart({file_, name}, {}); }, ThrowsMessage<Error>(HasSubstr("is to be written twice")));
  }
  EXPECT_THAT([&] { require_apart({"new", "new"}, {}); }, ThrowsMessage<Error>(HasSubstr("new: is to be written")));
  EXPECT_NO_THROW(require_apart({"-", "-", "", "", "/dev/null", "/dev/null", file_}, {"", "-", file_ + "2"}));
}

TEST_F(OutputFileTest, leaves_nothing_behind_if_it_is_not_kept) {
  write_text(file_, "old");
  {
    const OutputFile output(file_);
    std::ofstream(output.path()) << "half";
    EXPECT_EQ(files(), 2u);
  }
  EXPECT_EQ(config::read_text(file_), "old");
}

TEST_F(OutputFileTest, is_written_through_a_link) {
  write_text(file_, "old");
  const fs::path link = folder_.path() / "link";
  fs::create_symlink("result.json", link);
  write_text(link.string(), "new");
  EXPECT_TRUE(fs::is_symlink(link));
  EXPECT_EQ(config::read_text(file_), "new");
}

TEST_F(OutputFileTest, is_written_directly_where_it_is_no_ordinary_file) {
  write_text("/dev/null", "text");
  EXPECT_FALSE(fs::is_regular_file("/dev/null"));
  const std::string pipe = (folder_.path() / "pipe").string();
  ASSERT_EQ(mkfifo(pipe.c_str(), 0600), 0);
  std::string read;
  std::thread reader([&] { std::getline(std::ifstream(pipe), read); });
  write_text(pipe, "through the pipe\n");
  reader.join();
  EXPECT_EQ(read, "through the pipe");
  EXPECT_TRUE(fs::is_fifo(pipe));
}

// On two machines, or in two namespaces, processes may have the same number.
TEST_F(OutputFileTest, is_written_by_two_at_once_without_a_mixture) {
  OutputFile first(file_), second(file_);
  std::ofstream(first.path()) << "first";
  std::ofstream(second.path()) << "2";
  first.keep();
  EXPECT_EQ(config::read_text(file_), "first");
  second.keep();
  EXPECT_EQ(config::read_text(file_), "2");
}

TEST_F(OutputFileTest, is_known_beforehand_to_be_impossible) {
  EXPECT_NO_THROW(require_writable(file_));
  EXPECT_NO_THROW(require_writable("-"));
  EXPECT_FALSE(fs::exists(file_));
  const std::string folder = folder_.path().string();
  EXPECT_THAT([&] { require_writable(folder); }, ThrowsMessage<Error>(folder + ": cannot be written: it is a folder"));
  EXPECT_THAT([&] { require_writable(folder + "/none/r.json"); },
              ThrowsMessage<Error>(AllOf(HasSubstr("/none/r.json: cannot be written: there is no folder "),
                                         ::testing::EndsWith("/none"))));
}

}  // namespace output_file_test
}  // namespace warpfork::process
