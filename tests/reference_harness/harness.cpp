#include "reference_harness/harness.h"

#include <fmt/format.h>

#include <algorithm>

#include "ptx/parser.h"
#include "reference/interpreter.h"
#include "reference_harness/records.h"

namespace warpfork::reference {
namespace {

std::string moves(bool in) {
  std::string text;
  const auto add = [&](std::string_view type, std::string_view reg, unsigned index, std::size_t offset) {
    text += in ? fmt::format("  ld.global.{} %{}{}, [%record+{}];\n", type, reg, index, offset)
               : fmt::format("  st.global.{} [%record+{}], %{}{};\n", type, offset, reg, index);
  };
  for (unsigned i = 0; i < 8; ++i) add("b32", "r", i, 4 * i);
  for (unsigned i = 0; i < 4; ++i) add("b64", "d", i, kLongsOffset + 8 * i);
  for (unsigned i = 0; i < 4; ++i) add("b16", "h", i, kHalvesOffset + 2 * i);
  for (unsigned i = 0; i < 4; ++i) {
    if (!in) text += fmt::format("  selp.u32 %word, 1, 0, %p{};\n", i);
    const std::size_t offset = kPredicatesOffset + 4 * i;
    text += in ? fmt::format("  ld.global.u32 %word, [%record+{}];\n", offset)
               : fmt::format("  st.global.u32 [%record+{}], %word;\n", offset);
    if (in) text += fmt::format("  setp.ne.u32 %p{}, %word, 0;\n", i);
  }
  return text;
}

}  // namespace

std::string harness_ptx(std::string_view body, std::string_view functions) {
  return fmt::format(R"(.version 9.0
.target sm_90
.address_size 64
.const .align 8 .u32 table[16] = {{0, 1, 0xffffffff, 0x80000000, 0x3f800000, 0x7f800000, 0x7fc00001, 7, 0x8080, 0x7fff,
  0xff80, 0x12345678, 2, 31, 0x00800000, 0x40490fdb}};
{}
.visible .entry body(.param .u64 records, .param .u64 out)
{{
  .reg .b32 %r<8>;
  .reg .b64 %d<4>;
  .reg .b16 %h<4>;
  .reg .pred %p<4>;
  .reg .b32 %word, %thread, %scratch, %c<16>;
  .reg .pred %loop<16>;
  .reg .b64 %record, %out;
  .shared .align 16 .b8 scratch[8192];
  mov.u32 %thread, %tid.x;
  mov.u32 %scratch, scratch;
  ld.param.u64 %record, [records];
  ld.param.u64 %out, [out];
  mad.wide.u32 %record, %thread, {}, %record;
{}
{}
finish:
{}  ret;
}}
)",
                     functions, kRecordBytes, moves(true), body, moves(false));
}

Outcome run_reference(std::string_view body, const std::vector<ThreadRegisters>& threads, std::string_view functions) {
  const ptx::Module module = ptx::parse(harness_ptx(body, functions), "body.ptx");
  simt::DeviceMemory memory(1 << 24);
  const Interpreter interpreter(module, memory);
  const Records records(memory, threads);
  Grid grid;
  grid.block = {static_cast<std::uint32_t>(threads.size()), 1, 1};
  grid.parameters = records.parameters();
  interpreter.run("body", grid);
  return records.outcome();
}

std::vector<std::uint32_t> run_module_reference(std::string_view ptx, Dim3 grid, Dim3 block, std::size_t words) {
  const ptx::Module module = ptx::parse(ptx, "module.ptx");
  simt::DeviceMemory memory(1 << 24);
  const Interpreter interpreter(module, memory);
  const WordBuffer out(memory, words, module.address_bits / 8);
  Grid launch;
  launch.grid = grid;
  launch.block = block;
  launch.parameters = out.parameters();
  interpreter.run("body", launch);
  return out.words();
}

ThreadRegisters after(std::string_view body, const ThreadRegisters& before) {
  return run_reference(body, {before}).threads.front();
}

std::uint32_t r0_after(std::string_view body, std::initializer_list<std::uint32_t> r) {
  ThreadRegisters before;
  std::copy(r.begin(), r.end(), before.r.begin() + 1);
  return after(body, before).r[0];
}

std::uint64_t d0_after(std::string_view body, std::initializer_list<std::uint64_t> d) {
  ThreadRegisters before;
  std::copy(d.begin(), d.end(), before.d.begin() + 1);
  return after(body, before).d[0];
}

std::string difference(const Outcome& reference, const Outcome& fast) {
  const auto compare = [](std::string_view reg, std::size_t thread, const auto& want, const auto& got) {
    for (std::size_t i = 0; i < want.size(); ++i)
      if (want[i] != got[i])
        return fmt::format("thread {}: %{}{} is {:#x} in the reference, {:#x} in the fast executor", thread, reg, i,
                           static_cast<std::uint64_t>(want[i]), static_cast<std::uint64_t>(got[i]));
    return std::string();
  };
  for (std::size_t i = 0; i < reference.threads.size(); ++i) {
    const ThreadRegisters &want = reference.threads[i], &got = fast.threads[i];
    for (const std::string& text : {compare("r", i, want.r, got.r), compare("d", i, want.d, got.d),
                                    compare("h", i, want.h, got.h), compare("p", i, want.p, got.p)})
      if (!text.empty()) return text;
  }
  for (std::size_t i = 0; i < reference.out.size(); ++i)
    if (reference.out[i] != fast.out[i])
      return fmt::format("out[{}] is {:#x} in the reference, {:#x} in the fast executor", i, reference.out[i],
                         fast.out[i]);
  return {};
}

}  // namespace warpfork::reference
