#include "cuda/api/launch_attributes.h"

#include <span>

#include "cuda/api/call.h"
#include "cuda/runtime/enumeration.h"

namespace warpfork::cuda {

namespace {

bool is_single(const cudaLaunchAttributeValue& value) {
  return value.clusterDim.x == 1 && value.clusterDim.y == 1 && value.clusterDim.z == 1;
}

void read(const cudaLaunchAttribute& attribute, LaunchAttributes& into) {
  switch (number_in(attribute.id)) {
    case cudaLaunchAttributeCooperative:
      into.is_cooperative = attribute.val.cooperative != 0;
      break;
    case cudaLaunchAttributeClusterDimension:
    case cudaLaunchAttributePreferredClusterDimension:
      if (!is_single(attribute.val)) into.refused = "clusters of blocks";
      break;
    case cudaLaunchAttributeIgnore:
    case cudaLaunchAttributeAccessPolicyWindow:
    case cudaLaunchAttributeSynchronizationPolicy:
    case cudaLaunchAttributeClusterSchedulingPolicyPreference:
    case cudaLaunchAttributeProgrammaticStreamSerialization:
    case cudaLaunchAttributePriority:
    case cudaLaunchAttributeMemSyncDomainMap:
    case cudaLaunchAttributeMemSyncDomain:
    case cudaLaunchAttributePreferredSharedMemoryCarveout:
      break;
    default:
      into.refused = "the launch attribute of number " + std::to_string(number_in(attribute.id));
  }
}

}  // namespace

LaunchAttributes read_attributes(const cudaLaunchConfig_t& configuration) {
  require(configuration.numAttrs == 0 || configuration.attrs != nullptr, cudaErrorInvalidValue);
  LaunchAttributes attributes;
  for (const cudaLaunchAttribute& attribute : std::span(configuration.attrs, configuration.numAttrs))
    read(attribute, attributes);
  return attributes;
}

}  // namespace warpfork::cuda
