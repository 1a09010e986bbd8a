// The functions whose calls a recording marks, and what the recorder is asked for.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "x86/symbol_table.h"
#include "x86/sync_event.h"

namespace warpfork::x86 {

/// How the recorder tells which object a call is about; it does not see registers. The numbers are those of the
/// recorder's request.
enum class ObjectRule : std::uint8_t {
  None,
  Atomic,         ///< first atomic access, less the offset
  Plain,          ///< first access beside the stack, thread-local and global variables, less the offset
  PlainLock,      ///< likewise; no mark of its end unless the call stores the lock's owner, or how often that has it
  PlainTry,       ///< likewise; nor of its beginning
  ThreadCreated,  ///< the thread that starts meanwhile
  ThreadJoined,   ///< the thread whose id is looked at
  ThreadJoinTry,  ///< likewise; no mark unless the call stores there that the thread is joined
};

struct MarkedFunction {
  SyncKind kind = SyncKind::Barrier;
  bool is_opaque = true;  ///< what it calls gets no marks
  ObjectRule rule = ObjectRule::None;
  std::uint64_t offset = 0;
};

/// main._omp_fn.0, but not main._omp_fn.0.cold, which is a piece of it.
bool is_region_body(std::string_view name);

/// Nullptr for functions without marks.
const MarkedFunction* marked_function(std::string_view name);

struct RecorderRequest {
  std::string start;                 ///< function; empty: from the beginning
  std::vector<std::string> regions;  ///< functions, each with its OpenMP bodies; none: all is recorded
  std::uint64_t limit = 0;           ///< instructions of each thread; 0: none
};

/// The file `request` of the recorder's folder. Throws Error as NamedFunctions does if a function is not one of
/// `program`.
std::string request_text(const RecorderRequest& request, const SymbolTable& symbols, const std::string& program);

}  // namespace warpfork::x86
