/* Numbers of eight bits come with cuda_fp8.h. */
#pragma once

#include <cuda_fp8.h>
