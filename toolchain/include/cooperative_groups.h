/* Cooperative groups: threads that work together, as objects (CUDA C++ Programming Guide, "Cooperative Groups"). */
#pragma once

#define _COOPERATIVE_GROUPS_H_

#include <cuda_runtime.h>
WARPFORK_LINES_OF_CALLERS
#include <warpfork/cooperative_groups/grid_group.h>
#include <warpfork/cooperative_groups/one_thread.h>
#include <warpfork/cooperative_groups/partition.h>
WARPFORK_LINES_OF_FUNCTIONS
