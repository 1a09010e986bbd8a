#include "cuda/session/session_result.h"

#include <algorithm>
#include <filesystem>
#include <fstream>

#include "base/error.h"
#include "cuda/json.h"
#include "report/launch_json.h"

namespace warpfork::cuda {

namespace {

void add_line(const Json& line, SessionResult& result, unsigned& open_processes) {
  if (line.contains("begin")) {
    result.used = true;
    ++open_processes;
  } else if (line.contains("launch")) {
    result.launches.push_back(report::launch_from(line.at("launch")));
  } else if (line.contains("printed")) {
    result.printed = true;
  } else if (line.contains("error")) {
    result.errors.push_back(line.at("error"));
  } else if (line.contains("refused")) {
    result.refusals.push_back(line.at("refused"));
  } else if (line.contains("short_of_memory")) {
    result.short_of_memory = line.at("short_of_memory");
  } else {
    for (const std::string name : line.at("end").at("unsupported_calls"))
      if (std::find(result.unsupported_calls.begin(), result.unsupported_calls.end(), name) ==
          result.unsupported_calls.end())
        result.unsupported_calls.push_back(name);
    --open_processes;
  }
}

}  // namespace

std::string torn_name(const std::string& path) { return path + ".torn"; }

SessionResult read_session(const std::string& path) {
  SessionResult result;
  result.torn = std::filesystem::exists(torn_name(path));
  std::ifstream file(path);
  unsigned open_processes = 0, number = 0;
  bool cut_off = false;
  for (std::string text; std::getline(file, text);) {
    ++number;
    if (file.eof()) {  // a line without its newline was being written when the program died
      cut_off = true;
      break;
    }
    try {
      add_line(Json::parse(text), result, open_processes);
    } catch (const Json::exception& error) {
      throw Error("{}:{}: not a line of a session result: {}", path, number, error.what());
    }
  }
  result.complete = result.used && open_processes == 0 && !cut_off;
  return result;
}

}  // namespace warpfork::cuda
