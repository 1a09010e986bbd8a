// A file descriptor that is closed with its owner.
#pragma once

#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <string_view>

#include "base/error.h"

namespace warpfork::process {

class Descriptor {
 public:
  /// What a system call has returned. Throws Error that begins with `failure` if that was no descriptor.
  Descriptor(int number, std::string_view failure) : number_(number) {
    if (number < 0) throw Error("{}: {}", failure, std::strerror(errno));
  }
  ~Descriptor() { close(number_); }
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;
  int number() const { return number_; }

 private:
  int number_;
};

}  // namespace warpfork::process
