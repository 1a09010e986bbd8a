#include "x86/elf_program.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>

#include "base/error.h"
#include "unit/test_folder.h"
#include "unit/x86/recorded_guest.h"
#include "x86/marked_functions.h"

namespace warpfork::x86 {
namespace elf_program_test {

using ::testing::HasSubstr;
using ::testing::Not;

std::string message_of(const std::string& path) {
  try {
    read_elf_program(path);
  } catch (const Error& error) {
    return error.what();
  }
  return "recordable";
}

/// The guest with one byte of its header changed.
std::string changed(std::size_t at, char value) {
  std::ostringstream text;
  text << std::ifstream(guest_path("accesses"), std::ios::binary).rdbuf();
  std::string bytes = text.str();
  bytes[at] = value;
  std::ofstream(test_folder() + "/changed", std::ios::binary) << bytes;
  return message_of(test_folder() + "/changed");
}

TEST(ElfProgram, of_a_static_executable_has_symbols_and_lines) {
  const ElfProgram program = read_elf_program(guest_path("library"));
  const Symbol* const body = program.symbols.find("body");
  ASSERT_TRUE(body && body->is_function);
  EXPECT_EQ(program.symbols.text(body->address), "body");
  EXPECT_EQ(program.symbols.text(body->address + 4), "body+0x4");
  EXPECT_TRUE(program.lines.at(body->address));
  EXPECT_FALSE(program.lines.at(program.symbols.find("malloc")->address));  // Debian's libc has no lines
}

TEST(ElfProgram, of_other_files_is_refused_with_the_remedy) {
  EXPECT_THAT(message_of("/bin/true"), HasSubstr("/bin/true: is linked dynamically"));
  EXPECT_THAT(message_of("/etc/passwd"), HasSubstr("is no executable (ELF) file\n  build it with: gcc -static"));
  EXPECT_THAT(message_of("/nowhere/program"), HasSubstr("cannot be read: No such file"));
  EXPECT_THAT(message_of("/bin"), HasSubstr("/bin: "));
  EXPECT_THAT(changed(4, 1), HasSubstr("is a 32-bit program"));                   // EI_CLASS: ELFCLASS32
  EXPECT_THAT(changed(16, 3), HasSubstr("is position-independent"));              // e_type: ET_DYN
  EXPECT_THAT(changed(16, 1), HasSubstr("is no program, but an object file"));    // e_type: ET_REL
  EXPECT_THAT(changed(60, 0), HasSubstr("has no symbols of functions"));          // e_shnum
  EXPECT_THAT(changed(18, 40), HasSubstr("is a program for another processor"));  // e_machine: EM_ARM
}

TEST(SymbolTable, knows_the_plainest_name_of_an_address) {
  const SymbolTable table({{0x10, 4, true, "__lock"}, {0x10, 4, true, "lock"}, {0x10, 4, true, "_lock"}});
  EXPECT_EQ(table.text(0x12), "lock+0x2");
  EXPECT_EQ(table.text(0x14), "0x14");
  EXPECT_TRUE(table.find("__lock"));
}

TEST(LineTable, of_some_addresses_says_the_same) {
  const LineTable all({"a.c", "b.c"}, {{0x10, 0, 1}, {0x14, 0, 2}, {0x18, 1, 7}, {0x20, 1, 0}});
  const std::vector<std::uint64_t> addresses = {0x14, 0x15, 0x19, 0x21};
  const LineTable some = all.of(addresses);
  for (const std::uint64_t address : addresses) EXPECT_EQ(some.at(address), all.at(address)) << address;
  EXPECT_EQ(some.at(0x19), (SourceLine{"b.c", 7}));
  EXPECT_FALSE(some.at(0x21));
  EXPECT_EQ(LineTable(some.to_bytes(), "lines").at(0x15), (SourceLine{"a.c", 2}));
}

TEST(MarkedFunctions, are_asked_for_by_address) {
  const SymbolTable table({{0x10, 4, true, "pthread_mutex_lock"},
                           {0x20, 4, true, "main._omp_fn.3"},
                           {0x28, 4, true, "main._omp_fn.3.cold"},
                           {0x30, 4, true, "main"}});
  EXPECT_EQ(request_text({"main", {"main._omp_fn.3"}, 100}, table, "p"),
            "start 30\nregion 20\nlimit 64\nmark 10 4 1 3 10\nmark 20 a 0 0 0\n");
}

// As GCC 12 names them: callers run the copy, the function itself never.
TEST(MarkedFunctions, are_recorded_with_the_copies_that_compilers_make) {
  const SymbolTable table({{0x10, 4, true, "work"},
                           {0x20, 4, true, "work.part.2"},
                           {0x30, 4, true, "work.constprop.0.isra.0"},
                           {0x40, 4, true, "work.cold"},
                           {0x50, 4, true, "worker"},
                           {0x60, 4, true, "alone.isra.0"}});
  EXPECT_EQ(request_text({"alone", {"work"}, 0}, table, "p"), "start 60\nregion 10\nregion 20\nregion 30\n");
}

TEST(MarkedFunctions, that_do_not_exist_cannot_be_the_start) {
  const SymbolTable table({{0x10, 4, true, "worker"}, {0x20, 4, false, "worked"}});
  try {
    request_text({"workr", {}, 0}, table, "./prog");
    FAIL();
  } catch (const Error& error) {
    EXPECT_THAT(error.what(), HasSubstr("./prog: has no function 'workr'\n  near names: worker"));
    EXPECT_THAT(error.what(), Not(HasSubstr("worked")));
  }
}

}  // namespace elf_program_test
}  // namespace warpfork::x86
