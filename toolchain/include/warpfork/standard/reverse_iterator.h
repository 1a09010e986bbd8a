/* An iterator that goes backwards, which is the host's: all that it does is constexpr. */
#pragma once

#include <warpfork/standard/language.h>

#include <iterator>

namespace cuda::std {

using ::std::make_reverse_iterator;
using ::std::reverse_iterator;

}  // namespace cuda::std
