#include "checkpoint/directory_json.h"

#include <cstdint>
#include <limits>
#include <nlohmann/json.hpp>
#include <utility>

#include "base/error.h"

namespace warpfork::checkpoint {

namespace {

using Json = nlohmann::ordered_json;

Json to_json(Dim3 extent) { return {extent.x, extent.y, extent.z}; }
Json to_json(const MemoryRange& range) { return {range.address, range.bytes}; }
Json to_json(const Section& section) { return {section.offset, section.bytes, section.raw_bytes, section.checksum}; }

/// Nothing is converted or cut off: a number must be one, and fit.
template <class Number>
Number number_from(const Json& json) {
  if (!json.is_number_unsigned() || json.get<std::uint64_t>() > std::numeric_limits<Number>::max())
    throw Error("{} where a number from 0 to {} belongs", json.dump(), std::numeric_limits<Number>::max());
  return json.get<Number>();
}

Dim3 extent_from(const Json& json) {
  return {number_from<std::uint32_t>(json.at(0)), number_from<std::uint32_t>(json.at(1)),
          number_from<std::uint32_t>(json.at(2))};
}

MemoryRange range_from(const Json& json) {
  return {number_from<std::uint64_t>(json.at(0)), number_from<std::uint64_t>(json.at(1))};
}

Section section_from(const Json& json) {
  return {number_from<std::uint64_t>(json.at(0)), number_from<std::uint64_t>(json.at(1)),
          number_from<std::uint64_t>(json.at(2)), number_from<std::uint64_t>(json.at(3))};
}

Json launch_json(const SavedLaunch& launch) {
  Json parameters = Json::array(), variables = Json::object(), allocations = Json::array(), copies = Json::array();
  for (const std::byte byte : launch.parameters) parameters.push_back(std::to_integer<unsigned>(byte));
  for (const auto& [name, variable] : launch.places.variables) variables[name] = {variable.address, variable.bytes};
  for (const auto& [range, label] : launch.allocations) allocations.push_back({to_json(range), label});
  for (const MemoryRange& copy : launch.copies) copies.push_back(to_json(copy));
  return {{"program", launch.program},         {"number", launch.number},
          {"kernel", launch.kernel},           {"grid", to_json(launch.grid)},
          {"block", to_json(launch.block)},    {"dynamic_shared_bytes", launch.dynamic_shared_bytes},
          {"grid_id", launch.grid_id},         {"grid_workspace", launch.grid_workspace},
          {"stack_bytes", launch.stack_bytes}, {"parameters", std::move(parameters)},
          {"module", launch.module},           {"code_place", launch.places.code},
          {"variables", std::move(variables)}, {"allocations", std::move(allocations)},
          {"copies", std::move(copies)}};
}

SavedLaunch launch_from(const Json& json) {
  SavedLaunch launch;
  launch.program = json.at("program");
  launch.number = number_from<std::uint64_t>(json.at("number"));
  launch.kernel = json.at("kernel");
  launch.grid = extent_from(json.at("grid"));
  launch.block = extent_from(json.at("block"));
  launch.dynamic_shared_bytes = number_from<std::uint32_t>(json.at("dynamic_shared_bytes"));
  launch.grid_id = number_from<std::uint64_t>(json.at("grid_id"));
  if (json.contains("grid_workspace")) launch.grid_workspace = number_from<std::uint64_t>(json.at("grid_workspace"));
  if (json.contains("stack_bytes")) launch.stack_bytes = number_from<std::uint32_t>(json.at("stack_bytes"));
  for (const Json& byte : json.at("parameters"))
    launch.parameters.push_back(static_cast<std::byte>(number_from<std::uint8_t>(byte)));
  launch.module = json.at("module");
  launch.places.code = number_from<std::uint32_t>(json.at("code_place"));
  for (const auto& [name, variable] : json.at("variables").items()) {
    const MemoryRange range = range_from(variable);
    launch.places.variables[name] = {range.address, range.bytes};
  }
  for (const Json& allocation : json.at("allocations"))
    launch.allocations.push_back({range_from(allocation.at(0)), allocation.at(1)});
  for (const Json& copy : json.at("copies")) launch.copies.push_back(range_from(copy));
  return launch;
}

}  // namespace

std::string to_text(const Directory& directory) {
  Json pieces = Json::array();
  for (const Piece& piece : directory.pieces) pieces.push_back({piece.address, to_json(piece.section)});
  const Json json = {
      {"launch", launch_json(directory.launch)}, {"ptx", to_json(directory.ptx)}, {"pieces", std::move(pieces)}};
  return json.dump(-1, ' ', false, Json::error_handler_t::replace);
}

Directory directory_from(std::string_view text, const std::string& place) {
  try {
    const Json json = Json::parse(text);
    Directory directory{launch_from(json.at("launch")), section_from(json.at("ptx")), {}};
    for (const Json& piece : json.at("pieces"))
      directory.pieces.push_back({number_from<std::uint64_t>(piece.at(0)), section_from(piece.at(1))});
    return directory;
  } catch (const Json::exception& error) {
    throw Error("{}: {}", place, error.what());
  } catch (const Error& error) {
    throw Error("{}: {}", place, error.what());
  }
}

}  // namespace warpfork::checkpoint
