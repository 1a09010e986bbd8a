#include "process/emulator.h"

#include "base/error.h"
#include "config/text_file.h"
#include "process/child_process.h"
#include "process/find_program.h"

namespace warpfork::process {

std::string find_emulator(const std::filesystem::path& scratch, const DeferredSignals& signals) {
  constexpr const char* kEmulator = "qemu-x86_64";
  const std::string path = find_program(kEmulator);
  if (path.empty())
    throw Error("{}: not found; programs are recorded under it\n  install the Debian package qemu-user", kEmulator);
  const std::filesystem::path help = scratch / "emulator";
  run_child({path, {"--help"}, {}, help}, signals);
  if (config::read_text(help).find("-plugin") == std::string::npos)
    throw Error(
        "{}: takes no plugins; the recorder is one\n  Debian 12's does, Debian 13's and Ubuntu 24.04's do not: record "
        "there, or build QEMU with --target-list=x86_64-linux-user --enable-plugins and put it first on PATH",
        path);
  return path;
}

}  // namespace warpfork::process
