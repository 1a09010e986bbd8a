#include "compiler/compiler.h"

#include <fmt/ranges.h>
#include <unistd.h>

#include <array>
#include <cstdio>
#include <optional>
#include <utility>

#include "base/error.h"
#include "compiler/back_end.h"
#include "compiler/clang.h"
#include "compiler/compile_options.h"
#include "compiler/dependency_rules.h"
#include "compiler/device_pass.h"
#include "compiler/diagnostics.h"
#include "compiler/late_alignment.h"
#include "compiler/linking.h"
#include "compiler/managed_variables.h"
#include "compiler/relocatable_code.h"
#include "compiler/slot_pass.h"
#include "compiler/undefined_behaviour.h"
#include "compiler/words.h"
#include "config/text_file.h"
#include "cuda/image/fat_binary.h"
#include "process/output_file.h"
#include "process/version.h"

namespace warpfork::compiler {

namespace fs = std::filesystem;

namespace {

using Words = std::vector<std::string>;

constexpr const char* kDialect = "-std=gnu++17";            // of nvcc 12 and later with g++
constexpr const char* kOldKeyword = "-Wno-error=register";  // a warning of nvcc's and g++'s, an error of clang's
constexpr const char* kNameOfNvcc = "-D__NVCC__=1";         // programs ask by it whether there are kernels
constexpr const char* kReleaseOfNvcc = "12.0, V12.0.140";   // of which warpfork/device.h gives programs the numbers
/// Those of nvcc 11 to 13 without what one of them alone has; others are compiled as the nearest that clang knows.
constexpr std::array kListedArchitectures{35, 37, 50, 52, 53, 60, 61,  62,  70,  72,  75,
                                          80, 86, 87, 88, 89, 90, 100, 103, 110, 120, 121};
/// Of Debian's libcub-dev, with which libthrust-dev comes. Where it is not, our few classes of CUB are taken.
constexpr const char* kCub = "/usr/include/cub/cub.cuh";

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

/// One run of `warpfork cc`.
class Build {
 public:
  Build(CompileOptions options, const ToolchainPaths& paths)
      : options_(std::move(options)), paths_(paths), clang_(options_.verbose) {}

  int run() {
    if (options_.version_only) return tell_version();
    if (options_.list_architectures || options_.list_codes)
      return tell_architectures(options_.list_codes, options_.list_architectures);
    for (const std::string& note : options_.notes) fmt::print(stderr, "warpfork cc: note: {}\n", note);
    if (options_.verbose) fmt::print(stderr, "{}", told_to_cmake(paths_, clang_.path(), options_.architecture));
    if (!options_.preprocessing.empty()) return preprocess();
    if (options_.device_link_only) return linking_.registration_object();
    Words objects;
    for (const Source& source : options_.sources) {
      objects.push_back(object_of(source).string());
      if (const int status = compile(source, objects.back()); status != 0) return status;
    }
    rules_.write();
    if (options_.compile_only || options_.ptx_only) return 0;
    return options_.archive_only ? linking_.archive(objects) : linking_.program(objects);
  }

 private:
  /// In nvcc's words, which CMake and configure scripts look for; without the first CMake takes it for clang.
  int tell_version() const {
    fmt::print("warpfork cc {}, in place of nvcc: NVIDIA (R) Cuda compiler driver, release {}, with {}\n",
               process::tool().version, kReleaseOfNvcc, clang_.name());
    return 0;
  }

  int compile(const Source& source, const std::string& object) {
    return source.language == Language::Cuda ? device_and_host_code(source, object) : plain_code(source, object);
  }

  /// Most of what there is to say of a source both passes say.
  int device_and_host_code(const Source& source, const std::string& object) {
    const fs::path of_device = scratch(source, ".device"), of_host = scratch(source, ".host");
    for (const fs::path& file : {of_device, of_host}) process::write_text(file, "");
    const auto say = [&] {
      fmt::print(stderr, "{}", said_once(config::read_text(of_device), config::read_text(of_host)));
    };
    try {
      const int status = device_code(source, of_device);
      const int end = status != 0 || options_.ptx_only ? status : host_code(source, object, of_host);
      say();
      if (end != 0) device_pass_.tell_of_other_libclc(config::read_text(of_device));
      return end;
    } catch (const Error&) {
      say();
      throw;
    }
  }

  fs::path scratch(const Source& source, const char* extension) const {
    const auto index = &source - options_.sources.data();
    return clang_.scratch(std::to_string(index) + source.path.stem().string() + extension);
  }
  fs::path object_of(const Source& source) const {
    if (!options_.compile_only) return scratch(source, ".o");
    return options_.output.empty() ? source.path.filename().replace_extension(".o") : options_.output;
  }

  /// What both passes over a source file have in common.
  Words front(const Source& source) {
    // The language is fixed at CUDA 11.5's: the newest launch calls that clang 14 knows.
    Words words{clang_.path(),
                "-x",
                "cuda",
                "-nocudainc",
                "-nocudalib",
                "--cuda-path=" + paths_.include_folder.parent_path().string(),
                "-Wno-unknown-cuda-version",
                "-Wno-cuda-compat",  // takes `#pragma unroll (4)` for what nvcc does not
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
                "-U__CUDA_ARCH_LIST__",  // newer clangs define it by the architecture that they are told
                fmt::format("-D__CUDA_ARCH_LIST__={}0", options_.architecture)};
    if (!fs::exists(kCub))
      words.insert(words.end(), {"-isystem", (paths_.include_folder.parent_path() / "cub-primitives").string()});
    if (has_late_alignment_) words.insert(words.end(), {"-include", kLateAlignmentHeader});
    if (has_managed_variables_) words.insert(words.end(), {"-include", kManagedHeader});
    append(words, options_.common);
    if (isatty(STDERR_FILENO) != 0) words.emplace_back("-fcolor-diagnostics");  // what it says goes through a file
    append(words, words_of(options_.impossible, clang_.version()));
    if (options_.relocatable) append(words, relocatable_words(source.path, clang_.version()));
    return words;
  }

  /// Once more, if clang ends at what it has not: then it is told how it is to understand that.
  int device_ptx(const Source& source, const fs::path& ptx, const fs::path& errors) {
    has_late_alignment_ = has_managed_variables_ = false;
    int status = 0;
    do status = device_pass_.compile(front(source), source, ptx, errors);
    while (status != 0 && learns(config::read_text(errors)));
    return status;
  }

  /// Of the source, from what clang has said; false if it is nothing new.
  bool learns(const std::string& errors) {
    const bool is_late = !has_late_alignment_ && has_late_attribute(errors),
               is_managed = !has_managed_variables_ && has_managed_variables(errors);
    has_late_alignment_ |= is_late;
    has_managed_variables_ |= is_managed;
    return is_late || is_managed;
  }

  int device_code(const Source& source, const fs::path& errors) {
    const fs::path ptx = scratch(source, ".ptx");
    if (const int status = device_ptx(source, ptx, errors); status != 0) return status;
    const std::string text = config::read_text(ptx);
    if (!options_.ptx_only) {
      wrap(text, scratch(source, ".fatbin"));
    } else {
      const fs::path beside = source.path.filename().replace_extension(".ptx");
      process::write_text(options_.output.empty() ? beside : options_.output, text);
    }
    return 0;
  }

  void wrap(const std::string& ptx, const fs::path& fat_binary) const {
    const std::vector<std::byte> bytes = cuda::wrap_ptx(ptx, architecture(options_));
    process::write_text(fat_binary, {reinterpret_cast<const char*>(bytes.data()), bytes.size()});
  }

  int host_code(const Source& source, const std::string& object, const std::optional<fs::path>& errors) {
    Words words = front(source);
    words.insert(words.end(), {"--cuda-host-only", options_.optimization, "-Xclang", "-fcuda-include-gpubinary",
                               "-Xclang", scratch(source, ".fatbin").string()});
    if (has_managed_variables_) return code_with_managed_variables(std::move(words), source, object, errors);
    words.emplace_back("-c");
    return object_code(std::move(words), source, object, errors);
  }

  int code_with_managed_variables(Words words, const Source& source, const std::string& object,
                                  const std::optional<fs::path>& errors) {
    const fs::path llvm = scratch(source, ".host.ll");
    append(words, options_.host_only);
    append(words, SlotPass::words_of_front());
    append(words, rules_.words(source, rules_of(source)));
    const int status = compile_with(std::move(words), source, llvm.string(), errors);
    return status != 0 ? status : slot_pass_.object(source, llvm, object);
  }

  /// Of a source without kernels; a dialect of C++ that the options name does not concern C.
  Words plain_front(const Source& source) const {
    const bool is_c = source.language == Language::C;
    Words words{clang_.path(), "-x", is_c ? "c" : "c++", "-isystem", paths_.include_folder.string(), kNameOfNvcc};
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
    append(words, options_.host_only);
    append(words, options_.compile_only ? options_.dependencies : rules_.words(source, rules_of(source)));
    return compile_with(std::move(words), source, object, errors);
  }

  /// What comes of the source goes into `output`, and rules for make that it may write are kept.
  int compile_with(Words words, const Source& source, const std::string& output,
                   const std::optional<fs::path>& errors) {
    append(words, {source.path.string(), "-o", output});
    const int status = clang_.run(words, errors);
    rules_.take(source, rules_of(source));
    return status;
  }

  fs::path rules_of(const Source& source) const { return scratch(source, ".d"); }

  /// Of a source with kernels dependencies are the host's, and text is the device's, as with nvcc.
  Words words_of_preprocessing(const Source& source) {
    if (source.language != Language::Cuda) return plain_front(source);
    Words words = front(source);
    if (options_.preprocessing == "-E") {
      words.emplace_back("--cuda-device-only");
      append(words, device_pass_.architecture_words());
    } else {
      words.emplace_back("--cuda-host-only");
    }
    return words;
  }

  int preprocess() {
    has_managed_variables_ = true;  // nobody would see that it is tried again
    for (const Source& source : options_.sources) {
      Words words = words_of_preprocessing(source);
      append(words, options_.host_only);
      append(words, options_.dependencies);
      append(words, {options_.preprocessing, source.path.string()});
      if (!options_.output.empty()) append(words, {"-o", options_.output.string()});
      if (const int status = clang_.run(words); status != 0) return status;
    }
    return 0;
  }

  CompileOptions options_;
  DependencyRules rules_{options_};
  ToolchainPaths paths_;
  Clang clang_;
  bool has_late_alignment_ = false, has_managed_variables_ = false;  // of the source that is compiled
  DevicePass device_pass_{options_, clang_};
  SlotPass slot_pass_{options_, clang_};
  Linking linking_{options_, paths_, clang_};
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
