#include "compiler/relocatable_code.h"

#include <fmt/format.h>

#include <functional>
#include <span>

#include "config/text_file.h"
#include "cuda/image/file_ptx.h"
#include "cuda/image/linked_functions.h"
#include "ptx/parser.h"
#include "simt/system_calls.h"

namespace warpfork::compiler {

namespace {

/// {0}: the objects' wrappers, declared, and {1}: their addresses. They are asked for by name, so that a linker takes
/// an object out of its archive even if no other knows it. Whichever object is the first to be initialized has the code
/// of all registered, so that its managed variables are there for the initializers that follow. The image that is named
/// first is an empty one: there is no machine code.
constexpr const char* kSource = R"(struct wrapper {{
  unsigned magic, version;
  const void *image, *parts;
}};
void** __cudaRegisterFatBinary(void*);
void __cudaRegisterFatBinaryEnd(void**);
void __cudaUnregisterFatBinary(void**);
char __cudaInitModule(void**);
int atexit(void (*)(void));
{0}
static const struct wrapper* const wrappers[] = {{{1}}};
static const unsigned empty[4] = {{0xba55ed50, 0x00100001, 0, 0}};
static const void* parts[sizeof wrappers / sizeof *wrappers + 1];
static struct wrapper linked = {{0x466243b1, 2, empty, parts}};
static void** handle;

static void finish(void) {{ __cudaUnregisterFatBinary(handle); }}

static void add(void (*callback)(void**)) {{
  if (!handle) {{
    for (unsigned i = 0; i < sizeof wrappers / sizeof *wrappers; ++i) parts[i] = wrappers[i]->image;
    handle = __cudaRegisterFatBinary(&linked);
    atexit(finish);
    __cudaRegisterFatBinaryEnd(handle);
  }}
  callback(handle);
  __cudaInitModule(handle);
}}
)";

/// {}: the function's name.
constexpr const char* kFunction =
    "void {}(void (*callback)(void**), const struct wrapper* part, const char* id, void (*unused)(void*)) {{\n"
    "  (void)part, (void)id, (void)unused;\n  add(callback);\n}}\n";

/// Perhaps of the first clang whose objects leave it to LLVM's own linker to register them, unless told otherwise: 19
/// knows the option, and 22 needs it.
constexpr unsigned kRegistersOtherwise = 20;

/// The archive with relocatable code that a word for the linker names, by -l and the folders of -L, too; or empty.
std::string archive_of(const std::string& word, const std::vector<std::string>& words) {
  if (word.ends_with(".a")) return may_hold_relocatable_code(word) ? word : "";
  if (!word.starts_with("-l")) return "";
  for (const std::string& folder : words) {
    if (!folder.starts_with("-L")) continue;
    const std::filesystem::path file = std::filesystem::path(folder.substr(2)) / fmt::format("lib{}.a", word.substr(2));
    if (may_hold_relocatable_code(file)) return file;
  }
  return "";
}

}  // namespace

/// Both passes must call a file's own variables alike: by a number, of which clang's driver tells the host's pass
/// nothing.
std::vector<std::string> relocatable_words(const std::filesystem::path& source, unsigned clang_version) {
  const std::size_t number = std::hash<std::string>()(std::filesystem::absolute(source).string());
  const std::string option = fmt::format("-cuid={:016x}", number);
  std::vector<std::string> words{"-fgpu-rdc", option, "-Xclang", option};
  if (clang_version >= kRegistersOtherwise) words.emplace_back("--no-offload-new-driver");
  return words;
}

bool may_hold_relocatable_code(const std::filesystem::path& file) {
  return std::filesystem::is_regular_file(file) && config::read_text(file).find(kRegistration) != std::string::npos;
}

std::vector<std::string> with_whole_archives(const std::vector<std::string>& words) {
  std::vector<std::string> whole;
  for (const std::string& word : words) {
    const std::string archive = archive_of(word, words);
    if (archive.empty())
      whole.push_back(word);
    else
      whole.insert(whole.end(), {"-Wl,--whole-archive", archive, "-Wl,--no-whole-archive"});
  }
  whole.emplace_back("-Wl,--allow-multiple-definition");
  return whole;
}

std::set<std::string> missing_registrations(const std::filesystem::path& linked) {
  const std::string bytes = config::read_text(linked);
  return cuda::undefined_symbols(std::as_bytes(std::span(bytes)), kRegistration);
}

std::string registration_source(const std::set<std::string>& functions) {
  std::string declarations, addresses, definitions;
  for (const std::string& function : functions) {
    const std::string wrapper = "__fatbinwrap" + function.substr(kRegistration.size());
    declarations += fmt::format("extern const struct wrapper {};\n", wrapper);
    addresses += fmt::format("&{}, ", wrapper);
    definitions += fmt::format(kFunction, function);
  }
  return fmt::format(kSource, declarations, addresses) + definitions;
}

std::optional<std::string> missing_function(const std::filesystem::path& file) {
  for (const cuda::FilePtx& image : cuda::ptx_of_file(file))
    for (const ptx::Function& function : ptx::parse(image.text, image.name).functions)
      if (function.is_declaration && !function.is_entry && !simt::find_system_call(function.name)) return function.name;
  return {};
}

}  // namespace warpfork::compiler
