#include "config/launch_file.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>

#include "base/error.h"
#include "unit/test_folder.h"

namespace warpfork::config {
namespace launch_file_test {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::ThrowsMessage;

const std::string kHead = "kernel = \"k\"\ngrid = [2, 3]\nblock = 64\n";

LaunchFile parse(const std::string& rest) { return parse_launch(kHead + rest, "k.toml", test_folder()); }

auto throws_with(const std::string& text) { return ThrowsMessage<Error>(HasSubstr(text)); }

void write(const std::string& name, const std::string& bytes) {
  std::ofstream(test_folder() + "/" + name, std::ios::binary) << bytes;
}

TEST(LaunchFile, missing_sides_of_grid_and_block_are_one) {
  const LaunchFile launch = parse("");
  EXPECT_EQ(launch.kernel, "k");
  EXPECT_EQ(launch.grid, (Dim3{2, 3, 1}));
  EXPECT_EQ(launch.block, (Dim3{64, 1, 1}));
  EXPECT_EQ(launch.shared_bytes, 0u);
}

TEST(LaunchFile, arguments_keep_their_order_and_types) {
  const LaunchFile launch =
      parse("[[argument]]\nscalar = 0x10\ntype = \"u16\"\n[[argument]]\nbuffer = \"b\"\nbytes = 4\nzeros = true\n");
  ASSERT_EQ(launch.arguments.size(), 2u);
  EXPECT_THAT(std::get<ScalarArgument>(launch.arguments[0]).value, ElementsAre(std::byte{0x10}, std::byte{0}));
  EXPECT_EQ(std::get<BufferArgument>(launch.arguments[1]).bytes, 4u);
}

TEST(LaunchFile, fill_repeats_a_byte_or_a_value_of_a_type) {
  const LaunchFile launch = parse(
      "[[argument]]\nbuffer = \"b\"\nbytes = 2\nfill = 7\n[[argument]]\nbuffer = \"w\"\nbytes = 4\nfill = 258\ntype = "
      "\"u16\"\n");
  std::vector<std::byte> bytes(2), words(4);
  launch.find_buffer("b")->initialise(bytes);
  launch.find_buffer("w")->initialise(words);
  EXPECT_THAT(bytes, ElementsAre(std::byte{7}, std::byte{7}));
  EXPECT_THAT(words, ElementsAre(std::byte{2}, std::byte{1}, std::byte{2}, std::byte{1}));
}

TEST(LaunchFile, knows_for_which_buffers_it_gives_contents) {
  const auto is_initialised = [](const std::string& contents) {
    return parse("[[argument]]\nbuffer = \"b\"\nbytes = 4\n" + contents).find_buffer("b")->is_initialised;
  };
  EXPECT_TRUE(is_initialised("zeros = true\n"));
  EXPECT_TRUE(is_initialised("fill = 0\n"));
  EXPECT_FALSE(is_initialised(""));
}

TEST(LaunchFile, buffer_files_are_found_beside_the_launch_file) {
  write("launch_in.bin", "abcd");
  const LaunchFile launch = parse("[[argument]]\nbuffer = \"b\"\nfile = \"launch_in.bin\"\noutput = \"o.bin\"\n");
  const BufferArgument& buffer = *launch.find_buffer("b");
  EXPECT_EQ(buffer.bytes, 4u);
  EXPECT_EQ(buffer.contents[3], std::byte{'d'});
  EXPECT_EQ(buffer.output->filename(), "o.bin");
}

TEST(LaunchFile, a_file_of_another_size_than_stated_is_an_error) {
  write("launch_short.bin", "abc");
  EXPECT_THAT([] { parse("[[argument]]\nbuffer = \"b\"\nbytes = 4\nfile = \"launch_short.bin\"\n"); },
              throws_with("k.toml:6:9: error: buffer 'b' has 4 bytes, but 'launch_short.bin' holds 3"));
}

TEST(LaunchFile, a_missing_file_is_an_error_at_the_line_that_names_it) {
  EXPECT_THAT([] { parse("[[argument]]\nbuffer = \"b\"\nfile = \"none.bin\"\n"); },
              throws_with("k.toml:6:8: error: " + test_folder() + "/none.bin: cannot be read: No such file"));
}

TEST(LaunchFile, zero_and_negative_extents_are_errors) {
  EXPECT_THAT([] { parse_launch("kernel = \"k\"\ngrid = [1, 0]\nblock = 1\n", "k.toml", "."); },
              throws_with("k.toml:2:8: error: 'grid' must be one to three integers of at least 1"));
  EXPECT_THROW(parse_launch("kernel = \"k\"\ngrid = 1\nblock = -1\n", "k.toml", "."), Error);
}

TEST(LaunchFile, an_unknown_key_is_an_error_with_the_nearest_name) {
  EXPECT_THAT([] { parse("[[argument]]\nscaler = 1\n"); },
              throws_with("k.toml:5:1: error: an argument has no key 'scaler'\n  nearest: scalar"));
}

TEST(LaunchFile, a_missing_key_is_an_error) {
  EXPECT_THAT([] { parse_launch("kernel = \"k\"\nblock = 1\n", "k.toml", "."); },
              throws_with("a launch file needs the key 'grid'"));
  EXPECT_THAT([] { parse("[[argument]]\nscalar = 1\n"); }, throws_with("an argument needs the key 'type'"));
}

TEST(LaunchFile, a_scalar_that_its_type_cannot_hold_is_an_error) {
  EXPECT_THAT([] { parse("[[argument]]\nscalar = 300\ntype = \"u8\"\n"); },
              throws_with("k.toml:5:10: error: not a value of type u8"));
  EXPECT_THAT([] { parse("[[argument]]\nscalar = 3\ntype = \"i32\"\n"); }, throws_with("there is no type 'i32'"));
}

TEST(LaunchFile, two_buffers_of_one_name_are_an_error) {
  const std::string buffer = "[[argument]]\nbuffer = \"b\"\nbytes = 4\n";
  EXPECT_THAT([&] { parse(buffer + buffer); }, throws_with("there is already a buffer 'b'"));
}

TEST(LaunchFile, an_expectation_must_name_a_buffer_and_fill_it) {
  const std::string buffer = "[[argument]]\nbuffer = \"b\"\nbytes = 8\n";
  const LaunchFile launch = parse(buffer + "[[expect]]\nbuffer = \"b\"\nvalues = [1, 2]\ntype = \"u32\"\n");
  EXPECT_EQ(launch.expectations[0].expected.size(), 8u);
  EXPECT_THAT([&] { parse(buffer + "[[expect]]\nbuffer = \"c\"\nvalues = [1]\ntype = \"u32\"\n"); },
              throws_with("no argument is a buffer 'c'\n  buffers: b"));
  EXPECT_THAT([&] { parse(buffer + "[[expect]]\nbuffer = \"b\"\nvalues = [1]\ntype = \"u32\"\n"); },
              throws_with("expected: 4 bytes of type u32, but buffer 'b' has 8"));
}

}  // namespace launch_file_test
}  // namespace warpfork::config
