#include "explain/request.h"

#include <charconv>
#include <nlohmann/json.hpp>

#include "base/error.h"

namespace warpfork::explain {

using report::Json;

Json to_json(const Request& request) {
  return {{"kernel", request.kernel},
          {"launch_number", request.launch_number},
          {"block", {request.block.x, request.block.y, request.block.z}},
          {"warp", request.warp},
          {"from_cycle", request.from_cycle},
          {"cycles", request.cycles},
          {"limit", request.limit},
          {"every_instruction", request.every_instruction},
          {"keeps_frames", request.keeps_frames},
          {"result_file", request.result_file}};
}

Request request_from(const Json& json) {
  Request request;
  request.kernel = json.at("kernel");
  request.launch_number = json.at("launch_number");
  request.block = {json.at("block").at(0), json.at("block").at(1), json.at("block").at(2)};
  request.warp = json.at("warp");
  request.from_cycle = json.at("from_cycle");
  request.cycles = json.at("cycles");
  request.limit = json.at("limit");
  request.every_instruction = json.at("every_instruction");
  request.keeps_frames = json.at("keeps_frames");
  request.result_file = json.at("result_file");
  return request;
}

void set_cycles(Request& request, std::string_view text) {
  Cycle first = 0, last = 0;
  const char* const end = text.data() + text.size();
  const auto begin = std::from_chars(text.data(), end, first);
  const bool has_first = begin.ec == std::errc() && begin.ptr != end && *begin.ptr == '-';
  const bool is_open = has_first && begin.ptr + 1 == end;
  const auto rest = has_first && !is_open ? std::from_chars(begin.ptr + 1, end, last) : begin;
  if (!has_first || (!is_open && (rest.ec != std::errc() || rest.ptr != end || last < first)))
    throw Error("--cycles '{}': expected A-B with A not behind B, or A-: cycles of the launch, for example 200-900",
                text);
  request.from_cycle = first;
  request.cycles = is_open ? 0 : last - first + 1;
}

void set_place(Request& request, std::string_view text) {
  std::uint32_t numbers[4] = {0, 0, 0, 0};
  unsigned count = 0;
  const char* at = text.data();
  const char* const end = at + text.size();
  std::size_t dots = 0;
  while (count < 4) {
    const auto [rest, fault] = std::from_chars(at, end, numbers[count]);
    if (fault != std::errc()) break;
    at = rest;
    ++count;
    if (at == end || (*at != ',' && *at != '.')) break;
    if (dots != 0) break;  // the warp was the last number
    dots += *at++ == '.';
  }
  if (at != end || dots != 1 || (count != 2 && count != 4))
    throw Error("--warp '{}': not a block and a warp\n  write B.W, for example 0.3 or 1,2,0.3 (block x,y,z and warp)",
                text);
  request.warp = numbers[count - 1];
  request.block = count == 2 ? Dim3{numbers[0], 0, 0} : Dim3{numbers[0], numbers[1], numbers[2]};
}

}  // namespace warpfork::explain
