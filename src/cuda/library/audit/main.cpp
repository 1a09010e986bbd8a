// What the loader tells of each library that it maps (rtld-audit(7)): one with kernels and a CUDA runtime of its own
// gets ours in its place, before anything of it runs, be it loaded with the program or by dlopen (docs/adr/0032).
// The loader keeps its auditors apart from the program, with a C library of their own: ours is loaded for the program
// by dlmopen. All of this happens while the loader holds its lock.
#include <dlfcn.h>
#include <fcntl.h>
#include <link.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <cstdio>
#include <cstdlib>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "cuda/api/driver_library_names.h"
#include "cuda/image/elf_section.h"
#include "cuda/image/linked_functions.h"
#include "cuda/library/linked_runtime.h"

namespace warpfork::cuda {

namespace {

#define WARPFORK_TEXT_OF(name) #name
#define WARPFORK_NAME_OF(name) WARPFORK_TEXT_OF(name)

constexpr std::string_view kRuntime = "libcudart.so.", kDriver = "libcuda.so.1";

using Initialiser = void (*)(int, char**, char**);

/// A library that has not been initialised.
struct Library {
  const link_map* map;
  std::string file, release;
  Initialiser initialiser;  // its own
};

/// A file in memory.
class MappedFile {
 public:
  explicit MappedFile(const char* name) {
    const int file = open(name, O_RDONLY | O_CLOEXEC);
    if (file < 0) return;
    struct stat status;
    if (fstat(file, &status) == 0 && status.st_size > 0) {
      void* const bytes = mmap(nullptr, static_cast<std::size_t>(status.st_size), PROT_READ, MAP_PRIVATE, file, 0);
      if (bytes != MAP_FAILED) bytes_ = {static_cast<std::byte*>(bytes), static_cast<std::size_t>(status.st_size)};
    }
    close(file);
  }
  ~MappedFile() {
    if (!bytes_.empty()) munmap(bytes_.data(), bytes_.size());
  }
  MappedFile(const MappedFile&) = delete;
  MappedFile& operator=(const MappedFile&) = delete;

  std::span<const std::byte> bytes() const { return bytes_; }

 private:
  std::span<std::byte> bytes_;
};

std::vector<link_map*> opened;  // and not looked into
std::string runtime;            // the file of a shared one that the program has loaded

[[noreturn]] void end(const std::string& file, const std::string& why, const char* remedy) {
  std::fprintf(stderr, "warpfork: %s: %s\n  %s\n", file.c_str(), why.c_str(), remedy);
  std::_Exit(EXIT_FAILURE);
}

std::string_view file_name(std::string_view path) { return path.substr(path.rfind('/') + 1); }

bool contains(std::span<const std::byte> bytes, std::string_view text) {
  return std::string_view(reinterpret_cast<const char*>(bytes.data()), bytes.size()).find(text) !=
         std::string_view::npos;
}

/// The one that stands for the runtime of the library: the program's, or else the one of the release.
void* runtime_for(const Library& library) {
  const std::string name = std::string(kRuntime) + library.release;
  void* const found = dlmopen(LM_ID_BASE, runtime.empty() ? name.c_str() : runtime.c_str(), RTLD_LAZY);
  if (found == nullptr) end(library.file, dlerror(), "the simulated CUDA runtime cannot be loaded");
  return found;
}

void require_release(const Library& library) {
  if (!runtime.empty() && !runtime.ends_with(std::string(kRuntime) + library.release))
    end(library.file, "holds the CUDA runtime " + library.release + ", and the program has loaded " + runtime,
        "build both with one release of nvcc");
}

void initialise(Library library, int argc, char** argv, char** environment) {
  using Replace = decltype(&WARPFORK_REPLACE_LINKED_RUNTIME);
  const auto replace =
      reinterpret_cast<Replace>(dlsym(runtime_for(library), WARPFORK_NAME_OF(WARPFORK_REPLACE_LINKED_RUNTIME)));
  if (replace == nullptr)
    end(library.file,
        "holds a CUDA runtime, and the program has loaded " + runtime + ", which is not the simulated one",
        "let it find ours first: do not set LD_LIBRARY_PATH, LD_PRELOAD or an RPATH to another");
  require_release(library);
  replace(library.file.c_str(), library.map->l_addr);
  library.initialiser(argc, argv, environment);
}

/// The loader calls an initialiser without saying of which library: each that waits has a function of its own here.
constexpr std::size_t kMostWaiting = 64;
std::array<std::optional<Library>, kMostWaiting> waiting;

template <std::size_t Number>
void initialise_numbered(int argc, char** argv, char** environment) {
  initialise(*std::exchange(waiting[Number], std::nullopt), argc, argv, environment);
}

template <std::size_t... Numbers>
constexpr std::array<Initialiser, kMostWaiting> numbered(std::index_sequence<Numbers...>) {
  return {initialise_numbered<Numbers>...};
}
constexpr std::array kInitialisers = numbered(std::make_index_sequence<kMostWaiting>());

/// Takes the place of the library's initialiser, which comes before its constructors.
void wait(ElfW(Dyn) & entry, const link_map& map, std::string_view release) {
  std::size_t number = 0;
  while (number < kMostWaiting && waiting[number]) ++number;
  if (number == kMostWaiting)
    end(map.l_name, "holds a CUDA runtime, as do too many libraries loaded with it", "rebuild it with -cudart shared");
  const auto page = static_cast<std::uintptr_t>(sysconf(_SC_PAGESIZE));
  const std::uintptr_t begin = reinterpret_cast<std::uintptr_t>(&entry) / page * page;
  if (mprotect(reinterpret_cast<void*>(begin), reinterpret_cast<std::uintptr_t>(&entry + 1) - begin,
               PROT_READ | PROT_WRITE) != 0)
    end(map.l_name, "its dynamic section cannot be changed", "rebuild it with nvcc -cudart shared");
  const auto initialiser = reinterpret_cast<Initialiser>(map.l_addr + entry.d_un.d_ptr);
  entry.d_un.d_ptr = reinterpret_cast<std::uintptr_t>(kInitialisers[number]) - map.l_addr;
  waiting[number] = Library{&map, map.l_name, std::string(release), initialiser};
}

/// A program may never call the library, so that this is not its end. Of NVIDIA's own the runtime tells.
void note_if_stripped(std::span<const std::byte> library, const char* name) {
  if (!driver_library_of(file_name(name)).empty()) return;
  const bool is_stripped = elf_section(library, ".symtab").empty();
  const bool is_shared = contains(elf_section(library, ".dynstr"), kRuntime.substr(0, kRuntime.size() - 1));
  if (is_stripped && !is_shared && contains(elf_section(library, ".rodata"), kDriver))  // which a runtime loads
    std::fprintf(
        stderr,
        "warpfork: note: %s holds a CUDA runtime without the names of its functions, which cannot be replaced: "
        "calls of the library fail, and its kernels are not simulated\n",
        name);
}

void look_into(const link_map& map) {
  const MappedFile file(map.l_name);
  if (elf_section(file.bytes(), ".nv_fatbin").empty()) return;
  const LinkedFunctions functions = linked_functions(file.bytes());
  if (!functions.have_runtime()) return note_if_stripped(file.bytes(), map.l_name);
  for (ElfW(Dyn)* entry = map.l_ld; entry->d_tag != DT_NULL; ++entry)
    if (entry->d_tag == DT_INIT) return wait(*entry, map, functions.release());
  end(map.l_name, "holds a CUDA runtime and has no initialiser, so that it cannot be replaced",
      "rebuild it with nvcc -cudart shared");
}

}  // namespace

}  // namespace warpfork::cuda

extern "C" {

unsigned la_version(unsigned) { return LAV_CURRENT; }

unsigned la_objopen(link_map* map, Lmid_t space, std::uintptr_t*) {
  using namespace warpfork::cuda;
  if (space != LM_ID_BASE || map->l_name[0] == '\0') return 0;  // an auditor's, or the program
  if (file_name(map->l_name).starts_with(kRuntime)) runtime = map->l_name;
  opened.push_back(map);
  return 0;
}

/// Libraries are mapped, none of the new ones is initialised.
void la_activity(std::uintptr_t*, unsigned activity) {
  using namespace warpfork::cuda;
  if (activity != LA_ACT_CONSISTENT) return;
  for (const link_map* const map : std::exchange(opened, {})) look_into(*map);
}

/// The loader gives up what it has opened, or the program closes it. The cookie is the map, as nobody says otherwise.
unsigned la_objclose(std::uintptr_t* cookie) {
  using namespace warpfork::cuda;
  const auto* const map = reinterpret_cast<const link_map*>(*cookie);
  std::erase(opened, map);
  for (std::optional<Library>& library : waiting)
    if (library && library->map == map) library.reset();
  return 0;
}
}
