// What a page of HTML was written with, read back.
#pragma once

#include <gtest/gtest.h>
#include <nettle/base64.h>
#include <zlib.h>

#include <cstdint>
#include <string>

namespace warpfork::html {

/// The JSON that stands in the element with this id: text of base64 of what zlib has compressed.
inline std::string page_data(const std::string& page, const std::string& id) {
  const std::string opening = "<script type=\"text/plain\" id=\"" + id + "\">\n";
  const std::size_t begin = page.find(opening) + opening.size();
  const std::string text = page.substr(begin, page.find('\n', begin) - begin);
  std::string bytes(BASE64_DECODE_LENGTH(text.size()), '\0');
  base64_decode_ctx context;
  base64_decode_init(&context);
  std::size_t size = 0;
  EXPECT_EQ(
      base64_decode_update(&context, &size, reinterpret_cast<std::uint8_t*>(bytes.data()), text.size(), text.data()),
      1);
  EXPECT_EQ(base64_decode_final(&context), 1);
  std::string json(std::size_t{16} << 20, '\0');
  uLongf length = json.size();
  EXPECT_EQ(uncompress(reinterpret_cast<Bytef*>(json.data()), &length, reinterpret_cast<const Bytef*>(bytes.data()),
                       static_cast<uLong>(size)),
            Z_OK);
  return json.substr(0, length);
}

}  // namespace warpfork::html
