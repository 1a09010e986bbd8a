// Calls, and forms of calls, that libcuda.so.1 has and that cuda.h, which speaks CUDA 12.0, does not declare.
#pragma once

#include <cuda.h>

extern "C" {

CUresult cuCtxCreate_v3(CUcontext* context, void* affinities, int affinity_count, unsigned flags, CUdevice device);
/// `parameters`: of affinities, and of contexts for graphics.
CUresult cuCtxCreate_v4(CUcontext* context, void* parameters, unsigned flags, CUdevice device);
CUresult cuCtxGetDevice_v2(CUdevice* device, CUcontext context);
CUresult cuCtxSynchronize_v2(CUcontext context);
CUresult cuDeviceGetUuid(CUuuid* uuid, CUdevice device);
CUresult cuDevicePrimaryCtxRelease(CUdevice device);
CUresult cuDevicePrimaryCtxReset(CUdevice device);
CUresult cuDevicePrimaryCtxSetFlags(CUdevice device, unsigned flags);
CUresult cuEventElapsedTime_v2(float* milliseconds, CUevent start, CUevent end);
CUresult cuEventRecordWithFlags(CUevent event, CUstream stream, unsigned flags);
CUresult cuFuncGetName(const char** name, CUfunction function);
CUresult cuFuncGetParamInfo(CUfunction function, std::size_t index, std::size_t* offset, std::size_t* bytes);
CUresult cuGetExportTable(const void** table, const CUuuid* id);
CUresult cuGetProcAddress(const char* symbol, void** function, int cuda_version, cuuint64_t flags);
CUresult cuKernelGetName(const char** name, CUkernel kernel);
CUresult cuMemAdvise(CUdeviceptr memory, std::size_t bytes, int advice, CUdevice device);
/// `location`: two words by value.
CUresult cuMemAdvise_v2(CUdeviceptr memory, std::size_t bytes, int advice, cuuint64_t location);
CUresult cuMemRangeGetAttribute(void* data, std::size_t bytes, int attribute, CUdeviceptr memory, std::size_t count);
CUresult cuMemPrefetchAsync(CUdeviceptr memory, std::size_t bytes, CUdevice device, CUstream stream);
CUresult cuMemPrefetchAsync_v2(CUdeviceptr memory, std::size_t bytes, cuuint64_t location, unsigned flags,
                               CUstream stream);
CUresult cuProfilerStart();
CUresult cuProfilerStop();
CUresult cuTexRefSetAddress2D_v2(CUtexref reference, const CUDA_ARRAY_DESCRIPTOR* descriptor, CUdeviceptr memory,
                                 std::size_t pitch);
CUresult cuStreamAttachMemAsync(CUstream stream, CUdeviceptr memory, std::size_t bytes, unsigned flags);

}  // extern "C"
