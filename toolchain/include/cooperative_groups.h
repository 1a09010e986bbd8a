/* Cooperative groups: threads that work together, as objects (CUDA C++ Programming Guide, "Cooperative Groups"). */
#pragma once

#include <warpfork/hide_macros.h>

#define _COOPERATIVE_GROUPS_H_

#include <cuda_runtime.h>
WARPFORK_LINES_OF_CALLERS
#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 900
#include <warpfork/cooperative_groups/cluster_group.h>
#endif
#include <warpfork/cooperative_groups/grid_group.h>
#include <warpfork/cooperative_groups/one_thread.h>
#include <warpfork/cooperative_groups/partition.h>
WARPFORK_LINES_OF_FUNCTIONS

#include <warpfork/show_macros.h>
