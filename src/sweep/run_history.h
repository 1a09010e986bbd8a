// How long points took and how much memory they needed: what is expected of those to come.
#pragma once

#include <cstdint>
#include <filesystem>
#include <fstream>
#include <map>
#include <optional>
#include <string>

#include "sweep/point.h"

namespace warpfork::sweep {

/// Kept in a file, a line of JSON for each run, which no result depends on.
class RunHistory {
 public:
  /// Reads the file if there is one; a line that was being written by a process that was killed is left out.
  explicit RunHistory(std::filesystem::path file);

  void add(const std::string& id, const Point& point, double seconds, std::uint64_t peak_bytes);

  /// The mean of runs of the same program on the same machine, else of the same program, else of all. Nothing without
  /// any.
  std::optional<double> seconds(const Point& point) const;
  /// The most that a run of the same program on the same machine, else of the same program, has needed; else 512 MiB.
  std::uint64_t bytes(const Point& point) const;

 private:
  struct Sum {
    double seconds = 0;
    std::uint64_t runs = 0, peak_bytes = 0;
  };

  void count(const std::string& work, const std::string& program, double seconds, std::uint64_t peak_bytes);
  const Sum* find(const Point& point) const;

  std::filesystem::path file_;
  std::ofstream lines_;
  std::map<std::string, Sum> works_, programs_;
  Sum all_;
};

}  // namespace warpfork::sweep
