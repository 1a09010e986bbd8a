// Random PTX for the differential tests: instructions from a table of patterns, operands that like the edges.
#pragma once

#include <cstdint>
#include <random>
#include <string>
#include <vector>

#include "fast_run.h"

namespace warpfork::simt {

using Random = std::mt19937_64;

/// One instruction of the table. In a pattern, [a|b] is a choice, and the letters after % stand for operands:
/// %r %d %h %p registers of that kind, %R %D %H the same or a literal, %F %G the same or a float literal (f32, f64),
/// %P a predicate, perhaps negated, %q two different predicates as a pair, %i a number below 64, %T any byte.
std::string random_instruction(Random& random);
/// The same, sometimes under a guard if the pattern is a single instruction.
std::string random_guarded_instruction(Random& random);
/// Warp-wide instructions, all 32 lanes taking part.
std::string random_warp_instruction(Random& random);
/// The patterns' own text, for a test that goes through all of them.
const std::vector<std::string>& instruction_patterns();
const std::vector<std::string>& warp_instruction_patterns();
std::string instantiate(const std::string& pattern, Random& random);
/// The alternatives of the choice that opens there; none if that is no choice.
std::vector<std::string> choices_at(const std::string& pattern, std::size_t open);
/// Whether an operand stands there: % and its letter.
bool is_operand(const std::string& pattern, std::size_t at);

std::uint32_t random_word(Random& random);
std::uint64_t random_long(Random& random);
ThreadRegisters random_registers(Random& random);

/// Nested ifs and loops around random instructions, some lanes leaving early. Every loop ends.
std::string random_program(Random& random, unsigned size);

}  // namespace warpfork::simt
