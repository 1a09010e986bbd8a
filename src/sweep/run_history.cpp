#include "sweep/run_history.h"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <utility>

namespace warpfork::sweep {

namespace {

using report::Json;

constexpr std::uint64_t kUnknownBytes = 512ull << 20;

}  // namespace

RunHistory::RunHistory(std::filesystem::path file) : file_(std::move(file)) {
  std::ifstream lines(file_);
  for (std::string line; std::getline(lines, line);) {
    const Json run = Json::parse(line, nullptr, false);
    if (run.is_object())
      count(run.value("work", ""), run.value("program", ""), run.value("seconds", 0.0),
            run.value("peak_bytes", std::uint64_t{0}));
  }
}

void RunHistory::add(const std::string& id, const Point& point, double seconds, std::uint64_t peak_bytes) {
  count(point.work(), point.program, seconds, peak_bytes);
  if (!lines_.is_open()) {
    lines_.open(file_, std::ios::app);
    lines_ << '\n';  // ends a torn line
  }
  const Json run = {
      {"id", id}, {"work", point.work()}, {"program", point.program}, {"seconds", seconds}, {"peak_bytes", peak_bytes}};
  lines_ << run.dump() + "\n" << std::flush;
}

void RunHistory::count(const std::string& work, const std::string& program, double seconds, std::uint64_t peak_bytes) {
  for (Sum* sum : {&works_[work], &programs_[program], &all_}) {
    sum->seconds += seconds;
    ++sum->runs;
    sum->peak_bytes = std::max(sum->peak_bytes, peak_bytes);
  }
}

const RunHistory::Sum* RunHistory::find(const Point& point) const {
  if (const auto work = works_.find(point.work()); work != works_.end()) return &work->second;
  if (const auto program = programs_.find(point.program); program != programs_.end()) return &program->second;
  return nullptr;
}

std::optional<double> RunHistory::seconds(const Point& point) const {
  const Sum* known = find(point);
  if (!known && all_.runs != 0) known = &all_;
  if (!known) return std::nullopt;
  return known->seconds / static_cast<double>(known->runs);
}

std::uint64_t RunHistory::bytes(const Point& point) const {
  const Sum* const known = find(point);
  return known ? known->peak_bytes : kUnknownBytes;
}

}  // namespace warpfork::sweep
