#include "compiler/device_code.h"

#include <set>

#include "base/error.h"
#include "simt/system_calls.h"

namespace warpfork::compiler {

bool is_of_libdevice(std::string_view name) { return name.starts_with("__nv_"); }

namespace {

/// The identifier before the parameter list that starts at or after `from`.
std::string name_before_parameters(std::string_view text, std::size_t from) {
  constexpr std::string_view kName = "_$%0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
  const auto begin = text.find_first_of(kName, from);
  if (begin == std::string_view::npos) return {};
  return std::string(text.substr(begin, text.find_first_not_of(kName, begin) - begin));
}

bool is_of_device_runtime(const std::string& name) { return name.starts_with("cuda") || name.starts_with("__cuda"); }

std::string reason(const std::string& name, bool with_libclc) {
  if (name.starts_with("_Z") && !with_libclc)
    return fmt::format(
        "the mathematical function {}, which libclc provides: apt install libclc-NN, NN as clang's version", name);
  if (is_of_device_runtime(name))
    return fmt::format(
        "{}, of the device runtime: launches from kernels are not supported; build the program by nvcc -rdc=true … "
        "-lcudadevrt",
        name);
  if (is_of_libdevice(name)) return fmt::format("the mathematical function {}, which is not provided", name.substr(5));
  return fmt::format("{}, which is defined nowhere in this file: if another file has it, compile both with -rdc=true",
                     name);
}

/// Mathematical functions are in no file of the program's.
bool may_be_anothers(const std::string& name, bool with_libclc) {
  return !is_of_libdevice(name) && !is_of_device_runtime(name) && (with_libclc || !name.starts_with("_Z"));
}

}  // namespace

std::vector<std::string> missing_functions(std::string_view ptx) {
  constexpr std::string_view kDeclaration = ".extern .func";
  std::set<std::string> names;
  for (auto at = ptx.find(kDeclaration); at != std::string_view::npos; at = ptx.find(kDeclaration, at)) {
    at = ptx.find_first_not_of(" \t\n", at + kDeclaration.size());
    if (at == std::string_view::npos) break;
    if (ptx[at] == '(') at = ptx.find(')', at);  // the return value's declaration
    if (at == std::string_view::npos) break;
    names.insert(name_before_parameters(ptx, at));
  }
  return {names.begin(), names.end()};
}

void require_complete(std::string_view ptx, const std::string& source, bool with_libclc, bool relocatable) {
  std::string message;
  for (const std::string& name : missing_functions(ptx))
    if (!simt::find_system_call(name) && !(relocatable && may_be_anothers(name, with_libclc)))
      message +=
          fmt::format("{}{}: device code calls {}", message.empty() ? "" : "\n", source, reason(name, with_libclc));
  if (!message.empty()) throw Error(message);
}

}  // namespace warpfork::compiler
