/* libstdc++'s header spells an attribute with the name that CUDA C++ defines as a macro (host_defines.h). */
#pragma GCC system_header
#pragma push_macro("__noinline__")
#undef __noinline__
#include_next <bits/shared_ptr_base.h>
#pragma pop_macro("__noinline__")
