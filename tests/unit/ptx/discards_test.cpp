// Where `_` may stand, as ptxas 13.0 takes or refuses each of these for sm_90a.
#include <gtest/gtest.h>

#include "unit/ptx/fault.h"
#include "unit/ptx/sample.h"

namespace warpfork::ptx {
namespace discards_test {

class TakesDiscard : public testing::TestWithParam<const char*> {};

TEST_P(TakesDiscard, of_a_result) { EXPECT_NO_THROW(parse_body(GetParam())); }

const char* const kTaken[] = {
    "atom.global.add.u32 _, [%rd0], 1;",
    "atom.cas.b32 _, [%rd0], 1, 2;",
    "atom.global.add.v2.f32 {%f0, _}, [%rd0], {%f0, %f1};",
    "setp.lt.u32 _, %r1, %r2;",
    "setp.lt.u32 _|%p0, %r1, %r2;",
    "setp.lt.u32 %p0|_, %r1, %r2;",
    "lop3.b32 _, %r1, %r2, %r3, 0x80;",
    "lop3.or.b32 _|%p0, %r1, %r2, %r3, 0x80, %p1;",
    "shfl.sync.up.b32 %r0|_, %r1, 1, 0, -1;",
    "match.all.sync.b32 _|%p0, %r1, -1;",
    "elect.sync _|%p0, -1;",
    "mbarrier.arrive.shared.b64 _, [%rd0];",
    "mbarrier.arrive_drop.shared.b64 _, [%rd0];",
    "ld.global.v2.u32 {_, %r1}, [%rd0];",
    "mov.b64 {_, %r1}, %rd1;",
};
INSTANTIATE_TEST_SUITE_P(All, TakesDiscard, testing::ValuesIn(kTaken));

class RefusesDiscard : public testing::TestWithParam<const char*> {};

TEST_P(RefusesDiscard, of_a_result_that_must_be_given) {
  const std::string error = body_error(GetParam());
  EXPECT_NE(error.find("'_' for a result that '"), std::string::npos) << error;
}

const char* const kRefused[] = {
    "add.u32 _, %r1, %r2;",
    "mov.u32 _, %tid.x;",
    "ld.global.u32 _, [%rd0];",
    "cvt.u32.f32 _, %f1;",
    "shfl.sync.up.b32 _, %r1, 1, 0, -1;",
    "shfl.sync.up.b32 _|%p0, %r1, 1, 0, -1;",
    "elect.sync %r0|_, -1;",
    "lop3.or.b32 %r0|_, %r1, %r2, %r3, 0x80, %p1;",
    "bar.red.or.pred _, 0, %p1;",
    "mbarrier.test_wait.shared.b64 _, [%rd0], %rd1;",
};
INSTANTIATE_TEST_SUITE_P(All, RefusesDiscard, testing::ValuesIn(kRefused));

class RefusesSink : public testing::TestWithParam<const char*> {};

TEST_P(RefusesSink, where_a_value_is_read) {
  const std::string error = body_error(GetParam());
  EXPECT_NE(error.find("'_' where a value is read"), std::string::npos) << error;
}

const char* const kRead[] = {
    "add.u32 %r0, _, %r1;",
    "st.global.u32 [%rd0], _;",
    "st.global.v2.u32 [%rd0], {_, %r1};",
    "mov.b64 %rd0, {_, %r1};",
    "selp.b32 %r0, _, %r1, %p0;",
    "red.global.add.u32 [%rd0], _;",
    "setp.lt.u32 %p0, _, %r2;",
    "sust.b.1d.b32.trap [%rd0, {_}], %r1;",
};
INSTANTIATE_TEST_SUITE_P(All, RefusesSink, testing::ValuesIn(kRead));

TEST(Discards, of_a_call_are_taken) {
  EXPECT_NO_THROW(parse_text(kHead + ".func (.reg .u32 r) f() { mov.u32 r, 1; ret; }\n"
                                     ".visible .entry k() { call (_), f; ret; }\n"));
}

TEST(Discards, that_are_refused_have_a_place_and_a_remedy) {
  const Fault fault{"add.u32 _, %r1, %r2;", "6:9", "'_' for a result that 'add' must give", "name a register"};
  expect_fault(fault, body_error(fault.text));
}

}  // namespace discards_test
}  // namespace warpfork::ptx
