// Matrices by the warp, wmma, against the reference, which keeps their fragments in another order: what lies in memory
// is the same, with registers allocated and without.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include "fast_run.h"
#include "random_bodies.h"

namespace warpfork::simt {
namespace reference_matrix_test {

/// Matrices of one type, and how many registers of %x, %y and %f their fragments have.
struct Kind {
  const char* shape;
  const char* factor;  // type of A and B
  const char* sum;
  const char* words;  // of the product, behind the shape
  unsigned a, b, c;
};

void PrintTo(const Kind& kind, std::ostream* out) { *out << kind.shape << ' ' << kind.words; }

const Kind kKinds[] = {
    {"m16n16k16", "f16", "f32", "f32.f32", 8, 8, 8},
    {"m16n16k16", "f16", "f16", "f16.f16", 8, 8, 4},
    {"m32n8k16", "f16", "f32", "f32.f32", 8, 8, 8},
    {"m8n32k16", "f16", "f16", "f16.f16", 8, 8, 4},
    {"m16n16k16", "bf16", "f32", "f32.bf16.bf16.f32", 4, 4, 8},
    {"m32n8k16", "bf16", "f32", "f32.bf16.bf16.f32", 8, 2, 8},
    {"m8n32k16", "bf16", "f32", "f32.bf16.bf16.f32", 2, 8, 8},
    {"m16n16k16", "s8", "s32", "satfinite.s32.s8.s8.s32", 2, 2, 8},
    {"m32n8k16", "u8", "s32", "s32.u8.u8.s32", 4, 1, 8},
    {"m8n32k16", "s8", "s32", "s32.s8.s8.s32", 1, 4, 8},
    {"m16n16k8", "tf32", "f32", "f32.tf32.tf32.f32", 4, 4, 8},
    {"m8n8k4", "f64", "f64", "rn.f64.f64.f64.f64", 1, 1, 2},
};

std::string list(const std::string& letter, unsigned count) {
  std::string text;
  for (unsigned i = 0; i < count; ++i) text += fmt::format("{}%{}{}", i == 0 ? "" : ", ", letter, i);
  return "{" + text + "}";
}

/// The first 2 KB of shared memory hold A, B and C, one over the other, and the result comes behind them. Rows and
/// columns of A and B have 40 elements, those of C as many as they have if nothing is said.
std::string body_of(const Kind& kind, const char* a, const char* b, const char* c) {
  const bool is_double = std::string_view(kind.factor) == "f64";
  const std::string x = is_double ? "g" : "x", y = is_double ? "k" : "y", f = is_double ? "u" : "f";
  const std::string fragments[] = {list(x, kind.a), list(y, kind.b), list(f, kind.c)};
  std::string text = R"(
    .reg .b32 %at, %x<8>, %y<8>, %f<8>; .reg .b64 %g<2>, %k<2>, %u<2>, %base;
    mad.lo.u32 %at, %thread, 64, %scratch;
    st.shared.v4.b32 [%at], {%r0, %r1, %r2, %r3}; st.shared.v4.b32 [%at+16], {%r4, %r5, %r6, %r7};
    st.shared.v2.b64 [%at+32], {%d0, %d1}; st.shared.v2.b64 [%at+48], {%d2, %d3};
    cvt.u64.u32 %base, %scratch; cvta.shared.u64 %base, %base;
    mov.u32 %r7, 40;
)";
  text += fmt::format("    wmma.load.a.sync.aligned.{}.{}.shared.{} {}, [%scratch], %r7;\n", a, kind.shape, kind.factor,
                      fragments[0]);
  text += fmt::format("    wmma.load.b.sync.aligned.{}.{}.{} {}, [%base+64], 40;\n", b, kind.shape, kind.factor,
                      fragments[1]);
  text += fmt::format("    wmma.load.c.sync.aligned.{}.{}.shared.{} {}, [scratch+128];\n", c, kind.shape, kind.sum,
                      fragments[2]);
  text += fmt::format("    wmma.mma.sync.aligned.{}.{}.{}.{} {}, {}, {}, {};\n", a, b, kind.shape, kind.words,
                      fragments[2], fragments[0], fragments[1], fragments[2]);
  text += fmt::format("    wmma.store.d.sync.aligned.{}.{}.shared.{} [%scratch+2048], {}, %r7;\n", c, kind.shape,
                      kind.sum, fragments[2]);
  return text + R"(
    mad.lo.u32 %at, %thread, 192, %scratch;
    .reg .b64 %to; mad.wide.u32 %to, %thread, 192, %out;
    mov.u32 %c0, 0;
  more:
    ld.shared.v4.b32 {%x0, %x1, %x2, %x3}, [%at+2048]; st.global.v4.b32 [%to], {%x0, %x1, %x2, %x3};
    add.u32 %at, %at, 16; add.u64 %to, %to, 16; add.u32 %c0, %c0, 16;
    setp.lt.u32 %p0, %c0, 192;
    @%p0 bra more;)";
}

class WmmaKind : public testing::TestWithParam<Kind> {};

TEST_P(WmmaKind, agrees) {
  Random random(2028);
  CodeOptions allocated;
  allocated.registers.allocate = true;
  for (const char* a : {"row", "col"})
    for (const char* b : {"row", "col"})
      for (const char* c : {"row", "col"}) {
        std::vector<ThreadRegisters> threads(32);
        for (ThreadRegisters& thread : threads) thread = random_registers(random);
        const std::string body = body_of(GetParam(), a, b, c);
        const Outcome expected = run_reference(body, threads);
        ASSERT_EQ(difference(expected, run_fast(body, threads, Grouping::Together, 1)), "") << body;
        ASSERT_EQ(difference(expected, run_fast(body, threads, Grouping::Together, 4, "", allocated)), "") << body;
      }
}

INSTANTIATE_TEST_SUITE_P(Reference, WmmaKind, testing::ValuesIn(kKinds), [](const auto& info) {
  return fmt::format("{}_{}_{}", info.param.shape, info.param.factor, info.param.sum);
});

}  // namespace reference_matrix_test
}  // namespace warpfork::simt
