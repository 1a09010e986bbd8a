/* Loads and stores that say what is to be cached (CUDA C++ Programming Guide, "Load Functions Using Cache Hints" and
   "Store Functions Using Cache Hints"). */
#pragma once

#define WARPFORK_LOAD(operation, type, word, letter, ptx)                                               \
  static WARPFORK_DEVICE type __ld##operation(const type* p) {                                          \
    word value;                                                                                         \
    asm volatile("ld.global." #operation "." ptx " %0, [%1];" : "=" letter(value) : "l"(p) : "memory"); \
    return (type)value;                                                                                 \
  }
#define WARPFORK_LOAD2(operation, type, element, word, letter, ptx)    \
  static WARPFORK_DEVICE type __ld##operation(const type* p) {         \
    word x, y;                                                         \
    asm volatile("ld.global." #operation ".v2." ptx " {%0, %1}, [%2];" \
                 : "=" letter(x), "=" letter(y)                        \
                 : "l"(p)                                              \
                 : "memory");                                          \
    return {(element)x, (element)y};                                   \
  }
#define WARPFORK_LOAD4(operation, type, element, word, letter, ptx)            \
  static WARPFORK_DEVICE type __ld##operation(const type* p) {                 \
    word x, y, z, w;                                                           \
    asm volatile("ld.global." #operation ".v4." ptx " {%0, %1, %2, %3}, [%4];" \
                 : "=" letter(x), "=" letter(y), "=" letter(z), "=" letter(w)  \
                 : "l"(p)                                                      \
                 : "memory");                                                  \
    return {(element)x, (element)y, (element)z, (element)w};                   \
  }
#define WARPFORK_STORE(operation, type, word, letter, ptx)                                                 \
  static WARPFORK_DEVICE void __st##operation(type* p, type value) {                                       \
    asm volatile("st.global." #operation "." ptx " [%0], %1;" : : "l"(p), letter((word)value) : "memory"); \
  }
#define WARPFORK_STORE2(operation, type, element, word, letter, ptx)    \
  static WARPFORK_DEVICE void __st##operation(type* p, type value) {    \
    asm volatile("st.global." #operation ".v2." ptx " [%0], {%1, %2};"  \
                 :                                                      \
                 : "l"(p), letter((word)value.x), letter((word)value.y) \
                 : "memory");                                           \
  }
#define WARPFORK_STORE4(operation, type, element, word, letter, ptx)                                                  \
  static WARPFORK_DEVICE void __st##operation(type* p, type value) {                                                  \
    asm volatile("st.global." #operation ".v4." ptx " [%0], {%1, %2, %3, %4};"                                        \
                 :                                                                                                    \
                 : "l"(p), letter((word)value.x), letter((word)value.y), letter((word)value.z), letter((word)value.w) \
                 : "memory");                                                                                         \
  }
/* `access` of every type; bytes are held in registers of 16 bits, the smallest that PTX's assembly has. */
#define WARPFORK_ACCESSES(access, operation)                                                                           \
  access(operation, char, short, "h", "s8") access(operation, signed char, short, "h", "s8")                           \
      access(operation, unsigned char, unsigned short, "h", "u8") access(operation, short, short, "h", "s16") access(  \
          operation, unsigned short, unsigned short, "h", "u16") access(operation, int, int, "r", "s32")               \
          access(operation, unsigned, unsigned, "r", "u32") access(operation, long, long, "l", "s64") access(          \
              operation, unsigned long, unsigned long, "l", "u64") access(operation, long long, long long, "l", "s64") \
              access(operation, unsigned long long, unsigned long long, "l", "u64")                                    \
                  access(operation, float, float, "f", "f32") access(operation, double, double, "d", "f64")            \
                      access##2(operation, char2, signed char, short, "h", "s8")access##2(                             \
                          operation, uchar2, unsigned char, unsigned short, "h",                                       \
                          "u8")access##2(operation, short2, short, short, "h",                                         \
                                         "s16")access##2(operation, ushort2, unsigned short, unsigned short, "h",      \
                                                         "u16")access##2(operation, int2, int, int, "r", "s32")        \
                          access##2(operation, uint2, unsigned, unsigned, "r", "u32")access##2(                        \
                              operation, longlong2, long long, long long, "l",                                         \
                              "s64")access##2(operation, ulonglong2, unsigned long long, unsigned long long, "l",      \
                                              "u64")access##2(operation, float2, float, float, "f", "f32")             \
                              access##2(operation, double2, double, double, "d", "f64")access##4(                      \
                                  operation, char4, signed char, short, "h",                                           \
                                  "s8")access##4(operation, uchar4, unsigned char, unsigned short, "h",                \
                                                 "u8")access##4(operation, short4, short, short, "h", "s16")           \
                                  access##4(operation, ushort4, unsigned short, unsigned short, "h", "u16")access##4(  \
                                      operation, int4, int, int, "r",                                                  \
                                      "s32")access##4(operation, uint4, unsigned, unsigned, "r",                       \
                                                      "u32")access##4(operation, float4, float, float, "f", "f32")
WARPFORK_ACCESSES(WARPFORK_LOAD, ca)
WARPFORK_ACCESSES(WARPFORK_LOAD, cg)
WARPFORK_ACCESSES(WARPFORK_LOAD, cs)
WARPFORK_ACCESSES(WARPFORK_LOAD, lu)
WARPFORK_ACCESSES(WARPFORK_LOAD, cv)
WARPFORK_ACCESSES(WARPFORK_STORE, wb)
WARPFORK_ACCESSES(WARPFORK_STORE, cg)
WARPFORK_ACCESSES(WARPFORK_STORE, cs)
WARPFORK_ACCESSES(WARPFORK_STORE, wt)
#undef WARPFORK_ACCESSES
#undef WARPFORK_LOAD
#undef WARPFORK_LOAD2
#undef WARPFORK_LOAD4
#undef WARPFORK_STORE
#undef WARPFORK_STORE2
#undef WARPFORK_STORE4
