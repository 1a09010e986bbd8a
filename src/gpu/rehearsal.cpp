#include "gpu/rehearsal.h"

#include <fcntl.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstring>
#include <exception>
#include <type_traits>
#include <utility>

#include "base/error.h"

namespace warpfork::gpu {

namespace {

static_assert(std::is_trivially_copyable_v<ProfiledDivergence>);

constexpr std::uint64_t kPlayedToTheEnd = 0x52454845'41525345;  // precedes the record

/// One end of a pipe.
class PipeEnd {
 public:
  explicit PipeEnd(int file) : file_(file) {}
  ~PipeEnd() { close(); }
  PipeEnd(const PipeEnd&) = delete;
  PipeEnd& operator=(const PipeEnd&) = delete;

  void close() {
    if (file_ >= 0) ::close(std::exchange(file_, -1));
  }
  bool read(void* bytes, std::size_t count) { return move(::read, static_cast<char*>(bytes), count); }
  bool write(const void* bytes, std::size_t count) { return move(::write, static_cast<const char*>(bytes), count); }

 private:
  template <typename Call, typename Bytes>
  bool move(Call call, Bytes bytes, std::size_t count) {
    while (count > 0) {
      const ssize_t moved = call(file_, bytes, count);
      if (moved < 0 && errno == EINTR) continue;
      if (moved <= 0) return false;
      bytes += moved;
      count -= static_cast<std::size_t>(moved);
    }
    return true;
  }

  int file_;
};

void send(PipeEnd& to, const CompactionProfile& record) {
  bool sent = to.write(&kPlayedToTheEnd, sizeof kPlayedToTheEnd);
  for (std::uint64_t block = 0; sent && block < record.blocks(); ++block) {
    const std::vector<ProfiledDivergence>& entries = record.of_block(block);
    const std::uint64_t count = entries.size();
    sent = to.write(&count, sizeof count) && to.write(entries.data(), count * sizeof(ProfiledDivergence));
  }
}

std::optional<CompactionProfile> receive(PipeEnd& from, std::uint64_t blocks) {
  std::uint64_t end = 0;
  if (!from.read(&end, sizeof end) || end != kPlayedToTheEnd) return std::nullopt;
  CompactionProfile record(blocks);
  for (std::uint64_t block = 0; block < blocks; ++block) {
    std::uint64_t count = 0;
    if (!from.read(&count, sizeof count)) return std::nullopt;
    std::vector<ProfiledDivergence>& entries = record.of_block(block);
    entries.resize(count);
    if (!from.read(entries.data(), count * sizeof(ProfiledDivergence))) return std::nullopt;
  }
  record.complete();
  return record;
}

/// The whole life of the copy. What goes wrong in it goes wrong in the run, too, and is reported there.
[[noreturn]] void play(PipeEnd& to, std::uint64_t blocks, const std::function<void(CompactionProfile&)>& simulate,
                       pid_t original) {
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (getppid() != original) _exit(1);
  try {
    CompactionProfile record(blocks);
    simulate(record);
    send(to, record);
  } catch (const std::exception&) {
    _exit(1);
  }
  _exit(0);  // nothing of the program that launches the kernel is to be undone or flushed here
}

}  // namespace

std::optional<CompactionProfile> rehearse(std::uint64_t blocks,
                                          const std::function<void(CompactionProfile&)>& simulate) {
  int ends[2];
  if (pipe2(ends, O_CLOEXEC) != 0) throw Error("cannot rehearse a launch: no pipe: {}", std::strerror(errno));
  PipeEnd from(ends[0]), to(ends[1]);
  const pid_t original = getpid(), child = fork();
  if (child < 0) throw Error("cannot rehearse a launch: no process: {}", std::strerror(errno));
  if (child == 0) play(to, blocks, simulate, original);
  to.close();
  std::optional<CompactionProfile> record = receive(from, blocks);
  while (waitpid(child, nullptr, 0) < 0 && errno == EINTR) {
  }
  return record;
}

}  // namespace warpfork::gpu
