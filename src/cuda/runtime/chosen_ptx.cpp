#include "cuda/runtime/chosen_ptx.h"

#include <fmt/format.h>

#include <utility>

#include "base/error.h"

namespace warpfork::cuda {

namespace {

std::string tried_text(const std::vector<std::uint32_t>& architectures) {
  if (architectures.size() < 2) return "";
  std::string list;
  for (const std::uint32_t architecture : architectures)
    list += fmt::format("{}compute_{}", list.empty() ? "" : ", ", architecture);
  return "\n    tried: PTX of " + list;
}

}  // namespace

ChosenPtx choose_ptx(const std::vector<std::uint32_t>& architectures, const LoadPtx& load) {
  ChosenPtx chosen;
  std::string first_refusal;
  for (const std::uint32_t architecture : architectures) {
    std::unique_ptr<simt::LoadedModule> module;
    try {
      module = load(architecture);
    } catch (const Error& error) {
      if (first_refusal.empty()) first_refusal = error.what();
      continue;
    }
    const bool is_better = !chosen.module || module->refused_kernels() < chosen.module->refused_kernels();
    if (is_better) std::swap(chosen.module, module);
    if (module) module->free_variables();
    if (chosen.module->refused_kernels() == 0) return chosen;
  }
  chosen.tried = tried_text(architectures);
  if (!chosen.module) throw Error("{}{}", first_refusal, chosen.tried);
  return chosen;
}

}  // namespace warpfork::cuda
