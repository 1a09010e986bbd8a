#include "html_report/run_figures.h"

#include <nlohmann/json.hpp>

#include "html_report/rounded.h"

namespace warpfork::html_report {

namespace {

using report::Json;

/// null unless there is such a number.
Json number_at(const Json& document, const char* path) {
  const Json::json_pointer place(path);
  if (!document.is_object() || !document.contains(place)) return nullptr;
  const Json& value = document.at(place);
  return value.is_number_float() ? Json(rounded(value.get<double>())) : value;
}

Json share(const Json& part, const Json& whole) {
  if (!part.is_number() || !whole.is_number() || whole.get<double>() == 0) return nullptr;
  return rounded(part.get<double>() / whole.get<double>());
}

Json scaled(const Json& value, double factor) {
  return value.is_number() ? Json(rounded(value.get<double>() * factor)) : value;
}

double sum_of(const Json& counts) {
  double sum = 0;
  for (const Json& count : counts) sum += count.get<double>();
  return sum;
}

/// A histogram as shares, without the zeros at its end.
Json shares_of(const Json& counts) {
  const double sum = sum_of(counts);
  Json shares = Json::array();
  if (sum == 0) return shares;
  for (const Json& count : counts) shares.push_back(rounded(count.get<double>() / sum));
  while (!shares.empty() && shares.back() == 0.0) shares.erase(shares.size() - 1);
  return shares;
}

Json without_zeros(const Json& counts, double whole) {
  Json shares = Json::object();
  for (const auto& [name, count] : counts.items())
    if (count.is_number() && count != 0 && whole != 0) shares[name] = rounded(count.get<double>() / whole);
  return shares;
}

/// Where a scheduler's cycles went: it issued, or one cause held it back.
Json waits_of(const Run& run) {
  if (run.is_cpu || run.totals.contains("warp_cycles"))
    return without_zeros(run.totals.at("warp_cycles"), sum_of(run.totals.at("warp_cycles")));
  const Json& stalls = run.totals.at("stalls");
  const double cycles = run.totals.at("scheduler_cycles").get<double>();
  if (cycles == 0) return Json::object();
  Json waits = {{"issued", rounded(1 - sum_of(stalls) / cycles)}};
  waits.update(without_zeros(stalls, cycles));
  return waits;
}

Json caches_of(const Json& totals) {
  Json caches = Json::object();
  if (totals.contains("caches"))
    for (const auto& [name, cache] : totals.at("caches").items())
      if (cache.at("accesses") != 0) caches[name] = {cache.at("accesses"), cache.at("misses")};
  if (totals.contains("memory") && totals.at("memory").contains("l1_misses")) {  // of a CPU core
    const Json& memory = totals.at("memory");
    caches["l1d"] = {memory.at("requests"), memory.at("l1_misses")};
    caches["l2"] = {memory.at("l2_accesses"), memory.at("l2_misses")};
  }
  return caches;
}

Json miss_rate(const Json& totals, const char* gpu_cache, const char* cpu_misses, const char* cpu_accesses) {
  const std::string cache = std::string("/caches/") + gpu_cache;
  if (totals.contains("caches"))
    return share(number_at(totals, (cache + "/misses").c_str()), number_at(totals, (cache + "/accesses").c_str()));
  return share(number_at(totals, cpu_misses), number_at(totals, cpu_accesses));
}

Json or_else(Json value, Json other) { return value.is_null() ? std::move(other) : value; }

Json dram_bursts(const Json& totals) {
  const Json reads = number_at(totals, "/dram/reads"), writes = number_at(totals, "/dram/writes");
  if (reads.is_null()) return nullptr;
  return reads.get<std::uint64_t>() + writes.get<std::uint64_t>();
}

}  // namespace

const std::vector<Metric>& metrics() {
  static const std::vector<Metric> kMetrics = {
      {"cycles", "cycles", "", "core cycles of all launches", 0},
      {"speed_up", "speed-up", "×", "over the first of those compared, at the same work", 2},
      {"ipc", "IPC", "", "thread instructions a cycle; of a CPU core instructions", 2},
      {"simd_efficiency", "SIMD", "%", "SIMD efficiency: active lanes of issued warp instructions", 1},
      {"issued", "issued", "%", "scheduler cycles with an issue; of a CPU warp-cycles", 1},
      {"mean_splits", "splits", "", "that a warp may run, mean", 2},
      {"l1d_misses", "L1D", "%", "misses of the L1 data cache, of its accesses", 1},
      {"l2_misses", "L2", "%", "misses of the L2, of its accesses", 1},
      {"dram_bursts", "DRAM", "", "bursts read and written", 0},
      {"energy", "energy", "µJ", "with DRAM", 2},
      {"power", "power", "W", "mean, without DRAM", 2},
      {"edp", "EDP", "nJ·s", "energy-delay product", 4},
  };
  return kMetrics;
}

Json metric_values(const Run& run, std::optional<double> speed_up) {
  const Json& totals = run.totals;
  const Json waits = totals.contains("stalls") || totals.contains("warp_cycles") ? waits_of(run) : Json();
  return {number_at(totals, "/cycles"),
          speed_up ? Json(rounded(*speed_up)) : Json(),
          number_at(totals, "/ipc"),
          scaled(number_at(totals, "/simd_efficiency"), 100),
          scaled(or_else(number_at(waits, "/issued"), number_at(waits, "/busy")), 100),
          number_at(totals, "/splits/mean"),
          scaled(miss_rate(totals, "l1d", "/memory/l1_misses", "/memory/requests"), 100),
          scaled(miss_rate(totals, "l2", "/memory/l2_misses", "/memory/l2_accesses"), 100),
          dram_bursts(totals),
          scaled(number_at(run.energy, "/total"), 1e-3),
          number_at(run.energy, "/watts"),
          scaled(number_at(run.energy, "/edp"), 1e9)};
}

Json figures_of(const Run& run) {
  const Json& totals = run.totals;
  Json figures = Json::object();
  if (totals.contains("stalls") || totals.contains("warp_cycles")) figures["waits"] = waits_of(run);
  if (totals.contains("active_lanes_histogram")) figures["lanes"] = shares_of(totals.at("active_lanes_histogram"));
  if (totals.contains("splits")) figures["splits"] = shares_of(totals.at("splits").at("warp_cycles"));
  if (run.energy.is_object()) figures["energy"] = without_zeros(run.energy.at("parts"), 1);
  if (Json caches = caches_of(totals); !caches.empty()) figures["caches"] = std::move(caches);
  if (totals.contains("dram")) figures["dram"] = {totals.at("dram").at("reads"), totals.at("dram").at("writes")};
  return figures;
}

}  // namespace warpfork::html_report
