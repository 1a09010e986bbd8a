#include "cuda/driver/loadable_ptx.h"

#include <cstring>
#include <span>

#include "config/text_file.h"
#include "cuda/api/call.h"
#include "cuda/image/embedded_ptx.h"
#include "cuda/image/fat_binary.h"
#include "ptx/linker.h"

namespace warpfork::cuda::driver {

namespace {

// How files and images begin, none with a zero in it: as texts they can be compared with a text of any length.
constexpr const char *kElf = "\x7f\x45\x4c\x46", *kFatBinary = "\x50\xed\x55\xba", *kWrapper = "\xb1\x43\x62\x46";

constexpr const char* kRemedy =
    "only PTX can be simulated; nvrtcGetPTX gives it, of what is compiled for compute_NN instead of sm_NN";

bool begins_with(const char* image, const char* magic) { return std::strncmp(image, magic, std::strlen(magic)) == 0; }

[[noreturn]] void refuse_machine_code(const std::string& why) {
  Process::instance().report_unsupported("machine code without PTX", why);
  throw ApiError(cudaErrorNoKernelImageForDevice);
}

template <typename Read>
std::string ptx_or_refusal(Read&& read) {
  try {
    return read();
  } catch (const ApiError&) {
    throw;
  } catch (const Error& error) {
    refuse_machine_code(error.what());
  }
}

}  // namespace

std::string loadable_ptx(const void* image) {
  require(image != nullptr, cudaErrorInvalidValue);
  const auto* const text = static_cast<const char*>(image);
  if (begins_with(text, kElf)) refuse_machine_code(kRemedy);
  const auto* const bytes = static_cast<const std::byte*>(image);
  if (begins_with(text, kFatBinary))
    return ptx_or_refusal([&] {
      return FatBinary({bytes, FatBinary::image_bytes({bytes, FatBinary::kHeaderBytes})}).best_ptx();
    });
  if (begins_with(text, kWrapper)) return ptx_or_refusal([&] { return ptx::link(embedded_ptx(image), "the image"); });
  return text;
}

std::string loadable_ptx_of(const std::filesystem::path& file) {
  std::string contents;
  try {
    contents = config::read_text(file);
  } catch (const Error&) {
    throw ApiError(cudaErrorFileNotFound);
  }
  if (begins_with(contents.c_str(), kFatBinary))
    return ptx_or_refusal([&] { return FatBinary(std::as_bytes(std::span(contents))).best_ptx(); });
  return loadable_ptx(contents.c_str());
}

}  // namespace warpfork::cuda::driver
