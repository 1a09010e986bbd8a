#include "html_report/kernel_costs.h"

#include <algorithm>
#include <cstdint>
#include <map>
#include <tuple>
#include <utility>
#include <vector>

#include "html_report/instruction_cost.h"
#include "report/kernel_name.h"

namespace warpfork::html_report {

namespace {

using report::Json;

struct Instruction {
  std::string file, text;
  std::uint64_t line = 0, ptx_line = 0;
  InstructionCost cost;
};

struct Line {
  std::string text;
  std::uint64_t first_ptx = ~std::uint64_t{0}, last_ptx = 0;
  InstructionCost cost;
};

/// One kernel over its launches.
class Kernel {
 public:
  void add(const Json& launch) {
    ++launches_;
    total_.scheduler_cycles += launch.at("scheduler_cycles").get<double>();
    const Json& lines = launch.at("lines");
    for (const Json& entry : lines.at("instructions")) add_instruction(entry);
    if (blocks_.empty() && lines.contains("blocks")) blocks_ = lines.at("blocks");
  }

  Json told(const std::string& name) {
    for (const auto& [pc, instruction] : instructions_) total_.lane_slots += instruction.cost.lane_slots();
    return {{"name", report::readable_kernel_name(name)},
            {"launches", launches_},
            {"lines", lines()},
            {"blocks", blocks()}};
  }

 private:
  void add_instruction(const Json& entry) {
    Instruction& instruction = instructions_[entry.at("pc").get<std::uint64_t>()];
    instruction.file = entry.at("file").get<std::string>();
    instruction.text = entry.at("ptx").get<std::string>();
    instruction.line = entry.at("line").get<std::uint64_t>();
    instruction.ptx_line = entry.at("ptx_line").get<std::uint64_t>();
    instruction.cost.add(entry);
  }

  Json lines() const {
    std::map<std::pair<std::string, std::uint64_t>, Line> lines;
    for (const auto& [pc, instruction] : instructions_) {
      const bool known = instruction.line != 0;
      Line& line = known ? lines[{instruction.file, instruction.line}] : lines[{"", instruction.ptx_line}];
      if (!known) line.text = instruction.text;
      line.first_ptx = std::min(line.first_ptx, instruction.ptx_line);
      line.last_ptx = std::max(line.last_ptx, instruction.ptx_line);
      line.cost.add(instruction.cost);
    }
    Json list = Json::array();
    for (const auto& [place, line] : lines) {
      list.push_back({{"file", place.first}, {"line", place.second}, {"ptx", {line.first_ptx, line.last_ptx}}});
      if (!line.text.empty()) list.back()["text"] = line.text;
      list.back().update(line.cost.told(total_));
    }
    return list;
  }

  Json blocks() const {
    std::map<std::uint64_t, std::size_t> numbers;  // by first instruction
    for (const Json& block : blocks_) numbers.emplace(block.at("pc").get<std::uint64_t>(), numbers.size());
    Json list = Json::array();
    for (const Json& block : blocks_) list.push_back(told(block, numbers));
    return list;
  }

  Json told(const Json& block, const std::map<std::uint64_t, std::size_t>& numbers) const {
    Json instructions = Json::array(), next = Json::array();
    InstructionCost all;
    std::uint64_t pc = block.at("pc").get<std::uint64_t>();
    for (std::size_t i = 0; i < block.at("ptx").size(); ++i, ++pc) {
      const auto found = instructions_.find(pc);
      const InstructionCost cost = found == instructions_.end() ? InstructionCost() : found->second.cost;
      Json told = cost.told(total_);
      instructions.push_back({{"ptx_line", block.at("ptx_lines").at(i)},
                              {"text", block.at("ptx").at(i)},
                              {"issues", told["issues"]},
                              {"time", told["time"]},
                              {"lanes", told["lanes"]}});
      all.add(cost);
    }
    for (const Json& successor : block.at("successors")) next.push_back(numbers.at(successor.get<std::uint64_t>()));
    const Json& meets = block.at("reconvergence");
    Json json = {{"instructions", std::move(instructions)},
                 {"next", std::move(next)},
                 {"meets", meets.empty() ? Json() : Json(numbers.at(meets.at(0).get<std::uint64_t>()))}};
    json.update(all.told(total_));
    return json;
  }

  std::size_t launches_ = 0;
  KernelTotal total_;
  std::map<std::uint64_t, Instruction> instructions_;  // by PC
  Json blocks_ = Json::array();
};

}  // namespace

Json kernel_costs(const Run& run) {
  std::vector<std::pair<std::string, Kernel>> kernels;  // in the order of their first launches
  if (run.launches.is_array())
    for (const Json& launch : run.launches) {
      if (!launch.contains("lines")) continue;
      const std::string name = launch.at("name").get<std::string>();
      auto found =
          std::find_if(kernels.begin(), kernels.end(), [&](const auto& kernel) { return kernel.first == name; });
      if (found == kernels.end()) found = kernels.insert(found, {name, Kernel()});
      found->second.add(launch);
    }
  Json list = Json::array();
  for (auto& [name, kernel] : kernels) list.push_back(kernel.told(name));
  return list;
}

}  // namespace warpfork::html_report
