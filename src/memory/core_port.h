// Where a core's responses stand, and what the core does there while it is ahead of the memory side (docs/adr/0029).
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "base/types.h"
#include "memory/clock_ratio.h"
#include "memory/memory_request.h"
#include "memory/ring.h"

namespace warpfork::memory {

struct Response {
  Cycle visible;
  MemoryRequest request;
  unsigned flits;
};

struct CorePort {
  Cycle last_visible = 0;  // of the packets so far; one packet a cycle
  Ring<Response> responses;

  /// Cycles count from 0 again; what has not been taken stands there.
  void reset_clock() {
    last_visible = 0;
    for (std::uint32_t i = responses.size(); i != 0; --i) {
      Response response = responses.front();
      response.visible = 0;
      responses.pop();
      responses.push(response);
    }
  }
};

/// A core's side of its port for cycles that the memory side has not come to: it takes responses that are known
/// already, one a cycle, and what it asks of the memory side is kept until that comes to the cycle.
class PortAhead {
 public:
  /// Something that the core did.
  struct Call {
    Cycle cycle;
    bool is_pop;  // of the next response; else an injection
    MemoryRequest request;
  };

  /// From the state that the memory side has now, `channel_free` of the port's input among it.
  void begin(const CorePort& port, Tick channel_free) {
    channel_free_ = channel_free;
    taken_ = 0;
    calls_.clear();
    repeated_ = 0;
    find_next(port, 0);
  }
  /// The core's cycle; they come in order.
  void set_cycle(Cycle now) { now_ = now; }

  Tick channel_free() const { return channel_free_; }
  void send(const MemoryRequest& request, unsigned flits, Tick tick) {
    channel_free_ = std::max(tick, channel_free_) + flits;
    calls_.push_back({now_, false, request});
  }

  /// When the next response that is known will stand at the port.
  Cycle next_response() const { return next_response_; }
  const MemoryRequest* response(const CorePort& port) const {
    return next_response_ <= now_ ? &port.responses[taken_].request : nullptr;
  }
  void pop(const CorePort& port) {
    ++taken_;
    find_next(port, now_ + 1);  // one a cycle
    calls_.push_back({now_, true, {}});
  }

  /// Whether the core did anything in its present cycle.
  bool has_called() const { return !calls_.empty() && calls_.back().cycle == now_; }
  /// The next thing that the core did in this cycle; null = no more.
  const Call* repeat(Cycle now) {
    return repeated_ < calls_.size() && calls_[repeated_].cycle == now ? &calls_[repeated_++] : nullptr;
  }

 private:
  void find_next(const CorePort& port, Cycle earliest) {
    next_response_ = taken_ == port.responses.size() ? kNever : std::max(port.responses[taken_].visible, earliest);
  }

  Cycle now_ = 0;
  Tick channel_free_ = 0;
  std::uint32_t taken_ = 0;  // of the responses that stand at the memory side's port
  Cycle next_response_ = kNever;
  std::vector<Call> calls_;
  std::size_t repeated_ = 0;
};

}  // namespace warpfork::memory
