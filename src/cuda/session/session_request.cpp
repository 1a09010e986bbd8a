#include "cuda/session/session_request.h"

#include <cerrno>
#include <cstring>
#include <fstream>

#include "base/error.h"
#include "base/temporary_files.h"

namespace warpfork::cuda {

void save(const SessionRequest& request, const std::string& path) {
  const Json text = {{"warpfork_request", 1},
                     {"result_file", request.result_file},
                     {"device", request.device},
                     {"simulation", request.simulation}};
  std::ofstream file(path);
  file << text.dump() << '\n';
  if (!file.flush()) throw Error("{}: cannot be written: {}{}", path, std::strerror(errno), kTemporaryRemedy);
}

SessionRequest load_request(const std::string& path) {
  std::ifstream file(path);
  if (!file) throw Error("{}: cannot read the session request: {}", path, std::strerror(errno));
  try {
    const auto text = Json::parse(file);
    if (text.at("warpfork_request") != 1)
      throw Error("{}: a session request of another version of warpfork; use one installation", path);
    return {text.at("result_file"), text.at("device").get<DeviceDescription>(), text.at("simulation")};
  } catch (const Json::exception& error) {
    throw Error("{}: not a session request: {}", path, error.what());
  }
}

}  // namespace warpfork::cuda
