// What one warp was in every cycle, for pages that show it step by step.
#pragma once

#include <cstdint>
#include <map>
#include <nlohmann/json.hpp>
#include <string>

#include "explain/kernel_flow.h"
#include "explain/request.h"
#include "gpu/resident_block.h"
#include "report/launch_listener.h"
#include "report/result_document.h"

namespace warpfork::explain {

/// Keeps what has changed, cycle by cycle, of the cycles that the request names: without any, from the start of the
/// warp's block on, as many as kMostCycles. Values that come again are kept once. docs/step.md names all keys of
/// json().
class WarpFrames final : public report::LaunchListener {
 public:
  static constexpr Cycle kMostCycles = 5000;

  /// `width`: digits of a mask; `temporal`: lanes that warps enter thread by thread.
  WarpFrames(const KernelFlow& flow, const Request& request, unsigned width, bool temporal);

  /// What happened to the warp in this cycle, in words.
  void note(Cycle now, const std::string& text);

  void block_started(const report::BlockEvent& event) override;
  void issued(const report::IssueEvent& event) override;
  void lane_entered(const report::LaneEvent& event) override;
  bool observes_lanes(unsigned) const override { return temporal_; }
  void cycled(report::Stamp at, const gpu::Core& core) override;
  bool observes_cycles() const override { return true; }

  /// Once, at the end of the launch.
  report::Json json();

 private:
  using Json = report::Json;
  /// Values by what they are written as, numbered in the order in which they came.
  class Pool {
   public:
    std::size_t number(const Json& value);
    const Json& values() const { return values_; }

   private:
    std::map<std::string, std::size_t> numbers_;
    Json values_ = Json::array();
  };
  struct State {
    std::size_t splits = 0, tables = 0, registers = 0;
    bool operator==(const State&) const = default;
  };

  bool watches(Cycle now) const { return block_ != nullptr && now <= until_; }
  void go_to(Cycle now);
  void close();
  void look(const gpu::Core* core);
  Json splits(const gpu::Core* core) const;
  Json tables();
  Json registers(const gpu::Core& core) const;
  Json frame(Cycle cycle, const State& state) const;
  Json code() const;
  std::string mask(ActiveMask lanes) const { return lanes.to_string(width_); }

  const KernelFlow& flow_;
  const Request request_;
  const unsigned width_;
  const bool temporal_;
  const gpu::ResidentBlock* block_ = nullptr;  // null before it starts, and when the warp has ended
  unsigned core_ = 0, warp_ = 0;               // its core, and the slot of the warp there
  Cycle from_ = 0, until_ = kNever, now_ = 0;
  bool started_ = false, ended_ = false, cut_ = false;
  std::map<std::uint16_t, std::size_t> writers_;  // by register of the scoreboard: where its latest write stands
  Pool layouts_, splits_, tables_, registers_;
  State state_, shown_;             // now, and as the latest frame has it
  Json happened_ = Json::object();  // in this cycle, by the keys of a frame
  Json frames_ = Json::array();
};

}  // namespace warpfork::explain
