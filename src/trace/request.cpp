#include "trace/request.h"

#include <cerrno>
#include <cstring>
#include <fstream>
#include <nlohmann/json.hpp>

#include "base/error.h"
#include "base/temporary_files.h"

namespace warpfork::trace {

using report::Json;

Json to_json(const Request& request) {
  return {{"file", request.file},
          {"state_file", request.state_file},
          {"cycles", {request.cycles.first, request.cycles.last}},
          {"cores", {request.cores.first, request.cores.last}},
          {"bytes", request.bytes},
          {"window", request.window}};
}

Request request_from(const Json& json) {
  return {json.at("file"),
          json.at("state_file"),
          {json.at("cycles").at(0), json.at("cycles").at(1)},
          {json.at("cores").at(0), json.at("cores").at(1)},
          json.at("bytes"),
          json.at("window")};
}

State read_state(const std::string& file) {
  std::ifstream stream(file, std::ios::binary);
  if (!stream) return {};
  const Json json = Json::parse(stream);
  State state{json.at("cycles"), json.at("launches"), json.at("bytes"), {}, {}};
  if (json.contains("failure")) state.failure = json["failure"];
  if (json.contains("full_at")) state.full_at = json["full_at"].get<Cycle>();
  return state;
}

void write_state(const State& state, const std::string& file) {
  Json json = {{"cycles", state.cycles}, {"launches", state.launches}, {"bytes", state.bytes}};
  if (!state.failure.empty()) json["failure"] = state.failure;
  if (state.full_at) json["full_at"] = *state.full_at;
  std::ofstream stream(file, std::ios::binary);
  stream << json.dump() << std::flush;
  if (!stream) throw Error("{}: cannot be written: {}{}", file, std::strerror(errno), kTemporaryRemedy);
}

}  // namespace warpfork::trace
