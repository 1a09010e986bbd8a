/* Reading textures through their objects (CUDA C++ Programming Guide, "Texture Object API"): tex2D<float4>(texture, x,
   y) or tex2D(&result, texture, x, y), likewise in other dimensions, with layers, mip levels and gradients. */
#pragma once

#include <warpfork/images.h>

/* An instruction yields four components, whatever the texture has: how a program's type is taken from them. Other types
   are none that textures have. */
template <class Texel>
struct warpfork_texel;
#define WARPFORK_TEXEL(texel, components, ...)                                          \
  template <>                                                                           \
  struct warpfork_texel<texel> {                                                        \
    typedef components Components;                                                      \
    static WARPFORK_DEVICE texel from(const Components& read) { return {__VA_ARGS__}; } \
  };
#define WARPFORK_TEXELS_OF(element, vector, components)                   \
  WARPFORK_TEXEL(element, components, (element)read.x)                    \
  WARPFORK_TEXEL(vector##1, components, (element)read.x)                  \
  WARPFORK_TEXEL(vector##2, components, (element)read.x, (element)read.y) \
  WARPFORK_TEXEL(vector##4, components, (element)read.x, (element)read.y, (element)read.z, (element)read.w)
WARPFORK_TEXEL(char, int4, (char)read.x)
WARPFORK_TEXELS_OF(signed char, char, int4)
WARPFORK_TEXELS_OF(unsigned char, uchar, uint4)
WARPFORK_TEXELS_OF(short, short, int4)
WARPFORK_TEXELS_OF(unsigned short, ushort, uint4)
WARPFORK_TEXELS_OF(int, int, int4)
WARPFORK_TEXELS_OF(unsigned, uint, uint4)
WARPFORK_TEXELS_OF(float, float, float4)
#undef WARPFORK_TEXELS_OF
#undef WARPFORK_TEXEL

#define WARPFORK_TEXTURE_INSTRUCTION(name, instruction, type, coordinates_type, operands, parameters, inputs, \
                                     components, constraint)                                                  \
  static WARPFORK_DEVICE void warpfork_##name(components& read, cudaTextureObject_t texture,                  \
                                              WARPFORK_LIST parameters) {                                     \
    asm(instruction ".v4." type "." coordinates_type " {%0, %1, %2, %3}, [%[texture], " operands ";"          \
        : "=" constraint(read.x), "=" constraint(read.y), "=" constraint(read.z), "=" constraint(read.w)      \
        : [texture] "l"(texture), WARPFORK_LIST inputs);                                                      \
  }
#define WARPFORK_TEXTURE_INSTRUCTIONS(name, instruction, coordinates_type, operands, parameters, inputs)              \
  WARPFORK_TEXTURE_INSTRUCTION(name, instruction, "f32", coordinates_type, operands, parameters, inputs, float4, "f") \
  WARPFORK_TEXTURE_INSTRUCTION(name, instruction, "s32", coordinates_type, operands, parameters, inputs, int4, "r")   \
  WARPFORK_TEXTURE_INSTRUCTION(name, instruction, "u32", coordinates_type, operands, parameters, inputs, uint4, "r")
#define WARPFORK_TEXTURE_READ(function, parameters, arguments)                                                 \
  template <class Texel>                                                                                       \
  static WARPFORK_DEVICE Texel function(cudaTextureObject_t texture, WARPFORK_LIST parameters) {               \
    typename warpfork_texel<Texel>::Components read;                                                           \
    warpfork_##function(read, texture, WARPFORK_LIST arguments);                                               \
    return warpfork_texel<Texel>::from(read);                                                                  \
  }                                                                                                            \
  template <class Texel>                                                                                       \
  static WARPFORK_DEVICE void function(Texel* result, cudaTextureObject_t texture, WARPFORK_LIST parameters) { \
    *result = function<Texel>(texture, WARPFORK_LIST arguments);                                               \
  }

#define WARPFORK_TEXTURE_FUNCTION(function, kind, instruction, coordinates_type, operands, parameters, arguments, \
                                  inputs)                                                                         \
  WARPFORK_TEXTURE_INSTRUCTIONS(function, instruction, coordinates_type, operands, parameters, inputs)            \
  WARPFORK_TEXTURE_READ(function, parameters, arguments)
#include <warpfork/texture_functions.def>
#undef WARPFORK_TEXTURE_FUNCTION

/* One component of the four texels around a place. */
#define WARPFORK_GATHER(component)                                                                    \
  WARPFORK_TEXTURE_INSTRUCTIONS(gather_##component, "tld4." #component ".2d", "f32", "{%[x], %[y]}]", \
                                (float x, float y), ([x] "f"(x), [y] "f"(y)))
WARPFORK_GATHER(r)
WARPFORK_GATHER(g)
WARPFORK_GATHER(b)
WARPFORK_GATHER(a)
#undef WARPFORK_GATHER
template <class Components>
static WARPFORK_DEVICE void warpfork_tex2Dgather(Components& read, cudaTextureObject_t texture, float x, float y,
                                                 int component) {
  switch (component) {
    case 0:
      return warpfork_gather_r(read, texture, x, y);
    case 1:
      return warpfork_gather_g(read, texture, x, y);
    case 2:
      return warpfork_gather_b(read, texture, x, y);
    default:
      return warpfork_gather_a(read, texture, x, y);
  }
}
WARPFORK_TEXTURE_READ(tex2Dgather, (float x, float y, int component = 0), (x, y, component))
#undef WARPFORK_TEXTURE_READ
#undef WARPFORK_TEXTURE_INSTRUCTIONS
#undef WARPFORK_TEXTURE_INSTRUCTION
