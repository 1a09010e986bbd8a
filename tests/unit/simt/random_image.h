// Random textures and surfaces for the differential tests, and a random instruction on each.
#pragma once

#include "random_bodies.h"
#include "reference_harness/image_module.h"

namespace warpfork::simt {

using reference::ImageModule;

/// A warp's tex of any geometry, layout, texel and way of reading; coordinates within, at the borders, far outside, and
/// none at all.
ImageModule random_fetch(Random& random);
/// The same of tld4.
ImageModule random_gather(Random& random);
/// Of suld and sust. Those that fault outside stay inside, and all threads store the same, so that order is no matter.
ImageModule random_surface_load(Random& random);
ImageModule random_surface_store(Random& random);

}  // namespace warpfork::simt
