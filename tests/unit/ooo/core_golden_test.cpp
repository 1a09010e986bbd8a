// SIMT-X Figure 1(a) on whole cores, cycle by cycle, as the pipeline log tells it.
#include <gtest/gtest.h>

#include <sstream>

#include "golden/golden_file.h"
#include "ooo/konata_log.h"
#include "unit/ooo/listened_run.h"

namespace warpfork::ooo {
namespace core_golden_test {

/// Figure 1(a); r0, r1 and r2 are rax, rcx and rdx. Which threads go which way is chosen by `seed`.
///   1000  r1 ← r0             h0
///   1004  compare r0
///   1008  branch to 1014
///   100c  r2 ← r0             h2, the "else"
///   1010  jump to 1020
///   1014  r1 ← r1 + r0        h1, the "if", which a new predictor takes the branch to
///   1018  nop, twice
///   1020  r1 ← r1 − 1         h3
///   1024  end
SpmdProgram figure_1a() {
  const auto operation = [](std::initializer_list<x86::RegisterId> sources, x86::RegisterId destination) {
    x86::Uop made;
    made.kind = x86::UopKind::IntegerAlu;
    for (const x86::RegisterId source : sources) made.sources[made.source_count++] = source;
    made.destinations[made.destination_count++] = destination;
    return made;
  };
  constexpr x86::RegisterId kR0 = 0, kR1 = 1, kR2 = 2;
  SpmdProgram program;
  program.add({operation({kR0}, kR1)});
  program.add({operation({kR0}, x86::kFlags)});
  x86::StaticInstruction& to_if = program.branch({.percent = 50});
  program.add({operation({kR0}, kR2)});
  x86::StaticInstruction& to_join = program.jump(x86::BranchKind::Jump);
  to_if.target = program.here();
  program.add({operation({kR1, kR0}, kR1)});
  program.add({x86::Uop{}});
  program.add({x86::Uop{}});
  to_join.target = program.here();
  program.add({operation({kR1}, kR1)});
  program.end();
  return program;
}

/// Lines "core simt-x", "rename pirat", "seed 34". One warp of four threads; one instruction a cycle is fetched and
/// decoded in one more, so that h2 is there before h1 has come to the end of the "if".
std::string run(const std::string& input) {
  MachineSpec machine;
  machine.warps = 1;
  machine.threads = 4;
  machine.pipeline.fetch_width = machine.pipeline.front_end_depth = 1;
  std::istringstream lines(input);
  std::string core;
  unsigned seed = 0;
  for (std::string word; lines >> word;) {
    if (word == "core") lines >> core;
    if (word == "rename") lines >> machine.rename;
    if (word == "seed") lines >> seed;
    if (word[0] == '#') lines.ignore(1000, '\n');
  }
  std::ostringstream log;
  KonataLog konata(log, nullptr);
  run_listened(core, machine, figure_1a(), seed, {&konata});
  konata.finish();
  return log.str();
}

class CoreGolden : public ::testing::TestWithParam<const char*> {};

TEST_P(CoreGolden, pipeline_is_as_worked_out) {
  golden::check(std::string("tests/golden/ooo/konata_figure_1a_") + GetParam() + ".golden", run);
}

INSTANTIATE_TEST_SUITE_P(SimtX, CoreGolden, ::testing::Values("pirat", "rat", "ditva"),
                         [](const auto& info) { return std::string(info.param); });

}  // namespace core_golden_test
}  // namespace warpfork::ooo
