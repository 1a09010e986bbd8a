// SPDX-License-Identifier: GPL-2.0-or-later
// What is to be recorded, as `warpfork record` writes it into the work folder.
#pragma once

#include <cstdint>
#include <map>
#include <string>

namespace recorder {

/// How the object of a call (a lock, a barrier, a thread) is told from what the call does. The numbers are those of
/// the request file.
enum class ObjectRule : std::uint8_t {
  None,
  Atomic,         ///< first atomic access, less `offset`
  Plain,          ///< first access outside the stack and beside thread-local and global variables, less `offset`
  PlainLock,      ///< likewise; the call has succeeded if it stored the lock's owner, or how often that has it
  PlainTry,       ///< likewise; without success it has no mark at all
  ThreadCreated,  ///< the thread that starts meanwhile
  ThreadJoined,   ///< the thread whose id is looked at
  ThreadJoinTry,  ///< likewise; the call has succeeded if it stored there that the thread is joined; else no mark
};

/// A function of the guest at whose entry something happens.
struct WatchedFunction {
  bool is_start = false;   ///< recording begins when a thread enters it first
  bool is_region = false;  ///< only what happens within is recorded
  bool is_marked = false;  ///< calls get marks; what follows tells of these
  bool is_opaque = false;  ///< no marks for calls within
  std::uint8_t kind = 0;   ///< goes into the mark as it is
  ObjectRule rule = ObjectRule::None;
  std::uint64_t offset = 0;

  /// The mark's first word.
  std::uint32_t mark(bool leaves) const { return kind | std::uint32_t{leaves} << 8 | std::uint32_t{is_try()} << 9; }
  /// Only a call that has succeeded has a mark of its beginning.
  bool is_try() const { return rule == ObjectRule::PlainTry || rule == ObjectRule::ThreadJoinTry; }
  /// Only a call that has succeeded has a mark of its end.
  bool may_fail() const { return is_try() || rule == ObjectRule::PlainLock; }
};

/// Lines of the file `request`, numbers in hexadecimal:
///   start ADDRESS
///   region ADDRESS
///   limit INSTRUCTIONS
///   mark ADDRESS KIND OPAQUE RULE OFFSET
struct Request {
  std::map<std::uint64_t, WatchedFunction> functions;  // by address of their entry
  bool waits_for_start = false;
  bool has_region = false;
  std::uint64_t limit = UINT64_MAX;  // instructions of each thread

  /// False if the file cannot be read or a line is not understood.
  bool read(const std::string& path);
};

}  // namespace recorder
