#include "sweep/result_folder.h"

#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <cstring>
#include <nlohmann/json.hpp>
#include <system_error>
#include <thread>
#include <utility>

#include "base/error.h"
#include "config/text_file.h"
#include "process/output_file.h"
#include "report/result_document.h"

namespace warpfork::sweep {

namespace {

namespace fs = std::filesystem;
using report::Json;

void make_folder(const fs::path& folder) {
  std::error_code failure;
  fs::create_directories(folder, failure);
  if (failure) throw Error("{}: cannot be made: {}", folder.string(), failure.message());
}

/// A process that was killed while it started another one leaves its lock to that for a moment, until it has become
/// what it was to be: so for two seconds.
bool try_lock(int file) {
  for (unsigned left = 20; flock(file, LOCK_EX | LOCK_NB) != 0; --left) {
    if (errno != EWOULDBLOCK || left == 0) return false;
    std::this_thread::sleep_for(std::chrono::milliseconds(100));
  }
  return true;
}

/// Files that were being written by a process that was killed; those that are whole end in .json.
void remove_torn(const fs::path& folder) {
  for (const auto& entry : fs::directory_iterator(folder))
    if (entry.path().extension() == ".part") fs::remove(entry.path());
}

Json read_document(const fs::path& file) {
  Json document = Json::parse(config::read_text(file), nullptr, false);
  if (document.is_discarded() || !document.is_object())
    throw Error("{}: is damaged\n  delete it: its point will be run again", file.string());
  return document;
}

}  // namespace

ResultFolder::ResultFolder(fs::path folder) : folder_(std::move(folder)) {}

ResultFolder::~ResultFolder() {
  if (lock_ >= 0) close(lock_);
}

void ResultFolder::take() {
  for (const char* part : {"points", "failures", "running"}) make_folder(folder_ / part);
  lock_folder();
  const std::set<std::string> there = points();
  for (const std::string& id : failures())
    if (there.contains(id)) fs::remove(failure_file(id));  // keep_point() was killed half-way
  if (is_under_way_elsewhere()) return;
  for (const char* part : {"points", "failures"}) remove_torn(folder_ / part);
  for (const auto& entry : fs::directory_iterator(running())) fs::remove_all(entry.path());
}

bool ResultFolder::is_under_way_elsewhere() const { return fs::is_directory(slurm()) && !fs::is_empty(slurm()); }

/// NFS and the file systems of clusters carry this lock from host to host (flock(2)); it goes with its process, however
/// that ends. What stands in the file is for people alone.
void ResultFolder::lock_folder() {
  const fs::path lock = folder_ / "lock";
  if (lock_ < 0) lock_ = open(lock.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0666);
  if (lock_ < 0) throw Error("{}: cannot be opened: {}", lock.string(), std::strerror(errno));
  if (!try_lock(lock_)) {
    if (errno != EWOULDBLOCK)
      throw Error("{}: cannot be locked: {}\n  name a folder on another file system by --results", lock.string(),
                  std::strerror(errno));
    throw Error("{}: another sweep is at work here: {}\n  wait for its end, or name another folder by --results",
                folder_.string(), config::read_text(lock));
  }
  char host[256] = "";
  gethostname(host, sizeof host - 1);
  const std::string holder = fmt::format("process {} on {}", getpid(), host);
  if (ftruncate(lock_, 0) != 0 || pwrite(lock_, holder.data(), holder.size(), 0) < 0)
    throw Error("{}: cannot be written: {}", lock.string(), std::strerror(errno));
}

std::set<std::string> ResultFolder::ids_in(const char* part) const {
  std::set<std::string> ids;
  if (!fs::is_directory(folder_ / part)) return ids;
  for (const auto& entry : fs::directory_iterator(folder_ / part))
    if (entry.path().extension() == ".json") ids.insert(entry.path().stem().string());
  return ids;
}

Json ResultFolder::point(const std::string& id) const { return read_document(point_file(id)); }
Json ResultFolder::failure(const std::string& id) const { return read_document(failure_file(id)); }

void ResultFolder::keep_point(const std::string& id, const Json& document) const {
  process::write_text(point_file(id).string(), report::write_document(document));
  fs::remove(failure_file(id));
}

void ResultFolder::keep_failure(const std::string& id, const Json& document) const {
  process::write_text(failure_file(id).string(), report::write_document(document));
}

}  // namespace warpfork::sweep
