// The folder of a sweep's results: a file for each point that has been run, whole or not there.
#pragma once

#include <filesystem>
#include <set>
#include <string>

#include "report/json.h"

namespace warpfork::sweep {

/// Files of it:
///   points/ID.json    a point's result
///   failures/ID.json  why a point has none
///   times.jsonl       how long points took: what later estimates rest on
///   recordings/       that an experiment's points replay
///   running/          of runs under way: messages, temporary files
///   slurm/            arrays of tasks that are under way on a cluster
///   lock              held by the sweep that is at work here
class ResultFolder {
 public:
  explicit ResultFolder(std::filesystem::path folder);
  ~ResultFolder();
  ResultFolder(const ResultFolder&) = delete;
  ResultFolder& operator=(const ResultFolder&) = delete;

  const std::filesystem::path& path() const { return folder_; }
  std::filesystem::path times() const { return folder_ / "times.jsonl"; }
  std::filesystem::path running() const { return folder_ / "running"; }
  std::filesystem::path slurm() const { return folder_ / "slurm"; }
  std::filesystem::path recordings() const { return folder_ / "recordings"; }
  std::filesystem::path point_file(const std::string& id) const { return folder_ / "points" / (id + ".json"); }

  /// Makes what is missing of it, keeps other sweeps out while this lives, and removes what runs left that were killed,
  /// unless some are under way elsewhere.
  /// Throws Error if another one is at work here, or the system's reason.
  void take();

  /// Whether tasks of a cluster may write here.
  bool is_under_way_elsewhere() const;

  std::set<std::string> points() const { return ids_in("points"); }
  std::set<std::string> failures() const { return ids_in("failures"); }
  bool has_point(const std::string& id) const { return std::filesystem::exists(point_file(id)); }
  bool has_failure(const std::string& id) const { return std::filesystem::exists(failure_file(id)); }
  /// Throws Error if the file is damaged.
  report::Json point(const std::string& id) const;
  report::Json failure(const std::string& id) const;

  /// A result takes the place of a failure.
  void keep_point(const std::string& id, const report::Json& document) const;
  void keep_failure(const std::string& id, const report::Json& document) const;
  /// As if the point had never been run.
  void forget_failure(const std::string& id) const { std::filesystem::remove(failure_file(id)); }

 private:
  std::filesystem::path failure_file(const std::string& id) const { return folder_ / "failures" / (id + ".json"); }
  std::set<std::string> ids_in(const char* part) const;
  void lock_folder();

  std::filesystem::path folder_;
  int lock_ = -1;
};

}  // namespace warpfork::sweep
