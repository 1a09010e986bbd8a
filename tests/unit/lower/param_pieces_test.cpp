// The accesses by which functions read parameters and write results.
#include "lower/param_pieces.h"

#include <gmock/gmock.h>

#include "unit/lower/lowered.h"

namespace warpfork::lower {

void PrintTo(const ParamPiece& piece, std::ostream* out) { *out << piece.bytes << " bytes at " << piece.offset; }

namespace param_pieces_test {

using testing::ElementsAre;
using testing::IsEmpty;

/// Of the 12 bytes of a parameter `a`, by a body.
std::vector<ParamPiece> pieces(const std::string& body) {
  const ptx::Module module =
      ptx::parse(module_text("ret;",
                             ".func g(.param .align 4 .b8 b[12]) { ret; }\n"
                             ".func f(.param .align 4 .b8 a[12]) { .reg .b32 %x, %y; .reg .b64 %d;\n" +
                                 body + "\nret; }\n"),
                 "t.ptx");
  const ptx::Function& f = *module.find_function("f");
  return pieces_of(f, f.parameters[0]);
}

TEST(ParamPieces, are_those_that_the_function_reads) {
  EXPECT_THAT(pieces(""), IsEmpty());
  EXPECT_THAT(pieces("ld.param.b32 %x, [a+8]; ld.param.b16 %y, [a+2]; ld.param.b32 %y, [a+8];"),
              ElementsAre(ParamPiece{2, 2}, ParamPiece{8, 4}));
}

TEST(ParamPieces, of_a_vector_are_its_elements) {
  EXPECT_THAT(pieces("ld.param.v2.b32 {%x, %y}, [a];"), ElementsAre(ParamPiece{0, 4}, ParamPiece{4, 4}));
}

TEST(ParamPieces, are_all_words_where_reads_overlap) {
  const auto words = ElementsAre(ParamPiece{0, 4}, ParamPiece{4, 4}, ParamPiece{8, 4});
  EXPECT_THAT(pieces("ld.param.b32 %x, [a]; ld.param.b16 %y, [a];"), words);
  EXPECT_THAT(pieces("ld.param.b32 %x, [a]; ld.param.b16 %y, [a+2];"), words);
}

TEST(ParamPieces, are_all_words_where_the_parameter_is_read_elsewhere) {
  EXPECT_EQ(pieces("mov.b64 %d, a;").size(), 3u);
  EXPECT_EQ(pieces("call g, (a);").size(), 3u);
}

TEST(ParamPieces, become_smaller_where_the_last_bytes_are_fewer) {
  ptx::Variable variable;
  variable.name = "a";
  variable.bytes = 11;
  variable.alignment = 16;
  ptx::Function f;
  f.body.emplace_back().operands = {ptx::SymbolOperand{"a"}};
  EXPECT_THAT(pieces_of(f, variable), ElementsAre(ParamPiece{0, 8}, ParamPiece{8, 2}, ParamPiece{10, 1}));
}

}  // namespace param_pieces_test
}  // namespace warpfork::lower
