/* Reading and writing surfaces through their objects (CUDA C++ Programming Guide, "Surface Object API"):
   surf2Dread<float4>(surface, x, y) or surf2Dread(&result, surface, x, y), and surf2Dwrite(value, surface, x, y);
   likewise in other dimensions and with layers. */
#pragma once

#include <warpfork/images.h>

/* What an instruction moves: components of so many bits, each in a register that may be larger. */
template <class Register, int bits, int count>
struct warpfork_components {
  Register of[count];
};
/* A program's type as its components. Types that are not here are none of surfaces. */
template <class Texel>
struct warpfork_surface_texel;
#define WARPFORK_TEXEL(texel, register_type, bits, count)               \
  template <>                                                           \
  struct warpfork_surface_texel<texel> {                                \
    typedef warpfork_components<register_type, bits, count> Components; \
  };
#define WARPFORK_TEXELS_TO_2(element, vector, register_type, bits) \
  WARPFORK_TEXEL(element, register_type, bits, 1)                  \
  WARPFORK_TEXEL(vector##1, register_type, bits, 1)                \
  WARPFORK_TEXEL(vector##2, register_type, bits, 2)
#define WARPFORK_TEXELS_TO_4(element, vector, register_type, bits) \
  WARPFORK_TEXELS_TO_2(element, vector, register_type, bits)       \
  WARPFORK_TEXEL(vector##4, register_type, bits, 4)
WARPFORK_TEXEL(char, unsigned short, 8, 1)
WARPFORK_TEXELS_TO_4(signed char, char, unsigned short, 8)
WARPFORK_TEXELS_TO_4(unsigned char, uchar, unsigned short, 8)
WARPFORK_TEXELS_TO_4(short, short, unsigned short, 16)
WARPFORK_TEXELS_TO_4(unsigned short, ushort, unsigned short, 16)
WARPFORK_TEXELS_TO_4(int, int, unsigned, 32)
WARPFORK_TEXELS_TO_4(unsigned, uint, unsigned, 32)
WARPFORK_TEXELS_TO_4(float, float, unsigned, 32)
WARPFORK_TEXELS_TO_2(long long, longlong, unsigned long long, 64)
WARPFORK_TEXELS_TO_2(unsigned long long, ulonglong, unsigned long long, 64)
#undef WARPFORK_TEXELS_TO_4
#undef WARPFORK_TEXELS_TO_2
#undef WARPFORK_TEXEL

template <class Texel, class Register, int bits, int count>
static WARPFORK_DEVICE Texel warpfork_assemble(const warpfork_components<Register, bits, count>& parts) {
  Texel texel;
  for (int i = 0; i < count; ++i) __builtin_memcpy((char*)&texel + i * (bits / 8), &parts.of[i], bits / 8);
  return texel;
}
template <class Texel, class Register, int bits, int count>
static WARPFORK_DEVICE void warpfork_take_apart(const Texel& texel, warpfork_components<Register, bits, count>& parts) {
  for (int i = 0; i < count; ++i) {
    parts.of[i] = 0;
    __builtin_memcpy(&parts.of[i], (const char*)&texel + i * (bits / 8), bits / 8);
  }
}

/* By the number of components: the instruction's vector, its operands and their registers. */
#define WARPFORK_VECTOR_1 ""
#define WARPFORK_VECTOR_2 ".v2"
#define WARPFORK_VECTOR_4 ".v4"
#define WARPFORK_OPERANDS_1 "{%0}"
#define WARPFORK_OPERANDS_2 "{%0, %1}"
#define WARPFORK_OPERANDS_4 "{%0, %1, %2, %3}"
#define WARPFORK_REGISTERS_1(constraint) constraint(parts.of[0])
#define WARPFORK_REGISTERS_2(constraint) WARPFORK_REGISTERS_1(constraint), constraint(parts.of[1])
#define WARPFORK_REGISTERS_4(constraint) \
  WARPFORK_REGISTERS_2(constraint), constraint(parts.of[2]), constraint(parts.of[3])

#define WARPFORK_LOAD(form, place, inputs, constraint, count)                            \
  asm volatile("suld.b." form " " WARPFORK_OPERANDS_##count ", [%[surface], " place "];" \
               : WARPFORK_REGISTERS_##count("=" constraint)                              \
               : [surface] "l"(surface), WARPFORK_LIST inputs                            \
               : "memory")
#define WARPFORK_STORE(form, place, inputs, constraint, count)                                        \
  asm volatile("sust.b." form " [%[surface], " place "], " WARPFORK_OPERANDS_##count ";"              \
               :                                                                                      \
               : WARPFORK_REGISTERS_##count(constraint), [surface] "l"(surface), WARPFORK_LIST inputs \
               : "memory")

/* `access` is WARPFORK_LOAD or WARPFORK_STORE. */
#define WARPFORK_INSTRUCTION(name, access, geometry, place, parameters, inputs, type, bits, constraint, count) \
  static WARPFORK_DEVICE void warpfork_##name(warpfork_components<type, bits, count>& parts,                   \
                                              cudaSurfaceObject_t surface, WARPFORK_LIST parameters,           \
                                              cudaSurfaceBoundaryMode mode) {                                  \
    if (mode == cudaBoundaryModeZero)                                                                          \
      access(geometry WARPFORK_VECTOR_##count ".b" #bits ".zero", place, inputs, constraint, count);           \
    else if (mode == cudaBoundaryModeClamp)                                                                    \
      access(geometry WARPFORK_VECTOR_##count ".b" #bits ".clamp", place, inputs, constraint, count);          \
    else                                                                                                       \
      access(geometry WARPFORK_VECTOR_##count ".b" #bits ".trap", place, inputs, constraint, count);           \
  }
#define WARPFORK_INSTRUCTIONS_TO_2(name, access, geometry, place, parameters, inputs, type, bits, constraint) \
  WARPFORK_INSTRUCTION(name, access, geometry, place, parameters, inputs, type, bits, constraint, 1)          \
  WARPFORK_INSTRUCTION(name, access, geometry, place, parameters, inputs, type, bits, constraint, 2)
#define WARPFORK_INSTRUCTIONS_TO_4(name, access, geometry, place, parameters, inputs, type, bits, constraint) \
  WARPFORK_INSTRUCTIONS_TO_2(name, access, geometry, place, parameters, inputs, type, bits, constraint)       \
  WARPFORK_INSTRUCTION(name, access, geometry, place, parameters, inputs, type, bits, constraint, 4)
#define WARPFORK_INSTRUCTIONS(name, access, geometry, place, parameters, inputs)                         \
  WARPFORK_INSTRUCTIONS_TO_4(name, access, geometry, place, parameters, inputs, unsigned short, 8, "h")  \
  WARPFORK_INSTRUCTIONS_TO_4(name, access, geometry, place, parameters, inputs, unsigned short, 16, "h") \
  WARPFORK_INSTRUCTIONS_TO_4(name, access, geometry, place, parameters, inputs, unsigned, 32, "r")       \
  WARPFORK_INSTRUCTIONS_TO_2(name, access, geometry, place, parameters, inputs, unsigned long long, 64, "l")

#define WARPFORK_SURFACE_FUNCTIONS(surf, kind, geometry, place, parameters, arguments, inputs)                 \
  WARPFORK_INSTRUCTIONS(surf##read, WARPFORK_LOAD, geometry, place, parameters, inputs)                        \
  WARPFORK_INSTRUCTIONS(surf##write, WARPFORK_STORE, geometry, place, parameters, inputs)                      \
  template <class Texel>                                                                                       \
  static WARPFORK_DEVICE Texel surf##read(cudaSurfaceObject_t surface, WARPFORK_LIST parameters,               \
                                          cudaSurfaceBoundaryMode mode = cudaBoundaryModeTrap) {               \
    typename warpfork_surface_texel<Texel>::Components parts;                                                  \
    warpfork_##surf##read(parts, surface, WARPFORK_LIST arguments, mode);                                      \
    return warpfork_assemble<Texel>(parts);                                                                    \
  }                                                                                                            \
  template <class Texel>                                                                                       \
  static WARPFORK_DEVICE void surf##read(Texel* result, cudaSurfaceObject_t surface, WARPFORK_LIST parameters, \
                                         cudaSurfaceBoundaryMode mode = cudaBoundaryModeTrap) {                \
    *result = surf##read<Texel>(surface, WARPFORK_LIST arguments, mode);                                       \
  }                                                                                                            \
  template <class Texel>                                                                                       \
  static WARPFORK_DEVICE void surf##write(Texel value, cudaSurfaceObject_t surface, WARPFORK_LIST parameters,  \
                                          cudaSurfaceBoundaryMode mode = cudaBoundaryModeTrap) {               \
    typename warpfork_surface_texel<Texel>::Components parts;                                                  \
    warpfork_take_apart(value, parts);                                                                         \
    warpfork_##surf##write(parts, surface, WARPFORK_LIST arguments, mode);                                     \
  }
#include <warpfork/surface_functions.def>
#undef WARPFORK_SURFACE_FUNCTIONS
#undef WARPFORK_INSTRUCTIONS
#undef WARPFORK_INSTRUCTIONS_TO_4
#undef WARPFORK_INSTRUCTIONS_TO_2
#undef WARPFORK_INSTRUCTION
#undef WARPFORK_STORE
#undef WARPFORK_LOAD
#undef WARPFORK_REGISTERS_4
#undef WARPFORK_REGISTERS_2
#undef WARPFORK_REGISTERS_1
#undef WARPFORK_OPERANDS_4
#undef WARPFORK_OPERANDS_2
#undef WARPFORK_OPERANDS_1
#undef WARPFORK_VECTOR_4
#undef WARPFORK_VECTOR_2
#undef WARPFORK_VECTOR_1
