// A timeline as its viewers read it, and what the Trace Event Format asks of it.
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

namespace warpfork::trace {

struct Slice {
  std::string name;
  std::uint64_t from = 0, until = 0;
  bool operator==(const Slice&) const = default;
};

void PrintTo(const Slice& slice, std::ostream* out);

class Drawn {
 public:
  /// Of a file that a TraceFile wrote. Throws for what is no JSON.
  explicit Drawn(const nlohmann::json& document);
  /// Of a file to which an EventWriter appended and which began empty.
  static Drawn of_events(const std::string& file);

  /// What is against the rules of the format; empty = nothing. Each event has what its kind must have; on a track times
  /// never go back, ends pair with begins, and what lasts is within what began before it, to its end; each track and
  /// process has a name.
  std::string fault() const;

  /// Slices of the track with this name, begun and ended ones and whole ones, in the order of their begins.
  std::vector<Slice> slices(const std::string& process, const std::string& track) const;
  /// Instants likewise, until == from.
  std::vector<Slice> instants(const std::string& process, const std::string& track) const;
  /// The first event of this name on the track.
  nlohmann::json event(const std::string& process, const std::string& track, const std::string& name) const;
  /// Values of a process's counter, by time.
  std::vector<nlohmann::json> counter(const std::string& process, const std::string& name) const;

 private:
  std::vector<nlohmann::json> on(const std::string& process, const std::string& track) const;
  std::string named(const nlohmann::json& event, const char* what) const;

  nlohmann::json events_;
};

}  // namespace warpfork::trace
