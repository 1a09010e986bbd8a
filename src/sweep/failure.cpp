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

Failure death_by_signal(int signal, std::string_view who) {
  if (signal == SIGKILL)
    return {"memory",
            fmt::format("{} was killed by the system, which does so when memory is short: run fewer at a time "
                        "by --jobs",
                        who)};
  return {"signal", fmt::format("{} died of signal {} ({})", who, signal, strsignal(signal))};
}

}  // namespace warpfork::sweep
