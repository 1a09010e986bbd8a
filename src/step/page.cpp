#include "step/page.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <nlohmann/json.hpp>

#include "html/page.h"
#include "step/assets.h"

namespace warpfork::step {

namespace {

using report::Json;

std::string text_of(const Json& value) { return value.get<std::string>(); }

/// What a reader must know who sees no end of the warp.
std::string warnings(const std::vector<Json>& runs) {
  std::string text;
  for (const Json& run : runs) {
    if (run.at("ended")) continue;
    const std::string what =
        run.at("cut") ? fmt::format("goes on after cycle {}, the last one recorded: --cycles A-B shows others",
                                    run.at("last").get<std::uint64_t>())
                      : std::string("had not ended when the launch did");
    text += fmt::format("<p class=\"warning\">Under {} the warp {}.</p>\n", html::escaped(text_of(run.at("mechanism"))),
                        html::escaped(what));
  }
  return text;
}

std::string places_note(const std::vector<Json>& runs) {
  std::vector<std::string> regrouping;
  for (const Json& run : runs)
    if (run.at("regroups")) regrouping.push_back(text_of(run.at("mechanism")));
  if (regrouping.empty()) return {};
  return fmt::format(
      "<p class=\"muted\">Under {} threads move between warps: this is what runs in the place of the warp, and of "
      "which "
      "warps its threads are. The scoreboard is that of the warp's own threads.</p>\n",
      html::escaped(fmt::format("{}", fmt::join(regrouping, " and "))));
}

}  // namespace

std::string page(const Shown& shown) {
  const Json& first = shown.runs.front();
  std::vector<std::string> mechanisms;
  for (const Json& run : shown.runs) mechanisms.push_back(text_of(run.at("mechanism")));
  html::Page page;
  page.title = fmt::format("{}: {}", text_of(first.at("kernel")), fmt::join(mechanisms, ", "));
  page.body = fmt::format(
      "<header>\n<button id=\"theme\" class=\"screen-only\">dark / light</button>\n<h1>{}</h1>\n<p class=\"muted\">{}, "
      "on "
      "{}. Numbers and colours are splits; lane 0 is on the right. Each cycle is shown as it has left the "
      "warp.</p>\n{}{}"
      "</header>\n{}",
      html::escaped(text_of(first.at("kernel"))), html::escaped(shown.warp),
      html::escaped(text_of(first.at("machine"))), places_note(shown.runs), warnings(shown.runs), kStepBody);
  page.styles = {kStepStyles};
  page.scripts = {kStepScript};
  page.data = {{"step", Json({{"runs", shown.runs}}).dump(-1, ' ', false, Json::error_handler_t::replace)}};
  return html::assembled(page);
}

}  // namespace warpfork::step
