#include "unit/ooo/driven_front.h"

#include <fmt/format.h>

#include <array>

namespace warpfork::ooo {

namespace {

constexpr unsigned kLanes = 4;
constexpr FrontSpec kSpec{.warps = 100, .path_entries = 32, .queue = 64, .depth = 0};

using Steps = std::vector<SpmdProgram::Step>;

std::vector<Steps> steps(const SpmdProgram& program, const std::vector<DrivenFront::Pcs>& threads,
                         std::uint64_t event_at) {
  std::vector<Steps> made;
  for (const DrivenFront::Pcs& pcs : threads) made.push_back(program.follow(pcs));
  for (Steps& thread : made)
    for (SpmdProgram::Step& step : thread)
      if (step.instruction->pc == event_at) step.events.emplace_back();
  return made;
}

}  // namespace

DrivenFront::DrivenFront(const SpmdProgram& program, const std::vector<Pcs>& threads, std::uint64_t event_at)
    : DrivenFront(steps(program, threads, event_at)) {}

DrivenFront::DrivenFront(const std::vector<Steps>& threads) {
  for (const Steps& thread : threads) windows_.emplace_back(std::make_unique<SteppedStream>(thread));
  while (windows_.size() < kLanes) windows_.emplace_back(std::make_unique<SteppedStream>(Steps{}));
}

void DrivenFront::expect_uniform() {
  for (unsigned pc = 0; pc < DivergencePredictor::kEntries; ++pc)
    for (int times = 0; times < 3; ++times) predictors.divergence.update(pc, false);
}

void DrivenFront::show_text(std::uint64_t pc, unsigned nops) {
  constexpr std::array<std::uint8_t, 4> kNop = {0x0f, 0x1f, 0x40, 0x00};
  constexpr std::array<std::uint8_t, 1> kReturn = {0xc3};
  for (; nops != 0; --nops, pc += kNop.size()) code_.add(pc, kNop);
  code_.add(pc, kReturn);
}

WarpFront& DrivenFront::front() {
  if (front_ == nullptr) front_ = std::make_unique<WarpFront>(kSpec, windows_, 0, code_, predictors, gate);
  return *front_;
}

unsigned DrivenFront::fetch(unsigned cycles) {
  unsigned fetched = 0;
  while (cycles-- != 0) fetched += front().fetch(now_++, 1);
  return fetched;
}

Flush DrivenFront::resolve(std::uint64_t number) {
  const Flush flush = front().resolution().resolve(number);
  resolved_.insert(number);
  if (flush == Flush::Nothing) return flush;
  const std::uint64_t keep = number + (flush == Flush::Younger ? 1 : 0);
  while (front().in_flight().end() > keep) front().resolution().undo();
  resolved_.erase(resolved_.lower_bound(keep), resolved_.end());
  front().resolution().restart();
  return flush;
}

void DrivenFront::undo_all() {
  while (!front().in_flight().empty()) front().resolution().undo();
  resolved_.clear();
}

void DrivenFront::drain() {
  WarpFront& warp = front();
  while (warp.in_flight().next() < warp.in_flight().end()) warp.take();
  for (std::uint64_t number = warp.in_flight().begin(); number < warp.in_flight().end(); ++number)
    if (!resolved_.contains(number) && warp.resolution().may_resolve(number)) resolve(number);
  while (!warp.in_flight().empty() && resolved_.contains(warp.in_flight().begin())) {
    const Fetched& oldest = warp.in_flight()[warp.in_flight().begin()];
    if (oldest.lanes != 0) committed_ += (committed_.empty() ? "" : ", ") + text(oldest);
    resolved_.erase(resolved_.begin());
    warp.commit();
  }
}

bool DrivenFront::run() {
  for (unsigned idle = 0; idle < 20 && !front().finished();) {
    idle = fetch() != 0 ? 0 : idle + 1;
    drain();
  }
  return front().finished();
}

std::string DrivenFront::in_flight() {
  std::string all;
  for (std::uint64_t number = front().in_flight().begin(); number < front().in_flight().end(); ++number)
    all += (all.empty() ? "" : ", ") + text(front().in_flight()[number]);
  return all;
}

std::string DrivenFront::text(const Fetched& fetched) {
  const std::string lanes = mask_text(fetched.lanes, kLanes);
  if (fetched.role == Role::Convergence) return "meet " + lanes;
  if (fetched.instruction == nullptr) return "part " + lanes;
  const char* const role = fetched.role == Role::Plain ? "" : fetched.role == Role::Branch ? " branch" : " divergent";
  return fmt::format("{:x} {}{}", fetched.instruction->pc, lanes, role);
}

}  // namespace warpfork::ooo
