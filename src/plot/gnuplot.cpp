#include "plot/gnuplot.h"

#include <fmt/format.h>

#include "base/error.h"
#include "process/child_process.h"
#include "process/deferred_signals.h"
#include "process/find_program.h"
#include "process/output_file.h"

namespace warpfork::plot {

namespace {

constexpr double kPixelsOfMillimetre = 96 / 25.4;  // as browsers have it
constexpr double kPointSize = 8;                   // what papers set captions in
constexpr double kPixelSize = kPointSize * 96 / 72;

std::string with(std::string text, const std::string& place, const std::string& name) {
  for (std::size_t at = text.find(place); at != text.npos; at = text.find(place, at + name.size()))
    text.replace(at, place.size(), name);
  return text;
}

}  // namespace

PictureFiles::PictureFiles(const std::filesystem::path& picture) : picture_(picture) {
  if (picture.extension() != ".svg" && picture.extension() != ".pdf")
    throw Error("{}: pictures are FILE.svg or FILE.pdf", picture.string());
}

std::filesystem::path PictureFiles::beside(const char* extension) const {
  std::filesystem::path file = picture_;
  return file.replace_extension(extension);
}

std::string PictureFiles::terminal(const Page& page) const {
  if (picture_.extension() == ".pdf")
    return fmt::format("pdfcairo noenhanced color size {:.2f}cm,{:.2f}cm font \"Helvetica,{}\"", page.width / 10,
                       page.height / 10, kPointSize);
  return fmt::format("svg noenhanced size {:.0f},{:.0f} font \"Helvetica,{:.1f}\" background \"white\"",
                     page.width * kPixelsOfMillimetre, page.height * kPixelsOfMillimetre, kPixelSize);
}

std::string PictureFiles::script_text(const Picture& picture, const Page& page, const std::string& made_by) const {
  return fmt::format(
             "# {0}\n# gnuplot {1} draws {2} from {3}; edit either and draw again.\n"
             "set encoding utf8\n"
             "set terminal {4}\n"
             "set output {5}\n"
             "set datafile missing \"?\"\n"
             "set key outside top center horizontal Left reverse samplen 1.2 spacing 1.1\n"
             "set border 3\nset tics nomirror out scale 0.5\n",
             made_by, script().filename().string(), picture_.filename().string(), data().filename().string(),
             terminal(page), gnuplot_file(picture_.filename().string())) +
         with(picture.commands, gnuplot_text(Picture::kData), gnuplot_file(data().filename().string()));
}

void PictureFiles::write(const Picture& picture, const Page& page, const std::string& made_by) const {
  process::require_writable(picture_.string());
  process::write_text(data().string(), picture.data);
  process::write_text(script().string(), script_text(picture, page, made_by));
}

void PictureFiles::draw() const {
  const std::string kept = fmt::format("{} and {} are written", data().string(), script().string());
  if (process::find_program("gnuplot").empty())
    throw Error("{}: not drawn: there is no gnuplot; {}\n  apt install gnuplot-nox, then: gnuplot {}",
                picture_.string(), kept, script().filename().string());
  const std::filesystem::path folder = std::filesystem::absolute(picture_).parent_path();
  const process::DeferredSignals signals;
  // In the locale C gnuplot grumbles at the encoding that the script sets.
  const process::ChildEnd end =
      process::run_child({"gnuplot",
                          {"-e", "cd " + gnuplot_file(folder.string()), std::filesystem::absolute(script()).string()},
                          {{"LC_ALL", "C.UTF-8"}},
                          {}},
                         signals);
  if (end.status == 0) return;
  std::error_code ignored;
  std::filesystem::remove(picture_, ignored);
  throw Error("{}: gnuplot could not draw it; {}", picture_.string(), kept);
}

}  // namespace warpfork::plot
