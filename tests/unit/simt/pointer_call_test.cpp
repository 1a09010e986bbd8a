// Calls through pointers that hold nothing to be called (PTX ISA, "call").
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstring>

#include "base/error.h"
#include "one_warp.h"

namespace warpfork::simt {
namespace pointer_call_test {

using testing::AllOf;
using testing::HasSubstr;
using testing::ThrowsMessage;

/// Calls %d0 as a function without arguments: `f`, or `g` of another signature.
const std::string kCall = "P: .callprototype _ ();\ncall %d0, P;";
const std::string kFunctions =
    ".func f() { ret; }\n.func g(.param .b32 a) { ret; }\n.global .u64 of_f = f;\n.global .u64 of_g = g;";

std::uint64_t address_in(OneWarp& warp, const char* variable) {
  std::uint64_t address = 0;
  std::memcpy(&address, warp.memory().find(warp.module().find_symbol(variable)->address, 8), 8);
  return address;
}

TEST(PointerCall, reaches_the_function_whose_address_it_is) {
  OneWarp warp(kCall, host_instruction_set(), kFunctions);
  warp.set64("%d0", address_in(warp, "of_f"));
  EXPECT_NO_THROW(warp.run());
}

TEST(PointerCall, of_null_is_an_error_with_thread_and_place) {
  OneWarp warp(kCall, host_instruction_set(), kFunctions);
  EXPECT_THAT([&] { warp.run(); },
              ThrowsMessage<Error>(
                  AllOf(HasSubstr("thread (0,0,0) of block (0,0,0): the call cannot reach 0x0, which is no function"),
                        HasSubstr("a function of the program that takes and gives what is written"))));
}

TEST(PointerCall, of_a_function_with_other_arguments_is_an_error) {
  OneWarp warp(kCall, host_instruction_set(), kFunctions);
  warp.set64("%d0", address_in(warp, "of_g"));
  EXPECT_THAT([&] { warp.run(); }, ThrowsMessage<Error>(HasSubstr("the call cannot reach 'g'")));
}

}  // namespace pointer_call_test
}  // namespace warpfork::simt
