/* Ranges and marks for profilers (NVIDIA Tools Extension). They do what they do where no profiler listens: nothing. */
#pragma once
#define NVTOOLSEXT_H_

#include <stddef.h>
#include <stdint.h>
#include <wchar.h>

#define NVTX_VERSION 3
#define NVTX_SUCCESS 0
#define NVTX_NO_PUSH_POP_TRACKING (-2)
#define NVTX_EVENT_ATTRIB_STRUCT_SIZE ((uint16_t)sizeof(nvtxEventAttributes_t))

typedef enum nvtxColorType_t { NVTX_COLOR_UNKNOWN = 0, NVTX_COLOR_ARGB = 1 } nvtxColorType_t;
typedef enum nvtxMessageType_t {
  NVTX_MESSAGE_UNKNOWN = 0,
  NVTX_MESSAGE_TYPE_ASCII = 1,
  NVTX_MESSAGE_TYPE_UNICODE = 2,
  NVTX_MESSAGE_TYPE_REGISTERED = 3
} nvtxMessageType_t;
typedef enum nvtxPayloadType_t {
  NVTX_PAYLOAD_UNKNOWN = 0,
  NVTX_PAYLOAD_TYPE_UNSIGNED_INT64 = 1,
  NVTX_PAYLOAD_TYPE_INT64 = 2,
  NVTX_PAYLOAD_TYPE_DOUBLE = 3,
  NVTX_PAYLOAD_TYPE_UNSIGNED_INT32 = 4,
  NVTX_PAYLOAD_TYPE_INT32 = 5,
  NVTX_PAYLOAD_TYPE_FLOAT = 6
} nvtxPayloadType_t;

typedef uint64_t nvtxRangeId_t;
typedef struct nvtxDomainRegistration* nvtxDomainHandle_t;
typedef struct nvtxStringRegistration* nvtxStringHandle_t;
typedef union nvtxMessageValue_t {
  const char* ascii;
  const wchar_t* unicode;
  nvtxStringHandle_t registered;
} nvtxMessageValue_t;

typedef struct nvtxEventAttributes_v2 {
  uint16_t version, size;
  uint32_t category;
  int32_t colorType; /* nvtxColorType_t */
  uint32_t color;
  int32_t payloadType; /* nvtxPayloadType_t */
  int32_t reserved0;
  union {
    uint64_t ullValue;
    int64_t llValue;
    double dValue;
    uint32_t uiValue;
    int32_t iValue;
    float fValue;
  } payload;
  int32_t messageType; /* nvtxMessageType_t */
  nvtxMessageValue_t message;
} nvtxEventAttributes_t;

#define WARPFORK_NVTX static inline __attribute__((unused))
WARPFORK_NVTX void nvtxMarkA(const char* text) {}
WARPFORK_NVTX nvtxRangeId_t nvtxRangeStartA(const char* text) { return 0; }
WARPFORK_NVTX int nvtxRangePushA(const char* text) { return NVTX_NO_PUSH_POP_TRACKING; }
WARPFORK_NVTX void nvtxNameCategoryA(uint32_t number, const char* text) {}
WARPFORK_NVTX void nvtxNameOsThreadA(uint32_t number, const char* text) {}
WARPFORK_NVTX nvtxDomainHandle_t nvtxDomainCreateA(const char* text) { return 0; }
WARPFORK_NVTX nvtxStringHandle_t nvtxDomainRegisterStringA(nvtxDomainHandle_t domain, const char* text) { return 0; }
WARPFORK_NVTX void nvtxDomainNameCategoryA(nvtxDomainHandle_t domain, uint32_t number, const char* text) {}
WARPFORK_NVTX void nvtxMarkW(const wchar_t* text) {}
WARPFORK_NVTX nvtxRangeId_t nvtxRangeStartW(const wchar_t* text) { return 0; }
WARPFORK_NVTX int nvtxRangePushW(const wchar_t* text) { return NVTX_NO_PUSH_POP_TRACKING; }
WARPFORK_NVTX void nvtxNameCategoryW(uint32_t number, const wchar_t* text) {}
WARPFORK_NVTX void nvtxNameOsThreadW(uint32_t number, const wchar_t* text) {}
WARPFORK_NVTX nvtxDomainHandle_t nvtxDomainCreateW(const wchar_t* text) { return 0; }
WARPFORK_NVTX nvtxStringHandle_t nvtxDomainRegisterStringW(nvtxDomainHandle_t domain, const wchar_t* text) { return 0; }
WARPFORK_NVTX void nvtxDomainNameCategoryW(nvtxDomainHandle_t domain, uint32_t number, const wchar_t* text) {}
WARPFORK_NVTX void nvtxMarkEx(const nvtxEventAttributes_t* event) {}
WARPFORK_NVTX nvtxRangeId_t nvtxRangeStartEx(const nvtxEventAttributes_t* event) { return 0; }
WARPFORK_NVTX int nvtxRangePushEx(const nvtxEventAttributes_t* event) { return NVTX_NO_PUSH_POP_TRACKING; }
WARPFORK_NVTX void nvtxRangeEnd(nvtxRangeId_t range) {}
WARPFORK_NVTX int nvtxRangePop(void) { return NVTX_NO_PUSH_POP_TRACKING; }
WARPFORK_NVTX void nvtxDomainMarkEx(nvtxDomainHandle_t domain, const nvtxEventAttributes_t* event) {}
WARPFORK_NVTX nvtxRangeId_t nvtxDomainRangeStartEx(nvtxDomainHandle_t domain, const nvtxEventAttributes_t* event) {
  return 0;
}
WARPFORK_NVTX int nvtxDomainRangePushEx(nvtxDomainHandle_t domain, const nvtxEventAttributes_t* event) {
  return NVTX_NO_PUSH_POP_TRACKING;
}
WARPFORK_NVTX void nvtxDomainRangeEnd(nvtxDomainHandle_t domain, nvtxRangeId_t range) {}
WARPFORK_NVTX int nvtxDomainRangePop(nvtxDomainHandle_t domain) { return NVTX_NO_PUSH_POP_TRACKING; }
WARPFORK_NVTX void nvtxDomainDestroy(nvtxDomainHandle_t domain) {}
WARPFORK_NVTX void nvtxInitialize(const void* reserved) {}
#undef WARPFORK_NVTX

#define nvtxMark nvtxMarkA
#define nvtxRangeStart nvtxRangeStartA
#define nvtxRangePush nvtxRangePushA
#define nvtxNameCategory nvtxNameCategoryA
#define nvtxNameOsThread nvtxNameOsThreadA
