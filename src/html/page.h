// A page of HTML that is one file: styles, scripts and data stand in it, and nothing is loaded from anywhere.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace warpfork::html {

/// Text as the content of an element or of a quoted attribute: `a < b & "c"` becomes `a &lt; b &amp; &quot;c&quot;`.
std::string escaped(std::string_view text);

/// JSON that scripts of the page read by `await pageData(id)` (assets/page.js). It stands there compressed: 500 runs
/// with their source lines are 17 MB of text, and a tenth of that in the file.
struct PageData {
  std::string id;    ///< of the element
  std::string json;  ///< any valid JSON text, whatever its strings hold
};

/// What a page is put together from. Styles and scripts follow those that every page has (assets/page.css and page.js:
/// colours, dark and light, print); they are our own text and may not hold their elements' end tags.
struct Page {
  std::string title;                      ///< plain text
  std::string body;                       ///< markup: what stands in it and is not ours must have been `escaped`
  std::vector<std::string_view> styles;   ///< CSS
  std::vector<std::string_view> scripts;  ///< each a module of its own: they share what they put on `window`
  std::vector<PageData> data;
};

/// The whole file.
///
/// Written sample:
///   <!DOCTYPE html>
///   <html lang="en">
///   <head>
///   <meta charset="utf-8">
///   …
///   <title>bfs</title>
///   <style>…</style>
///   </head>
///   <body>…
///   <script type="text/plain" id="report">eNqrVspLLE…</script>
///   <script type="module">…</script>
///   </body>
///   </html>
std::string assembled(const Page& page);

}  // namespace warpfork::html
