// Instructions of machines before sm_20 that later ones execute otherwise (PTX ISA, "mad").
#pragma once

#include "ptx/module.h"

namespace warpfork::ptx {

/// In code for sm_1x: a mad.f32 that says no rounding cuts its product off; on all later machines it is fma.rn.ftz.f32,
/// and becomes one here.
void modernise(Function& function);

}  // namespace warpfork::ptx
