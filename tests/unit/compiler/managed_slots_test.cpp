#include "compiler/managed_slots.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/error.h"

namespace warpfork::compiler {
namespace managed_slots_test {

using testing::HasSubstr;

const std::string kSection = ", section \"warpfork_managed\"";
const std::string kX = "@x = internal thread_local global i32 undef" + kSection + ", align 4, !dbg !0\n";
const std::string kSlotOfX =
    "@x = external thread_local global i32, align 4\n@x.managed = internal global i64 0, align 8\n";

std::string written(const std::string& llvm, bool relocatable = false) {
  return with_managed_slots(llvm, "a.cu", managed_names(llvm), relocatable);
}

TEST(ManagedSlots, belong_to_the_file_that_defines_the_variable) {
  EXPECT_EQ(written(kX), kSlotOfX);
  EXPECT_EQ(written("@s = dso_local thread_local global %struct.S undef" + kSection + ", align 16\n", true),
            "@s = external thread_local global %struct.S, align 16\n@s.managed = global i64 0, align 8\n");
  EXPECT_EQ(written("@t = linkonce_odr dso_local thread_local global i8* undef" + kSection + ", comdat, align 8\n"),
            "@t = external thread_local global i8*, align 8\n@t.managed = weak global i64 0, align 8\n");
  EXPECT_EQ(written("@e = external thread_local global [0 x i32]" + kSection + "\n", true),
            "@e = external thread_local global [0 x i32]\n@e.managed = external global i64, align 8\n");
}

// As clang 14 writes it; of arrays of bytes an address is that of the first.
TEST(ManagedSlots, are_registered_in_place_of_variables) {
  EXPECT_EQ(
      written(kX + "@c = internal thread_local global [8 x i8] undef" + kSection +
              "\n  call void @__cudaRegisterVar(i8** %0, i8* bitcast (i32* @x to i8*), i8* @1, i32 0)\n"
              "  call void @__cudaRegisterVar(i8** %0, i8* getelementptr inbounds ([8 x i8], [8 x i8]* @c, i32 0, i32 "
              "0), i8* @2, i32 0)\n"
              "  call void @__cudaRegisterVar(i8** %0, i8* bitcast (i32* @plain to i8*), i8* @3, i32 0)\n"
              "declare void @__cudaRegisterVar(i8**, i8*, i8*, i32)\n"
              "declare void @__cudaRegisterManagedVar(i8**, i8*, i8*, i8*, i64, i32)\n"),
      kSlotOfX + "@c = external thread_local global [8 x i8]\n@c.managed = internal global i64 0, align 8\n" +
          "  call void @__cudaRegisterManagedVar(i8** %0, i8* bitcast (i64* @x.managed to i8*), i8* @1, i32 0)\n"
          "  call void @__cudaRegisterManagedVar(i8** %0, i8* bitcast (i64* @c.managed to i8*), i8* @2, i32 0)\n"
          "  call void @__cudaRegisterVar(i8** %0, i8* bitcast (i32* @plain to i8*), i8* @3, i32 0)\n"
          "declare void @__cudaRegisterVar(i8**, i8*, i8*, i32)\n"
          "declare void @__cudaRegisterManagedVar(i8**, i8*, i8*, i32)\n\n");
}

TEST(ManagedSlots, are_registered_by_later_clangs_too) {
  EXPECT_EQ(written(kX + "  call void @__cudaRegisterVar(ptr %0, ptr @x, ptr @1, i32 0)\n"),
            kSlotOfX + "  call void @__cudaRegisterManagedVar(ptr %0, ptr @x.managed, ptr @1, i32 0)\n");
  EXPECT_EQ(written(kX + "@__clang_gpu_used_external = internal global [2 x ptr] [ptr @x, ptr @plain]\n"),
            kSlotOfX + "@__clang_gpu_used_external = internal global [2 x ptr] [ptr @x.managed, ptr @plain]\n");
}

TEST(ManagedSlots, are_filled_before_the_programs_initializers) {
  EXPECT_EQ(written("@llvm.global_ctors = appending global [2 x { i32, ptr, ptr }] [{ i32, ptr, ptr } { i32 65535, ptr "
                    "@_GLOBAL__sub_I_a.cu, ptr null }, { i32, ptr, ptr } { i32 65535, ptr @__cuda_module_ctor, ptr "
                    "null }]\n  call void @__cudaRegisterFatBinaryEnd(ptr %1)\n"
                    "declare void @__cudaRegisterFatBinaryEnd(ptr)\n"),
            "@llvm.global_ctors = appending global [2 x { i32, ptr, ptr }] [{ i32, ptr, ptr } { i32 65535, ptr "
            "@_GLOBAL__sub_I_a.cu, ptr null }, { i32, ptr, ptr } { i32 101, ptr @__cuda_module_ctor, ptr null }]\n"
            "  call void @__cudaRegisterFatBinaryEnd(ptr %1)\n  %managed = call i8 @__cudaInitModule(ptr %1)\n"
            "declare void @__cudaRegisterFatBinaryEnd(ptr)\ndeclare i8 @__cudaInitModule(ptr)\n");
}

TEST(ManagedSlots, other_lines_stay) {
  for (const char* text :
       {"", "@x = internal thread_local global i32 3, align 4\n", "  %1 = load i32, i32* @x, align 4\n",
        "@llvm.global_ctors = appending global [1 x { i32, ptr, ptr }] [{ i32, ptr, ptr } { i32 65535, ptr @f }]\n",
        "@0 = private constant [40 x i8] c\"  call void @__cudaRegisterVar(i8** %0\"\n"})
    EXPECT_EQ(written(text), text);
}

std::string refusal(const std::string& line) {
  try {
    written(line);
  } catch (const Error& error) {
    return error.what();
  }
  return "";
}

TEST(ManagedSlots, are_not_for_what_nvcc_refuses_either) {
  EXPECT_EQ(refusal("@_ZL1c = internal thread_local constant [2 x i32] undef" + kSection + ", align 4"),
            "a.cu: the __managed__ variable 'c' is const: leave const away, or make it __constant__");
  EXPECT_EQ(refusal("@_ZZ4mainE1l = internal thread_local global i32 2" + kSection + ", align 4"),
            "a.cu: the __managed__ variable 'main::l' is one of a host function: define it outside of functions");
  EXPECT_EQ(refusal("@e = external thread_local global i32" + kSection + ", align 4"),
            "a.cu: the __managed__ variable 'e' is defined nowhere in this file: if another file has it, compile both "
            "with -rdc=true");
}

std::string access(const std::string& name) {
  return "\tdata16\n\tleaq\t" + name + "@TLSGD(%rip), %rdi\n\tdata16\n\tdata16\n\trex64\n\tcallq\t__tls_get_addr@PLT\n";
}

// As clang 14, 19 and 22 write it.
TEST(ManagedSlots, are_read_where_the_code_asks_for_the_variable) {
  EXPECT_EQ(
      with_slots_read("f:\n" + access("x") + "\tmovl\t(%rax), %eax\n" + access("own") + access("x"), "a.cu", {"x"}),
      "f:\n\tmovq\tx.managed@GOTPCREL(%rip), %rax\n\tmovq\t(%rax), %rax\n\tmovl\t(%rax), %eax\n" + access("own") +
          "\tmovq\tx.managed@GOTPCREL(%rip), %rax\n\tmovq\t(%rax), %rax\n");
  EXPECT_EQ(with_slots_read(access("own"), "a.cu", {}), access("own"));
}

TEST(ManagedSlots, are_read_in_no_other_way) {
  for (const char* line : {"\tleaq\tx@tlsdesc(%rip), %rax\n", "\tdata16\n\tleaq\tx@TLSGD(%rip), %rdi\n\tnop\n"})
    EXPECT_THAT([&] { with_slots_read(line, "a.cu", {"x"}); },
                testing::ThrowsMessage<Error>(HasSubstr("a.cu: host code asks for the __managed__ variable 'x'")));
}

}  // namespace managed_slots_test
}  // namespace warpfork::compiler
