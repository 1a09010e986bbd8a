/* The functions of surface objects come with cuda_runtime.h. */
#pragma once

#include <cuda_runtime.h>
