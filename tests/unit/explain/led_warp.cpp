#include "led_warp.h"

#include <algorithm>
#include <sstream>
#include <stdexcept>

#include "divergence/registry.h"
#include "ptx/parser.h"

namespace warpfork::explain {

namespace {

std::string module_around(const std::string& body) {
  return ".version 6.0\n.target sm_70\n.address_size 64\n.visible .entry kernel() {\n"
         ".reg .pred %p<10>; .reg .b32 %r<10>;\n" +
         body + "}\n";
}

}  // namespace

LedWarp::LedWarp(const std::string& body, const std::string& mechanism, unsigned threads, unsigned warp_size,
                 const Request& request)
    : loaded_(std::make_unique<simt::LoadedModule>(ptx::parse(module_around(body), "kernel.ptx"), *memory_)) {
  launch_.program = &loaded_->kernel("kernel");
  launch_.memory = memory_.get();
  launch_.block = {threads, 1, 1};
  launch_.warp_size = warp_size;
  const DivergenceMechanism& entry = find_divergence_mechanism(mechanism);
  watch_ = std::make_unique<WarpWatch>(*launch_.program, request, std::min(threads, warp_size), entry.regroups, "",
                                       /*temporal=*/false, request.keeps_frames);
  block_ = std::make_unique<gpu::ResidentBlock>(launch_, entry.make({}));
  block_->start({0, 0, 0}, 0);
  watch_->block_started({{}, launch_.warps_per_block(), {0, 0, 0}, block_.get()});
}

void LedWarp::issue(Cycle cycle, WarpId warp, const std::string& lanes) {
  const ActiveMask wanted(static_cast<std::uint32_t>(std::stoul(lanes, nullptr, 2)));
  for (const SplitId id : block_->domain().runnable(warp)) {
    if (block_->domain().split(id).lanes != wanted) continue;
    const gpu::Step step = block_->execute(id, cycle);
    report::IssueEvent event;
    event.warp = warp;
    event.cycle = cycle;
    event.step = &step;
    event.block = block_.get();
    watch_->issued(event);
    return;
  }
  throw std::runtime_error(fmt::format("cycle {}: warp {} has no split {} that may issue:\n{}", cycle, warp, lanes,
                                       block_->domain().describe(warp)));
}

std::string lead(const std::string& input) {
  std::istringstream text(input);
  std::string mechanism, body, skip;
  unsigned threads = 0, warp_size = 0;
  Request request;
  std::unique_ptr<LedWarp> warp;
  for (std::string line; std::getline(text, line);) {
    if (line.empty() || line.front() == '#') continue;
    std::istringstream words(line);
    std::string verb;
    words >> verb;
    if (verb == "mechanism") {
      words >> mechanism;
    } else if (verb == "threads") {
      words >> threads >> skip >> skip >> skip >> warp_size;
    } else if (verb == "explain") {
      words >> request.warp;
    } else if (verb == "ptx") {
      while (std::getline(text, line) && line != "end") body += line + "\n";
    } else {
      if (!warp) warp = std::make_unique<LedWarp>(body, mechanism, threads, warp_size, request);
      WarpId issuing = 0;
      std::string lanes;
      words >> issuing >> lanes;
      const std::size_t dash = verb.find('-');
      const Cycle first = std::stoull(verb),
                  last = dash == std::string::npos ? first : std::stoull(verb.substr(dash + 1));
      for (Cycle cycle = first; cycle <= last; ++cycle) warp->issue(cycle, issuing, lanes);
    }
  }
  return warp->text();
}

}  // namespace warpfork::explain
