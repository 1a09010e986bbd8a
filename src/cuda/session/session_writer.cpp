#include "cuda/session/session_writer.h"

#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <string_view>

#include "base/error.h"
#include "base/temporary_files.h"
#include "cuda/session/session_result.h"
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
  if (failure_.empty()) return;
  close(file_);
  throw Error("{}", failure_);
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

void SessionWriter::short_of_memory(const std::string& message) { line({{"short_of_memory", message}}); }

void SessionWriter::memory_is_short() noexcept {
  constexpr std::string_view kLine = "{\"error\":\"error: not enough memory\"}\n";
  if (is_open() && ::write(file_, kLine.data(), kLine.size()) < 0) ended_ = true;  // a result without an end
}

void SessionWriter::end(const std::vector<std::string>& unsupported_calls) {
  line({{"end", {{"unsupported_calls", unsupported_calls}}}});
  ended_ = true;
}

bool SessionWriter::is_open() const { return !ended_ && failure_.empty() && getpid() == owner_; }

void SessionWriter::line(const Json& object) {
  if (!is_open()) return;
  const std::string text = object.dump(-1, ' ', false, Json::error_handler_t::replace) + '\n';
  for (std::size_t done = 0; done < text.size();) {
    const ssize_t written = ::write(file_, text.data() + done, text.size() - done);
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) return fail(std::strerror(errno));
    done += static_cast<std::size_t>(written);
  }
}

/// A new name needs no room, and a process of the program that comes later cannot take what is left for a result.
void SessionWriter::fail(const std::string& why) {
  failure_ = fmt::format("{}: cannot be written: {}{}", path_, why, kTemporaryRemedy);
  std::rename(path_.c_str(), torn_name(path_).c_str());
}

}  // namespace warpfork::cuda
