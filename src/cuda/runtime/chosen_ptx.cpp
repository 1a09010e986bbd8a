#include "cuda/runtime/chosen_ptx.h"

#include <fmt/format.h>

#include <utility>

#include "base/error.h"

namespace warpfork::cuda {

namespace {

std::string tried_text(const std::vector<std::uint32_t>& architectures) {
  std::string list;
  for (const std::uint32_t architecture : architectures)
    list += fmt::format("{}compute_{}", list.empty() ? "" : ", ", architecture);
  return "\n    tried: PTX of " + list;
}

std::string note_text(std::uint32_t highest, std::size_t refused, std::uint32_t taken) {
  if (taken == highest) return "";
  const std::string why = refused == 0   ? "which cannot be loaded"
                          : refused == 1 ? "of which a kernel is refused"
                                         : fmt::format("of which {} kernels are refused", refused);
  return fmt::format("PTX of compute_{} is simulated, not of compute_{}, {}", taken, highest, why);
}

}  // namespace

ChosenPtx choose_ptx(const std::vector<std::uint32_t>& architectures, const LoadPtx& load) {
  if (architectures.size() == 1) return {load(architectures.front()), architectures.front(), "", ""};
  ChosenPtx chosen;
  std::string first_refusal;
  std::size_t refused_of_highest = 0, fewest = 0;
  for (const std::uint32_t architecture : architectures) {
    std::unique_ptr<simt::LoadedModule> module;
    std::size_t refused = 0;
    try {
      module = load(architecture);
      refused = module->decode_all();
    } catch (const Error& error) {
      if (first_refusal.empty()) first_refusal = error.what();
      continue;
    }
    if (architecture == architectures.front()) refused_of_highest = refused;
    if (!chosen.module || refused < fewest) {
      std::swap(chosen.module, module);
      chosen.architecture = architecture;
      fewest = refused;
    }
    if (module) module->free_variables();
    if (fewest == 0) break;
  }
  if (chosen.module) chosen.note = note_text(architectures.front(), refused_of_highest, chosen.architecture);
  if (chosen.module && fewest == 0) return chosen;
  chosen.tried = tried_text(architectures);
  if (!chosen.module) throw Error("{}{}", first_refusal, chosen.tried);
  return chosen;
}

}  // namespace warpfork::cuda
