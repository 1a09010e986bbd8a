#include "process/emulator.h"

#include <fmt/format.h>
#include <sys/mman.h>

#include "base/error.h"
#include "config/text_file.h"
#include "process/child_process.h"
#include "process/descriptor.h"
#include "process/find_program.h"

namespace warpfork::process {

namespace {

/// In memory, so that a full disk is not taken for an emulator that says nothing.
std::string help_of(const std::string& emulator, const DeferredSignals& signals) {
  const Descriptor file(memfd_create("help", 0), fmt::format("{}: its help cannot be read", emulator));
  const std::string name = fmt::format("/proc/self/fd/{}", file.number());  // the child's number of it, too
  run_child({emulator, {"--help"}, {}, name}, signals);
  return config::read_text(name);
}

}  // namespace

std::string find_emulator(const DeferredSignals& signals) {
  constexpr const char* kEmulator = "qemu-x86_64";
  const std::string path = find_program(kEmulator);
  if (path.empty())
    throw Error("{}: not found; programs are recorded under it\n  install the Debian package qemu-user", kEmulator);
  if (help_of(path, signals).find("-plugin") == std::string::npos)
    throw Error(
        "{}: takes no plugins; the recorder is one\n  Debian 12's does, Debian 13's and Ubuntu 24.04's do not: record "
        "there, or build QEMU with --target-list=x86_64-linux-user --enable-plugins and put it first on PATH",
        path);
  return path;
}

}  // namespace warpfork::process
