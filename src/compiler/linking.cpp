#include "compiler/linking.h"

#include <algorithm>
#include <array>
#include <iterator>
#include <set>
#include <utility>

#include "base/error.h"
#include "compiler/relocatable_code.h"
#include "compiler/words.h"
#include "process/find_program.h"
#include "process/output_file.h"

namespace warpfork::compiler {

namespace fs = std::filesystem;

namespace {

using Words = std::vector<std::string>;

/// For a file that only tells which symbols are missing in what was linked.
constexpr std::array kProbing{"-Wl,--unresolved-symbols=ignore-all", "-Wl,--emit-relocs"};

}  // namespace

int Linking::program(Words objects) const {
  Words inputs = objects;
  append(inputs, options_.link_inputs);
  const bool may_be_relocatable = options_.relocatable || std::ranges::any_of(inputs, may_hold_relocatable_code);
  if (options_.device_link && may_be_relocatable) {
    const fs::path linked = clang_.scratch("linked.out");
    Words probing = words(objects, linked.string());
    probing.insert(probing.end(), kProbing.begin(), kProbing.end());
    objects.push_back(clang_.scratch("registration.o").string());
    if (const int status = registration(probing, linked, objects.back()); status != 0) return status;
  }
  return clang_.run(words(objects, options_.output.empty() ? kProgram : options_.output.string()));
}

Words Linking::words(const Words& objects, const std::string& output) const {
  Words words{clang_.path(), options_.optimization};
  for (const Words* part : std::array{&options_.common, &options_.host_only, &objects, &options_.link_inputs})
    append(words, *part);
  append(words, {"-o", output, (paths_.library_folder / "libcudart.so.12").string(),
                 "-L" + paths_.library_folder.string(),  // libcuda.so, for -lcuda
                 "-Wl,-rpath," + paths_.library_folder.string()});
  return words;
}

int Linking::archive(const Words& objects) const {
  const std::string ar = options_.archiver.empty() ? process::find_program("ar") : options_.archiver;
  if (ar.empty()) throw Error("warpfork cc: -lib needs ar: apt install binutils");
  Words words{ar, "cr"};
  append(words, options_.archiving);
  words.push_back(options_.output.empty() ? kArchive : options_.output.string());
  append(words, objects);
  std::ranges::copy_if(options_.link_inputs, std::back_inserter(words), [](auto& word) { return word[0] != '-'; });
  return clang_.run(words);
}

int Linking::registration_object() const {
  const fs::path linked = clang_.scratch("device.out");
  Words words{clang_.path(), "-nostdlib", "-no-pie", "-Wl,-e,0"};
  words.insert(words.end(), kProbing.begin(), kProbing.end());
  // CMake has -shared here whatever the program is; it would ask for objects that were compiled with -fPIC.
  std::ranges::copy_if(options_.link_inputs, std::back_inserter(words), [](auto& word) { return word != "-shared"; });
  append(words, {"-o", linked.string()});
  return registration(words, linked, options_.output.empty() ? kDeviceLink : options_.output.string());
}

/// Of all relocatable device code in what these words link; throws if some of it is missing.
int Linking::registration(const Words& words, const fs::path& linked, const std::string& object) const {
  if (const int status = clang_.run(words); status != 0) return status;
  std::set<std::string> functions = missing_registrations(linked);
  if (!functions.empty() && missing_function(linked)) {
    if (const int status = clang_.run(with_whole_archives(words)); status != 0) return status;
    functions = missing_registrations(linked);
    if (const auto function = missing_function(linked))
      throw Error("warpfork cc: device code calls {}, which is in none of the objects and archives", *function);
  }
  const fs::path source = clang_.scratch("registration.c");
  process::write_text(source, functions.empty() ? "" : registration_source(functions));
  return clang_.run({clang_.path(), "-x", "c", "-c", "-O1", "-fPIC", source.string(), "-o", object});
}

}  // namespace warpfork::compiler
