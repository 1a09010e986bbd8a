#include "rename_scenario.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <bitset>
#include <sstream>
#include <stdexcept>

#include "rename_machine.h"
#include "unit/ooo/scenario_commands.h"

namespace warpfork::ooo {
namespace {

class RenameScenario {
 public:
  std::string run(const std::string& commands) {
    for_each_command(commands, [&](const std::string& command, std::istringstream& words) { step(command, words); });
    return text_;
  }

 private:
  void step(const std::string& command, std::istringstream& words) {
    if (command == "strategy") return void(words >> spec_.strategy);
    if (command == "lanes") return void(words >> spec_.paths.lanes);
    if (command == "registers") return void(words >> spec_.architectural >> spec_.integer);
    if (command == "start") return void(machine().paths().start(mask(words)));
    if (command == "uop") return uop(words);
    if (command == "block") return block();
    if (command == "branch") return branch(words);
    if (command == "resolve") return resolve(words);
    if (command == "meet") return meet(words);
    if (command == "commit") return commit(words);
    if (command == "squash") return machine().squash(number(words));
    if (command == "flush") return machine().flush();
    if (command == "show") return show(words);
    throw std::runtime_error("no such command: " + command);
  }

  RenameMachine& machine() {
    if (!machine_) machine_ = std::make_unique<RenameMachine>(spec_);
    return *machine_;
  }

  static unsigned number(std::istringstream& words) {
    unsigned number = 0;
    words >> number;
    return number;
  }
  static LaneMask mask(std::istringstream& words) {
    std::string digits;
    words >> digits;
    return std::bitset<64>(digits).to_ullong();
  }
  static PathId path(std::istringstream& words) {
    std::string name;
    words >> name;
    return static_cast<PathId>(std::stoul(name.substr(1)));
  }

  void block() {
    in_block_ = true;
    machine().strategy().begin_block();
  }

  void uop(std::istringstream& words) {
    const PathId path = this->path(words);
    std::vector<x86::RegisterId> sources, destinations, *to = &destinations;
    std::string word;
    while (words >> word) {
      if (word == "<-")
        to = &sources;
      else if (word[0] == 'r')
        to->push_back(static_cast<x86::RegisterId>(std::stoul(word.substr(1))));
      else
        break;
    }
    if (!in_block_) machine().strategy().begin_block();
    const std::size_t before = machine().in_flight().size();
    const RenameOutcome outcome = machine().rename(path, sources, destinations);
    if (outcome != RenameOutcome::Renamed) {
      text_ += fmt::format("h{:<3} {} stalls: {}\n", path, word,
                           outcome == RenameOutcome::NoFreeRegister ? "no free register" : "several merges");
    }
    for (std::size_t i = before; i < machine().in_flight().size(); ++i) print(machine().in_flight()[i], word);
  }

  void print(const RenameMachine::Item& item, const std::string& name) {
    if (item.kind == RenameMachine::Item::Kind::Merge) {
      const Merge& merge = item.merge;
      const std::string lanes =
          merge.path == kNoPath ? mask_text(merge.mask, spec_.paths.lanes) : fmt::format("h{}", merge.path);
      text_ += fmt::format("     merge p{} <- p{}, {}, p{}\n", merge.renaming.physical, merge.main(), lanes,
                           merge.leading());
      return;
    }
    std::vector<std::string> writes, reads;
    for (const Renaming& write : item.uop.written()) writes.push_back(fmt::format("p{}", write.physical));
    for (const PhysicalRegister read : item.uop.read()) reads.push_back(fmt::format("p{}", read));
    text_ += fmt::format("h{:<3} {}{}{}{}{}\n", item.path, name, writes.empty() ? "" : " ", fmt::join(writes, ", "),
                         reads.empty() ? "" : " <- ", fmt::join(reads, ", "));
  }

  void branch(std::istringstream& words) {
    const PathId from = path(words);
    const PathId created = machine().diverge(from);
    text_ += fmt::format("     buop h{} <- h{}, c\n", created, from);
  }

  void resolve(std::istringstream& words) {
    const PathId created = path(words);
    machine().resolve(created, mask(words));
  }

  void meet(std::istringstream& words) {
    const PathId first = path(words), second = path(words);
    const PathId created = machine().converge(first, second);
    text_ += fmt::format("     cuop h{} <- h{}, h{}\n", created, first, second);
  }

  void commit(std::istringstream& words) {
    for (unsigned left = number(words); left-- > 0;)
      if (!machine().commit()) throw std::runtime_error("nothing can commit");
    machine().audit();
  }

  void show(std::istringstream& words) {
    std::string title;
    std::getline(words >> std::ws, title);
    text_ += title + "\n" + machine().strategy().table().describe();
  }

  RenameMachineSpec spec_;
  std::unique_ptr<RenameMachine> machine_;
  bool in_block_ = false;
  std::string text_;
};

}  // namespace

std::string run_rename(const std::string& commands) { return RenameScenario().run(commands); }

}  // namespace warpfork::ooo
