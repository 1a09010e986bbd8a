// Operands of every form and what is wrong with those of none (PTX ISA, "Instruction Operands").
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "unit/ptx/fault.h"
#include "unit/ptx/sample.h"

namespace warpfork::ptx {
namespace operand_test {

using testing::HasSubstr;

/// The text is a body, which begins in line 6.
class OperandError : public testing::TestWithParam<Fault> {};

TEST_P(OperandError, names_place_cause_and_remedy) { expect_fault(GetParam(), body_error(GetParam().text)); }

const Fault kRegisterFaults[] = {
    {"add.s32 %r0, %r1, %q;", "6:19", "'%q' is not declared", "nearest names in sight: "},
    {"add.s32 %r0, %r1, %r01;", "6:19", "'%r01' is not declared", "%r0"},
    {"mov.u32 %r0, %tid.q;", "6:18", "'%tid' has no component '.q'", "mov.u32 %r0, %tid.q;"},
    {"mov.u32 %r0, %laneid.x;", "6:21", "'%laneid' has no component '.x'", ""},
    {"add.s32 %r0, %r1.x, %r2;", "6:17", "'.x' behind a register that is no vector", "'.b' or '.h'"},
    {".reg .v2 .b32 v; add.s32 %r0, %r1, v.z;", "6:37", "a vector of 2 has no component '.z'", ""},
    {".reg .v2 .pred v; @v bra L; L: ret;", "6:22", "expected a component of the vector, as in '.x'", "found 'bra'"},
    {".reg .v2 .b32 v; @v.x ret;", "6:19", "'v' guards an instruction but is of type .b32", ".pred"},
    {".shared .u32 s; @s ret;", "6:18", "'s' is not a register", ""},
    {"@q ret;", "6:2", "'q' is not declared", ""},
    {"@5 ret;", "6:2", "expected a predicate register, found '5'", ""},
    {"xor.pred %p0, !%r0, %p1;", "6:15", "'!' before an operand that cannot be negated", "'!' is for predicate"},
    {"vmad.u32.u32.u32 %r0, %r1, -%p0, %r2;", "6:28", "'-' before an operand that cannot be negated", ""},
};
INSTANTIATE_TEST_SUITE_P(Registers, OperandError, testing::ValuesIn(kRegisterFaults));

// Only video instructions read parts of a register, and vmad alone negates one (PTX ISA, "Video Instructions"); `!` is
// for predicates that are read.
const Fault kMarks[] = {
    {"add.s32 %r0, %r1.b0, %r2;", "6:14", "a part of '%r1', which 'add' cannot take", "only video instructions"},
    {"mov.b32 %r0.h0, %r1;", "6:9", "a part of '%r0', which 'mov' cannot take", "only video instructions"},
    {"st.global.u32 [%rd0], %r0.b1;", "6:23", "a part of '%r0', which 'st' cannot take", ""},
    {"mov.b64 %rd0, {%r0, %r1.b1};", "6:15", "a part of '%r1', which 'mov' cannot take", ""},
    {"add.s32 %r0, -%r1, %r2;", "6:14", "'-' before '%r1', which 'add' cannot take", "neg"},
    {"fma.rn.f32 %f0, %f1, -%f2, %f3;", "6:22", "'-' before '%f2', which 'fma' cannot take", "neg"},
    {"ld.global.u32 -%r0, [%rd0];", "6:15", "'-' before '%r0', which is written", ""},
    {"setp.eq.s32 !%p0, %r0, 0;", "6:13", "'!' before '%p0', which is written", ""},
    {"setp.eq.s32 %p0|!%p1, %r0, 0;", "6:13", "'!' before '%p1', which is written", ""},
    {"not.pred !%p0, %p1;", "6:10", "'!' before '%p0', which is written", ""},
};
INSTANTIATE_TEST_SUITE_P(Marks, OperandError, testing::ValuesIn(kMarks));

// PTX ISA, "mov": .b32 is packed of two .b16 or four .b8, .b64 of two .b32 or four .b16.
const Fault kPacks[] = {
    {"mov.b64 {%r0, %h0}, %rd0;", "6:9", "'%h0' is of type .b16, which 'mov' cannot take here", "of 32 bits"},
    {"mov.b64 {%h0, %h1}, %rd0;", "6:9", "'%h0' is of type .b16, which 'mov' cannot take here", "of 32 bits"},
    {"mov.b64 %rd0, {%h0, %h1, %r2, %h3};", "6:15", "'%r2' is of type .b32", "a register of 16 bits"},
    {"mov.b32 %r0, {%r1, %r2};", "6:14", "'%r1' is of type .b32", "a register of 16 bits"},
    {"mov.b64 {%r0, %r1, %r2}, %rd0;", "6:9", "3 elements of a value of 64 bits", "2 or 4"},
    {"mov.b32 %r0, {%r1};", "6:14", "1 element of a value of 32 bits", "2 or 4"},
    {"mov.u32 %r0, %tid;", "6:14", "'%tid' is a vector of 4, and one value is expected", "as in %tid.x"},
    {"mov.b64 %rd0, %nctaid;", "6:15", "'%nctaid' is a vector of 4", "as in %nctaid.x"},
    {"mov.b32 %r0, {%h0, %laneid};", "6:14", "'%laneid' among parts of 16 bits", "a register of 32 bits"},
    {"brx.idx %rd0, T; A: ret; T: .branchtargets A;", "6:9", "'%rd0' is of type .b64", "of 32 bits"},
};
INSTANTIATE_TEST_SUITE_P(Packs, OperandError, testing::ValuesIn(kPacks));

// PTX ISA, "Integer Arithmetic Instructions" and "cvt": no .bX among their types; abs and neg are of signed numbers.
const Fault kNumbers[] = {
    {"min.b32 %r0, %r1, %r2;", "6:1", "'min' of type .b32", "it takes numbers, as in .s32 or .u32"},
    {"max.b64 %rd0, %rd1, %rd2;", "6:1", "'max' of type .b64", "it takes numbers"},
    {"add.b32 %r0, %r1, %r2;", "6:1", "'add' of type .b32", "it takes numbers"},
    {"atom.global.add.b64 %rd0, [%rd1], 1;", "6:1", "'atom' of type .b64", "it takes numbers"},
    {"red.global.max.b32 [%rd0], %r1;", "6:1", "'red' of type .b32", "it takes numbers"},
    {"redux.sync.min.b32 %r0, %r1, -1;", "6:1", "'redux' of type .b32", "it takes numbers"},
    {"addc.b32 %r0, %r1, %r2;", "6:1", "'addc' of type .b32", "it takes numbers"},
    {"@%p0 div.b16 %h0, %h1, %h2;", "6:6", "'div' of type .b16", "it takes numbers"},
    {"sad.b32 %r0, %r1, %r2, %r3;", "6:1", "'sad' of type .b32", "it takes numbers"},
    {"cvt.u64.b32 %rd0, %r1;", "6:1", "'cvt' of type .b32", "it takes numbers"},
    {"cvt.b16.u32 %h0, %r1;", "6:1", "'cvt' of type .b16", "it takes numbers"},
    {"abs.u32 %r0, %r1;", "6:1", "'abs' of type .u32", "it takes signed numbers"},
    {"neg.u64 %rd0, %rd1;", "6:1", "'neg' of type .u64", "it takes signed numbers"},
    {"neg.b32 %r0, %r1;", "6:1", "'neg' of type .b32", "it takes signed numbers"},
};
INSTANTIATE_TEST_SUITE_P(Numbers, OperandError, testing::ValuesIn(kNumbers));

// What ptxas 13.0 rejects: "Result register required", "Read-only special register cannot be destination argument".
const Fault kResults[] = {
    {"and.b32 2, %r1, 1;", "6:9", "'and' cannot write its result into a number", "must be a register"},
    {"mov.u32 %tid.x, 3;", "6:9", "'mov' cannot write its result into '%tid', which can only be read", ""},
    {".shared .u32 s; mov.u32 s, 3;", "6:25", "'mov' cannot write its result into 's', which is no register", ""},
    {"setp.eq.s32 1, %r1, 2;", "6:13", "'setp' cannot write its result into a number", ""},
    {"setp.eq.s32 %p0|1, %r1, 2;", "6:13", "'setp' cannot write its result into a number", ""},
    {"ld.global.v2.u32 {%r0, 5}, [%rd0];", "6:18", "'ld' cannot write its result into a number", ""},
    {"mov.b64 {%r0, 5}, %rd0;", "6:9", "'mov' cannot write its result into a number", ""},
};
INSTANTIATE_TEST_SUITE_P(Results, OperandError, testing::ValuesIn(kResults));

// ptxas 13.0: "Argument 2 of instruction 'add': must be register", "Special register argument not allowed for
// instruction 'add'", "Arguments mismatch".
const Fault kValues[] = {
    {"add.u64 %rd0, %rd1, p;", "6:21", "'p' is an address, which 'add' cannot take here", "as in 'ld.param'"},
    {".shared .u32 s; cvt.u64.u32 %rd0, s;", "6:35", "'s' is an address, which 'cvt' cannot take here", ""},
    {"st.param.u64 [p], %rd0;", "6:14", "'p' is a parameter, which cannot be written", "in a register"},
    {"mov.f64 %d0, p;", "6:14", "'p' is an address, which 'mov' cannot take here", ""},
    {"min.u32 %r0, %r1, %r2, %r3;", "6:1", "'min' with 4 operands", "it takes 3"},
    {"st.global.u64 [%rd0], p;", "6:23", "'p' is an address, which 'st' cannot take here", ""},
    {"setp.eq.u64 %p0, %rd0, p;", "6:24", "'p' is an address, which 'setp' cannot take here", ""},
    {"add.u32 %r0, %tid.x, 5;", "6:14", "'%tid', which 'add' cannot read", "move it into a register first"},
    {"mov.f32 %f0, %laneid;", "6:14", "'%laneid', which 'mov' cannot read", ""},
    {"cvt.rn.f32.u32 %f0, %laneid;", "6:21", "'%laneid', which 'cvt' cannot read", ""},
    {"cvt.pack.sat.u16.s32 %r0, %laneid, %r1;", "6:27", "'%laneid', which 'cvt' cannot read", ""},
    {"isspacep.global %p0, p;", "6:22", "'p' is an address, which 'isspacep' cannot take here", ""},
    {"tex.level.1d.v4.f32.f32 {%f0, %f1, %f2, %f3}, [%rd0, {%f4}], 5;", "6:62", "an integer literal for a float", ""},
    {"bar.sync %laneid;", "6:10", "'%laneid', which 'bar' cannot read", ""},
    {"add.s16x2 %r0, %r1, 0x10001;", "6:21", "a literal for numbers of type .s16x2", "use a register"},
    {"discard.global.L2 [%rd0], %r0;", "6:27", "expected a literal number", ""},
    {"cp.async.wait_group %r0;", "6:21", "expected a literal number", ""},
    {"cp.async.ca.shared.global [%rd0], [%rd1], %r0;", "6:43", "expected a literal number", ""},
    {"mbarrier.arrive.expect_tx.shared.b64 %rd1, [%rd0];", "6:1", "'mbarrier' with 2 operands", "it takes 3"},
    {"cp.async.mbarrier.arrive.shared.b64 %rd0;", "6:37", "expected an address in brackets", ""},
    {"mbarrier.inval.shared.b64 [%rd0], 1;", "6:1", "'mbarrier' with 2 operands", "it takes 1"},
    {"pmevent %r0;", "6:9", "expected a literal number", ""},
    {"fence.proxy.async 5;", "6:1", "'fence' with 1 operand", "it takes 0"},
    {"barrier.cluster.arrive 0;", "6:1", "'barrier' with 1 operand", "it takes 0"},
};
INSTANTIATE_TEST_SUITE_P(Values, OperandError, testing::ValuesIn(kValues));

TEST(Operand, what_has_no_result_begins_with_any_operand) {
  for (const char* text : {"nanosleep.u32 5;", "pmevent 3;", "bar.sync 0;", "st.global.u32 [%rd0], 5;",
                           "ld.global.v2.u32 {%r0, _}, [%rd0];", "ld.global.u32 {%r0}, [%rd0];",
                           "atom.global.v2.f32.add {%f0, %f1}, [%rd0], {%f2, %f3};", "mov.b32 {%h0, %h1}, %tid.x;"})
    EXPECT_NO_THROW(parse_instruction(text)) << text;
}

// PTX ISA, "setp": .lo to .hs are of unsigned integers, .equ to .nan of floats; bits are equal or not. ptxas 13.0:
// "Mismatch between instruction type and comparison qualifier".
const Fault kComparisons[] = {
    {"setp.hi.s32 %p0, %r1, %r2;", "6:1", "'setp' of type .s32 cannot be '.hi'", "allowed: (.eq|.ne|.lt|.le|.gt|.ge)"},
    {"setp.lt.b32 %p0, %r1, %r2;", "6:1", "'setp' of type .b32 cannot be '.lt'", "allowed: (.eq|.ne)"},
    {"setp.equ.u32 %p0, %r1, %r2;", "6:1", "'setp' of type .u32 cannot be '.equ'", ".hs"},
    {"setp.hi.f32 %p0, %f1, %f2;", "6:1", "'setp' of type .f32 cannot be '.hi'", ".nan"},
    {"set.hi.u32.s32 %r0, %r1, %r2;", "6:1", "'set' of type .s32 cannot be '.hi'", ""},
    {"set.num.u32.s32 %r0, %r1, %r2;", "6:1", "'set' of type .s32 cannot be '.num'", ""},
    {"setp.nan.ftz.f64 %p0, %d1, %d2;", "6:1", "'setp' of type .f64 cannot be '.ftz'", ""},
    {"setp.equ.lt.f32 %p0, %f1, %f2;", "6:1", "'setp' of type .f32 cannot be '.lt'", ""},
    {"setp.hi %p0, %r1, %r2;", "6:1", "'setp' without a type", ""},
    {"setp.s32 %p0, %r1, %r2;", "6:1", "'setp' does not say how it compares", "allowed: .eq|.ne"},
};
INSTANTIATE_TEST_SUITE_P(Comparisons, OperandError, testing::ValuesIn(kComparisons));

TEST(Operand, each_type_is_compared_in_its_ways) {
  for (const char* text :
       {"setp.hs.u64 %p0, %rd0, %rd1;", "setp.nan.and.ftz.f32 %p0|%p1, %f0, %f1, !%p2;", "setp.num.f64 %p0, %d0, %d1;",
        "set.lt.u32.f16 %r0, %h0, %h1;", "set.lo.f32.u32 %f0, %r0, %r1;", "setp.lt.and.bf16x2 %p0|%p1, %r0, %r1, %p2;",
        "setp.ne.b16 %p0, %h0, %h1;"})
    EXPECT_NO_THROW(parse_instruction(text)) << text;
}

TEST(Operand, what_does_not_compute_takes_bits_and_what_does_takes_numbers) {
  for (const char* text :
       {"shr.b32 %r0, %r1, 1;", "selp.b32 %r0, %r1, %r2, %p0;", "setp.eq.b32 %p0, %r1, %r2;", "and.b32 %r0, %r1, %r2;",
        "cvt.pack.sat.u16.s32 %r0, %r1, %r2;", "cvt.pack.sat.u8.s32.b32 %r0, %r1, %r2, %r3;", "neg.bf16 %h0, %h1;",
        "abs.s16 %h0, %h1;", "neg.f64 %d0, %d1;", "min.u16x2 %r0, %r1, %r2;", "bfe.u32 %r0, %r1, 0, 8;",
        "atom.global.and.b32 %r0, [%rd0], 1;", "atom.global.exch.b64 %rd0, [%rd1], 1;",
        "redux.sync.or.b32 %r0, %r1, -1;"})
    EXPECT_NO_THROW(parse_instruction(text)) << text;
}

TEST(Operand, what_is_packed_and_unpacked_has_parts_of_one_width) {
  for (const char* text : {"mov.b64 {%r0, %f1}, %rd0;", "mov.b64 {%h0, %h1, %h2, %h3}, %d0;",
                           "mov.b32 %r0, {%h0, %h1};", "mov.b64 {%r0, _}, %rd0;", "mov.b64 %rd0, {%r0, 1};",
                           "mov.b64 %rd0, {%tid.x, %laneid};", ".reg .b8 c<4>; mov.b32 %r0, {c0, c1, c2, c3};",
                           ".reg .v4 .u32 v; mov.v4.u32 v, %ntid;", ".reg .b128 q; mov.b128 q, {%rd0, %rd1};"})
    EXPECT_NO_THROW(parse_body(text)) << text;
}

TEST(Operand, predicates_that_are_read_may_be_negated) {
  for (const char* text : {"and.pred %p0, !%p1, !%p2;", "mov.pred %p0, !%p1;", "selp.b32 %r0, 1, 2, !%p0;",
                           "setp.eq.and.s32 %p0, %r0, 1, !%p1;", "vote.sync.any.pred %p0, !%p1, -1;",
                           "bar.red.popc.u32 %r0, 1, !%p0;", "vmad.s32.s32.s32 %r0, %r1, %r2, -%r3;"})
    EXPECT_NO_THROW(parse_instruction(text)) << text;
}

const Fault kAddressFaults[] = {
    {"ld.global.u32 %r0, [1.5];", "6:21", "an address is an integer", ""},
    {"ld.global.u32 %r0, [%rd0+1.5];", "6:26", "an offset is an integer", ""},
    {"ld.global.u32 %r0, [nothing];", "6:21", "'nothing' is not declared", ""},
    {"ld.global.u32 %r0, [%rd0;", "6:25", "expected ']', found ';'", ""},
    {"ld.global.u32 %r0, %rd0;", "6:20", "expected an address in brackets", "as in [%rd1+8]"},
    {"add.s32 %r0, [%rd0], 1;", "6:14", "an address in brackets where a value is expected", "only loads, stores"},
    {".shared .u32 s[4]; ld.shared.u32 %r0, s[%f1];", "6:41", "'%f1' is no index: it is of type .f32",
     "an index is an integer"},
    {".shared .u32 s[4]; ld.shared.u32 %r0, s[s];", "6:41", "'s' is not a register", ""},
    {".shared .u32 s[4]; call p, (s[%r1]);", "6:31", "a register as an index", "add it to the array's"},
    {"ld.shared.u32 %r0, %r1[2];", "6:23", "expected ';', found '['", ""},
    {".shared .u32 s[4]; ld.shared.u32 %r0, s[-1];", "6:41", "an index must be an integer from 0", ""},
};
INSTANTIATE_TEST_SUITE_P(Addresses, OperandError, testing::ValuesIn(kAddressFaults));

const Fault kListFaults[] = {
    {"add.s32 %r0, , %r1;", "6:14", "expected an operand, found ','", ""},
    {"add.s32 %r0, %r1, ;", "6:19", "expected an operand, found ';'", ""},
    {"add.s32 %r0, %r1, 2", "7:1", "expected ';', found '}'", ""},
    {"mov.b64 {%r0, %r1, %rd0;", "6:24", "expected '}', found ';'", ""},
    {"ld.global.v4.u32 {%r0, %r1}, [%rd0];", "6:18", "2 elements for '.v4'", ""},
    {"ld.global.v2.u32 {%r0, %f1}, [%rd0];", "6:18", "'%f1' is of type .f32, which 'ld' cannot take here",
     "integer or"},
    {"ld.global.v2.u32 %r0, [%rd0];", "6:18", "1 element for '.v2'", "as in {%r1, %r2}"},
    {"st.global.v4.u32 [%rd0], 0;", "6:26", "1 element for '.v4'", ""},
    {"ld.global.u32 {%r0, %r1}, [%rd0];", "6:15", "2 elements without '.v2'", ""},
    {"add.u32 %r0, {%r1, %r2}, 1;", "6:14", "a vector, which 'add' cannot take here", "name one component"},
    {"add.u32 %r0, %tid, 1;", "6:14", "a vector, which 'add' cannot take here", "name one component"},
    {"add.s32 %r0|%r1, %r2, %r3;", "6:9", "two destinations where one is allowed", ""},
};
INSTANTIATE_TEST_SUITE_P(Lists, OperandError, testing::ValuesIn(kListFaults));

const Fault kTypeFaults[] = {
    {"add.u32 %r0, %rd1, 1;", "6:14", "'%rd1' is of type .b64, which 'add' cannot take here", "of 32 bits"},
    {"cvt.u64.u32 %rd0, %h1;", "6:19", "'%h1' is of type .b16, which 'cvt' cannot take here", "of 32 bits or more"},
    {"and.pred %p0, %p1, %r0;", "6:20", "'%r0' is of type .b32, which 'and' cannot take here", "of type .pred"},
    {"add.f64 %d0, %d1, %f0;", "6:19", "'%f0' is of type .f32", ".f64 or .b register of 64 bits"},
    {"add.f32 %f0, %f1, 2;", "6:19", "an integer literal for a float", "0f and eight digits"},
    {"add.s32 %r0, %r1, 2.0;", "6:19", "a floating-point literal for type .s32", "write an integer"},
    {"mov.b64 %rd0, 0f3F800000;", "6:15", "a floating-point literal for type .b64", "write an integer"},
    {"selp.b32 %r0, 1, 2, 3.0;", "6:21", "a floating-point literal for type .pred", ""},
};
INSTANTIATE_TEST_SUITE_P(Types, OperandError, testing::ValuesIn(kTypeFaults));

TEST(Operand, a_vector_of_special_registers_has_four_elements) {
  const Function f = parse_body(".reg .v4 .u32 v;\nmov.v4.u32 v, %ntid;");
  const VectorOperand& vector = *f.body[0].operands[1].as<VectorOperand>();
  ASSERT_EQ(vector.elements.size(), 4u);
  EXPECT_EQ(*vector.elements[2].as<SpecialRegisterOperand>(), (SpecialRegisterOperand{SpecialRegister::Ntid, 2}));
}

// PTX ISA, "Vectors as Operands": .x .y .z .w and .r .g .b .a name the same elements.
TEST(Operand, components_have_the_names_of_places_and_of_colours) {
  const Function f = parse_body(
      ".reg .v4 .b32 v;\nadd.s32 %r0, v.x, v.r;\nadd.s32 %r0, v.y, v.g;\nadd.s32 %r0, v.z, v.b;\n"
      "add.s32 %r0, v.w, v.a;");
  const char* const names[] = {"v.x", "v.y", "v.z", "v.w"};
  for (std::size_t i = 0; i < 4; ++i) {
    EXPECT_EQ(register_of(f, f.body[i].operands[1]).name, names[i]);
    EXPECT_EQ(f.body[i].operands[1], f.body[i].operands[2]);
  }
}

TEST(Operand, pairs_are_equal_where_both_parts_are) {
  const auto pair = [](const char* text) { return parse_instruction(std::string("setp.eq.s32 ") + text).operands[0]; };
  const Operand first = pair("%p0|%p1, %r0, 0;");
  EXPECT_EQ(first, pair("%p0|%p1, %r1, 1;"));
  for (const char* other : {"%p0|%p2, %r0, 0;", "%p1|%p1, %r0, 0;", "%p0, %r0, 0;", "%p0|_, %r0, 0;"})
    EXPECT_NE(first, pair(other)) << other;
}

TEST(Operand, a_component_of_a_vector_may_guard) {
  const Function f = parse_body(".reg .v2 .pred v;\n@!v.y exit;");
  EXPECT_EQ(f.registers[f.body[0].guard->predicate].name, "v.y");
  EXPECT_TRUE(f.body[0].guard->negated);
}

TEST(Operand, a_vector_range_is_indexed_by_vectors) {
  const Function f = parse_body(".reg .v2 .f32 v<3>;\nmov.f32 %f0, v1.y;\nmov.f32 %f0, v2.x;");
  EXPECT_EQ(register_of(f, f.body[0].operands[1]).name, "v1.y");
  EXPECT_EQ(register_of(f, f.body[1].operands[1]).name, "v2.x");
}

TEST(Operand, offsets_add_up_whatever_their_signs) {
  const Function f = parse_body(
      ".shared .b8 s[64];\nld.shared.u8 %r0, [s+1+2];\nld.shared.u8 %r0, [s-1+4*2];\nld.shared.u8 %r0, [%r1+-2-1];\n"
      "mov.u32 %r0, s+(2+3);");
  EXPECT_EQ(f.body[0].operands[1].as<AddressOperand>()->offset, 3);
  EXPECT_EQ(f.body[1].operands[1].as<AddressOperand>()->offset, 7);
  EXPECT_EQ(f.body[2].operands[1].as<AddressOperand>()->offset, -3);
  EXPECT_EQ(f.body[3].operands[1].as<SymbolOperand>()->offset, 5);
}

TEST(Operand, the_warp_size_is_a_constant_wherever_one_may_stand) {
  const Function f = parse_body("add.s32 %r0, %r1, WARP_SZ;\nld.shared.u32 %r0, [WARP_SZ*4];");
  EXPECT_EQ(f.body[0].operands[2].as<ImmediateOperand>()->bits, 32u);
  EXPECT_EQ(std::get<std::uint64_t>(f.body[1].operands[1].as<AddressOperand>()->base), 128u);
}

TEST(Operand, a_negated_literal_is_a_number_and_a_negated_predicate_is_none) {
  const Function f = parse_body("selp.b32 %r0, -3, ~0, !%p1;");
  EXPECT_EQ(f.body[0].operands[1].as<ImmediateOperand>()->bits, static_cast<std::uint64_t>(-3));
  EXPECT_EQ(f.body[0].operands[2].as<ImmediateOperand>()->bits, ~std::uint64_t{0});
  EXPECT_TRUE(f.body[0].operands[3].as<RegisterOperand>()->negated);
}

TEST(Operand, a_tuple_in_brackets_keeps_what_stands_first) {
  const Function f = parse_body("suld.b.1d.b32.trap %r0, [%rd0, {%r1}];\nsuld.b.1d.b32.trap %r0, [%rd0+8, {%r1}];");
  const VectorOperand& plain = *f.body[0].operands[1].as<VectorOperand>();
  EXPECT_EQ(plain.brackets, VectorOperand::Brackets::Square);
  EXPECT_EQ(register_of(f, plain.elements[0]).name, "%rd0");
  const VectorOperand& moved = *f.body[1].operands[1].as<VectorOperand>();
  EXPECT_EQ(moved.elements[0].as<AddressOperand>()->offset, 8);
}

// PTX ISA 2.2, "ld": the bank of constant memory was a number in brackets behind the space.
TEST(Operand, the_bank_of_an_old_constant_load_is_no_operand) {
  const Function f = parse_body(".const .u32 c[2];\nld.const[2].u32 %r0, [c];\nld.const.u32 %r0, [c+4];");
  EXPECT_EQ(f.body[0].operands.size(), 2u);
  EXPECT_EQ(f.body[0].types, f.body[1].types);
}

TEST(Operand, a_function_may_be_named_before_it_is_declared_by_mov_and_call_alone) {
  const Module module = parse_text(entry_text("mov.u64 %rd0, later;\ncall later;") + ".func later { ret; }\n");
  EXPECT_EQ(module.find_function("k")->body[0].operands[1].as<SymbolOperand>()->name, "later");
  EXPECT_THAT(error_of(entry_text("ld.global.u32 %r0, [later];") + ".func later { ret; }\n"),
              HasSubstr("'later' is not declared"));
}

}  // namespace operand_test
}  // namespace warpfork::ptx
