// The files that are left, with gnuplot and without.
#include "plot/gnuplot.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <fstream>
#include <sstream>

#include "base/error.h"
#include "plot/bars.h"
#include "process/find_program.h"
#include "unit/test_folder.h"

namespace warpfork::plot {
namespace gnuplot_test {

using ::testing::AllOf;
using ::testing::EndsWith;
using ::testing::HasSubstr;
using ::testing::Not;
using ::testing::StartsWith;
using ::testing::ThrowsMessage;

std::string read(const std::filesystem::path& path) {
  std::ostringstream text;
  text << std::ifstream(path).rdbuf();
  return text.str();
}

/// One bar of 1.5, of a group whose name is not easy.
Picture picture(const std::string& group = "a_b \"c\"") {
  Bars bars;
  bars.y_title = "speed-up";
  bars.groups = {group};
  bars.series = {"tbc"};
  bars.values = {{1.5}};
  return bars.picture(84);
}

PictureFiles written(const std::string& name) {
  PictureFiles files(test_folder() + "/" + name);
  std::filesystem::remove(files.picture());
  files.write(picture(), {84, 50}, "warpfork plot a.json");
  return files;
}

TEST(PictureFiles, are_numbers_and_a_script_that_names_them) {
  const PictureFiles files = written("bars.svg");
  EXPECT_EQ(read(files.data()), "# \n\"\" \"tbc\"\n\"a_b 'c'\" 1.5\n");
  EXPECT_THAT(read(files.script()), AllOf(StartsWith("# warpfork plot a.json\n"), HasSubstr("set output 'bars.svg'"),
                                          HasSubstr("plot 'bars.dat' using 2:xtic(1)"), Not(HasSubstr(test_folder()))));
}

TEST(PictureFiles, are_of_the_size_that_was_asked_for) {
  EXPECT_THAT(read(written("bars.pdf").script()), HasSubstr("size 8.40cm,5.00cm"));
  EXPECT_THAT(read(written("bars.svg").script()), HasSubstr("size 317,189"));  // 96 pixels an inch
  EXPECT_THAT([] { PictureFiles("a.png"); }, ThrowsMessage<Error>(HasSubstr("FILE.svg or FILE.pdf")));
}

TEST(PictureFiles, turn_labels_that_have_no_room_and_grow) {
  EXPECT_THAT(picture().commands, Not(HasSubstr("rotate")));
  EXPECT_EQ(picture().more_height, 0);
  const Picture turned = picture(std::string(80, 'x'));
  EXPECT_THAT(turned.commands, HasSubstr("rotate by 35"));
  EXPECT_GT(turned.more_height, 0);
}

TEST(PictureFiles, are_kept_without_gnuplot_and_the_error_says_what_to_install) {
  const PictureFiles files = written("bars.svg");
  const std::string path = std::getenv("PATH");
  setenv("PATH", "/none", 1);
  EXPECT_THAT([&] { files.draw(); },
              ThrowsMessage<Error>(AllOf(HasSubstr("apt install gnuplot-nox"), HasSubstr("bars.dat and"))));
  setenv("PATH", path.c_str(), 1);
  EXPECT_FALSE(std::filesystem::exists(files.picture()));
  EXPECT_TRUE(std::filesystem::exists(files.script()));
}

TEST(PictureFiles, are_drawn_by_gnuplot) {
  if (process::find_program("gnuplot").empty()) GTEST_SKIP() << "there is no gnuplot: apt install gnuplot-nox";
  const PictureFiles svg = written("page.svg"), pdf = written("paper.pdf");
  svg.draw();
  pdf.draw();
  EXPECT_THAT(read(svg.picture()), AllOf(HasSubstr("<svg"), HasSubstr("a_b 'c'"), HasSubstr("tbc")));
  EXPECT_THAT(read(pdf.picture()), StartsWith("%PDF"));
}

// Within double quotes gnuplot runs what stands in backticks, and reads backslashes.
TEST(PictureFiles, are_drawn_whatever_their_names) {
  if (process::find_program("gnuplot").empty()) GTEST_SKIP() << "there is no gnuplot: apt install gnuplot-nox";
  for (const char* name : {"a\"b.svg", "a\\b.svg", "a`b`c.svg", "it's.svg"}) {
    const PictureFiles files = written(name);
    files.draw();
    EXPECT_THAT(read(files.picture()), HasSubstr("<svg")) << name;
  }
}

TEST(Picture, text_is_no_command) {
  EXPECT_EQ(gnuplot_text("a`b\\c\"d"), "\"a\\140b\\\\c'd\"");
  EXPECT_EQ(gnuplot_file("it's `a\"b\\"), "'it''s `a\"b\\'");
}

TEST(PictureFiles, are_drawn_in_silence_in_any_locale) {
  if (process::find_program("gnuplot").empty()) GTEST_SKIP() << "there is no gnuplot: apt install gnuplot-nox";
  const PictureFiles files = written("plain.svg");
  const char* const before = std::getenv("LC_ALL");
  const std::string locale = before ? before : "";
  setenv("LC_ALL", "C", 1);
  testing::internal::CaptureStderr();
  files.draw();
  EXPECT_EQ(testing::internal::GetCapturedStderr(), "");
  before ? setenv("LC_ALL", locale.c_str(), 1) : unsetenv("LC_ALL");
}

TEST(PictureFiles, leave_no_picture_that_gnuplot_could_not_draw) {
  if (process::find_program("gnuplot").empty()) GTEST_SKIP() << "there is no gnuplot: apt install gnuplot-nox";
  const PictureFiles files = written("broken.svg");
  std::ofstream(files.script(), std::ios::app) << "plot nonsense(\n";
  EXPECT_THAT([&] { files.draw(); }, ThrowsMessage<Error>(HasSubstr("gnuplot could not draw it")));
  EXPECT_FALSE(std::filesystem::exists(files.picture()));
}

}  // namespace gnuplot_test
}  // namespace warpfork::plot
