#include "reference_harness/image_module.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <cstddef>
#include <cstring>

namespace warpfork::reference {

std::string ImageModule::ptx() const {
  std::array<std::uint64_t, simt::kImageBytes / 8> record{};
  std::memcpy(record.data(), &image, sizeof image);
  std::vector<std::string> fields;
  for (const std::uint64_t word : record) fields.push_back(fmt::format("{:#x}", word));
  fields[offsetof(simt::Image, address) / 8] = "texels";
  std::vector<std::uint32_t> places;
  for (const auto& of_thread : coordinates) places.insert(places.end(), of_thread.begin(), of_thread.end());

  return fmt::format(R"(.version 9.0
.target sm_90
.address_size 64
.global .align 16 .u32 texels[{words}] = {{{texels}}};
.global .align 16 .u64 image[{fields}] = {{{record}}};
.global .align 16 .u32 places[{place_count}] = {{{places}}};
.visible .entry body(.param .u64 out)
{{
  .reg .b32 %r<4>, %x<4>, %thread, %at, %word;
  .reg .b64 %d<4>, %image, %out, %from, %to;
  .reg .b16 %h<4>;
  .reg .pred %done;
  mov.u32 %thread, %tid.x;
  mov.u64 %image, image;
  mov.u64 %from, places;
  mad.wide.u32 %from, %thread, 16, %from;
  ld.global.v4.u32 {{%x0, %x1, %x2, %x3}}, [%from];
  mov.u32 %r0, 0;
  mov.u32 %r1, 0;
  mov.u32 %r2, 0;
  mov.u32 %r3, 0;
  {body}
  ld.param.u64 %out, [out];
  mad.wide.u32 %to, %thread, 16, %out;
  st.global.v4.u32 [%to], {{%r0, %r1, %r2, %r3}};
  bar.sync 0;
  mov.u32 %at, %thread;
copy:
  setp.ge.u32 %done, %at, {words};
  @%done bra finish;
  mov.u64 %from, texels;
  mad.wide.u32 %from, %at, 4, %from;
  ld.global.u32 %word, [%from];
  mad.wide.u32 %to, %at, 4, %out;
  st.global.u32 [%to+{results}], %word;
  add.u32 %at, %at, {threads};
  bra copy;
finish:
  ret;
}}
)",
                     fmt::arg("words", words.size()), fmt::arg("texels", fmt::join(words, ", ")),
                     fmt::arg("fields", fields.size()), fmt::arg("record", fmt::join(fields, ", ")),
                     fmt::arg("place_count", places.size()), fmt::arg("places", fmt::join(places, ", ")),
                     fmt::arg("body", body), fmt::arg("results", 4 * places.size()), fmt::arg("threads", threads()));
}

}  // namespace warpfork::reference
