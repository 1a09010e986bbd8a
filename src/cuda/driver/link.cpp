// CUDA Driver API, "Module Management", cuLinkCreate and what follows. What is linked is PTX, and so is the result.
#include <algorithm>
#include <iterator>
#include <utility>

#include "cuda/driver/driver_call.h"
#include "cuda/driver/loadable_ptx.h"
#include "cuda/driver/loading.h"
#include "cuda/image/device_link.h"
#include "ptx/parser.h"

using namespace warpfork::cuda;
using namespace warpfork::cuda::driver;

namespace {

/// Throws ApiError where it has errors of its own.
void require_valid(Runtime& runtime, const std::string& unit, const std::string& name) {
  try {
    warpfork::ptx::parse(unit, name, static_cast<unsigned>(runtime.device().warp_size));
  } catch (const warpfork::Error& error) {
    throw ApiError(cudaErrorInvalidPtx, error.what());
  }
}

using Units = std::vector<std::string>;

/// By the options of one input, of which the others say nothing that is about PTX and not about the whole.
Units limited(Units units, const JitOptions& options) {
  for (std::string& unit : units) unit = options.limited(std::move(unit));
  return units;
}

CUresult add_input(CUlinkState state, CUjitInputType type, const char* name, const std::function<Units()>& units) {
  return on_device([&](Runtime& runtime) {
    Link& link = Process::instance().links().link(state);
    require(link.image.empty(), cudaErrorInvalidResourceHandle);  // it is complete
    tell_errors(link.options, [&] {
      if (type == CU_JIT_INPUT_LIBRARY) return void(std::ranges::move(units(), std::back_inserter(link.archived)));
      for (std::string& unit : units()) {
        const std::string number = std::to_string(link.units.size());
        require_valid(runtime, unit, name != nullptr && *name != '\0' ? name : "input " + number);
        link.units.push_back(std::move(unit));
      }
    });
  });
}

}  // namespace

extern "C" {

CUresult cuLinkCreate_v2(unsigned option_count, CUjit_option* options, void** values, CUlinkState* state) {
  return on_device([&](Runtime&) {
    const JitOptions read(option_count, options, values);
    require_honoured(read, "cuLinkCreate_v2");
    CUlinkState& created = required(state);
    created = Process::instance().links().create(read);
  });
}

CUresult cuLinkAddData_v2(CUlinkState state, CUjitInputType type, void* data, std::size_t bytes, const char* name,
                          unsigned option_count, CUjit_option* options, void** values) {
  return add_input(state, type, name, [&] {
    require(data != nullptr, cudaErrorInvalidValue);
    const JitOptions read(option_count, options, values);
    require_honoured(read, "cuLinkAddData_v2");
    return limited(linkable_ptx(type, {static_cast<const std::byte*>(data), bytes}, name != nullptr ? name : "",
                                "cuLinkAddData_v2"),
                   read);
  });
}

CUresult cuLinkAddFile_v2(CUlinkState state, CUjitInputType type, const char* file, unsigned option_count,
                          CUjit_option* options, void** values) {
  return add_input(state, type, file, [&] {
    const JitOptions read(option_count, options, values);
    require_honoured(read, "cuLinkAddFile_v2");
    return limited(linkable_ptx_of(type, &required(file), "cuLinkAddFile_v2"), read);
  });
}

CUresult cuLinkComplete(CUlinkState state, void** image, std::size_t* bytes) {
  return on_device([&](Runtime& runtime) {
    Link& link = Process::instance().links().link(state);
    require(!link.units.empty(), cudaErrorInvalidValue);
    tell_errors(link.options, [&] {
      try {
        link.image = link.options.limited(link_device_code(link.units, "linked.ptx", link.archived));
      } catch (const warpfork::Error& error) {
        throw ApiError(cudaErrorInvalidPtx, error.what());
      }
      require_valid(runtime, link.image, "linked.ptx");
    });
    required(image) = link.image.data();
    if (bytes != nullptr) *bytes = link.image.size() + 1;  // with the zero at its end
  });
}

CUresult cuLinkDestroy(CUlinkState state) {
  return after_init([&] { return guarded_call([&](Process& process) { process.links().destroy(state); }); });
}

}  // extern "C"
