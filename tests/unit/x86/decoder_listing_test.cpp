#include <gtest/gtest.h>

#include "x86/code_listing.h"
#include "x86/decoder.h"

namespace warpfork::x86 {
namespace decoder_listing_test {

std::string listed(std::uint64_t pc, const std::vector<std::uint8_t>& bytes) {
  const SymbolTable symbols({{0x401a40, 0x20, true, "count"}, {0x402000, 4, true, "done"}});
  Decoding decoding = decode(pc, bytes);
  decoding.instruction.uops = decoding.uops;
  decoding.instruction.accesses = decoding.accesses;
  return list_instruction(decoding.instruction, bytes, symbols);
}

TEST(DecoderListing, shows_place_machine_code_disassembly_marks_and_uops) {  // the sample of code_listing.h
  EXPECT_EQ(listed(0x401a4e, {0xf0, 0x48, 0x01, 0x07}),
            "      401a4e  count+0xe            f0 48 01 07                       lock add [rdi], rax  ; atomic\n"
            "                                        load8 t0 < rdi\n"
            "                                        alu t0 flags < rax t0\n"
            "                                        store8 < rdi t0\n");
}

TEST(DecoderListing, names_where_a_branch_goes_and_what_repeats) {
  EXPECT_EQ(listed(0x401ffe, {0x74, 0x02}),
            "      401ffe  0x401ffe             74 02                             jz 0x402002  ; to done+0x2\n"
            "                                        branch < flags\n");
  EXPECT_NE(listed(0x401a40, {0xf3, 0xa4}).find("; each iteration\n"), std::string::npos);
  EXPECT_NE(listed(0x401a40, {0x0f, 0x05}).find("syscall  ; system call\n"), std::string::npos);
}

TEST(DecoderListing, shows_widths_of_vectors_and_of_masked_accesses) {
  const std::string masked = listed(0x401a40, {0xc4, 0xe2, 0x6d, 0x2c, 0x0f});  // vmaskmovps ymm1, ymm2, [rdi]
  EXPECT_NE(masked.find(" load32? t0 < rdi\n"), std::string::npos) << masked;
  EXPECT_NE(masked.find(" vec.avx ymm1 < ymm2 t0\n"), std::string::npos) << masked;
}

}  // namespace decoder_listing_test
}  // namespace warpfork::x86
