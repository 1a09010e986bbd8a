/* __managed__ variables (CUDA C++ Programming Guide, "Memory Space Specifiers"), of which clang has none. In device code
   such a variable is one whose section says so. In host code it is clang's a thread's own besides, whose address is no
   constant; `warpfork cc` puts another way to it in the place of that (src/compiler/managed_slots.h). */
#pragma once

#undef __managed__
#define WARPFORK_MANAGED __attribute__((device)) __attribute__((section("warpfork_managed")))
#if defined(__CUDA_ARCH__)
#define __managed__ WARPFORK_MANAGED
#else
#define __managed__ WARPFORK_MANAGED __thread
#endif
