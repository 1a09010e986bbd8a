// Help texts whose usage line says what CLI11 cannot know: where a command's own words end.
#pragma once

#include <CLI/CLI.hpp>
#include <string>

namespace warpfork::cli {

/// CLI11's help with the usage lines given to it. `work` is the command's name in them.
class UsageFormatter final : public CLI::Formatter {
 public:
  explicit UsageFormatter(const std::string& work)
      : usage_("Usage: warpfork " + work + " [OPTIONS] PROGRAM [ARGS…]\n       warpfork " + work +
               " [OPTIONS] kernel.ptx --launch launch.toml\n") {}
  std::string make_usage(const CLI::App*, std::string) const override { return usage_; }

 private:
  std::string usage_;
};

}  // namespace warpfork::cli
