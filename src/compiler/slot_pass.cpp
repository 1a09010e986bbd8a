#include "compiler/slot_pass.h"

#include <fmt/format.h>

#include "base/demangled_name.h"
#include "base/error.h"
#include "compiler/anonymous_variables.h"
#include "compiler/each_line.h"
#include "compiler/managed_slots.h"
#include "compiler/words.h"
#include "config/text_file.h"
#include "process/output_file.h"

namespace warpfork::compiler {

namespace fs = std::filesystem;

namespace {

using Words = std::vector<std::string>;

/// With these there is but one way to ask for a thread's own variable that another file may have.
const auto kOneWay = {"-fPIC", "-fplt", "-fno-emulated-tls", "-ftls-model=global-dynamic", "-fno-lto"};

}  // namespace

Words SlotPass::words_of_front() {
  Words words(kOneWay.begin(), kOneWay.end());
  append(words, {"-S", "-emit-llvm", "-Xclang", "-disable-llvm-passes"});
  return words;
}

/// Those that the device's code has by the name that the host registers.
void SlotPass::require_known(const std::string& source, std::string_view llvm, const ManagedNames& names) const {
  if (!options_.relocatable || clang_.version() >= kFirstWithAnonymous) return;
  for (const std::string& name : names)
    if (mentions(llvm, fmt::format("@{} = internal ", name)) && !is_static(name))
      throw Error(
          "{}: the __managed__ variable '{}' is of this file alone, since its namespace or type has no name, and clang "
          "before {} does not keep it for the host in relocatable code: make it static",
          source, demangled_name(name), kFirstWithAnonymous);
}

int SlotPass::object(const Source& source, const fs::path& llvm, const fs::path& object) const {
  const std::string text = config::read_text(llvm), name = source.path.string();
  const ManagedNames names = managed_names(text);
  require_known(name, text, names);
  const fs::path assembly = fs::path(llvm).replace_extension(".s");
  process::write_text(llvm, with_managed_slots(text, name, names, options_.relocatable));
  Words words{clang_.path(), "-x", "ir", "-S", options_.optimization, "-Wno-unused-command-line-argument"};
  append(words, options_.common);
  append(words, options_.host_only);
  words.insert(words.end(), kOneWay.begin(), kOneWay.end());
  append(words, {llvm.string(), "-o", assembly.string()});
  if (const int status = clang_.run(words); status != 0) return status;
  process::write_text(assembly, with_slots_read(config::read_text(assembly), name, names));
  return clang_.run(
      {clang_.path(), "-x", "assembler", "-Wa,--no-warn", "-c", assembly.string(), "-o", object.string()});
}

}  // namespace warpfork::compiler
