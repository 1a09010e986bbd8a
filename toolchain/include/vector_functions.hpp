/* The functions that make vectors. */
#pragma once

#include <vector_functions.h>
