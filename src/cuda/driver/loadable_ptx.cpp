#include "cuda/driver/loadable_ptx.h"

#include <cstring>
#include <span>
#include <string_view>

#include "config/text_file.h"
#include "cuda/api/call.h"
#include "cuda/image/archive_members.h"
#include "cuda/image/device_link.h"
#include "cuda/image/embedded_ptx.h"
#include "cuda/image/fat_binary.h"
#include "cuda/image/file_ptx.h"

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
auto ptx_or_refusal(Read&& read) {
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
  if (begins_with(text, kWrapper))
    return ptx_or_refusal([&] { return link_device_code(embedded_ptx(image), "the image"); });
  return text;
}

namespace {

std::string contents_of(const std::filesystem::path& file) {
  try {
    return config::read_text(file);
  } catch (const Error&) {
    throw ApiError(cudaErrorFileNotFound);
  }
}

std::string ptx_in(const std::string& contents) {
  if (begins_with(contents.c_str(), kFatBinary))
    return ptx_or_refusal([&] { return FatBinary(std::as_bytes(std::span(contents))).best_ptx(); });
  return loadable_ptx(contents.c_str());
}

std::vector<std::string> ptx_of_objects(std::span<const std::byte> objects, const std::string& name) {
  const std::string_view bytes(reinterpret_cast<const char*>(objects.data()), objects.size());
  const bool is_object = bytes.starts_with(kElf);
  require(is_object || is_archive(objects), cudaErrorInvalidKernelImage);
  return ptx_or_refusal([&] {
    std::vector<std::string> texts;
    for (FilePtx& image : ptx_of_contents(objects, name)) texts.push_back(std::move(image.text));
    return texts;
  });
}

}  // namespace

std::string loadable_ptx_of(const std::filesystem::path& file) { return ptx_in(contents_of(file)); }

std::vector<std::string> linkable_ptx(CUjitInputType type, std::span<const std::byte> input, const std::string& name,
                                      const char* call) {
  require(!input.empty(), cudaErrorInvalidValue);
  const auto* const text = reinterpret_cast<const char*>(input.data());
  switch (type) {
    case CU_JIT_INPUT_PTX:
      return {std::string(text, strnlen(text, input.size()))};
    case CU_JIT_INPUT_FATBINARY:
      return {loadable_ptx(text)};
    case CU_JIT_INPUT_OBJECT:
    case CU_JIT_INPUT_LIBRARY:
      return ptx_of_objects(input, name);
    default:
      Process::instance().report_unsupported(call, "an input that is neither PTX nor has some in it");
      throw ApiError(cudaErrorNotSupported);
  }
}

std::vector<std::string> linkable_ptx_of(CUjitInputType type, const std::filesystem::path& file, const char* call) {
  const std::string contents = contents_of(file);
  if (type == CU_JIT_INPUT_PTX || type == CU_JIT_INPUT_FATBINARY) return {ptx_in(contents)};
  return linkable_ptx(type, std::as_bytes(std::span(contents)), file.filename().string(), call);
}

}  // namespace warpfork::cuda::driver
