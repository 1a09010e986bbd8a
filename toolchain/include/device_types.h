/* The types of the runtime API. */
#pragma once

#include <driver_types.h>
