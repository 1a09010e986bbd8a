/* The version of CUDA that these headers speak. The driver API (cuInit, cuLaunchKernel ...) is not there. */
#pragma once

#define CUDA_VERSION 12000

typedef unsigned int cuuint32_t;
typedef unsigned long long cuuint64_t;
