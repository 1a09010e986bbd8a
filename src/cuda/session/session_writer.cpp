#include "cuda/session/session_writer.h"

#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

#include "base/error.h"
#include "report/launch_json.h"

namespace warpfork::cuda {

SessionWriter::SessionWriter(const std::string& path, int runtime_version)
    : path_(path), file_(open(path.c_str(), O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC, 0666)), owner_(getpid()) {
  if (file_ < 0) throw Error("{}: cannot open the session result: {}", path, std::strerror(errno));
  if (flock(file_, LOCK_EX | LOCK_NB) != 0) {
    close(file_);
    throw Error("another process of this program, or another CUDA runtime in it, uses the simulated GPU: only one can");
  }
  line({{"begin", {{"runtime_version", runtime_version}}}});
}

SessionWriter::~SessionWriter() { close(file_); }

void SessionWriter::launch(const report::LaunchRecord& record) {
  Json object;
  object["launch"] = report::state_of(record);  // moved: an initializer list would copy it
  line(object);
}

void SessionWriter::printed() { line({{"printed", true}}); }

void SessionWriter::error(const std::string& message) { line({{"error", message}}); }

void SessionWriter::refused(const std::string& message) { line({{"refused", message}}); }

void SessionWriter::end(const std::vector<std::string>& unsupported_calls) {
  line({{"end", {{"unsupported_calls", unsupported_calls}}}});
  ended_ = true;
}

void SessionWriter::line(const Json& object) {
  if (ended_ || getpid() != owner_) return;
  const std::string text = object.dump(-1, ' ', false, Json::error_handler_t::replace) + '\n';
  for (std::size_t done = 0; done < text.size();) {
    const ssize_t written = ::write(file_, text.data() + done, text.size() - done);
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) throw Error("{}: cannot write the session result: {}", path_, std::strerror(errno));
    done += static_cast<std::size_t>(written);
  }
}

}  // namespace warpfork::cuda
