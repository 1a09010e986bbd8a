#include "x86/marked_functions.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <iterator>
#include <map>
#include <set>

#include "base/error.h"
#include "base/text.h"

namespace warpfork::x86 {

namespace {

struct NamedFunction {
  std::string_view name;
  MarkedFunction function;
};

// Offsets: pthread_mutex_t and pthread_cond_t as <bits/pthreadtypes.h> declares them, whose layouts are part of glibc's
// binary interface: every call on a mutex looks at its kind first (16), one that wakes looks at the number of waiters
// (36). A barrier counts arrivals in its first word. libgomp looks at a barrier's generation first (4).
constexpr std::uint64_t kMutexKind = 16, kConditionWaiters = 36, kTeamGeneration = 4;

using enum SyncKind;
constexpr std::array kFunctions = {
    NamedFunction{"pthread_create", {ThreadCreate, true, ObjectRule::ThreadCreated, 0}},
    NamedFunction{"pthread_join", {ThreadJoin, true, ObjectRule::ThreadJoined, 0}},
    NamedFunction{"pthread_barrier_wait", {Barrier, true, ObjectRule::Atomic, 0}},
    NamedFunction{"pthread_mutex_lock", {Lock, true, ObjectRule::Plain, kMutexKind}},
    NamedFunction{"pthread_mutex_trylock", {Lock, true, ObjectRule::PlainTry, kMutexKind}},
    NamedFunction{"pthread_mutex_timedlock", {Lock, true, ObjectRule::PlainTry, kMutexKind}},
    NamedFunction{"pthread_mutex_clocklock", {Lock, true, ObjectRule::PlainTry, kMutexKind}},
    NamedFunction{"pthread_mutex_unlock", {Unlock, true, ObjectRule::Plain, kMutexKind}},
    NamedFunction{"pthread_cond_wait", {ConditionWait, false, ObjectRule::Atomic, 0}},
    NamedFunction{"pthread_cond_timedwait", {ConditionWait, false, ObjectRule::Atomic, 0}},
    NamedFunction{"pthread_cond_clockwait", {ConditionWait, false, ObjectRule::Atomic, 0}},
    NamedFunction{"pthread_cond_signal", {ConditionSignal, true, ObjectRule::Plain, kConditionWaiters}},
    NamedFunction{"pthread_cond_broadcast", {ConditionBroadcast, true, ObjectRule::Plain, kConditionWaiters}},
    // By which waiting on a condition gives its mutex away and takes it back.
    NamedFunction{"__pthread_mutex_unlock_usercnt", {Unlock, true, ObjectRule::Plain, kMutexKind}},
    NamedFunction{"__pthread_mutex_cond_lock", {Lock, true, ObjectRule::Plain, kMutexKind}},
    NamedFunction{"gomp_team_barrier_wait", {Barrier, true, ObjectRule::Plain, kTeamGeneration}},
    NamedFunction{"gomp_team_barrier_wait_final", {Barrier, true, ObjectRule::Plain, kTeamGeneration}},
    NamedFunction{"gomp_team_barrier_wait_cancel", {Barrier, true, ObjectRule::Plain, kTeamGeneration}},
    NamedFunction{"gomp_barrier_wait", {Barrier, true, ObjectRule::Plain, kTeamGeneration}},
    NamedFunction{"gomp_barrier_wait_last", {Barrier, true, ObjectRule::Plain, kTeamGeneration}},
    NamedFunction{"GOMP_critical_start", {Lock, true, ObjectRule::Atomic, 0}},
    NamedFunction{"GOMP_critical_end", {Unlock, true, ObjectRule::Atomic, 0}},
    NamedFunction{"GOMP_critical_name_start", {Lock, true, ObjectRule::Atomic, 0}},
    NamedFunction{"GOMP_critical_name_end", {Unlock, true, ObjectRule::Atomic, 0}},
    NamedFunction{"GOMP_atomic_start", {Lock, true, ObjectRule::Atomic, 0}},
    NamedFunction{"GOMP_atomic_end", {Unlock, true, ObjectRule::Atomic, 0}},
    NamedFunction{"omp_set_lock", {Lock, true, ObjectRule::Atomic, 0}},
    NamedFunction{"omp_unset_lock", {Unlock, true, ObjectRule::Atomic, 0}},
    NamedFunction{"GOMP_parallel", {Region, false, ObjectRule::None, 0}},
};
constexpr MarkedFunction kRegionBody = {RegionBody, false, ObjectRule::None, 0};

/// main._omp_fn.0, but not main._omp_fn.0.cold, which is a piece of it.
bool is_region_body(std::string_view name) {
  constexpr std::string_view kInfix = "._omp_fn.";
  const std::size_t at = name.find(kInfix);
  if (at == name.npos) return false;
  const std::string_view number = name.substr(at + kInfix.size());
  return !number.empty() && number.find_first_not_of("0123456789") == number.npos;
}

/// Whether the rest of a name, as ".constprop.0.isra.1", says that it is of a copy or a part that GCC or clang made of
/// the function and calls in its place. What it puts aside (".cold") is jumped to from within.
bool is_of_a_copy(std::string_view rest) {
  constexpr std::array<std::string_view, 5> kKinds = {".part.", ".constprop.", ".isra.", ".lto_priv.", ".llvm."};
  while (!rest.empty()) {
    const auto kind = std::ranges::find_if(kKinds, [&](const std::string_view each) { return rest.starts_with(each); });
    if (kind == kKinds.end()) return false;
    rest.remove_prefix(kind->size());
    const std::size_t digits = std::min(rest.find_first_not_of("0123456789"), rest.size());
    if (digits == 0) return false;
    rest.remove_prefix(digits);
  }
  return true;
}

/// The function with its copies, by address.
std::set<std::uint64_t> function_named(const std::string& name, const SymbolTable& symbols,
                                       const std::string& program) {
  std::set<std::uint64_t> addresses;
  for (const Symbol& symbol : symbols.all())
    if (symbol.is_function && symbol.name.starts_with(name) &&
        is_of_a_copy(std::string_view(symbol.name).substr(name.size())))
      addresses.insert(symbol.address);
  if (!addresses.empty()) return addresses;
  std::vector<std::string> known;
  for (const Symbol& other : symbols.all())
    if (other.is_function) known.push_back(other.name);
  throw Error("{}: has no function '{}'\n  near names: {}", program, name, fmt::join(nearest_names(name, known), ", "));
}

}  // namespace

const MarkedFunction* marked_function(std::string_view name) {
  if (is_region_body(name)) return &kRegionBody;
  const auto found = std::find_if(kFunctions.begin(), kFunctions.end(),
                                  [&](const NamedFunction& function) { return function.name == name; });
  return found == kFunctions.end() ? nullptr : &found->function;
}

std::string request_text(const RecorderRequest& request, const SymbolTable& symbols, const std::string& program) {
  std::string text;
  const auto out = std::back_inserter(text);
  if (!request.start.empty())
    for (const std::uint64_t address : function_named(request.start, symbols, program))
      fmt::format_to(out, "start {:x}\n", address);
  for (const std::string& region : request.regions) {
    for (const std::uint64_t address : function_named(region, symbols, program))
      fmt::format_to(out, "region {:x}\n", address);
    for (const Symbol& symbol : symbols.all())
      if (symbol.is_function && is_region_body(symbol.name) && symbol.name.starts_with(region + "."))
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
