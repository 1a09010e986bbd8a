/* What the functions of textures and of surfaces share. */
#pragma once

#include <warpfork/synchronisation.h>

/* A macro's argument in parentheses, without them. */
#define WARPFORK_LIST(...) __VA_ARGS__

/* What clang takes for an object of a reference's class is the handle: C++ has no name for it, PTX has. */
template <class Reference>
static WARPFORK_DEVICE unsigned long long warpfork_handle(Reference reference) {
  unsigned long long handle;
  asm("mov.b64 %0, %1;" : "=l"(handle) : "l"(reference));
  return handle;
}
