/* KeyValuePair. */
#pragma once

#include <cub/thread/thread_operators.cuh>
