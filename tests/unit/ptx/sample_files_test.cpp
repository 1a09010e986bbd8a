#include <gtest/gtest.h>

#include "ptx/printer.h"
#include "unit/ptx/sample.h"

namespace warpfork::ptx {
namespace sample_files_test {

class SampleFile : public testing::TestWithParam<const char*> {
 protected:
  std::string text() const { return file_text(std::string("tests/data/ptx/") + GetParam()); }
};

TEST_P(SampleFile, parses_and_prints_the_same_twice) {
  const std::string printed = to_text(parse(text(), GetParam()));
  EXPECT_EQ(to_text(parse(printed, GetParam())), printed);
}

// Cut at every byte: either what is left is a whole module, or there is an Error; never anything else.
TEST_P(SampleFile, survives_being_cut_anywhere) {
  const std::string whole = text();
  const std::size_t step = whole.size() / 2000 + 1;
  for (std::size_t size = 0; size < whole.size(); size += step) {
    try {
      parse(std::string_view(whole).substr(0, size), GetParam());
    } catch (const Error&) {
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Ptx, SampleFile,
                         testing::Values("reduction_shared.ptx", "atomic_histogram.ptx", "mandelbrot.ptx", "isa14.ptx",
                                         "clang14_structs.ptx", "nvcc13_control.ptx", "nvcc13_units.ptx"));

TEST(SampleFiles, cut_inside_the_only_entry_is_always_an_error) {
  const std::string whole = file_text("tests/data/ptx/atomic_histogram.ptx");
  for (std::size_t size = whole.find(".entry"); size < whole.rfind('}'); ++size)
    EXPECT_THROW(parse(std::string_view(whole).substr(0, size), "cut.ptx"), Error) << size;
}

TEST(SampleFiles, the_reduction_has_its_instructions_and_targets) {
  const Module module = parse(file_text("tests/data/ptx/reduction_shared.ptx"), "reduction_shared.ptx");
  const Function& kernel = *module.find_function("reduction_shared");
  EXPECT_EQ(module.address_bits, 64u);
  EXPECT_EQ(kernel.parameter_bytes(), 16u);
  EXPECT_EQ(kernel.variables.at(0).bytes, 1024u);
  // Counted by hand in the file.
  EXPECT_EQ(kernel.body.at(15).opcode, Opcode::Bra);
  EXPECT_EQ(kernel.body.at(15).operands[0].as<LabelOperand>()->target, 19u);
  EXPECT_EQ(kernel.body.at(19).opcode, Opcode::Bar);
}

}  // namespace sample_files_test
}  // namespace warpfork::ptx
