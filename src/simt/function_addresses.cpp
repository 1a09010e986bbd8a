#include "simt/function_addresses.h"

#include "ptx/function_addresses.h"
#include "simt/address_map.h"

namespace warpfork::simt {

std::map<std::string, std::uint64_t> function_addresses(const ptx::Module& module, std::uint64_t code_place) {
  constexpr std::uint64_t kBytes = 8;  // of an instruction
  const std::uint64_t kept = ~std::uint64_t{0} >> (64 - module.address_bits);
  std::map<std::string, std::uint64_t> addresses;
  for (const ptx::Function* function : ptx::functions_with_addresses(module))
    addresses[function->name] = (kCode.begin + kBytes * code_place++) & kept;
  for (const auto& [alias, function] : module.aliases)
    if (const auto found = addresses.find(function); found != addresses.end()) addresses[alias] = found->second;
  return addresses;
}

}  // namespace warpfork::simt
