// Recursive functions as flat code against the reference, which has a stack of calls: however deep each thread goes,
// however lanes are grouped, with registers allocated and without.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>

#include "fast_run.h"
#include "random_bodies.h"
#include "simt/memory_fault.h"

namespace warpfork::simt {
namespace reference_recursion_test {

std::vector<ThreadRegisters> random_threads(Random& random, std::size_t count) {
  std::vector<ThreadRegisters> threads(count);
  for (ThreadRegisters& thread : threads) thread = random_registers(random);
  return threads;
}

/// Registers not allocated, allocated, and so few that most values are spilled.
std::array<CodeOptions, 3> options() {
  std::array<CodeOptions, 3> options;
  options[1].registers.allocate = options[2].registers.allocate = true;
  options[2].registers.of_thread = 16;
  return options;
}

void agree(const std::string& functions, const std::string& body, std::uint64_t seed) {
  Random random(seed);
  const std::vector<ThreadRegisters> threads = random_threads(random, 1 + seed % 80);
  const Outcome expected = run_reference(body, threads, functions);
  for (const CodeOptions& code : options())
    for (const Grouping grouping : {Grouping::Together, Grouping::Scattered})
      ASSERT_EQ(difference(expected, run_fast(body, threads, grouping, seed, functions, code)), "")
          << functions << body;
}

struct Recursion {
  const char* name;
  const char* functions;
  const char* body;
};

void PrintTo(const Recursion& recursion, std::ostream* out) { *out << recursion.name; }

class RecursionCase : public testing::TestWithParam<Recursion> {};

TEST_P(RecursionCase, agrees) {
  for (const std::uint64_t seed : {63u, 64u, 65u, 66u}) agree(GetParam().functions, GetParam().body, seed);
}

const Recursion kCases[] = {
    {"Fibonacci", R"(
.func (.param .b32 r) f(.param .b32 n)
{
  .reg .b32 %n, %a, %b;
  .reg .pred %q;
  ld.param.b32 %n, [n];
  setp.lt.u32 %q, %n, 2;
  @%q bra LEAF;
  sub.u32 %a, %n, 1;
  { .param .b32 x; .param .b32 y; st.param.b32 [x], %a; call (y), f, (x); ld.param.b32 %a, [y]; }
  sub.u32 %b, %n, 2;
  { .param .b32 x; .param .b32 y; st.param.b32 [x], %b; call (y), f, (x); ld.param.b32 %b, [y]; }
  add.u32 %n, %a, %b;
LEAF:
  st.param.b32 [r], %n;
  ret;
}
)",
     "and.b32 %r0, %r1, 7; call (%r0), f, (%r0); mad.lo.u32 %r2, %r0, %r2, %r3;"},
    {"AckermannInRegisters", R"(
.func (.reg .b32 %s) f(.reg .b32 %m, .reg .b32 %n)
{
  .reg .b32 %a, %b;
  .reg .pred %q;
  add.u32 %s, %n, 1;
  setp.eq.u32 %q, %m, 0;
  @%q ret;
  sub.u32 %a, %m, 1;
  mov.u32 %b, 1;
  setp.eq.u32 %q, %n, 0;
  @%q bra OUTER;
  sub.u32 %b, %n, 1;
  call (%b), f, (%m, %b);
OUTER:
  call (%s), f, (%a, %b);
  ret;
}
)",
     "rem.u32 %r0, %r1, 3; and.b32 %r2, %r2, 3; call (%r0), f, (%r0, %r2);"},
    {"MutualWithAnAlias", R"(
.func (.reg .b32 %s) odd(.reg .b32 %n);
.func (.reg .b32 %s) even(.reg .b32 %n)
{
  .reg .b32 %m;
  .reg .pred %q;
  mov.u32 %s, 1000;
  setp.eq.u32 %q, %n, 0;
  @%q ret;
  sub.u32 %m, %n, 1;
  call (%s), odd, (%m);
  mad.lo.u32 %s, %s, 3, %n;
  ret;
}
.func (.reg .b32 %s) other(.reg .b32 %n)
{
  .reg .b32 %m;
  .reg .pred %q;
  mov.u32 %s, 7;
  setp.gt.u32 %q, %n, 0;
  sub.u32 %m, %n, 1;
  @%q call (%s), even, (%m);
  xor.b32 %s, %s, %n;
  ret;
}
.alias odd, other;
)",
     "and.b32 %r0, %r1, 15; @%p0 call (%r2), even, (%r0); @!%p1 call (%r3), odd, (%r0);"},
    {"ArgumentsThatChangePlaces", R"(
.func (.reg .b32 %x, .reg .b32 %y) f(.reg .b32 %a, .reg .b32 %b, .reg .b32 %n)
{
  .reg .pred %q;
  .reg .b32 %m;
  mov.b32 %x, %a;
  mov.b32 %y, %b;
  setp.eq.u32 %q, %n, 0;
  @%q ret;
  sub.u32 %m, %n, 1;
  call (%y, %x), f, (%b, %a, %m);
  add.u32 %x, %x, %n;
  ret;
}
)",
     "and.b32 %r0, %r1, 7; call (%r2, %r3), f, (%r2, %r3, %r0);"},
    {"ValuesOfAllWidthsInLoops", R"(
.func (.param .b64 r) f(.param .b32 n, .param .b64 d)
{
  .reg .b32 %n, %i, %m;
  .reg .b16 %h;
  .reg .b64 %d, %e;
  .reg .pred %even, %more;
  ld.param.b32 %n, [n];
  ld.param.b64 %d, [d];
  cvt.u16.u64 %h, %d;
  and.b32 %i, %n, 1;
  setp.eq.u32 %even, %i, 0;
  mov.u32 %i, 0;
AGAIN:
  setp.ge.u32 %more, %i, %n;
  @%more bra END;
  xor.b64 %e, %d, 0x5555123456789;
  { .param .b32 x; .param .b64 y; .param .b64 z; st.param.b32 [x], %i; st.param.b64 [y], %e;
    call (z), f, (x, y); ld.param.b64 %e, [z]; }
  mad.lo.u64 %d, %d, 3, %e;
  @%even add.u64 %d, %d, 77;
  cvt.u64.u16 %e, %h;
  xor.b64 %d, %d, %e;
  add.u32 %i, %i, 1;
  bra AGAIN;
END:
  st.param.b64 [r], %d;
  ret;
}
)",
     "and.b32 %r0, %r1, 3; call (%d0), f, (%r0, %d1); @%p0 call (%d2), f, (%r0, %d3);"},
    {"ArraysWhoseAddressesGoDown", R"(
.func (.param .b32 r) f(.param .b32 n, .param .b64 above, .param .b64 near)
{
  .reg .b32 %n, %m, %v;
  .reg .b64 %above, %near, %own, %any;
  .reg .pred %q;
  .local .align 8 .b8 own[24];
  ld.param.b32 %n, [n];
  ld.param.b64 %above, [above];
  ld.param.b64 %near, [near];
  ld.b32 %v, [%above];
  mad.lo.u32 %v, %v, 5, %n;
  st.local.b32 [own+8], %v;
  st.local.b64 [own], %above;
  mov.u64 %own, own;
  cvta.local.u64 %any, %own;
  ld.local.b32 %m, [%near];
  add.u32 %v, %v, %m;
  st.b32 [%any+16], %v;
  setp.eq.u32 %q, %n, 0;
  @%q bra END;
  sub.u32 %m, %n, 1;
  add.u64 %any, %any, 8;
  add.u64 %own, %own, 16;
  { .param .b32 x; .param .b64 y; .param .b64 z; .param .b32 w; st.param.b32 [x], %m; st.param.b64 [y], %any;
    st.param.b64 [z], %own; call (w), f, (x, y, z); ld.param.b32 %m, [w]; }
  ld.local.b32 %v, [own+8];
  add.u32 %v, %v, %m;
  st.b32 [%above], %v;
END:
  ld.local.b32 %m, [own+16];
  mad.lo.u32 %v, %m, 3, %v;
  st.param.b32 [r], %v;
  ret;
}
)",
     R"(
  .local .align 4 .b8 first[8];
  and.b32 %r0, %r1, 7;
  st.local.v2.b32 [first], {%r2, %r3};
  mov.u64 %d0, first;
  cvta.local.u64 %d1, %d0;
  add.u64 %d0, %d0, 4;
  call (%r4), f, (%r0, %d1, %d0);
  ld.local.v2.b32 {%r2, %r3}, [first];
  mov.u64 %d0, 0;
  mov.u64 %d1, 0;)"},
    {"StructuresByBytes", R"(
.func (.param .align 8 .b8 r[24]) f(.param .align 8 .b8 a[24])
{
  .reg .b32 %n, %m, %v, %w;
  .reg .b64 %d, %e;
  .reg .b16 %h;
  .reg .pred %q;
  ld.param.v2.b32 {%n, %v}, [a];
  ld.param.b64 %d, [a+8];
  ld.param.b16 %h, [a+16];
  ld.param.u8 %w, [a+18];
  setp.eq.u32 %q, %n, 0;
  @%q bra END;
  sub.u32 %m, %n, 1;
  { .param .align 8 .b8 x[24]; .param .align 8 .b8 y[24];
    st.param.v2.b32 [x], {%m, %w}; st.param.b64 [x+8], %d; st.param.b16 [x+16], %h; st.param.b8 [x+18], %v;
    call (y), f, (x);
    ld.param.v2.b32 {%m, %w}, [y]; ld.param.b64 %e, [y+8]; ld.param.b16 %h, [y+16]; }
  add.u32 %v, %v, %m;
  mad.lo.u64 %d, %d, 9, %e;
END:
  st.param.v2.b32 [r], {%v, %w};
  st.param.b64 [r+8], %d;
  st.param.b16 [r+16], %h;
  ret;
}
)",
     R"(
  and.b32 %r0, %r1, 7;
  { .param .align 8 .b8 x[24]; .param .align 8 .b8 y[24];
    st.param.v2.b32 [x], {%r0, %r2}; st.param.b64 [x+8], %d0; st.param.b16 [x+16], %h0; st.param.b8 [x+18], %r3;
    call (y), f, (x);
    ld.param.v2.b32 {%r4, %r5}, [y]; ld.param.b64 %d1, [y+8]; ld.param.b16 %h1, [y+16]; })"},
    // As clang -O0 reads a structure that a function is given.
    {"StructuresReadByTheirAddresses", R"(
.func (.param .align 4 .b8 r[12]) f(.param .align 4 .b8 a[12])
{
  .reg .b32 %n, %m, %v;
  .reg .b64 %at;
  .reg .pred %q;
  mov.b64 %at, a;
  ld.param.b32 %n, [%at];
  ld.param.b32 %v, [%at+8];
  setp.eq.u32 %q, %n, 0;
  @%q bra END;
  sub.u32 %m, %n, 1;
  { .param .align 4 .b8 x[12]; .param .align 4 .b8 y[12];
    st.param.b32 [x], %m; st.param.b32 [x+4], %v; st.param.b32 [x+8], %n;
    call (y), f, (x);
    ld.param.b32 %m, [y+8]; }
  ld.param.b32 %n, [%at+4];
  mad.lo.u32 %v, %v, 3, %m;
  xor.b32 %v, %v, %n;
END:
  st.param.b32 [r+8], %v;
  ret;
}
)",
     R"(
  and.b32 %r0, %r1, 7;
  { .param .align 4 .b8 x[12]; .param .align 4 .b8 y[12];
    st.param.b32 [x], %r0; st.param.b32 [x+4], %r2; st.param.b32 [x+8], %r3;
    call (y), f, (x);
    ld.param.b32 %r4, [y+8]; })"},
    // The caller's own parameter is the argument, its own result the result.
    {"ParametersThatArePassedOn", R"(
.func (.param .b32 r) f(.param .b32 n, .param .b32 v)
{
  .reg .b32 %n, %v;
  .reg .pred %q;
  ld.param.b32 %n, [n];
  ld.param.b32 %v, [v];
  st.param.b32 [r], %v;
  setp.eq.u32 %q, %n, 0;
  @%q ret;
  sub.u32 %n, %n, 1;
  { .param .b32 x; st.param.b32 [x], %n; call (r), f, (x, v); }
  ld.param.b32 %v, [r];
  add.u32 %v, %v, %n;
  st.param.b32 [r], %v;
  ret;
}
)",
     "and.b32 %r0, %r1, 7; call (%r2), f, (%r0, %r3);"},
    {"CallsThroughPointers", R"(
.func (.param .b32 r) f(.param .b32 n);
.func (.param .b32 r) g(.param .b32 n);
.global .align 8 .u64 both[2] = {f, g};
.func (.param .b32 r) f(.param .b32 n)
{
  .reg .b32 %n, %i;
  .reg .b64 %at;
  .reg .pred %q;
  P: .callprototype (.param .b32 _) _ (.param .b32 _);
  ld.param.b32 %n, [n];
  setp.lt.u32 %q, %n, 2;
  and.b32 %i, %n, 8;
  mov.u64 %at, both;
  mad.wide.u32 %at, %i, 1, %at;
  ld.global.u64 %at, [%at];
  shr.u32 %i, %n, 1;
  { .param .b32 x; .param .b32 y; st.param.b32 [x], %i; st.param.b32 [y], %n; @!%q call (y), %at, (x), P;
    ld.param.b32 %i, [y]; }
  add.u32 %n, %n, %i;
  st.param.b32 [r], %n;
  ret;
}
.func (.param .b32 r) g(.param .b32 n)
{
  .reg .b32 %n, %i;
  .reg .pred %q;
  ld.param.b32 %n, [n];
  setp.lt.u32 %q, %n, 3;
  sub.u32 %i, %n, 3;
  { .param .b32 x; .param .b32 y; st.param.b32 [x], %i; st.param.b32 [y], 5; @!%q call (y), f, (x);
    ld.param.b32 %i, [y]; }
  mad.lo.u32 %n, %n, 7, %i;
  st.param.b32 [r], %n;
  ret;
}
)",
     R"(
  P: .callprototype (.param .b32 _) _ (.param .b32 _);
  and.b32 %r0, %r1, 63;
  and.b32 %r3, %r2, 8;
  mov.u64 %d0, both;
  mad.wide.u32 %d0, %r3, 1, %d0;
  ld.global.u64 %d0, [%d0];
  { .param .b32 x; .param .b32 y; st.param.b32 [x], %r0; call (y), %d0, (x), P; ld.param.b32 %r4, [y]; }
  mov.u64 %d0, 0;)"},
    {"ThreadsThatExitFarDown", R"(
.func (.reg .b32 %s) f(.reg .b32 %n, .reg .b32 %v)
{
  .reg .b32 %m;
  .reg .pred %q;
  mov.b32 %s, %v;
  setp.eq.u32 %q, %n, 9;
  @%q exit;
  setp.eq.u32 %q, %n, 0;
  @%q ret;
  sub.u32 %m, %n, 1;
  call (%s), f, (%m, %s);
  add.u32 %s, %s, %m;
  ret;
}
)",
     "and.b32 %r0, %r1, 15; call (%r2), f, (%r0, %r3);"},
};
INSTANTIATE_TEST_SUITE_P(All, RecursionCase, testing::ValuesIn(kCases),
                         [](const auto& info) { return std::string(info.param.name); });

constexpr unsigned kFunctions = 3;

/// Of the function with its number instead of {}: registers as a body of the harness has them, `own` in local memory.
constexpr const char* kHead =
    ".func (.param .b32 r, .param .align 8 .b8 s[16]) f{}(.param .b32 fuel, .param .align 8 .b8 v[16], .param .b32 "
    "place, "
    ".param .b64 records, .param .b64 out)";
constexpr const char* kPrototype =
    "P: .callprototype (.param .b32 _, .param .align 8 .b8 _[16]) _ (.param .b32 _, .param .align 8 .b8 _[16], .param "
    ".b32 _, .param .b64 _, .param .b64 _);\n";
constexpr const char* kPrologue = R"(
{
  .reg .b32 %r<8>;
  .reg .b64 %d<4>;
  .reg .b16 %h<4>;
  .reg .pred %p<4>;
  .reg .b32 %fuel, %thread, %scratch, %c<16>;
  .reg .pred %loop<16>, %empty;
  .reg .b64 %out, %own, %f;
  .local .align 8 .b8 own[16];
  mov.u32 %thread, %tid.x;
  ld.param.b32 %fuel, [fuel];
  ld.param.b64 %d0, [v];
  ld.param.v2.b32 {%r0, %r1}, [v+8];
  ld.param.b32 %scratch, [place];
  ld.param.b64 %out, [out];
  mov.b32 {%h0, %h1}, %r0;
  mov.b32 {%h2, %h3}, %r1;
  add.u64 %d1, %d0, 1; not.b64 %d2, %d0; shl.b64 %d3, %d0, 3;
  add.u32 %r2, %r0, %r1; not.b32 %r3, %r0; shr.u32 %r4, %r1, 4;
  mul.lo.u32 %r5, %r0, %r1; neg.s32 %r6, %r1; mov.u32 %r7, 9;
  setp.lt.u32 %p0, %r0, %r1; setp.lt.s32 %p1, %r0, 0; setp.gt.s32 %p2, %r1, 5; setp.eq.u32 %p3, %r0, %r1;
  mov.u64 %own, own;
  st.local.b64 [own], %d0;
  st.local.v2.b32 [%own+8], {%r0, %r1};
  setp.eq.u32 %empty, %fuel, 0;
  @%empty bra finish;
  sub.u32 %fuel, %fuel, 1;
)";
constexpr const char* kEpilogue = R"(
finish:
  ld.local.b32 %c0, [%own+12];
  ld.local.b64 %d1, [own];
  xor.b32 %r1, %r1, %c0;
  add.u64 %d0, %d0, %d1;
  st.param.b32 [r], %r1;
  st.param.b64 [s], %d0;
  st.param.v2.b32 [s+8], {%r2, %r3};
  ret;
}
)";

/// Of any of the functions, sometimes under a guard, sometimes through a pointer that is not the same for all threads.
std::string random_call(Random& random, const std::string& fuel) {
  std::string text = instantiate(
      "{ .param .b32 a, c, x; .param .align 8 .b8 b[16], y[16]; .param .b64 d, e;\n"
      "  st.param.b64 [b], %d; st.param.v2.b32 [b+8], {%r, %r}; st.param.b32 [c], %scratch; st.param.b64 [e], %out;\n"
      "  ld.param.b64 %f, [records]; st.param.b64 [d], %f;\n"
      "  st.param.b32 [x], %r; st.param.b64 [y], %d; st.param.v2.b32 [y+8], {%r, %r};\n",
      random);
  text += "  st.param.b32 [a], " + fuel + ";\n";
  const bool by_pointer = random() % 4 == 0;
  if (by_pointer)
    text += instantiate(
        "  and.b32 %c13, %r, 1;\n  mov.u64 %f, pointers;\n  mad.wide.u32 %f, %c13, 8, %f;\n  ld.global.u64 %f, [%f];\n",
        random);
  text += random() % 3 == 0 ? instantiate("  @%P call", random) : "  call";
  text += by_pointer ? " (x, y), %f, (a, b, c, d, e), P;\n"
                     : fmt::format(" (x, y), f{}, (a, b, c, d, e);\n", random() % kFunctions);
  return text +
         instantiate("  ld.param.b32 %r, [x]; ld.param.b64 %d, [y]; ld.param.v2.b32 {%r, _}, [y+8];\n}\n", random);
}

std::string random_functions(Random& random) {
  std::string text;
  for (unsigned i = 0; i < kFunctions; ++i) text += fmt::format(fmt::runtime(kHead), i) + ";\n";
  text += ".global .align 8 .u64 pointers[2] = {f0, f2};\n";
  for (unsigned i = 0; i < kFunctions; ++i) {
    text +=
        fmt::format(fmt::runtime(kHead), i) + kPrologue + kPrototype + "  " + random_guarded_instruction(random) + "\n";
    if (random() % 2 == 0) text += random_call(random, "%fuel");
    text += random_program(random, 8) + random_call(random, "%fuel");
    text += "  " + random_guarded_instruction(random) + "\n" + kEpilogue;
  }
  return text;
}

TEST(Recursion, of_random_functions_agrees) {
  for (unsigned i = 0; i < 12; ++i) {
    Random random(i);
    const std::string functions = random_functions(random);
    const std::string body = std::string(kPrototype) + ".reg .b64 %f;\nand.b32 %c0, %r1, 3;\n" +
                             random_call(random, "%c0") + random_guarded_instruction(random) + "\n" +
                             random_call(random, "%c0") + "mov.u64 %f, 0;\n";
    agree(functions, body, i);
    if (HasFatalFailure()) return;
  }
}

/// n + (n - 1) + … + 0: the thread waits for itself with n and the call's number, 8 bytes, n times.
constexpr const char* kSum =
    ".func (.reg .u32 %s) sum(.reg .u32 %n) { .reg .pred %q; .reg .u32 %m; mov.u32 %s, 0; setp.eq.u32 %q, %n, 0;\n"
    "@%q ret; sub.u32 %m, %n, 1; call (%s), sum, (%m); add.u32 %s, %s, %n; ret; }\n";
constexpr unsigned kMostCalls = lower::kStackBytes / 8;

std::uint32_t sum_to(unsigned n, const CodeOptions& code = {}) {
  ThreadRegisters thread;
  thread.r[1] = n;
  return run_fast("call (%r0), sum, (%r1);", {{}, thread}, Grouping::Together, 4, kSum, code).threads[1].r[0];
}

TEST(Recursion, may_go_as_deep_as_the_stack_is) {
  EXPECT_EQ(sum_to(kMostCalls), kMostCalls * (kMostCalls + 1) / 2);
  CodeOptions twice;
  twice.stack_bytes = 2 * lower::kStackBytes;
  EXPECT_EQ(sum_to(2 * kMostCalls, twice), kMostCalls * (2 * kMostCalls + 1));
}

TEST(Recursion, that_goes_too_deep_is_an_error_with_thread_line_and_remedy) {
  using testing::AllOf;
  using testing::HasSubstr;
  EXPECT_THAT(
      [] { sum_to(kMostCalls + 1); },
      testing::ThrowsMessage<MemoryFault>(
          AllOf(HasSubstr("body.ptx:7: error: kernel 'body', thread (1,0,0) of block (0,0,0): local store of 4 bytes"),
                HasSubstr("is out of bounds"), HasSubstr("the last 16384 are the stack of recursive calls"),
                HasSubstr("cudaDeviceSetLimit(cudaLimitStackSize"))));
}

}  // namespace reference_recursion_test
}  // namespace warpfork::simt
