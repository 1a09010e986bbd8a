/* The functions of surface references come with cuda_runtime.h. */
#pragma once

#include <cuda_runtime.h>
