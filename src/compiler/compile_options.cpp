#include "compiler/compile_options.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <string_view>
#include <utility>

#include "base/error.h"

namespace warpfork::compiler {

namespace {

using std::string_view;

/// Options of two words that both device and host code need; also glued (-Ifolder).
constexpr std::array<string_view, 7> kCommonPairs{"-I", "-D", "-U", "-isystem", "-include", "-idirafter", "-iquote"};
constexpr std::array<string_view, 6> kCommonPrefixes{"-I", "-D", "-U", "-std=", "-W", "-ffp-contract="};
constexpr std::array<string_view, 4> kCommonWords{"-w", "-ffast-math", "-fno-exceptions", "-fno-rtti"};
constexpr std::array<string_view, 3> kLinkPrefixes{"-l", "-L", "-Wl,"};
/// What a file's name says about its contents, as for every Unix compiler.
constexpr std::array<std::pair<string_view, Language>, 6> kLanguages{{{".cu", Language::Cuda},
                                                                      {".cpp", Language::Cxx},
                                                                      {".cc", Language::Cxx},
                                                                      {".cxx", Language::Cxx},
                                                                      {".C", Language::Cxx},
                                                                      {".c", Language::C}}};
/// What nvcc has and means nothing here: the runtime is always shared, line numbers are always kept.
constexpr std::array<string_view, 5> kIgnored{"-lineinfo", "--generate-line-info", "-G", "--compile", "-cudart=shared"};

class Parser {
 public:
  explicit Parser(std::span<const std::string> arguments) : rest_(arguments) {}

  CompileOptions parse() {
    while (!rest_.empty()) {
      const std::string word = next();
      if (word.empty() || word[0] != '-')
        input(word);
      else if (!own_option(word) && !nvcc_option(word))
        clang_option(word);
    }
    require_sense();
    return std::move(options_);
  }

 private:
  std::string next() {
    const std::string word = rest_.front();
    rest_ = rest_.subspan(1);
    return word;
  }
  std::string value(const std::string& option) {
    if (rest_.empty()) throw Error("warpfork cc: {} needs a value", option);
    return next();
  }
  /// `text` of "-name=text" or "-name text" if the word is that option.
  bool takes(const std::string& word, string_view name, std::string& text) {
    if (word == name) {
      text = value(word);
      return true;
    }
    if (!word.starts_with(name) || word.size() <= name.size() || word[name.size()] != '=') return false;
    text = word.substr(name.size() + 1);
    return true;
  }

  void input(const std::string& word) {
    const std::string extension = std::filesystem::path(word).extension();
    for (const auto& [known, language] : kLanguages)
      if (extension == known) return options_.sources.push_back({word, language});
    options_.link_inputs.push_back(word);
  }

  bool own_option(const std::string& word) {
    if (word == "-o")
      options_.output = value(word);
    else if (word == "-c")
      options_.compile_only = true;
    else if (word == "-ptx" || word == "--ptx")
      options_.ptx_only = true;
    else if (word == "-v" || word == "--verbose")
      options_.verbose = true;
    else if (word.starts_with("-O"))
      options_.optimization = word;
    else
      return false;
    return true;
  }

  bool nvcc_option(const std::string& word) {
    std::string text;
    if (takes(word, "-arch", text) || takes(word, "--gpu-architecture", text) || takes(word, "--cuda-gpu-arch", text)) {
      architecture(text);
    } else if (takes(word, "-gencode", text) || takes(word, "--generate-code", text)) {
      architecture(text.substr(text.find("_") == std::string::npos ? 0 : text.find("compute_")));
    } else if (takes(word, "-Xcompiler", text) || takes(word, "--compiler-options", text)) {
      options_.host_only.push_back(text);
    } else if (takes(word, "-cudart", text) || takes(word, "--cudart", text)) {
      if (text != "shared")
        throw Error("warpfork cc: -cudart {} is not possible: the runtime is simulated, and always shared", text);
    } else if (word.starts_with("-rdc") || word == "-dc" || word == "--relocatable-device-code=true") {
      throw Error("warpfork cc: relocatable device code ({}) is not supported: put the device code into one file",
                  word);
    } else {
      return std::find(kIgnored.begin(), kIgnored.end(), word) != kIgnored.end();
    }
    return true;
  }

  /// sm_75, compute_75, compute_75,code=sm_75
  void architecture(const std::string& text) {
    const auto digits = text.find('_');
    std::size_t end = digits + 1;
    while (digits != std::string::npos && end < text.size() && std::isdigit(static_cast<unsigned char>(text[end])))
      ++end;
    if (digits == std::string::npos || end == digits + 1)
      throw Error("warpfork cc: '{}' is no architecture; one is sm_70", text);
    options_.architecture = text.substr(digits + 1, end - digits - 1);
  }

  void clang_option(const std::string& word) {
    const auto is = [&](string_view other) { return word == other; };
    const auto begins = [&](string_view prefix) { return word.starts_with(prefix); };
    if (std::any_of(kLinkPrefixes.begin(), kLinkPrefixes.end(), begins)) {
      options_.link_inputs.push_back(word);
      if (word == "-l" || word == "-L") options_.link_inputs.push_back(value(word));
    } else if (word == "-Xlinker") {
      options_.link_inputs.insert(options_.link_inputs.end(), {word, value(word)});
    } else if (std::any_of(kCommonPairs.begin(), kCommonPairs.end(), is)) {
      options_.common.insert(options_.common.end(), {word, value(word)});
    } else if (std::any_of(kCommonPrefixes.begin(), kCommonPrefixes.end(), begins) ||
               std::any_of(kCommonWords.begin(), kCommonWords.end(), is)) {
      options_.common.push_back(word);
    } else {
      options_.host_only.push_back(word);
    }
  }

  void require_sense() const {
    const auto& sources = options_.sources;
    if (sources.empty() && options_.link_inputs.empty())
      throw Error("warpfork cc: nothing to compile\n  usage: warpfork cc program.cu -o program");
    if (options_.compile_only || options_.ptx_only) {
      if (sources.empty()) throw Error("warpfork cc: -c and -ptx need a source file, such as program.cu");
      if (sources.size() > 1 && !options_.output.empty())
        throw Error("warpfork cc: -o names one file, and {} would be made", sources.size());
    }
    for (const Source& source : sources) {
      if (!std::filesystem::exists(source.path)) throw Error("{}: no such file", source.path.string());
      if (options_.ptx_only && source.language != Language::Cuda)
        throw Error("{}: has no kernels that -ptx could write: their file ends in .cu", source.path.string());
    }
  }

  std::span<const std::string> rest_;
  CompileOptions options_;
};

}  // namespace

CompileOptions parse_compile_options(std::span<const std::string> arguments) { return Parser(arguments).parse(); }

}  // namespace warpfork::compiler
