#include "trace/event_writer.h"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <iterator>
#include <nlohmann/json.hpp>
#include <utility>

#include "base/error.h"

namespace warpfork::trace {

namespace {

constexpr std::size_t kWriteBytes = 1 << 16;
constexpr unsigned kWholeProcess = 0;  // no track has this number

}  // namespace

std::string json_text(std::string_view text) {
  return nlohmann::json(text).dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
}

EventWriter::EventWriter(const std::string& file, std::uint64_t bytes)
    : file_(open(file.c_str(), O_WRONLY | O_APPEND | O_CLOEXEC)), bytes_(bytes) {
  if (file_ < 0) throw Error("{}: cannot be written: {}", file, std::strerror(errno));
}

EventWriter::~EventWriter() { ::close(file_); }

void EventWriter::flush() {
  const char* from = text_.data();
  std::size_t left = text_.size();
  while (left != 0 && failure_.empty()) {
    const ssize_t written = ::write(file_, from, left);
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) {
      failure_ = std::strerror(errno);
      break;
    }
    from += written;
    left -= static_cast<std::size_t>(written);
  }
  text_.clear();
}

template <class... Fields>
void EventWriter::event(std::string_view arguments, fmt::format_string<Fields...> format, Fields&&... fields) {
  const std::size_t before = text_.size();
  const auto end = std::back_inserter(text_);
  fmt::format_to(end, ",\n{{");
  fmt::format_to(end, format, std::forward<Fields>(fields)...);
  if (!arguments.empty()) fmt::format_to(end, ",\"args\":{{{}}}", arguments);
  fmt::format_to(end, "}}");
  bytes_ += text_.size() - before;
  if (text_.size() >= kWriteBytes) flush();
}

void EventWriter::name(std::string_view what, unsigned process, unsigned thread, std::string_view name,
                       unsigned order) {
  if (!named_.insert({process, thread}).second) return;
  const auto tell = [&](std::string_view kind, const std::string& arguments) {
    event(arguments, R"("ph":"M","pid":{},"tid":{},"name":"{}_{}")", process, thread, what, kind);
  };
  tell("name", fmt::format("\"name\":{}", json_text(name)));
  tell("sort_index", fmt::format("\"sort_index\":{}", order));
}

void EventWriter::name_process(unsigned process, std::string_view text) {
  name("process", process, kWholeProcess, text, process);
}

void EventWriter::name_track(const Track& track, std::string_view text) {
  name("thread", track.process, track.thread, text, track.thread);
}

void EventWriter::begin(Track& track, Cycle at, std::string_view text, std::string_view arguments) {
  event(arguments, R"("ph":"B","pid":{},"tid":{},"ts":{},"name":{})", track.process, track.thread, time_of(track, at),
        json_text(text));
}

void EventWriter::end(Track& track, Cycle at) {
  event("", R"("ph":"E","pid":{},"tid":{},"ts":{})", track.process, track.thread, time_of(track, at));
}

void EventWriter::slice(Track& track, Cycle from, Cycle cycles, std::string_view text, std::string_view arguments) {
  const Cycle begin = time_of(track, from), end = time_of(track, from + cycles);
  event(arguments, R"("ph":"X","pid":{},"tid":{},"ts":{},"dur":{},"name":{})", track.process, track.thread, begin,
        end - begin, json_text(text));
}

void EventWriter::instant(Track& track, Cycle at, std::string_view text, std::string_view arguments) {
  event(arguments, R"("ph":"i","s":"t","pid":{},"tid":{},"ts":{},"name":{})", track.process, track.thread,
        time_of(track, at), json_text(text));
}

void EventWriter::counter(unsigned process, Cycle at, std::string_view text, std::string_view arguments) {
  event(arguments, R"("ph":"C","pid":{},"tid":{},"ts":{},"name":{})", process, kWholeProcess, origin_ + at,
        json_text(text));
}

Cycle EventWriter::time_of(Track& track, Cycle at) {
  track.last = std::max(track.last, origin_ + at);
  latest_ = std::max(latest_, track.last);
  return track.last;
}

}  // namespace warpfork::trace
