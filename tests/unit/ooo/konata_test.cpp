// The pipeline log on random programs: that a viewer can read it, and that it has every µop.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>
#include <set>
#include <sstream>
#include <utility>

#include "base/error.h"
#include "ooo/konata_log.h"
#include "unit/ooo/listened_run.h"

namespace warpfork::ooo {
namespace konata_test {

using ::testing::HasSubstr;
using ::testing::ThrowsMessage;

/// Reads a log as docs/kanata-log-format.md of Konata defines it, and as strictly as that allows.
struct Reader {
  explicit Reader(const std::string& text) {
    std::istringstream lines(text);
    std::string text_line;
    std::getline(lines, text_line);
    EXPECT_EQ(text_line, "Kanata\t0004");
    std::getline(lines, text_line);
    EXPECT_EQ(text_line, "C=\t0");
    while (std::getline(lines, text_line)) read(text_line);
    EXPECT_TRUE(stage.empty()) << stage.size() << " rows never retire";
  }

  void read(const std::string& text) {
    std::istringstream fields(text);
    std::string command, name;
    std::uint64_t first = 0, second = 0;
    fields >> command >> first;
    if (command == "C") {
      EXPECT_GT(first, 0u);
      cycles += first;
      return;
    }
    if (command == "I") {
      EXPECT_EQ(first, rows++) << "rows are numbered on";
      stage[first] = "";
      return;
    }
    ASSERT_TRUE(stage.contains(first)) << text << ": before its I or after its R";
    fields >> second;
    if (command == "S") {
      fields >> name;
      EXPECT_FALSE(open.contains(first)) << text << " before the end of " << stage[first];
      EXPECT_LT(order(stage[first]), order(name)) << text << " after " << stage[first];
      if (stage[first].empty() && name != "F") late.insert(first);
      EXPECT_EQ(second, late.contains(first) ? 1u : 0u) << text << ": lane";
      stage[first] = name;
      open.insert(first);
    } else if (command == "E") {
      fields >> name;
      EXPECT_TRUE(open.erase(first) == 1 && stage[first] == name) << text;
      EXPECT_EQ(second, late.contains(first) ? 1u : 0u) << text << ": lane";
    } else if (command == "R") {
      std::uint64_t flush = 0;
      fields >> flush;
      EXPECT_FALSE(open.contains(first)) << text << " before the end of " << stage[first];
      EXPECT_EQ(second, retired) << text;
      (flush != 0 ? flushed : retired) += 1;
      stage.erase(first);
    } else if (command == "W") {
      EXPECT_LT(second, rows);
      EXPECT_NE(second, first);
      ++arrows;
    } else {
      EXPECT_EQ(command, "L");
      merges += text.find("[merge]") != std::string::npos;
      cuops += text.find("[cuop]") != std::string::npos;
    }
  }

  static int order(const std::string& stage) {
    static const std::map<std::string, int> kOrder = {{"", 0},    {"F", 1}, {"Dc", 2}, {"Rn", 3},
                                                      {"stl", 4}, {"X", 5}, {"Cm", 6}};
    return kOrder.at(stage);
  }

  std::uint64_t cycles = 0, rows = 0, retired = 0, flushed = 0, arrows = 0, merges = 0, cuops = 0;
  std::map<std::uint64_t, std::string> stage;  // of the rows that are there: the latest
  std::set<std::uint64_t> open;                // rows whose stage has not ended
  std::set<std::uint64_t> late;                // rows that were not there at the fetch: in lane 1
};

std::string log_of(const std::string& core, const std::string& rename, unsigned seed, CoreCounts& counts) {
  MachineSpec machine;
  machine.rename = rename;
  std::ostringstream out;
  KonataLog log(out, nullptr);
  counts = run_listened(core, machine, SpmdProgram::random(seed), seed, {&log});
  log.finish();
  return out.str();
}

class Konata : public ::testing::TestWithParam<std::pair<const char*, const char*>> {};

TEST_P(Konata, has_every_uop_once) {
  const auto [core, rename] = GetParam();
  std::uint64_t arrows = 0;
  for (unsigned seed = 1; seed <= 40; ++seed) {
    CoreCounts counts;
    const Reader read(log_of(core, rename, seed, counts));
    const bool in_order = core == std::string("ditva");  // which counts no path µops
    const bool free = rename == std::string("free-merge");
    EXPECT_EQ(read.retired, counts.uops + (in_order ? counts.front.convergences : 0) + (free ? counts.merges : 0))
        << "seed " << seed;
    EXPECT_GE(read.cuops, counts.front.convergences);
    EXPECT_GE(read.merges, counts.merges);
    EXPECT_LE(read.cycles, counts.cycles);
    EXPECT_GE(read.flushed, counts.flushed);  // what was fetched, but not renamed, among them
    arrows += read.arrows;
  }
  EXPECT_EQ(arrows == 0, core == std::string("ditva"));
}

INSTANTIATE_TEST_SUITE_P(Cores, Konata,
                         ::testing::Values(std::pair("smt", "pirat"), std::pair("ditva", "pirat"),
                                           std::pair("simt-x", "pirat"), std::pair("simt-x", "rat"),
                                           std::pair("simt-x", "free-merge")),
                         [](const auto& info) {
                           std::string name = fmt::format("{}_{}", info.param.first, info.param.second);
                           for (char& letter : name)
                             if (letter == '-') letter = '_';
                           return name;
                         });

TEST(KonataLog, is_the_same_every_time_and_leaves_the_run_as_it_is) {
  CoreCounts one, other;
  EXPECT_EQ(log_of("simt-x", "pirat", 8, one), log_of("simt-x", "pirat", 8, other));
  MachineSpec machine;
  EXPECT_EQ(run_listened("simt-x", machine, SpmdProgram::random(8), 8, {}).cycles, one.cycles);
}

TEST(KonataLog, says_when_its_file_cannot_be_written) {
  EXPECT_THROW(KonataLog("/nowhere/at/all.log", nullptr), Error);
}

TEST(KonataLog, says_when_the_disk_is_full) {
  for (const bool is_full_early : {false, true}) {
    KonataLog log("/dev/full", nullptr);
    log.started(0, PathTable({1, 3}), nullptr);
    const Fetched fetched;
    const BranchRecord branch;
    const std::uint64_t rows = is_full_early ? 10'000 : 0;  // more than is kept back
    for (std::uint64_t number = 0; number < rows; ++number) log.fetched({0, 0, number, fetched, &branch});
    EXPECT_THAT([&] { log.finish(); },
                ThrowsMessage<Error>(HasSubstr("/dev/full: error: cannot be written: No space left on device")));
  }
}

}  // namespace konata_test
}  // namespace warpfork::ooo
