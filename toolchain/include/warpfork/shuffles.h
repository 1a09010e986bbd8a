/* Shuffles with and without members (CUDA C++ Programming Guide, "Warp Shuffle Functions"). Those of clang 14 call
   themselves for unsigned long long, and LLVM makes an empty kernel of that. */
#pragma once

#define WARPFORK_SHUFFLE_BOTH(name, type, lane_type, plain, with_members)                                       \
  static WARPFORK_DEVICE type name(type value, lane_type lane, int width = warpSize) { return plain; }          \
  static WARPFORK_DEVICE type name##_sync(unsigned members, type value, lane_type lane, int width = warpSize) { \
    return with_members;                                                                                        \
  }
#define WARPFORK_SHUFFLE_CONTROL(clamp) (((warpSize - width) << 8) | (clamp)) /* PTX ISA, "shfl.sync", operand c */
#define WARPFORK_SHUFFLE_WORD(name, type, lane_type, builtin, clamp)                                                \
  WARPFORK_SHUFFLE_BOTH(name, type, lane_type, __nvvm_shfl_##builtin(value, lane, WARPFORK_SHUFFLE_CONTROL(clamp)), \
                        __nvvm_shfl_sync_##builtin(members, value, lane, WARPFORK_SHUFFLE_CONTROL(clamp)))
#define WARPFORK_SHUFFLE_AS(name, type, lane_type, other)                             \
  WARPFORK_SHUFFLE_BOTH(name, type, lane_type, (type)name((other)value, lane, width), \
                        (type)name##_sync(members, (other)value, lane, width))
/* `call` of each of the two words of `value`. */
#define WARPFORK_SHUFFLE_TWICE(call)               \
  __extension__({                                  \
    int words[2], *word = words;                   \
    __builtin_memcpy(words, &value, sizeof value); \
    *word = call;                                  \
    ++word;                                        \
    *word = call;                                  \
    __builtin_memcpy(&value, words, sizeof value); \
    value;                                         \
  })
#define WARPFORK_SHUFFLE_PAIR(name, type, lane_type)                                             \
  WARPFORK_SHUFFLE_BOTH(name, type, lane_type, WARPFORK_SHUFFLE_TWICE(name(*word, lane, width)), \
                        WARPFORK_SHUFFLE_TWICE(name##_sync(members, *word, lane, width)))

#define WARPFORK_SHUFFLE_TYPES(name, lane_type, kind, clamp)          \
  WARPFORK_SHUFFLE_WORD(name, int, lane_type, kind##_i32, clamp)      \
  WARPFORK_SHUFFLE_WORD(name, float, lane_type, kind##_f32, clamp)    \
  WARPFORK_SHUFFLE_AS(name, unsigned, lane_type, int)                 \
  WARPFORK_SHUFFLE_PAIR(name, long long, lane_type)                   \
  WARPFORK_SHUFFLE_PAIR(name, double, lane_type)                      \
  WARPFORK_SHUFFLE_AS(name, unsigned long long, lane_type, long long) \
  WARPFORK_SHUFFLE_AS(name, long, lane_type, long long)               \
  WARPFORK_SHUFFLE_AS(name, unsigned long, lane_type, long long)
WARPFORK_SHUFFLE_TYPES(__shfl, int, idx, 0x1f)
WARPFORK_SHUFFLE_TYPES(__shfl_up, unsigned, up, 0)
WARPFORK_SHUFFLE_TYPES(__shfl_down, unsigned, down, 0x1f)
WARPFORK_SHUFFLE_TYPES(__shfl_xor, int, bfly, 0x1f)
#undef WARPFORK_SHUFFLE_TYPES
#undef WARPFORK_SHUFFLE_PAIR
#undef WARPFORK_SHUFFLE_TWICE
#undef WARPFORK_SHUFFLE_AS
#undef WARPFORK_SHUFFLE_WORD
#undef WARPFORK_SHUFFLE_CONTROL
#undef WARPFORK_SHUFFLE_BOTH
