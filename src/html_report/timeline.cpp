#include "html_report/timeline.h"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <string>

#include "html_report/rounded.h"
#include "report/kernel_name.h"

namespace warpfork::html_report {

namespace {

using report::Json;

/// What neighbouring samples count together.
class Sum {
 public:
  explicit Sum(const Json& sample) : sum_(sample) {}
  void add(const Json& sample) { add(sum_, sample); }

  double begin() const { return count("begin"); }
  double count(const char* key) const { return sum_.contains(key) ? sum_.at(key).get<double>() : 0; }
  bool has(const char* key) const { return sum_.contains(key); }
  Json ratio(const char* part, const char* whole) const {
    return count(whole) == 0 ? Json() : Json(rounded(count(part) / count(whole)));
  }
  const Json& stalls() const { return sum_.at("stall_cycles"); }
  double scheduler_cycles() const {
    double cycles = count("warp_instructions");
    for (const Json& stalled : stalls()) cycles += stalled.get<double>();
    return cycles;
  }

 private:
  static void add(Json& sum, const Json& sample) {
    for (auto& [key, value] : sum.items()) {
      if (value.is_object())
        add(value, sample.at(key));
      else if (value.is_number() && key != "begin")
        value = value.get<double>() + sample.at(key).get<double>();
    }
  }

  Json sum_;
};

class Timeline {
 public:
  void add(const Json& launch, std::size_t joined) {
    launches_.push_back(
        {{"name", report::readable_kernel_name(launch.at("name").get<std::string>())}, {"begin", time_}});
    const Json& samples = launch.at("intervals").at("samples");
    for (std::size_t i = 0; i < samples.size(); i += joined) {
      Sum sum(samples[i]);
      for (std::size_t more = i + 1; more < std::min(i + joined, samples.size()); ++more) sum.add(samples[more]);
      add(sum);
    }
    time_ += launch.at("cycles").get<double>();
    end_launch();
  }

  Json take() {
    columns_["launches"] = std::move(launches_);
    columns_["waits"] = std::move(waits_);
    return std::move(columns_);
  }

 private:
  void add(const Sum& sum) {
    columns_["begin"].push_back(time_ + sum.begin());
    columns_["ipc"].push_back(sum.ratio("thread_instructions", "cycles"));
    columns_["active_lanes"].push_back(sum.ratio("thread_instructions", "warp_instructions"));
    columns_["warps"].push_back(sum.ratio("warp_cycles", "core_cycles"));
    if (sum.has("split_cycles")) columns_["splits"].push_back(sum.ratio("split_cycles", "warp_cycles"));
    columns_["l1d_misses"].push_back(sum.ratio("l1d_misses", "l1d_accesses"));
    columns_["l2_misses"].push_back(sum.ratio("l2_misses", "l2_accesses"));
    columns_["dram"].push_back(rounded((sum.count("dram_reads") + sum.count("dram_writes")) / sum.count("cycles")));
    add_waits(sum);
  }
  void add_waits(const Sum& sum) {
    const double cycles = sum.scheduler_cycles();
    const auto put = [&](const std::string& name, double count) {
      waits_[name].push_back(cycles == 0 ? Json() : Json(rounded(count / cycles)));
    };
    put("issued", sum.count("warp_instructions"));
    for (const auto& [cause, count] : sum.stalls().items()) put(cause, count.get<double>());
  }
  void end_launch() {
    for (auto& [name, column] : columns_.items()) column.push_back(name == "begin" ? Json(time_) : Json());
    for (auto& column : waits_) column.push_back(nullptr);
  }

  double time_ = 0;  // core cycles
  Json columns_ = Json::object(), waits_ = Json::object(), launches_ = Json::array();
};

}  // namespace

Json timeline_of(const Run& run) {
  std::vector<const Json*> launches;
  std::size_t samples = 0;
  if (run.launches.is_array())
    for (const Json& launch : run.launches)
      if (launch.contains("intervals") && launch.contains("cycles")) {
        launches.push_back(&launch);
        samples += launch.at("intervals").at("samples").size();
      }
  if (launches.empty()) return nullptr;
  Timeline timeline;
  for (const Json* launch : launches) timeline.add(*launch, (samples + kMostSamples - 1) / kMostSamples);
  return timeline.take();
}

}  // namespace warpfork::html_report
