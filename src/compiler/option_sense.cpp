#include "compiler/option_sense.h"

#include <filesystem>
#include <string>
#include <vector>

#include "base/error.h"
#include "process/output_file.h"

namespace warpfork::compiler {

namespace {

std::vector<std::string> written(const CompileOptions& options) {
  if (!options.output.empty()) return {options.output.string()};
  if (options.device_link_only) return {kDeviceLink};
  if (options.archive_only) return {kArchive};
  if (!options.preprocessing.empty()) return {};
  if (!options.compile_only && !options.ptx_only) return {kProgram};
  std::vector<std::string> files;
  for (const Source& source : options.sources)
    files.push_back(source.path.filename().replace_extension(options.ptx_only ? ".ptx" : ".o").string());
  return files;
}

/// Most often it is a name that was typed twice.
void require_inputs_stay(const CompileOptions& options) {
  std::vector<std::string> inputs = options.link_inputs;
  for (const Source& source : options.sources) inputs.push_back(source.path.string());
  for (const std::string& file : written(options)) process::require_apart({file}, inputs);
}

}  // namespace

void require_sense(const CompileOptions& options) {
  if (options.version_only || options.list_architectures || options.list_codes) return;
  const auto& sources = options.sources;
  if (sources.empty() && options.link_inputs.empty())
    throw Error("warpfork cc: nothing to compile\n  usage: warpfork cc program.cu -o program");
  if (options.device_link_only && !sources.empty())
    throw Error("warpfork cc: -dlink takes objects, and {} is a source", sources[0].path.string());
  if (options.compile_only || options.ptx_only || !options.preprocessing.empty()) {
    if (sources.empty()) throw Error("warpfork cc: -c, -ptx, -E and -M need a source file, such as program.cu");
    if (sources.size() > 1 && !options.output.empty())
      throw Error("warpfork cc: -o names one file, and {} would be made", sources.size());
  }
  for (const Source& source : sources) {
    if (!std::filesystem::exists(source.path)) throw Error("{}: no such file", source.path.string());
    if (options.ptx_only && source.language != Language::Cuda)
      throw Error("{}: has no kernels that -ptx could write: their file ends in .cu", source.path.string());
  }
  require_inputs_stay(options);
}

}  // namespace warpfork::compiler
