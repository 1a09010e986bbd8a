#include "simt/understood_modifiers.h"

namespace warpfork::simt {

bool is_understood(ptx::Modifier modifier) {
  using enum ptx::Modifier;
  switch (modifier) {
    // Arithmetic, rounding, comparison, selection.
    case Lo:
    case Hi:
    case Wide:
    case Sat:
    case Cc:
    case Shiftamt:
    case Wrap:
    case Clamp:
    case L:
    case R:
    case F4e:
    case B4e:
    case Rc8:
    case Ecl:
    case Ecr:
    case Rc16:
    case Rn:
    case Rz:
    case Rm:
    case Rp:
    case Rni:
    case Rzi:
    case Rmi:
    case Rpi:
    case Ftz:
    case Approx:
    case Full:
    case Noftz:
    case Xorsign:
    case Abs:
    case PropagateNan:
    case Finite:
    case Infinite:
    case Number:
    case Notanumber:
    case Normal:
    case Subnormal:
    case Eq:
    case Ne:
    case Lt:
    case Le:
    case Gt:
    case Ge:
    case Ls:
    case Hs:
    case Equ:
    case Neu:
    case Ltu:
    case Leu:
    case Gtu:
    case Geu:
    case Num:
    case Nan:
    case And:
    case Or:
    case Xor:
    // Atomics, votes, shuffles, barriers, branches, conversions.
    case Add:
    case Min:
    case Max:
    case Inc:
    case Dec:
    case Exch:
    case Cas:
    case Sync:
    case Aligned:
    case Arrive:
    case Red:
    case Popc:
    case All:
    case Any:
    case Ballot:
    case Up:
    case Down:
    case Bfly:
    case Warp:
    case Uni:
    case Idx:
    case To:
    case Pack:
    // Caches: they change no result.
    case Ca:
    case Cg:
    case Cs:
    case Lu:
    case Cv:
    case Wb:
    case Wt:
    case Nc:
    case L1:
    case L2:
    case L1EvictNormal:
    case L1EvictUnchanged:
    case L1EvictFirst:
    case L1EvictLast:
    case L1NoAllocate:
    case L2EvictNormal:
    case L2EvictFirst:
    case L2EvictLast:
    case L2EvictUnchanged:
    case L2CacheHint:
    case L264B:
    case L2128B:
    case L2256B:
    // Memory order and scope: one warp's accesses are applied at once and in program order.
    case Volatile:
    case Relaxed:
    case Acquire:
    case Release:
    case AcqRel:
    case Sc:
    case Weak:
    case Mmio:
    case Cta:
    case Gl:
    case Sys:
    case Gpu:
    case Cluster:
    case SharedCta:
    case ParamEntry:
    case ParamFunc:
    case Proxy:
    case Alias:
    // Programmatic launches: there is nothing to wait for.
    case LaunchDependents:
    case Wait:
      return true;
    default:
      return false;
  }
}

}  // namespace warpfork::simt
