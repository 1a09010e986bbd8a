/* Attributes of CUDA C++. */
#pragma once

#include <host_defines.h>
