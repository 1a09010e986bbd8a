#include "x86/marked_functions.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <iterator>
#include <map>

#include "x86/named_functions.h"

namespace warpfork::x86 {

namespace {

struct FunctionMark {
  std::string_view name;
  MarkedFunction function;
};

// Offsets: pthread_mutex_t and pthread_cond_t as <bits/pthreadtypes.h> declares them, whose layouts are part of glibc's
// binary interface: every call on a mutex looks at its kind first (16), one that wakes looks at the number of waiters
// (36). A barrier counts arrivals in its first word. libgomp looks at a barrier's generation first (4).
constexpr std::uint64_t kMutexKind = 16, kConditionWaiters = 36, kTeamGeneration = 4;

using enum SyncKind;
constexpr std::array kFunctions = {
    FunctionMark{"pthread_create", {ThreadCreate, true, ObjectRule::ThreadCreated, 0}},
    FunctionMark{"pthread_join", {ThreadJoin, true, ObjectRule::ThreadJoined, 0}},
    FunctionMark{"pthread_tryjoin_np", {ThreadJoin, true, ObjectRule::ThreadJoinTry, 0}},
    FunctionMark{"pthread_timedjoin_np", {ThreadJoin, true, ObjectRule::ThreadJoinTry, 0}},
    FunctionMark{"pthread_clockjoin_np", {ThreadJoin, true, ObjectRule::ThreadJoinTry, 0}},
    FunctionMark{"pthread_barrier_wait", {Barrier, true, ObjectRule::Atomic, 0}},
    FunctionMark{"pthread_mutex_lock", {Lock, true, ObjectRule::PlainLock, kMutexKind}},
    FunctionMark{"pthread_mutex_trylock", {Lock, true, ObjectRule::PlainTry, kMutexKind}},
    FunctionMark{"pthread_mutex_timedlock", {Lock, true, ObjectRule::PlainTry, kMutexKind}},
    FunctionMark{"pthread_mutex_clocklock", {Lock, true, ObjectRule::PlainTry, kMutexKind}},
    FunctionMark{"pthread_mutex_unlock", {Unlock, true, ObjectRule::Plain, kMutexKind}},
    FunctionMark{"pthread_cond_wait", {ConditionWait, false, ObjectRule::Atomic, 0}},
    FunctionMark{"pthread_cond_timedwait", {ConditionWait, false, ObjectRule::Atomic, 0}},
    FunctionMark{"pthread_cond_clockwait", {ConditionWait, false, ObjectRule::Atomic, 0}},
    FunctionMark{"pthread_cond_signal", {ConditionSignal, true, ObjectRule::Plain, kConditionWaiters}},
    FunctionMark{"pthread_cond_broadcast", {ConditionBroadcast, true, ObjectRule::Plain, kConditionWaiters}},
    // By which waiting on a condition gives its mutex away and takes it back.
    FunctionMark{"__pthread_mutex_unlock_usercnt", {Unlock, true, ObjectRule::Plain, kMutexKind}},
    FunctionMark{"__pthread_mutex_cond_lock", {Lock, true, ObjectRule::Plain, kMutexKind}},
    FunctionMark{"gomp_team_barrier_wait", {Barrier, true, ObjectRule::Plain, kTeamGeneration}},
    FunctionMark{"gomp_team_barrier_wait_final", {Barrier, true, ObjectRule::Plain, kTeamGeneration}},
    FunctionMark{"gomp_team_barrier_wait_cancel", {Barrier, true, ObjectRule::Plain, kTeamGeneration}},
    FunctionMark{"gomp_barrier_wait", {Barrier, true, ObjectRule::Plain, kTeamGeneration}},
    FunctionMark{"gomp_barrier_wait_last", {Barrier, true, ObjectRule::Plain, kTeamGeneration}},
    FunctionMark{"GOMP_critical_start", {Lock, true, ObjectRule::Atomic, 0}},
    FunctionMark{"GOMP_critical_end", {Unlock, true, ObjectRule::Atomic, 0}},
    FunctionMark{"GOMP_critical_name_start", {Lock, true, ObjectRule::Atomic, 0}},
    FunctionMark{"GOMP_critical_name_end", {Unlock, true, ObjectRule::Atomic, 0}},
    FunctionMark{"GOMP_atomic_start", {Lock, true, ObjectRule::Atomic, 0}},
    FunctionMark{"GOMP_atomic_end", {Unlock, true, ObjectRule::Atomic, 0}},
    FunctionMark{"omp_set_lock", {Lock, true, ObjectRule::Atomic, 0}},
    FunctionMark{"omp_unset_lock", {Unlock, true, ObjectRule::Atomic, 0}},
    FunctionMark{"GOMP_parallel", {Region, false, ObjectRule::None, 0}},
};
constexpr MarkedFunction kRegionBody = {RegionBody, false, ObjectRule::None, 0};

}  // namespace

bool is_region_body(std::string_view name) {
  constexpr std::string_view kInfix = "._omp_fn.";
  const std::size_t at = name.find(kInfix);
  if (at == name.npos) return false;
  const std::string_view number = name.substr(at + kInfix.size());
  return !number.empty() && number.find_first_not_of("0123456789") == number.npos;
}

const MarkedFunction* marked_function(std::string_view name) {
  if (is_region_body(name)) return &kRegionBody;
  const auto found = std::find_if(kFunctions.begin(), kFunctions.end(),
                                  [&](const FunctionMark& function) { return function.name == name; });
  return found == kFunctions.end() ? nullptr : &found->function;
}

std::string request_text(const RecorderRequest& request, const SymbolTable& symbols, const std::string& program) {
  std::string text;
  const auto out = std::back_inserter(text);
  if (!request.start.empty()) {
    const NamedFunctions functions(request.start, symbols, program);
    for (const std::uint64_t address : functions.addresses()) fmt::format_to(out, "start {:x}\n", address);
  }
  for (const std::string& region : request.regions) {
    const NamedFunctions functions(region, symbols, program, NamedFunctions::Needs::CodeOrBodies);
    for (const std::uint64_t address : functions.addresses()) fmt::format_to(out, "region {:x}\n", address);
    for (const Symbol& symbol : symbols.all())
      if (symbol.is_function && is_region_body(symbol.name) && functions.have_part(symbol.name))
        fmt::format_to(out, "region {:x}\n", symbol.address);
  }
  if (request.limit != 0) fmt::format_to(out, "limit {:x}\n", request.limit);
  std::map<std::uint64_t, const MarkedFunction*> marked;  // an address may have several names
  for (const Symbol& symbol : symbols.all())
    if (const MarkedFunction* const function = marked_function(symbol.name); function && symbol.is_function)
      marked.emplace(symbol.address, function);
  for (const auto& [address, function] : marked)
    fmt::format_to(out, "mark {:x} {:x} {:x} {:x} {:x}\n", address, static_cast<unsigned>(function->kind),
                   function->is_opaque ? 1 : 0, static_cast<unsigned>(function->rule), function->offset);
  return text;
}

}  // namespace warpfork::x86
