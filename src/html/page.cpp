#include "html/page.h"

#include <nettle/base64.h>
#include <zlib.h>

#include <algorithm>
#include <cctype>

#include "base/error.h"
#include "html/assets.h"

namespace warpfork::html {

namespace {

/// No page may load anything, nor tell anyone of what it shows.
constexpr std::string_view kHead =
    "<meta charset=\"utf-8\">\n"
    "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
    "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src 'unsafe-inline'; "
    "script-src 'unsafe-inline'; img-src data:\">\n"
    "<link rel=\"icon\" href=\"data:,\">\n";

bool holds_word(std::string_view text, std::string_view lower_case_word) {
  const auto same = [](char have, char want) { return std::tolower(static_cast<unsigned char>(have)) == want; };
  return std::search(text.begin(), text.end(), lower_case_word.begin(), lower_case_word.end(), same) != text.end();
}

/// The text of a <style> or <script> ends at the first thing that looks like its end tag; `<!--` changes what does.
void append_raw(std::string& out, std::string_view opening, std::string_view text, std::string_view closing) {
  check(!holds_word(text, closing.substr(0, closing.size() - 1)) && !holds_word(text, "<!--"),
        [&] { return fmt::format("what stands in a page holds '{}' or '<!--'", closing); });
  out.append(opening).append("\n").append(text).append("\n").append(closing).append("\n");
}

std::string deflated(std::string_view text) {
  uLongf size = compressBound(static_cast<uLong>(text.size()));
  std::string bytes(size, '\0');
  const int status = compress2(reinterpret_cast<Bytef*>(bytes.data()), &size,
                               reinterpret_cast<const Bytef*>(text.data()), static_cast<uLong>(text.size()), 9);
  check(status == Z_OK, [&] { return fmt::format("zlib compresses a page's data with status {}", status); });
  bytes.resize(size);
  return bytes;
}

/// RFC 4648, section 4.
std::string base64(std::string_view bytes) {
  std::string text(BASE64_ENCODE_RAW_LENGTH(bytes.size()), '\0');
  base64_encode_raw(text.data(), bytes.size(), reinterpret_cast<const std::uint8_t*>(bytes.data()));
  return text;
}

}  // namespace

std::string escaped(std::string_view text) {
  std::string result;
  for (const char c : text) {
    switch (c) {
      case '&':
        result += "&amp;";
        break;
      case '<':
        result += "&lt;";
        break;
      case '>':
        result += "&gt;";
        break;
      case '"':
        result += "&quot;";
        break;
      case '\'':
        result += "&#39;";
        break;
      default:
        result += c;
    }
  }
  return result;
}

std::string assembled(const Page& page) {
  std::string out = "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n";
  out.append(kHead).append("<title>").append(escaped(page.title)).append("</title>\n");
  append_raw(out, "<style>", kPageStyles, "</style>");
  for (const std::string_view style : page.styles) append_raw(out, "<style>", style, "</style>");
  append_raw(out, "<script>", kPageScript, "</script>");
  out.append("</head>\n<body>\n").append(page.body).append("\n");
  for (const PageData& data : page.data)
    append_raw(out, "<script type=\"text/plain\" id=\"" + escaped(data.id) + "\">", base64(deflated(data.json)),
               "</script>");
  for (const std::string_view script : page.scripts) append_raw(out, "<script type=\"module\">", script, "</script>");
  return out.append("</body>\n</html>\n");
}

}  // namespace warpfork::html
