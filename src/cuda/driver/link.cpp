// CUDA Driver API, "Module Management", cuLinkCreate and what follows. What is linked is PTX, and so is the result.
#include <cstring>

#include "cuda/driver/driver_call.h"
#include "cuda/driver/loadable_ptx.h"
#include "cuda/driver/loading.h"
#include "ptx/linker.h"
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

CUresult add_input(CUlinkState state, CUjitInputType type, const char* call, const char* name,
                   const std::function<std::string()>& ptx) {
  return on_device([&](Runtime& runtime) {
    Link& link = Process::instance().links().link(state);
    require(link.image.empty(), cudaErrorInvalidResourceHandle);  // it is complete
    if (type != CU_JIT_INPUT_PTX && type != CU_JIT_INPUT_FATBINARY) {
      Process::instance().report_unsupported(call, "another input than PTX");
      throw ApiError(cudaErrorNotSupported);
    }
    tell_errors(link.options, [&] {
      std::string unit = ptx();
      const std::string number = std::to_string(link.units.size());
      require_valid(runtime, unit, name != nullptr && *name != '\0' ? name : "input " + number);
      link.units.push_back(std::move(unit));
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

// Options of one input could say nothing that is about PTX and not about the whole.
CUresult cuLinkAddData_v2(CUlinkState state, CUjitInputType type, void* data, std::size_t bytes, const char* name,
                          unsigned option_count, CUjit_option* options, void** values) {
  return add_input(state, type, "cuLinkAddData_v2", name, [&] {
    require(data != nullptr && bytes != 0, cudaErrorInvalidValue);
    require_honoured(JitOptions(option_count, options, values), "cuLinkAddData_v2");
    const auto* const text = static_cast<const char*>(data);
    return type == CU_JIT_INPUT_PTX ? std::string(text, strnlen(text, bytes)) : loadable_ptx(data);
  });
}

CUresult cuLinkAddFile_v2(CUlinkState state, CUjitInputType type, const char* file, unsigned option_count,
                          CUjit_option* options, void** values) {
  return add_input(state, type, "cuLinkAddFile_v2", file, [&] {
    require_honoured(JitOptions(option_count, options, values), "cuLinkAddFile_v2");
    return loadable_ptx_of(&required(file));
  });
}

CUresult cuLinkComplete(CUlinkState state, void** image, std::size_t* bytes) {
  return on_device([&](Runtime& runtime) {
    Link& link = Process::instance().links().link(state);
    require(!link.units.empty(), cudaErrorInvalidValue);
    tell_errors(link.options, [&] {
      try {
        link.image = warpfork::ptx::link(link.units, "linked.ptx");
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
