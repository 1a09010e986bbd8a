#include "x86/sync_event.h"

#include <fmt/format.h>

#include <array>

namespace warpfork::x86 {

namespace {

constexpr std::array kNames = {
    "start by thread",  "create of thread",    "join of thread",  "barrier",         "lock", "unlock", "condition wait",
    "condition signal", "condition broadcast", "parallel region", "body of a region"};

}  // namespace

std::string describe(const SyncEvent& event) {
  const bool names_thread = event.kind <= SyncKind::ThreadJoin;
  return fmt::format("{} {} {}", event.leaves ? "end of" : "begin of", kNames[static_cast<unsigned>(event.kind)],
                     names_thread ? fmt::format("{}", event.object) : fmt::format("{:x}", event.object));
}

}  // namespace warpfork::x86
