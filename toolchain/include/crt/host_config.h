/* What the host compiler has to be like: clang is. */
#pragma once

#include <host_config.h>
