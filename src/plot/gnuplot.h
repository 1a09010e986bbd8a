// Gnuplot's files, and gnuplot.
#pragma once

#include <filesystem>
#include <string>

#include "plot/picture.h"

namespace warpfork::plot {

/// Of the picture, mm.
struct Page {
  double width = 84, height = 52;
};

/// A picture FILE.svg or FILE.pdf, and beside it FILE.dat, its numbers, and FILE.gp, gnuplot's script, which draws it
/// again after either was edited.
class PictureFiles {
 public:
  /// Throws Error for another kind of file.
  explicit PictureFiles(const std::filesystem::path& picture);

  const std::filesystem::path& picture() const { return picture_; }
  std::filesystem::path data() const { return beside(".dat"); }
  std::filesystem::path script() const { return beside(".gp"); }

  /// Writes data and script. `made_by`: the command line, for the script's head.
  void write(const Picture& picture, const Page& page, const std::string& made_by) const;
  /// Has gnuplot draw it. Throws Error where it is not installed, or cannot: data and script stay.
  void draw() const;

 private:
  std::filesystem::path beside(const char* extension) const;
  std::string script_text(const Picture& picture, const Page& page, const std::string& made_by) const;
  std::string terminal(const Page& page) const;

  std::filesystem::path picture_;
};

}  // namespace warpfork::plot
