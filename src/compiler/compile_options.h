// The command line of `warpfork cc`, sorted by who gets which part: it takes what nvcc and clang have in common.
#pragma once

#include <cstdint>
#include <filesystem>
#include <span>
#include <string>
#include <vector>

#include "compiler/floating_point_options.h"
#include "compiler/undefined_behaviour.h"

namespace warpfork::compiler {

enum class Language : std::uint8_t { Cuda, Cxx, C };

struct Source {
  std::filesystem::path path;
  Language language;
};

struct CompileOptions {
  std::vector<Source> sources;            // .cu; .cpp, .cc, .cxx, .C; .c
  std::vector<std::string> link_inputs;   // everything else, in order: objects, libraries, -L, -l
  std::vector<std::string> common;        // for device and host code: -I, -D, -std …
  std::vector<std::string> host_only;     // -g, -march=…, -fopenmp, of -Xcompiler …
  std::vector<std::string> dependencies;  // -MD, -MF, -MT …: of who reads sources, not of the linker
  std::vector<std::string> notes;         // about what nvcc would do and nobody does here
  std::filesystem::path output;           // empty = not given
  std::string preprocessing;              // -E, -M, -MM: compile nothing, say this of the sources; empty = not given
  std::string archiver;                   // -arbin; empty = ar
  std::vector<std::string> archiving;     // -Xarchive: for the archiver
  std::string optimization = "-O2";
  std::string architecture = "70";  // of the PTX: sm_70
  FloatingPointOptions floating_point;
  UndefinedBehaviour impossible;
  unsigned maximum_registers = 0;   // -maxrregcount; 0 = no limit
  bool compile_only = false;        // -c, -dc
  bool relocatable = false;         // -rdc=true, -dc: device code may call that of other files
  bool device_link_only = false;    // -dlink
  bool archive_only = false;        // -lib
  bool ptx_only = false;            // -ptx
  bool debug_device = false;        // -G: device code is not optimized
  bool verbose = false;             // -v: show the commands
  bool device_link = true;          // not with -nodlink: another object has what -dlink writes
  bool version_only = false;        // --version: nothing is compiled
  bool list_architectures = false;  // --list-gpu-arch: nothing is compiled
  bool list_codes = false;          // --list-gpu-code: likewise
};

/// What is written where -o does not say: a program, by -dlink an object, and by -lib an archive.
inline constexpr const char *kProgram = "a.out", *kDeviceLink = "a_dlink.o", *kArchive = "a.a";

/// Throws Error for an option that cannot be honoured, a missing value, if nothing is to be compiled, or if a file that
/// is read would be overwritten.
CompileOptions parse_compile_options(std::span<const std::string> arguments);

}  // namespace warpfork::compiler
