#include "sweep/failure.h"

#include <fmt/format.h>

#include <csignal>
#include <cstring>
#include <nlohmann/json.hpp>

namespace warpfork::sweep {

report::Json Failure::document(const report::Json& point) const {
  return {{"schema", 1}, {"point", point}, {"failure", {{"cause", cause}, {"message", message}, {"log", log}}}};
}

Failure read_failure(const report::Json& document) {
  const report::Json& failure = document.at("failure");
  return {failure.at("cause"), failure.at("message"), failure.at("log")};
}

Failure death_by_signal(int signal) {
  if (signal == SIGKILL)
    return {"memory", "killed by the system, which does so when memory is short: run fewer at a time by --jobs"};
  return {"signal", fmt::format("its process died of signal {} ({})", signal, strsignal(signal))};
}

}  // namespace warpfork::sweep
