#include "explain/life_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "base/text.h"
#include "ptx/printer.h"

namespace warpfork::explain {

namespace {

constexpr std::size_t kMostRuns = 1024;  // that wait for one which began before them
constexpr unsigned kCycleWidth = 15, kPcWidth = 9;

std::string range(std::uint64_t first, std::uint64_t last) {
  return first == last ? fmt::format("{}", first) : fmt::format("{}-{}", first, last);
}

/// Characters of a text in UTF-8.
std::size_t characters(const std::string& text) {
  const auto begins = [](char byte) { return (static_cast<unsigned char>(byte) & 0xc0) != 0x80; };
  return static_cast<std::size_t>(std::count_if(text.begin(), text.end(), begins));
}

}  // namespace

LifeText::LifeText(const simt::Program& program, const Request& request, unsigned width, const LanePassages* passages)
    : program_(program), request_(request), width_(width), passages_(passages) {
  for (Pc pc = 0; pc < program.code.size(); ++pc) line_width_ = std::max(line_width_, lines_of(pc, pc).size() + 4);
  text_ = fmt::format("{:>{}}{:>{}}  {:<{}}  {:<{}}  ", "cycle", kCycleWidth, "pc", kPcWidth, "line", line_width_,
                      "lanes", width_);
  places_.push_back({text_.size()});
  text_ += "instruction\n";
}

std::size_t LifeText::issue(Issue issue) {
  if (!first_issue_) first_issue_ = issue.cycle;
  last_issue_ = issue.cycle;
  if (!shows(issue.cycle)) {
    if (is_in_window(issue.cycle)) {
      ++cut_off_;
      cut_until_ = issue.cycle;
    }
    return LanePassages::kNoLine;
  }
  // Lanes that left their straight run otherwise than by its last instruction have changed the tables.
  const auto same = std::find_if(runs_.begin(), runs_.end(),
                                 [&](const Run& run) { return run.is_open && run.first.lanes == issue.lanes; });
  const bool closes = issue.is_last || request_.every_instruction;
  const std::size_t line = same != runs_.end() ? same->line : next_line_++;
  if (same != runs_.end()) {
    same->last_cycle = issue.cycle;
    same->last_pc = issue.pc;
    same->is_open = !closes;
  } else {
    const Cycle cycle = issue.cycle;
    const Pc pc = issue.pc;
    runs_.push_back({std::move(issue), cycle, pc, !closes, line});
  }
  const bool can_print = std::none_of(runs_.begin(), runs_.end(), [](const Run& run) { return run.is_open; });
  if (can_print || runs_.size() >= kMostRuns) flush();
  return line;
}

void LifeText::note(Cycle cycle, const std::string& text) {
  if (!shows(cycle)) return;
  flush();
  add(fmt::format("{:>{}}  {}\n", cycle, kCycleWidth, text));
}

void LifeText::remember(Cycle cycle, const std::string& tables) {
  if (cycle < request_.from_cycle) earlier_tables_ = tables;
}

void LifeText::tables(Cycle cycle, const std::string& text) {
  if (!shows(cycle)) return;
  flush();
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = std::min(text.find('\n', at), text.size());
    add(fmt::format("{:>{}}  {}\n", "", kCycleWidth, text.substr(at, end - at)));
    at = end + 1;
  }
}

std::string LifeText::finish() {
  flush();
  if (cut_off_ != 0)
    text_ += fmt::format("… {}, up to cycle {}; --limit 0 prints all, --from-cycle begins later\n",
                         counted(cut_off_, "more instruction"), cut_until_);
  if (lines_ == 0 && first_issue_)
    text_ += fmt::format("… nothing in these cycles: the warp's first instruction is in cycle {}, its last in {}\n",
                         *first_issue_, last_issue_);
  return passages_ == nullptr ? std::move(text_) : with_lanes();
}

/// The text with the two columns, which are as wide as they must be.
std::string LifeText::with_lanes() const {
  std::size_t lane_width = 0, cycles_width = 0;
  std::vector<std::pair<std::string, std::string>> columns = {{"lane", "entered"}};
  for (std::size_t i = 1; i < places_.size(); ++i) {
    const LaneCycles& passage = passages_->of(places_[i].line);
    columns.emplace_back(passage.lanes(), passage.cycles());
  }
  for (const auto& [lanes, cycles] : columns) {
    lane_width = std::max(lane_width, lanes.size());
    cycles_width = std::max(cycles_width, characters(cycles));
  }
  std::string text;
  std::size_t from = 0;
  for (std::size_t i = 0; i < places_.size(); ++i) {
    text.append(text_, from, places_[i].offset - from);
    text += fmt::format("{:>{}}  {:<{}}  ", columns[i].first, lane_width, columns[i].second, cycles_width);
    from = places_[i].offset;
  }
  return text.append(text_, from);
}

bool LifeText::is_in_window(Cycle cycle) const {
  return cycle >= request_.from_cycle && (request_.cycles == 0 || cycle - request_.from_cycle < request_.cycles);
}

bool LifeText::shows(Cycle cycle) {
  if (!is_in_window(cycle) || (request_.limit != 0 && lines_ >= request_.limit)) return false;
  if (!earlier_tables_.empty()) {
    const std::string before = std::exchange(earlier_tables_, {});
    add(fmt::format("{:>{}}  the tables:\n", request_.from_cycle, kCycleWidth));
    tables(cycle, before);
  }
  return true;
}

void LifeText::add(const std::string& line) {
  text_ += line;
  ++lines_;
}

void LifeText::flush() {
  for (const Run& run : runs_) print(run);
  runs_.clear();
}

void LifeText::print(const Run& run) {
  std::string lanes = run.first.lanes.to_string(width_);
  if (!run.first.homes.empty()) lanes += " (" + run.first.homes + ")";
  const std::string head =
      fmt::format("{:>{}}{:>{}}  {:<{}}  {:<5}  ", range(run.first.cycle, run.last_cycle), kCycleWidth,
                  range(run.first.pc, run.last_pc), kPcWidth, lines_of(run.first.pc, run.last_pc), line_width_, lanes);
  places_.push_back({text_.size() + head.size(), run.line});
  add(head + instructions_of(run) + '\n');
}

/// Of the source, where the PTX tells; else of the PTX.
std::string LifeText::lines_of(Pc first, Pc last) const {
  const ptx::Location& begin = program_.function->body[first].location;
  const ptx::Location& end = program_.function->body[last].location;
  const auto file = program_.module->source_files.find(end.source_file);
  if (end.source_line == 0 || file == program_.module->source_files.end())
    return (program_.module->source_files.empty() ? "" : "PTX:") + range(begin.line, end.line);
  const std::string name = file->second.substr(file->second.find_last_of('/') + 1);
  const bool is_ascending =
      begin.source_file == end.source_file && begin.source_line != 0 && begin.source_line <= end.source_line;
  return fmt::format("{}:{}", name, range(is_ascending ? begin.source_line : end.source_line, end.source_line));
}

std::string LifeText::instructions_of(const Run& run) const {
  const ptx::Function& function = *program_.function;
  const std::string last = ptx::to_text(function.body[run.last_pc], function);
  if (run.last_pc != run.first.pc)
    return fmt::format("{} … {}", ptx::to_text(function.body[run.first.pc], function), last);
  const simt::InstructionKind kind = program_.code[run.last_pc].kind;
  const bool is_told_elsewhere = kind == simt::InstructionKind::Branch || kind == simt::InstructionKind::Exit;
  const bool is_guarded = run.first.executed != run.first.lanes && !is_told_elsewhere;
  return is_guarded ? fmt::format("{}  in {}", last, run.first.executed.to_string(width_)) : last;
}

}  // namespace warpfork::explain
