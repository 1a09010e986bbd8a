#include "compiler/compile_options.h"

#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <charconv>
#include <deque>
#include <initializer_list>
#include <optional>
#include <string_view>
#include <utility>

#include "base/error.h"
#include "compiler/nvcc_options.h"
#include "compiler/option_files.h"
#include "compiler/option_lists.h"
#include "compiler/option_sense.h"
#include "compiler/passed_options.h"
#include "compiler/words.h"

namespace warpfork::compiler {

namespace {

using std::string_view;

/// Options of two words that both device and host code need. Those that nvcc has are of lists.
constexpr std::array<string_view, 2> kCommonPairs{"-idirafter", "-iquote"};
constexpr std::array<string_view, 5> kCommonLists{"-I", "-D", "-U", "-isystem", "-include"};
constexpr std::array<string_view, 3> kGluedLists{"-I", "-D", "-U"};
constexpr std::array<string_view, 4> kCommonPrefixes{"-std=", "-W", "-ffp-contract=", "-ferror-limit="};
constexpr std::array<string_view, 4> kCommonWords{"-w", "-ffast-math", "-fno-exceptions", "-fno-rtti"};
constexpr std::array<string_view, 3> kDependencyPairs{"-MF", "-MT", "-MQ"};
constexpr std::array<string_view, 3> kDependencyWords{"-MD", "-MMD", "-MP"};
constexpr std::array<string_view, 3> kLinkPrefixes{"-l", "-L", "-Wl,"};
constexpr std::array<string_view, 2> kLinkWords{"-shared", "-rdynamic"};
/// Libraries of NVIDIA's whose contents every program gets, with the runtime or in headers.
constexpr std::array<string_view, 4> kOwnLibraries{"cudart", "cudart_static", "cudadevrt", "nvToolsExt"};
/// What a file's name says about its contents, as for every Unix compiler.
constexpr std::array<std::pair<string_view, Language>, 6> kLanguages{{{".cu", Language::Cuda},
                                                                      {".cpp", Language::Cxx},
                                                                      {".cc", Language::Cxx},
                                                                      {".cxx", Language::Cxx},
                                                                      {".C", Language::Cxx},
                                                                      {".c", Language::C}}};
/// What -x takes.
constexpr std::array<std::pair<string_view, Language>, 3> kLanguageNames{
    {{"cu", Language::Cuda}, {"c++", Language::Cxx}, {"c", Language::C}}};
/// ptxas's options that change no result, or their beginnings.
constexpr std::array<string_view, 14> kPtxasOptions{
    "-O",        "--opt-level", "-w", "--disable-warnings",   "-Werror",   "--warning-as-error",
    "-warn",     "--warn-on",   "-g", "--generate-line-info", "-lineinfo", "--return-at-end",
    "-suppress", "--suppress"};
/// Classes of warnings by which nvcc has -Werror, and what of them clang has.
constexpr std::array<std::pair<string_view, string_view>, 7> kErrors{
    {{"all-warnings", "-Werror"},
     {"reorder", "-Werror=reorder"},
     {"deprecated-declarations", "-Werror=deprecated-declarations"},
     {"cross-execution-space-call", ""},
     {"default-stream-launch", ""},
     {"missing-launch-bounds", ""},
     {"ext-lambda-captures-this", ""}}};

template <typename Table>
auto find_name(const Table& table, string_view name) {
  return std::find_if(table.begin(), table.end(), [&](const auto& row) { return row.first == name; });
}

template <typename Table>
bool any_begins(const Table& prefixes, const std::string& word) {
  return std::any_of(prefixes.begin(), prefixes.end(), [&](string_view prefix) { return word.starts_with(prefix); });
}

/// -t8, as -t 8 and --threads=8
bool is_number_of_threads(string_view word) {
  return word.size() > 2 && word.starts_with("-t") && word.find_first_not_of("0123456789", 2) == string_view::npos;
}

void require_one_of(const std::string& option, const std::string& text, std::initializer_list<string_view> allowed) {
  if (std::find(allowed.begin(), allowed.end(), text) == allowed.end())
    throw Error("warpfork cc: {} {} is not possible; allowed: {}", option, text, fmt::join(allowed, ", "));
}

bool truth(const std::string& option, const std::string& text) {
  require_one_of(option.substr(0, option.find('=')), text, {"true", "false"});
  return text == "true";
}

unsigned number(const std::string& option, const std::string& text) {
  unsigned value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size())
    throw Error("warpfork cc: {} takes a number, not '{}'", option, text);
  return value;
}

void require_nvccs_dashes(const std::string& name) {
  if (const std::string right = with_nvccs_dashes(name); !right.empty())
    throw Error("warpfork cc: {} is no option; nvcc has {}", name, right);
}

/// Otherwise their names are for nothing.
bool writes_dependencies(const CompileOptions& options) {
  const auto asks = [](const std::string& word) { return word == "-MD" || word == "-MMD"; };
  return options.preprocessing.starts_with("-M") || std::ranges::any_of(options.dependencies, asks) ||
         std::ranges::any_of(options.host_only, asks);
}

class Parser {
 public:
  explicit Parser(std::span<const std::string> arguments) : rest_(with_option_files(arguments)) {}

  CompileOptions parse() {
    while (!rest_.empty()) {
      std::string word = next();
      if (word.empty() || word[0] != '-')
        input(word);
      else if (!listed_option(word) && !own_option(word) && !nvcc_option(word) && !arithmetic_option(word) &&
               !strictness(word))
        clang_option(word);
    }
    if (!writes_dependencies(options_)) options_.dependencies.clear();  // clang would warn of each
    require_sense(options_);
    return std::move(options_);
  }

 private:
  std::string next() {
    std::string word = rest_.front();
    rest_.pop_front();
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
    const auto* const known = find_name(kLanguages, extension);
    if (known != kLanguages.end())
      options_.sources.push_back({word, language_.value_or(known->second)});
    else if (extension == ".ptx")
      throw Error("warpfork cc: {0} needs no compiler: warpfork run {0} --launch FILE.toml", word);
    else if (language_ && extension != ".o" && extension != ".a" && extension != ".so")
      options_.sources.push_back({word, *language_});
    else
      options_.link_inputs.push_back(word);
  }

  /// What the table of nvcc's options settles; else `word` has the name by which it is known below.
  bool listed_option(std::string& word) {
    if (is_number_of_threads(word)) return true;
    if (word.starts_with("-Werror=")) return false;  // clang has more kinds
    const auto equals = word.find('=');
    const std::string name = word.substr(0, equals);
    const NvccOption* option = find_nvcc_option(name);
    if (option == nullptr) {
      require_nvccs_dashes(name);
      return false;
    }
    if (option->effect == NvccEffect::Refused) throw Error("warpfork cc: {} is not possible: {}", word, option->text);
    if (!option->has_value && equals != std::string::npos) throw Error("warpfork cc: {} takes no value", name);
    if (equals != std::string::npos) rest_.push_front(word.substr(equals + 1));
    if (option->effect == NvccEffect::Renamed) {
      word = option->text;
      return false;
    }
    if (option->has_value) value(word);
    if (option->effect == NvccEffect::Silent) note(word, option->text);
    return true;
  }

  bool own_option(const std::string& word) {
    if (word == "-o")
      options_.output = value(word);
    else if (word == "-c")
      options_.compile_only = true;
    else if (word == "-dc")
      options_.compile_only = options_.relocatable = true;
    else if (word == "-dlink")
      options_.device_link_only = true;
    else if (word == "-lib")
      options_.archive_only = true;
    else if (word == "-ptx")
      options_.ptx_only = true;
    else if (word == "-E" || word == "-M" || word == "-MM")
      options_.preprocessing = word;
    else if (word == "-nodlink")
      options_.device_link = false;
    else if (word == "-V")
      options_.version_only = true;
    else if (word == "-arch-ls")
      options_.list_architectures = true;
    else if (word == "-code-ls")
      options_.list_codes = true;
    else if (word == "-v")
      options_.verbose = true;
    else if (word == "-G")
      options_.debug_device = true;
    else if (word.starts_with("-O"))
      optimization(word);
    else
      return false;
    return true;
  }

  /// Of what is undefined; by clang's names.
  bool strictness(const std::string& word) {
    if (word == "-fstrict-return" || word == "-fno-strict-return")
      options_.impossible.unset_values = word == "-fstrict-return";
    else if (word == "-fstrict-aliasing" || word == "-fno-strict-aliasing")
      options_.impossible.other_types = word == "-fstrict-aliasing";
    else
      return false;
    options_.common.push_back(word);
    return true;
  }

  /// -O2, -O 2
  void optimization(const std::string& word) {
    const bool apart = word == "-O" && !rest_.empty() && rest_.front().size() == 1 && std::isdigit(rest_.front()[0]);
    options_.optimization = apart ? word + next() : word;
  }

  bool nvcc_option(const std::string& word) {
    std::string text;
    if (takes(word, "-arch", text))
      architecture(text);
    else if (takes(word, "-gencode", text))
      architecture(text.substr(text.find("_") == std::string::npos ? 0 : text.find("compute_")));
    else if (takes(word, "-Xcompiler", text))
      append(options_.host_only, list_words(text));
    else if (takes(word, "-Xlinker", text))
      for (const std::string& part : list_words(text)) append(options_.link_inputs, {"-Xlinker", part});
    else if (takes(word, "-Xptxas", text))
      ptxas_options(list_words(text));
    else if (takes(word, "-Xcudafe", text))
      passed_on("-Xcudafe", text);
    else if (takes(word, "-Xnvlink", text))
      passed_on("-Xnvlink", text);
    else if (takes(word, "-Xarchive", text))
      append(options_.archiving, list_words(text));
    else if (takes(word, "-arbin", text))
      options_.archiver = text;
    else if (takes(word, "-cudadevrt", text))
      require_one_of(word, text, {"none", "static"});  // nothing of it is there
    else if (takes(word, "-device-stack-protector", text)) {
      if (truth(word, text)) note(word, "guards no stacks of device code");
    } else if (takes(word, "-ftemplate-depth", text))
      options_.common.push_back("-ftemplate-depth=" + text);
    else if (takes(word, "-ftemplate-backtrace-limit", text))
      options_.common.push_back("-ftemplate-backtrace-limit=" + text);
    else if (takes(word, "-cudart", text))
      require_one_of(word, text, {"shared", "static"});  // shared, whichever
    else if (takes(word, "-std", text))
      options_.common.push_back("-std=" + text);
    else if (takes(word, "-x", text))
      language(text);
    else if (takes(word, "-maxrregcount", text))
      options_.maximum_registers = number(word, text);
    else if (takes(word, "-rdc", text))
      options_.relocatable = truth(word, text);
    else if (word == "-m64" || word == "-m32" || takes(word, "-m", text))
      require_one_of("-m", text.empty() ? word.substr(2) : text, {"64"});
    else if (takes(word, "-default-stream", text))
      default_stream(word, text);
    else if (word == "-extended-lambda")
      options_.common.push_back("-D__CUDACC_EXTENDED_LAMBDA__");
    else if (word == "-expt-relaxed-constexpr")
      options_.common.push_back("-D__CUDACC_RELAXED_CONSTEXPR__");
    else
      return errors(word);
    return true;
  }

  void passed_on(const std::string& option, const std::string& text) {
    for (const std::string& word : list_words(text))
      if (const string_view missing = left_out_of(option, word); !missing.empty()) note(option + " " + word, missing);
  }

  /// Whichever it is: all streams are one order.
  void default_stream(const std::string& option, const std::string& text) {
    require_one_of(option, text, {"legacy", "null", "per-thread"});
    if (text == "per-thread") options_.common.push_back("-DCUDA_API_PER_THREAD_DEFAULT_STREAM=1");
  }

  bool arithmetic_option(const std::string& word) {
    FloatingPointOptions& floating_point = options_.floating_point;
    std::string text;
    if (word == "-use_fast_math") {
      floating_point.make_fast();
      options_.common.push_back("-D__USE_FAST_MATH__");
    } else if (takes(word, "-ftz", text)) {
      floating_point.flush_subnormals = truth(word, text);
    } else if (takes(word, "-prec-div", text)) {
      floating_point.precise_division = truth(word, text);
    } else if (takes(word, "-prec-sqrt", text)) {
      floating_point.precise_roots = truth(word, text);
    } else if (takes(word, "-fmad", text)) {
      floating_point.fuse = truth(word, text);
    } else {
      return false;
    }
    return true;
  }

  /// -Werror reorder, -Werror=all-warnings; clang's -Werror takes nothing, and its -Werror=… is left to it.
  bool errors(const std::string& word) {
    const bool apart = word == "-Werror" && !rest_.empty();
    if (!apart && !word.starts_with("-Werror=")) return false;
    const std::vector<std::string> kinds = list_words(apart ? rest_.front() : word.substr(word.find('=') + 1));
    for (const std::string& kind : kinds)
      if (find_name(kErrors, kind) == kErrors.end()) return false;
    if (apart) next();
    for (const std::string& kind : kinds)
      if (const string_view clangs = find_name(kErrors, kind)->second; !clangs.empty())
        options_.common.emplace_back(clangs);
    return true;
  }

  void ptxas_options(const std::vector<std::string>& words) {
    for (const std::string& word : words) {
      const std::string text = word.substr(word.find('=') + 1);
      if (word == "-v" || word == "--verbose")
        note("-Xptxas " + word, "tells nothing; 'warpfork inspect --registers' tells registers");
      else if (any_begins(std::array<string_view, 4>{"-dlcm", "-dscm", "--def-load-cache", "--def-store-cache"}, word))
        note("-Xptxas " + word, "changes nothing: what is cached is the simulated machine's affair");
      else if (word.starts_with("-maxrregcount=") || word.starts_with("--maxrregcount="))
        options_.maximum_registers = number("-Xptxas -maxrregcount", text);
      else if (!any_begins(kPtxasOptions, word))
        throw Error("warpfork cc: -Xptxas {} is not possible: there is no ptxas, PTX is simulated", word);
    }
  }

  void language(const std::string& name) {
    const auto* const known = find_name(kLanguageNames, name);
    if (known == kLanguageNames.end()) throw Error("warpfork cc: -x {} is not possible; allowed: cu, c++, c", name);
    language_ = known->second;
    for (Source& source : options_.sources) source.language = *language_;
  }

  void note(const std::string& option, string_view text) {
    options_.notes.push_back(fmt::format("{} {}", option, text));
  }
  /// sm_75, compute_75, compute_75,code=sm_75; every simulated machine runs code for the default one.
  void architecture(const std::string& text) {
    if (text == "native" || text == "all" || text == "all-major") return;
    const auto digits = text.find('_');
    std::size_t end = digits + 1;
    while (digits != std::string::npos && end < text.size() && std::isdigit(static_cast<unsigned char>(text[end])))
      ++end;
    if (digits == std::string::npos || end == digits + 1)
      throw Error("warpfork cc: '{}' is no architecture; one is sm_70", text);
    options_.architecture = text.substr(digits + 1, end - digits - 1);
    if (end < text.size() && (text[end] == 'a' || text[end] == 'f'))
      note("-arch " + text.substr(0, end + 1),
           "gives code for " + text.substr(0, end) + ": what PTX has for that one architecture alone is not executed");
  }

  void clang_option(const std::string& word) {
    const auto is = [&](string_view other) { return word == other; };
    if (any_begins(kLinkPrefixes, word)) {
      library(word);
    } else if (std::any_of(kLinkWords.begin(), kLinkWords.end(), is)) {
      options_.link_inputs.push_back(word);
    } else if (std::any_of(kCommonLists.begin(), kCommonLists.end(), is)) {
      for (const std::string& item : list_items(value(word))) append(options_.common, {word, item});
    } else if (any_begins(kGluedLists, word)) {
      for (const std::string& item : list_items(word.substr(2))) options_.common.push_back(word.substr(0, 2) + item);
    } else if (std::any_of(kCommonPairs.begin(), kCommonPairs.end(), is)) {
      append(options_.common, {word, value(word)});
    } else if (std::any_of(kDependencyPairs.begin(), kDependencyPairs.end(), is)) {
      append(options_.dependencies, {word, value(word)});
    } else if (std::any_of(kDependencyWords.begin(), kDependencyWords.end(), is)) {
      options_.dependencies.push_back(word);
    } else if (any_begins(kCommonPrefixes, word) || std::any_of(kCommonWords.begin(), kCommonWords.end(), is)) {
      options_.common.push_back(word);
    } else {
      options_.host_only.push_back(word);
    }
  }

  /// -lm,dl, -L folder, -Wl,--as-needed
  void library(const std::string& word) {
    if (word.starts_with("-Wl,")) return options_.link_inputs.push_back(word);
    for (const std::string& item : list_items(word.size() == 2 ? value(word) : word.substr(2))) {
      if (word.starts_with("-l"))
        library_named(item);
      else
        options_.link_inputs.push_back("-L" + item);
    }
  }

  void library_named(const std::string& name) {
    if (name == "gomp") {
      note("-lgomp", "links libomp, of which clang's code for OpenMP calls functions (apt install libomp-dev)");
      options_.link_inputs.emplace_back("-fopenmp");  // its folder is known to clang alone, who names it with this
    } else if (std::find(kOwnLibraries.begin(), kOwnLibraries.end(), name) == kOwnLibraries.end()) {
      options_.link_inputs.push_back("-l" + name);
    }
  }

  std::deque<std::string> rest_;
  std::optional<Language> language_;  // of -x
  CompileOptions options_;
};

}  // namespace

CompileOptions parse_compile_options(std::span<const std::string> arguments) { return Parser(arguments).parse(); }

}  // namespace warpfork::compiler
