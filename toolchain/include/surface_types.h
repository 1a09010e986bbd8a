/* Types of the CUDA runtime API, "Surface Object Management", and CUDA 11's surface references. */
#pragma once
#define __SURFACE_TYPES_H__ /* NVIDIA's guard, which programs ask for */

#include <driver_types.h>

#define cudaSurfaceType1D 0x01
#define cudaSurfaceType2D 0x02
#define cudaSurfaceType3D 0x03
#define cudaSurfaceTypeCubemap 0x0C
#define cudaSurfaceType1DLayered 0xF1
#define cudaSurfaceType2DLayered 0xF2
#define cudaSurfaceTypeCubemapLayered 0xFC

enum cudaSurfaceBoundaryMode { cudaBoundaryModeZero = 0, cudaBoundaryModeClamp = 1, cudaBoundaryModeTrap = 2 };

enum cudaSurfaceFormatMode { cudaFormatModeForced = 0, cudaFormatModeAuto = 1 };

/* The host's part of a file's `surface<...>` variable, which went with CUDA 12. */
struct surfaceReference {
  struct cudaChannelFormatDesc channelDesc;
};

#if !defined(__cplusplus)
typedef enum cudaSurfaceBoundaryMode cudaSurfaceBoundaryMode;
typedef enum cudaSurfaceFormatMode cudaSurfaceFormatMode;
#endif
