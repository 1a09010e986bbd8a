#include "cuda/saving_sink.h"

#include <cerrno>
#include <cstring>
#include <fstream>
#include <utility>
#include <vector>

#include "base/error.h"
#include "checkpoint/launch_file.h"

namespace warpfork::cuda {

namespace {

void write_whole(const std::string& file, const std::string& bytes) {
  std::ofstream stream(file, std::ios::binary);
  stream << bytes << std::flush;
  if (!stream) throw Error("--save-launch: {}: cannot be written: {}", file, std::strerror(errno));
}

class SavingSink final : public LaunchSink {
 public:
  SavingSink(std::unique_ptr<LaunchSink> sink, SaveRequest request)
      : sink_(std::move(sink)), request_(std::move(request)) {}

  LaunchOutcome run(const simt::Launch& launch) override {
    if (++number_ == request_.launch) {
      const checkpoint::SavedLaunch saved =
          checkpoint::saved_launch(launch, request_.program, number_, std::move(copies_));
      write_whole(request_.file, checkpoint::file_of(saved, launch.program->module->text, *launch.memory));
    }
    return sink_->run(launch);
  }

  simt::CodeOptions code_options() const override { return sink_->code_options(); }
  bool watches_memory() const override { return sink_->watches_memory(); }
  Residency residency(const simt::Program& program, unsigned threads,
                      std::uint32_t dynamic_shared_bytes) const override {
    return sink_->residency(program, threads, dynamic_shared_bytes);
  }

  void copied_from_host(std::uint64_t address, std::uint64_t bytes) override {
    if (number_ < request_.launch) copies_.push_back({address, bytes});
    sink_->copied_from_host(address, bytes);
  }

 private:
  std::unique_ptr<LaunchSink> sink_;
  SaveRequest request_;
  std::uint64_t number_ = 0;  // of the launch, from 1 on
  std::vector<checkpoint::MemoryRange> copies_;
};

}  // namespace

Json to_json(const SaveRequest& request) {
  return {{"launch", request.launch}, {"file", request.file}, {"program", request.program}};
}

SaveRequest save_request_from(const Json& json) { return {json.at("launch"), json.at("file"), json.at("program")}; }

std::unique_ptr<LaunchSink> make_saving_sink(std::unique_ptr<LaunchSink> sink, const SaveRequest& request) {
  return std::make_unique<SavingSink>(std::move(sink), request);
}

}  // namespace warpfork::cuda
