#include "explain/warp_frames.h"

#include <algorithm>
#include <nlohmann/json.hpp>

#include "analysis/register_use.h"
#include "gpu/core.h"
#include "ptx/printer.h"
#include "report/source_line.h"

namespace warpfork::explain {

namespace {

report::Json pc_json(Pc pc) { return pc == kNoPc ? report::Json() : report::Json(pc); }

const char* kind_text(StateTable::Kind kind) {
  switch (kind) {
    case StateTable::Kind::ProgramCounter:
      return "pc";
    case StateTable::Kind::Number:
      return "number";
    case StateTable::Kind::Mask:
      return "mask";
    case StateTable::Kind::Text:
      break;
  }
  return "text";
}

report::Json layout_of(const StateTable& table) {
  report::Json columns = report::Json::array();
  for (const StateTable::Column& column : table.columns) columns.push_back({column.name, kind_text(column.kind)});
  return {{"name", table.name}, {"columns", columns}};
}

}  // namespace

std::size_t WarpFrames::Pool::number(const Json& value) {
  const auto [place, is_new] = numbers_.try_emplace(value.dump(), values_.size());
  if (is_new) values_.push_back(value);
  return place->second;
}

WarpFrames::WarpFrames(const KernelFlow& flow, const Request& request, unsigned width, bool temporal)
    : flow_(flow), request_(request), width_(width), temporal_(temporal) {
  registers_.number(Json::array());  // 0: none is being written
}

void WarpFrames::block_started(const report::BlockEvent& event) {
  if (started_ || event.index != request_.block) return;
  started_ = true;
  block_ = event.block;
  core_ = event.at.core;
  warp_ = event.at.unit + request_.warp;
  from_ = std::max(request_.from_cycle, event.at.cycle);
  until_ = request_.cycles == 0 ? from_ + kMostCycles - 1 : request_.from_cycle + request_.cycles - 1;
  now_ = event.at.cycle;
  look(nullptr);
}

void WarpFrames::issued(const report::IssueEvent& event) {
  if (event.block != block_ || !watches(event.cycle)) return;
  go_to(event.cycle);
  const gpu::Step& step = *event.step;
  if (step.warp == request_.warp) {
    const bool is_branch = step.instruction->kind == simt::InstructionKind::Branch;  // its guard says where they go
    happened_["issued"].push_back({step.pc, mask(step.active), mask(is_branch ? step.active : step.executed)});
    for (unsigned i = 0; i < step.instruction->destination_count; ++i)
      writers_[step.instruction->destinations[i]] = step.pc;
  }
  look(nullptr);
}

void WarpFrames::lane_entered(const report::LaneEvent& event) {
  if (!watches(event.at.cycle) || event.at.core != core_ || event.at.unit != warp_) return;
  go_to(event.at.cycle);
  happened_["entered"].push_back({event.lane, mask(event.threads)});
}

void WarpFrames::note(Cycle now, const std::string& text) {
  if (!watches(now)) return;
  go_to(now);
  happened_["notes"].push_back(text);
}

void WarpFrames::cycled(report::Stamp at, const gpu::Core& core) {
  if (block_ == nullptr || at.core != core_) return;
  if (at.cycle > until_) {
    close();
    cut_ = true;
    block_ = nullptr;
    return;
  }
  go_to(at.cycle);
  look(&core);
  if (!ended_) return;
  close();
  block_ = nullptr;
}

void WarpFrames::go_to(Cycle now) {
  if (now == now_) return;
  close();
  now_ = now;
}

/// The cycle is over: a frame, if there is anything new.
void WarpFrames::close() {
  if (now_ >= from_) {
    if (frames_.empty() && now_ > from_) frames_.push_back(frame(from_, shown_));  // as it was found
    if (frames_.empty() || state_ != shown_ || !happened_.empty()) frames_.push_back(frame(now_, state_));
  }
  shown_ = state_;
  happened_ = Json::object();
}

void WarpFrames::look(const gpu::Core* core) {
  state_.splits = splits_.number(splits(core));
  state_.tables = tables_.number(tables());
  if (core != nullptr) state_.registers = registers_.number(registers(*core));
  ended_ = block_->domain().finished(request_.warp);
}

report::Json WarpFrames::splits(const gpu::Core* core) const {
  const DivergenceDomain& domain = block_->domain();
  Json list = Json::array();
  const auto add = [&](SplitId id, std::string_view wait) {
    const WarpSplit& split = domain.split(id);
    Json homes = Json::array();
    for (const HomeLanes& home : split.homes) homes.push_back({home.warp, mask(home.lanes)});
    list.push_back({pc_json(split.pc), pc_json(split.reconvergence_pc), mask(split.lanes), wait, homes});
  };
  for (const SplitId id : domain.runnable(request_.warp))
    add(id, core == nullptr ? std::string_view() : core->buffers().wait_of(warp_, id));
  block_->for_each_waiting(request_.warp, [&](SplitId id) { add(id, block_->wait_text(id)); });
  return {{"live", mask(domain.live(request_.warp))}, {"list", list}};
}

report::Json WarpFrames::tables() {
  Json all = Json::array();
  for (const StateTable& table : block_->domain().tables(request_.warp))
    all.push_back({{"layout", layouts_.number(layout_of(table))}, {"rows", table.rows}, {"note", table.note}});
  return all;
}

report::Json WarpFrames::registers(const gpu::Core& core) const {
  Json all = Json::array();
  core.scoreboard().for_each_pending(warp_, [&](std::uint16_t place, ActiveMask lanes, bool by_memory) {
    std::string name = fmt::format("%{}", place);
    Json written_by;
    if (const auto writer = writers_.find(place); writer != writers_.end()) {
      const ptx::Function& function = *flow_.program.function;
      ptx::Instruction source = function.body[writer->second];
      source.guard.reset();
      const std::vector<ptx::RegisterId> writes = analysis::registers_of(source).writes;
      const simt::Instruction& decoded = flow_.program.code[writer->second];
      for (unsigned i = 0; i < decoded.destination_count; ++i)
        if (decoded.destinations[i] == place) name = function.registers[writes[i]].name;
      written_by = writer->second;
    }
    all.push_back({name, mask(lanes), by_memory, written_by});
  });
  return all;
}

/// What differs from the frame before, and what happened.
report::Json WarpFrames::frame(Cycle cycle, const State& state) const {
  Json frame = {{"cycle", cycle}};
  const bool is_first = frames_.empty();
  if (is_first || state.splits != shown_.splits) frame["splits"] = state.splits;
  if (is_first || state.tables != shown_.tables) frame["tables"] = state.tables;
  if (is_first || state.registers != shown_.registers) frame["registers"] = state.registers;
  if (cycle == now_) frame.update(happened_);
  return frame;
}

report::Json WarpFrames::code() const {
  const ptx::Function& function = *flow_.program.function;
  Json code = Json::array();
  for (Pc pc = 0; pc < flow_.program.code.size(); ++pc) {
    const ptx::Location& location = function.body[pc].location;
    const std::string place =
        report::place_text({flow_.program.module->source_name(location), location.source_line}, location.line);
    code.push_back({ptx::to_text(function.body[pc], function), place, flow_.graph.block_of(pc)});
  }
  return code;
}

report::Json WarpFrames::json() {
  if (block_ != nullptr) close();
  if (started_ && frames_.empty()) frames_.push_back(frame(from_, shown_));
  return {{"width", width_},
          {"temporal", temporal_},
          {"started", started_},
          {"ended", ended_},
          {"cut", cut_},
          {"code", code()},
          {"layouts", layouts_.values()},
          {"splits", splits_.values()},
          {"tables", tables_.values()},
          {"registers", registers_.values()},
          {"first", from_},
          {"last", cut_ ? until_ : now_},
          {"frames", frames_}};
}

}  // namespace warpfork::explain
