/* Copies that a thread does not wait for. */
#pragma once

#include <cuda_pipeline_primitives.h>
