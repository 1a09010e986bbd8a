#include "ptx/source_places.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "ptx/parser.h"

namespace warpfork::ptx {
namespace source_places_test {

using testing::ElementsAre;

// As nvcc 13 -lineinfo writes them; 3 is a header of the program's own.
const std::string kFiles =
    "\t.file\t1 \"/home/me/histo.cu\"\n"
    "\t.file\t2 \"/usr/local/cuda/bin/../targets/x86_64-linux/include/device_atomic_functions.hpp\"\n"
    "\t.file 3 \"/home/me/include/bins.h\", 17, 250\n"
    "\t.file 4 \"/usr/include/sm_32_intrinsics.hpp\"\n";

TEST(SourcePlaces, of_the_toolkits_functions_are_those_of_their_callers) {
  SourcePlaces places(kFiles);
  EXPECT_EQ(places.place({1, 7}, {}), (SourcePlace{1, 7}));
  EXPECT_EQ(places.place({2, 107}, SourcePlace{1, 7}), (SourcePlace{1, 7}));
  EXPECT_EQ(places.place({2, 107}, SourcePlace{1, 9}), (SourcePlace{1, 9}));
}

TEST(SourcePlaces, of_functions_of_the_program_are_their_own) {
  SourcePlaces places(kFiles);
  EXPECT_EQ(places.place({3, 12}, SourcePlace{1, 7}), (SourcePlace{3, 12}));
  EXPECT_EQ(places.place({2, 107}, SourcePlace{3, 12}), (SourcePlace{3, 12}));
}

TEST(SourcePlaces, lead_through_several_levels_and_no_further_than_is_known) {
  SourcePlaces places(kFiles);
  places.place({2, 107}, SourcePlace{1, 7});
  EXPECT_EQ(places.place({4, 5}, SourcePlace{2, 107}), (SourcePlace{1, 7}));
  places.begin_function();
  EXPECT_EQ(places.place({4, 5}, SourcePlace{2, 107}), (SourcePlace{2, 107}));
  EXPECT_EQ(places.place({2, 8}, SourcePlace{2, 8}), (SourcePlace{2, 8}));
}

TEST(SourcePlaces, stand_in_instructions_though_files_are_named_behind_them) {
  const Module module = parse(
      ".version 7.5\n.target sm_75\n.address_size 64\n.entry k() {\n.reg .u32 %r;\n.loc 1 5 1\nmov.u32 %r, 1;\n"
      ".loc 2 107 3, function_name $L, inlined_at 1 7 5\nmov.u32 %r, 2;\nret;\n}\n" +
          kFiles,
      "t.ptx");
  std::vector<std::uint32_t> lines;
  for (const Instruction& instruction : module.functions[0].body) lines.push_back(instruction.location.source_line);
  EXPECT_THAT(lines, ElementsAre(5, 7, 7));
}

}  // namespace source_places_test
}  // namespace warpfork::ptx
