// MULTIPATH Figure 9: the scoreboard and the dependency masks, state by state.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <map>
#include <sstream>

#include "golden/golden_file.h"
#include "gpu/scoreboard.h"
#include "registers.h"

namespace warpfork::gpu {
namespace scoreboard_golden_test {

constexpr unsigned kLanes = 4;

struct Named {
  simt::Instruction instruction;
  ActiveMask lanes;
  bool is_load = false;
};

/// Commands of a golden file: instruction NAME LANES load|other writes rA … reads rB …; issue NAME; write-back NAME;
/// show TITLE NAME… (the decoded instructions, each with its dependency mask: r1, r0).
class Figure {
 public:
  std::string run(const std::string& commands) {
    std::istringstream lines(commands);
    for (std::string line; std::getline(lines, line);)
      if (!line.empty() && line[0] != '#') command(line);
    return output_;
  }

 private:
  void command(const std::string& line) {
    std::istringstream words(line);
    std::string verb, name;
    words >> verb >> name;
    if (verb == "instruction") {
      define(name, words);
    } else if (verb == "issue") {
      const Named& issued = named_.at(name);
      EXPECT_EQ(scoreboard_.hazard(0, issued.instruction, issued.lanes), Scoreboard::Hazard::None) << name;
      scoreboard_.reserve(0, issued.instruction, issued.lanes, issued.is_load);
    } else if (verb == "write-back") {
      scoreboard_.release(0, named_.at(name).instruction, named_.at(name).lanes);
    } else {
      output_ += fmt::format("{}  {}\n", name, scoreboard_.describe(0, kLanes));
      for (std::string decoded; words >> decoded;) show(decoded);
    }
  }

  void define(const std::string& name, std::istream& words) {
    std::string lanes, kind, word;
    words >> lanes >> kind;
    std::vector<std::uint16_t> writes, reads;
    std::vector<std::uint16_t>* list = nullptr;
    while (words >> word) {
      if (word == "writes" || word == "reads")
        list = word == "writes" ? &writes : &reads;
      else
        list->push_back(static_cast<std::uint16_t>(std::stoul(word.substr(1))));
    }
    named_[name] = {with_registers(writes, reads),
                    ActiveMask(static_cast<std::uint32_t>(std::stoul(lanes, nullptr, 2))), kind == "load"};
  }

  void show(const std::string& name) {
    const Named& decoded = named_.at(name);
    const simt::Instruction& instruction = decoded.instruction;
    const auto depends = [&](std::uint16_t reg) {
      bool uses = false;
      for (unsigned i = 0; i < instruction.source_count; ++i) uses |= instruction.sources[i] == reg;
      for (unsigned i = 0; i < instruction.destination_count; ++i) uses |= instruction.destinations[i] == reg;
      return uses && scoreboard_.hazard(0, with_registers({}, {reg}), decoded.lanes) != Scoreboard::Hazard::None;
    };
    const bool waits = scoreboard_.hazard(0, instruction, decoded.lanes) != Scoreboard::Hazard::None;
    output_ += fmt::format("   {} {:d}{:d} {}{}\n", name, depends(1), depends(0), decoded.lanes.to_string(kLanes),
                           waits ? "" : " may issue");
  }

  Scoreboard scoreboard_{1, 8};
  std::map<std::string, Named> named_;
  std::string output_;
};

TEST(ScoreboardGolden, figure_9_state_by_state) {
  golden::check("tests/golden/gpu/figure_9_scoreboard.golden",
                [](const std::string& input) { return Figure().run(input); });
}

}  // namespace scoreboard_golden_test
}  // namespace warpfork::gpu
