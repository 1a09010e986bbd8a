#include "compiler/compiler.h"

#include <fmt/ranges.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstdio>
#include <fstream>
#include <iterator>
#include <optional>
#include <utility>

#include "base/error.h"
#include "compiler/back_end.h"
#include "compiler/clang_version.h"
#include "compiler/compile_options.h"
#include "compiler/contraction.h"
#include "compiler/dependency_rules.h"
#include "compiler/device_code.h"
#include "compiler/diagnostics.h"
#include "compiler/entry_directives.h"
#include "compiler/literal_percents.h"
#include "compiler/narrow_conversions.h"
#include "compiler/relocatable_code.h"
#include "compiler/signed_bit_fields.h"
#include "compiler/source_lines.h"
#include "compiler/static_variables.h"
#include "compiler/undefined_behaviour.h"
#include "compiler/wide_division.h"
#include "compiler/wide_rotations.h"
#include "compiler/words.h"
#include "config/text_file.h"
#include "cuda/image/fat_binary.h"
#include "process/child_process.h"
#include "process/deferred_signals.h"
#include "process/find_program.h"
#include "process/temporary_folder.h"
#include "process/version.h"

namespace warpfork::compiler {

namespace fs = std::filesystem;

namespace {

using Words = std::vector<std::string>;

constexpr int kOldestClang = 14, kNewestClang = 99;         // as Debian names them: clang++-NN
constexpr const char* kDialect = "-std=gnu++17";            // of nvcc 12 and later with g++
constexpr const char* kOldKeyword = "-Wno-error=register";  // a warning of nvcc's and g++'s, an error of clang's
constexpr const char* kNameOfNvcc = "-D__NVCC__=1";         // programs ask by it whether there are kernels
constexpr const char* kReleaseOfNvcc = "12.0, V12.0.140";   // of which warpfork/device.h gives programs the numbers
constexpr int kInternalError = 70;                          // of clang: its exit status
/// Those of nvcc 11 to 13 without what one of them alone has; others are compiled as the nearest that clang knows.
constexpr std::array kListedArchitectures{35, 37, 50, 52, 53, 60, 61,  62,  70,  72,  75,
                                          80, 86, 87, 88, 89, 90, 100, 103, 110, 120, 121};
/// Where Debian's libclc packages put their NVPTX library.
constexpr std::array kMathLibraries{"/usr/lib/clc/nvptx64--nvidiacl.bc", "/usr/share/clc/nvptx64--nvidiacl.bc"};

/// Of Debian's libcub-dev, with which libthrust-dev comes. Where it is not, our few classes of CUB are taken.
constexpr const char* kCub = "/usr/include/cub/cub.cuh";

/// For a file that only tells which symbols are missing in what was linked.
constexpr std::array kProbing{"-Wl,--unresolved-symbols=ignore-all", "-Wl,--emit-relocs"};

std::string find_compiler() {
  std::string path = process::find_program("clang++");
  for (int version = kNewestClang; path.empty() && version >= kOldestClang; --version)
    path = process::find_program(fmt::format("clang++-{}", version));
  if (path.empty())
    throw Error("warpfork cc: there is no clang: apt install clang, and libclc-NN for the version NN that clang has");
  return path;
}

fs::path find_math_library() {
  for (const char* path : kMathLibraries)
    if (fs::exists(path)) return path;
  return {};
}

void write(const fs::path& path, const char* bytes, std::size_t count) {
  std::ofstream file(path, std::ios::binary);
  file.write(bytes, static_cast<std::streamsize>(count));
  if (!file.flush()) throw Error("{}: cannot be written", path.string());
}

/// What CMake looks for in what nvcc says with -v: where things lie, a default architecture, and a line that links,
/// which has the libraries' word.
std::string told_to_cmake(const ToolchainPaths& paths, const std::string& compiler, const std::string& architecture) {
  const std::string toolkit = paths.include_folder.parent_path().parent_path() / "cuda";
  return fmt::format(
      "#$ PATH={0}\n#$ TOP={1}\n#$ NVVMIR_LIBRARY_DIR={1}/nvvm/libdevice\n#$ INCLUDES=-I{1}/include\n"
      "#$ LIBRARIES=-L{1}/lib64\n#$ -arch compute_{2}\n#$ {3} -L{1}/lib64 -lcudart\n",
      fs::path(compiler).parent_path().string(), toolkit, architecture, compiler);
}

/// Line by line as nvcc does.
int tell_architectures(bool with_code, bool with_architecture) {
  for (const int number : kListedArchitectures)
    if (!with_code)
      fmt::print("compute_{}\n", number);
    else if (!with_architecture)
      fmt::print("sm_{}\n", number);
    else
      fmt::print("arch=compute_{0},code=sm_{0}\n", number);
  return 0;
}

/// For what is preprocessed already.
Words without_definitions(const Words& words) {
  Words rest;
  for (std::size_t i = 0; i < words.size(); ++i) {
    if (words[i] == "-include" || words[i] == "-D")
      ++i;
    else if (!words[i].starts_with("-D"))
      rest.push_back(words[i]);
  }
  return rest;
}

/// One run of `warpfork cc`.
class Build {
 public:
  Build(CompileOptions options, const ToolchainPaths& paths)
      : options_(std::move(options)), paths_(paths), compiler_(find_compiler()), math_(find_math_library()) {}

  int run() {
    if (options_.version_only) return tell_version();
    if (options_.list_architectures || options_.list_codes)
      return tell_architectures(options_.list_codes, options_.list_architectures);
    for (const std::string& note : options_.notes) fmt::print(stderr, "warpfork cc: note: {}\n", note);
    if (options_.verbose) fmt::print(stderr, "{}", told_to_cmake(paths_, compiler_, options_.architecture));
    if (!options_.preprocessing.empty()) return preprocess();
    if (options_.device_link_only) return device_link();
    Words objects;
    for (const Source& source : options_.sources) {
      objects.push_back(object_of(source).string());
      if (const int status = compile(source, objects.back()); status != 0) return status;
    }
    rules_.write();
    if (options_.compile_only || options_.ptx_only) return 0;
    return options_.archive_only ? archive(objects) : link(objects);
  }

 private:
  /// In nvcc's words, which CMake and configure scripts look for; without the first CMake takes it for clang.
  int tell_version() const {
    fmt::print("warpfork cc {}, in place of nvcc: NVIDIA (R) Cuda compiler driver, release {}, with {}\n",
               process::tool().version, kReleaseOfNvcc, clang_name(compiler_, scratch_.path(), signals_));
    return 0;
  }

  int compile(const Source& source, const std::string& object) {
    if (source.language != Language::Cuda) return plain_code(source, object);
    if (version_ == 0) version_ = clang_version(compiler_, scratch_.path(), signals_);
    return device_and_host_code(source, object);
  }

  /// Most of what there is to say of a source both passes say.
  int device_and_host_code(const Source& source, const std::string& object) {
    const fs::path of_device = scratch(source, ".device"), of_host = scratch(source, ".host");
    write(of_device, "", 0);
    write(of_host, "", 0);
    const auto say = [&] {
      fmt::print(stderr, "{}", said_once(config::read_text(of_device), config::read_text(of_host)));
    };
    try {
      const int status = device_code(source, of_device);
      const int end = status != 0 || options_.ptx_only ? status : host_code(source, object, of_host);
      say();
      if (end != 0) tell_of_other_libclc(config::read_text(of_device));
      return end;
    } catch (const Error&) {
      say();
      throw;
    }
  }

  /// All releases of libclc have the same files, of which the newest was installed last, perhaps for another clang.
  void tell_of_other_libclc(const std::string& said) const {
    if (!math_.empty() && said.find(fmt::format("cannot open file '{}'", math_.string())) != std::string::npos)
      fmt::print(stderr, "warpfork cc: note: {} is of another clang's libclc: apt install libclc-{}\n", math_.string(),
                 version_);
  }

  fs::path scratch(const Source& source, const char* extension) const {
    const auto index = &source - options_.sources.data();
    return scratch_.path() / (std::to_string(index) + source.path.stem().string() + extension);
  }
  fs::path object_of(const Source& source) const {
    if (!options_.compile_only) return scratch(source, ".o");
    return options_.output.empty() ? source.path.filename().replace_extension(".o") : options_.output;
  }

  /// What both passes over a source file have in common.
  Words front(const Source& source) const {
    // The language is fixed at CUDA 11.5's: the newest launch calls that clang 14 knows.
    Words words{compiler_,
                "-x",
                "cuda",
                "-nocudainc",
                "-nocudalib",
                "--cuda-path=" + paths_.include_folder.parent_path().string(),
                "-Wno-unknown-cuda-version",
                "-Xclang",
                "-target-sdk-version=11.5",
                kOldKeyword,
                fmt::format("--cuda-gpu-arch=sm_{}", clangs_architecture(options_)),
                "-isystem",
                paths_.include_folder.string(),
                "-include",
                "cuda_runtime.h",
                kDialect,
                kNameOfNvcc,
                fmt::format("-D__CUDA_ARCH_LIST__={}0", options_.architecture)};
    if (!fs::exists(kCub))
      words.insert(words.end(), {"-isystem", (paths_.include_folder.parent_path() / "cub-primitives").string()});
    append(words, options_.common);
    if (isatty(STDERR_FILENO) != 0) words.emplace_back("-fcolor-diagnostics");  // what it says goes through a file
    append(words, words_of(options_.impossible, version_));
    append(words, relocatable_words(source));
    return words;
  }

  /// Both passes must call a file's own variables alike: by a number, of which clang's driver tells the host's pass
  /// nothing.
  Words relocatable_words(const Source& source) const {
    if (!options_.relocatable) return {};
    const std::size_t number = std::hash<std::string>()(fs::absolute(source.path).string());
    const std::string option = fmt::format("-cuid={:016x}", number);
    return {"-fgpu-rdc", option, "-Xclang", option};
  }

  /// By way of LLVM's text, which is mended before it is optimized.
  int write_ptx(const Words& words, const fs::path& ptx, const fs::path& errors) {
    const fs::path llvm = fs::path(ptx).replace_extension(".ll"), said = fs::path(ptx).replace_extension(".said");
    if (const int status = write_llvm(words, llvm, errors); status != 0) return status;
    int status = write_ptx_of_llvm(llvm, ptx, said);
    if (status == kInternalError && write_llvm_with_division_calls(words, llvm))
      status = write_ptx_of_llvm(llvm, ptx, said);
    const std::string all = config::read_text(errors) + config::read_text(said);
    write(errors, all.data(), all.size());
    return status;
  }

  int write_llvm(Words words, const fs::path& llvm, const fs::path& errors) {
    words.insert(words.end(),
                 {"-emit-llvm", "-Xclang", "-disable-llvm-passes", kDefinedConversions, "-o", llvm.string()});
    if (const int status = execute(words, errors); status != 0) return status;
    std::string text = with_wide_conversions(config::read_text(llvm));
    if (fuses(options_)) text = with_contraction(text);
    write(llvm, text.data(), text.size());
    return 0;
  }

  /// With what clang has no code for put into it; false if there is nothing of that kind, or if it fails.
  bool write_llvm_with_division_calls(Words words, const fs::path& llvm) {
    words.insert(words.end(), {"-include", kWideDivisionHeader});
    if (write_llvm(words, llvm, fs::path(llvm).replace_extension(".again")) != 0) return false;
    const std::optional<std::string> text = with_division_calls(config::read_text(llvm));
    if (text) write(llvm, text->data(), text->size());
    return text.has_value();
  }

  int write_ptx_of_llvm(const fs::path& llvm, const fs::path& ptx, const fs::path& errors) {
    Words words{compiler_, "-x", "ir"};
    append(words, back_end_words_for_llvm(options_, version_));
    append(words, {llvm.string(), "-o", ptx.string()});
    return execute(words, errors);
  }

  /// Of a source, the last of the words; preprocessed, if clang does not understand its inline assembly otherwise.
  int write_ptx_of(Words words, const fs::path& ptx, const fs::path& errors) {
    const int status = write_ptx(words, ptx, errors);
    const std::string said = status == 0 ? "" : config::read_text(errors);
    if (!has_refused_percents(said)) return status;
    const fs::path text = fs::path(ptx).replace_extension(".cui");
    Words preprocessing = words;
    preprocessing.insert(preprocessing.end(), {"-E", "-o", text.string()});
    if (const int end = execute(preprocessing, errors); end != 0) return end;
    const std::string doubled = with_literal_percents(config::read_text(text));
    write(text, doubled.data(), doubled.size());
    words.back() = text.string();
    return write_ptx(without_definitions(words), ptx, errors);
  }

  /// Of a source likewise; once more, with what libclc calls, if it does.
  int write_complete_ptx_of(const Words& words, const fs::path& ptx, const fs::path& errors) {
    if (const int status = write_ptx_of(words, ptx, errors); status != 0 || math_.empty()) return status;
    if (std::ranges::none_of(missing_functions(config::read_text(ptx)), is_of_libdevice)) return 0;
    Words with_calls = words;
    with_calls.insert(with_calls.end() - 1, "-DWARPFORK_LIBCLC_CALLS");
    return write_ptx_of(with_calls, ptx, errors);
  }

  /// Of an architecture that clang does not know, the program sees its number all the same.
  Words architecture_words() const {
    if (architecture(options_) == clangs_architecture(options_)) return {};
    return {"-U__CUDA_ARCH__", fmt::format("-D__CUDA_ARCH__={}0", architecture(options_))};
  }

  int device_code(const Source& source, const fs::path& errors) {
    const fs::path ptx = scratch(source, ".ptx");
    Words words = front(source);
    words.insert(words.end(), {"--cuda-device-only", "-gline-directives-only"});
    append(words, back_end_words(options_, version_));
    append(words, architecture_words());
    // With markers clang 14 turns a break or return out of a loop into a flag variable: other control flow than
    // written.
    words.insert(words.end(), {"-Xclang", "-disable-lifetime-markers"});
    if (!math_.empty())
      words.insert(words.end(),
                   {"-Xclang", "-mlink-builtin-bitcode", "-Xclang", math_.string(), "-Wno-linker-warnings"});
    words.push_back(source.path.string());
    if (const int status = write_complete_ptx_of(words, ptx, errors); status != 0) return status;
    std::string text = config::read_text(ptx);
    for (const auto mend : {with_signed_bit_fields, with_masked_rotations, without_line_zero}) text = mend(text);
    if (options_.relocatable) text = with_static_names(text);
    require_complete(text, source.path.string(), !math_.empty(), options_.relocatable);
    text = with_limits_of_kernels(text);
    if (options_.maximum_registers != 0) text = with_register_limit(text, options_.maximum_registers);
    if (architecture(options_) != clangs_architecture(options_)) text = with_target(text, architecture(options_));
    if (!options_.ptx_only)
      wrap(text, scratch(source, ".fatbin"));
    else if (options_.output == "-")
      fmt::print("{}", text);
    else if (options_.output.empty())
      write(source.path.filename().replace_extension(".ptx"), text.data(), text.size());
    else
      write(options_.output, text.data(), text.size());
    return 0;
  }

  void wrap(const std::string& ptx, const fs::path& fat_binary) {
    const std::vector<std::byte> bytes = cuda::wrap_ptx(ptx, architecture(options_));
    write(fat_binary, reinterpret_cast<const char*>(bytes.data()), bytes.size());
  }

  int host_code(const Source& source, const std::string& object, const std::optional<fs::path>& errors) {
    Words words = front(source);
    words.insert(words.end(), {"--cuda-host-only", "-c", options_.optimization, "-Xclang", "-fcuda-include-gpubinary",
                               "-Xclang", scratch(source, ".fatbin").string()});
    return object_code(std::move(words), source, object, errors);
  }

  /// Of a source without kernels; a dialect of C++ that the options name does not concern C.
  Words plain_front(const Source& source) const {
    const bool is_c = source.language == Language::C;
    Words words{compiler_, "-x", is_c ? "c" : "c++", "-isystem", paths_.include_folder.string(), kNameOfNvcc};
    if (!is_c) words.insert(words.end(), {kDialect, kOldKeyword});
    for (const std::string& word : options_.common)
      if (!is_c || !word.starts_with("-std=") || word.find("++") == std::string::npos) words.push_back(word);
    return words;
  }

  int plain_code(const Source& source, const std::string& object) {
    Words words = plain_front(source);
    words.insert(words.end(), {"-c", options_.optimization});
    return object_code(std::move(words), source, object, {});
  }

  int object_code(Words words, const Source& source, const std::string& object, const std::optional<fs::path>& errors) {
    const fs::path rules = scratch(source, ".d");
    append(words, options_.host_only);
    append(words, options_.compile_only ? options_.dependencies : rules_.words(source, rules));
    append(words, {source.path.string(), "-o", object});
    const int status = execute(words, errors);
    rules_.take(source, rules);
    return status;
  }

  /// Of a source with kernels dependencies are the host's, and text is the device's, as with nvcc.
  Words words_of_preprocessing(const Source& source) const {
    if (source.language != Language::Cuda) return plain_front(source);
    Words words = front(source);
    if (options_.preprocessing == "-E") {
      words.emplace_back("--cuda-device-only");
      append(words, architecture_words());
    } else {
      words.emplace_back("--cuda-host-only");
    }
    return words;
  }

  int preprocess() {
    for (const Source& source : options_.sources) {
      Words words = words_of_preprocessing(source);
      append(words, options_.host_only);
      append(words, options_.dependencies);
      append(words, {options_.preprocessing, source.path.string()});
      if (!options_.output.empty()) append(words, {"-o", options_.output.string()});
      if (const int status = execute(words); status != 0) return status;
    }
    return 0;
  }

  /// What -dlink writes: who registers the objects' device code. It is linked with them by any linker.
  int device_link() {
    const fs::path linked = scratch_.path() / "device.out";
    Words words{compiler_, "-nostdlib", "-no-pie", "-Wl,-e,0"};
    words.insert(words.end(), kProbing.begin(), kProbing.end());
    // CMake has -shared here whatever the program is; it would ask for objects that were compiled with -fPIC.
    std::ranges::copy_if(options_.link_inputs, std::back_inserter(words), [](auto& word) { return word != "-shared"; });
    words.insert(words.end(), {"-o", linked.string()});
    return registration(words, linked, options_.output.empty() ? kDeviceLink : options_.output.string());
  }

  /// Of all relocatable device code in what these words link; throws if some of it is missing.
  int registration(const Words& words, const fs::path& linked, const std::string& object) {
    if (const int status = execute(words); status != 0) return status;
    std::set<std::string> functions = missing_registrations(linked);
    if (!functions.empty() && missing_function(linked)) {
      if (const int status = execute(with_whole_archives(words)); status != 0) return status;
      functions = missing_registrations(linked);
      if (const auto function = missing_function(linked))
        throw Error("warpfork cc: device code calls {}, which is in none of the objects and archives", *function);
    }
    const fs::path source = scratch_.path() / "registration.c";
    const std::string text = functions.empty() ? "" : registration_source(functions);
    write(source, text.data(), text.size());
    return execute({compiler_, "-x", "c", "-c", "-O1", "-fPIC", source.string(), "-o", object});
  }

  int archive(const Words& objects) const {
    const std::string ar = options_.archiver.empty() ? process::find_program("ar") : options_.archiver;
    if (ar.empty()) throw Error("warpfork cc: -lib needs ar: apt install binutils");
    Words words{ar, "cr"};
    append(words, options_.archiving);
    words.push_back(options_.output.empty() ? kArchive : options_.output.string());
    append(words, objects);
    std::ranges::copy_if(options_.link_inputs, std::back_inserter(words), [](auto& word) { return word[0] != '-'; });
    return execute(words);
  }

  /// With relocatable device code it is linked twice: the first time tells which objects are in it.
  int link(Words objects) {
    const std::string output = options_.output.empty() ? kProgram : options_.output.string();
    Words inputs = objects;
    inputs.insert(inputs.end(), options_.link_inputs.begin(), options_.link_inputs.end());
    const bool may_be_relocatable = options_.relocatable || std::ranges::any_of(inputs, may_hold_relocatable_code);
    if (options_.device_link && may_be_relocatable) {
      const fs::path linked = scratch_.path() / "linked.out";
      Words words = link_words(objects, linked.string());
      words.insert(words.end(), kProbing.begin(), kProbing.end());
      objects.push_back((scratch_.path() / "registration.o").string());
      if (const int status = registration(words, linked, objects.back()); status != 0) return status;
    }
    return execute(link_words(objects, output));
  }

  Words link_words(const Words& objects, const std::string& output) const {
    Words words{compiler_, options_.optimization};
    for (const Words* part : std::array{&std::as_const(options_.common), &std::as_const(options_.host_only), &objects,
                                        &std::as_const(options_.link_inputs)})
      words.insert(words.end(), part->begin(), part->end());
    words.insert(words.end(), {"-o", output, (paths_.library_folder / "libcudart.so.12").string(),
                               "-L" + paths_.library_folder.string(),  // libcuda.so, for -lcuda
                               "-Wl,-rpath," + paths_.library_folder.string()});
    return words;
  }

  int execute(const Words& words, const std::optional<fs::path>& errors = {}) const {
    if (options_.verbose) fmt::print(stderr, "{}\n", fmt::join(words, " "));
    return process::run_child({words[0], {words.begin() + 1, words.end()}, {}, {}, errors}, signals_).status;
  }

  CompileOptions options_;
  DependencyRules rules_{options_};
  ToolchainPaths paths_;
  std::string compiler_;
  unsigned version_ = 0;              // of clang; 0 = not known, or not yet
  fs::path math_;                     // empty if libclc is not installed
  process::DeferredSignals signals_;  // until the temporary files are gone
  process::TemporaryFolder scratch_;
};

}  // namespace

std::string compile_usage() {
  return "usage: warpfork cc [options] program.cu … [-o program]\n"
         "Builds a CUDA program with Debian's clang, to be run by 'warpfork run'.\n"
         "  -o FILE          what to write (a.out); -ptx, -E and -M take - for\n"
         "                   standard output\n"
         "  -c               compile to objects, do not link\n"
         "  -ptx             write the PTX of the kernels only, for 'warpfork inspect'\n"
         "                   and 'warpfork run kernel.ptx'\n"
         "  -O0 … -O3        optimization of device and host code (-O2)\n"
         "  -E               preprocess device code; -M, -MM: what the host's includes\n"
         "  -G               device code without optimization\n"
         "  -arch=sm_NN      PTX for this architecture (sm_70), -gencode too\n"
         "  -use_fast_math   as nvcc, and -ftz= -prec-div= -prec-sqrt= -fmad=\n"
         "  -maxrregcount=N  no more registers a thread\n"
         "  -I -D -U -std=   as for clang, for device and host code (-std=gnu++17)\n"
         "  -L -l -Wl,       for the linker\n"
         "  -Xcompiler WORD  for host code only, as every other option of clang's\n"
         "  -rdc=true        device code may call other files'; -dc, -dlink, too\n"
         "  -v               show the commands\n"
         "  --version        release of nvcc that it stands for, and which clang\n"
         "C and C++ sources (.c, .cpp, .cc, .cxx, .C) are compiled for the host; other\n"
         "inputs (.o, .a, .so) are linked.\n";
}

int compile(std::span<const std::string> arguments, const ToolchainPaths& paths) {
  return Build(parse_compile_options(arguments), paths).run();
}

}  // namespace warpfork::compiler
