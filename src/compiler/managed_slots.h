// How host code reaches __managed__ variables: at the address that the runtime gives them.
#pragma once

#include <string>
#include <string_view>

#include "compiler/managed_variables.h"

namespace warpfork::compiler {

/// LLVM's text of host code, before it is optimized, with a slot for every managed variable, in which
/// `__cudaInitModule()` writes its address. To clang such a variable is a thread's own (warpfork/managed_variables.h),
/// and stays so until there is assembly, but one that is defined elsewhere: what it holds, others may change, and where
/// it lies, only the code finds out. The slots are registered in place of the variables, and filled before the
/// program's own initializers run, which may use them.
///   @x = internal thread_local global i32 undef, section "warpfork_managed", align 4
///   ->   @x = external thread_local global i32, align 4
///        @x.managed = internal global i64 0
/// Throws Error for what cannot be: a constant, and in code that is not relocatable one of another file. `source` is
/// named in messages; `names`: the text's.
std::string with_managed_slots(std::string_view llvm, const std::string& source, const ManagedNames& names,
                               bool relocatable);

/// Assembly for x86-64 that reads the slots where the code asks for these variables: by the sequence of System V's ABI
/// ("ELF Handling For Thread-Local Storage", 4.4.6), whose text is fixed, since linkers change it, too.
///   data16; leaq x@TLSGD(%rip), %rdi; data16; data16; rex64; callq __tls_get_addr@PLT
///   ->   movq x.managed@GOTPCREL(%rip), %rax; movq (%rax), %rax
/// Throws Error if it asks in another way.
std::string with_slots_read(std::string_view assembly, const std::string& source, const ManagedNames& names);

}  // namespace warpfork::compiler
