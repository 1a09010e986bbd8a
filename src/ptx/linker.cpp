#include "ptx/linker.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <map>
#include <set>
#include <utility>
#include <vector>

#include "ptx/unit_outline.h"

namespace warpfork::ptx {

namespace {

class Linker {
 public:
  Linker(std::span<const std::string> texts, std::string_view name) : name_(name) {
    for (const std::string& text : texts) {
      const Source source(text, name);
      units_.push_back({source, UnitOutline::of(source), {}, {}});
    }
  }

  std::string text() {
    find_owners();
    find_names();
    std::string joined = head() + declarations();
    std::uint64_t first_file = 0;
    for (std::size_t i = 0; i < units_.size(); ++i) {
      joined += fmt::format("\n// Source file {} of {}\n", i + 1, units_.size());
      joined += edited(units_[i], first_file);
      first_file += units_[i].outline.most_file;
    }
    return joined;
  }

 private:
  using Linkage = UnitOutline::Linkage;

  struct Unit {
    Source source;
    UnitOutline outline;
    std::map<std::string_view, std::string> new_names;
    std::vector<UnitOutline::Range> left_out;
  };
  /// Who defines a name that units share.
  struct Owner {
    std::size_t unit = 0;
    Linkage linkage = Linkage::Extern;
  };

  void find_owners() {
    for (std::size_t i = 0; i < units_.size(); ++i)
      for (const UnitOutline::Symbol& symbol : units_[i].outline.symbols)
        if (symbol.linkage != Linkage::Local) share(symbol, i);
    for (std::size_t i = 0; i < units_.size(); ++i)
      for (const UnitOutline::Symbol& symbol : units_[i].outline.symbols)
        if (is_left_out(symbol, i)) units_[i].left_out.push_back(symbol.range);
  }

  /// Another unit's definition stands for it. A variable may have another type there, as long as it has the bytes.
  bool is_left_out(const UnitOutline::Symbol& symbol, std::size_t unit) const {
    if (symbol.linkage == Linkage::Local) return false;
    const Owner& owner = owners_.at(symbol.name);
    if (owner.linkage == Linkage::Extern || owner.unit == unit) return false;
    return symbol.linkage == Linkage::Weak ? symbol.is_definition
                                           : symbol.linkage == Linkage::Extern && symbol.is_variable;
  }

  /// The first .visible definition owns the name, or else the first .weak one.
  void share(const UnitOutline::Symbol& symbol, std::size_t unit) {
    Owner& owner = owners_[symbol.name];
    if (!symbol.is_definition || symbol.linkage == Linkage::Extern) return;
    if (owner.linkage == Linkage::Visible && symbol.linkage == Linkage::Visible && owner.unit != unit)
      throw Error("{}: '{}' is defined in source file {} and in source file {} of {}", name_, symbol.name,
                  owner.unit + 1, unit + 1, units_.size());
    if (owner.linkage == Linkage::Extern || (owner.linkage == Linkage::Weak && symbol.linkage == Linkage::Visible))
      owner = {unit, symbol.linkage};
  }

  void find_names() {
    std::map<std::string_view, std::size_t> taken;  // by the first unit that has the name for itself
    for (const auto& [name, owner] : owners_) taken.emplace(name, units_.size());
    std::set<std::string, std::less<>> names = all_names();
    for (std::size_t i = 0; i < units_.size(); ++i) {
      const std::vector<UnitOutline::Symbol>& symbols = units_[i].outline.symbols;
      std::set<std::string_view> shared;  // a later declaration of such a name need not say so again
      for (const UnitOutline::Symbol& symbol : symbols)
        if (symbol.linkage != Linkage::Local) shared.insert(symbol.name);
      for (const UnitOutline::Symbol& symbol : symbols) {
        if (shared.contains(symbol.name)) continue;
        if (taken.emplace(symbol.name, i).first->second == i) continue;
        std::string& new_name = units_[i].new_names[symbol.name];
        if (new_name.empty()) new_name = new_name_for(symbol.name, i, names);
      }
    }
  }

  std::set<std::string, std::less<>> all_names() const {
    std::set<std::string, std::less<>> names;
    for (const Unit& unit : units_)
      for (const UnitOutline::Symbol& symbol : unit.outline.symbols) names.emplace(symbol.name);
    return names;
  }

  /// Compilers number names in the same way: the strings of a unit are $str, $str$1, $str$2 ….
  std::string new_name_for(std::string_view name, std::size_t unit, std::set<std::string, std::less<>>& names) const {
    for (std::size_t number = unit + 1;; number += units_.size()) {
      std::string candidate = fmt::format("{}${}", name, number);
      if (names.insert(candidate).second) return candidate;
    }
  }

  std::string head() const {
    const auto number = [](std::string_view text) {
      unsigned value = 0;
      const std::size_t first = std::min(text.find_first_of("0123456789"), text.size());
      std::from_chars(text.data() + first, text.data() + text.size(), value);
      return value;
    };
    const auto version = [&](const Unit& unit) {
      const std::string_view text = unit.outline.version;
      return std::pair(number(text), number(text.substr(std::min(text.find('.'), text.size()))));
    };
    const Unit& newest = *std::ranges::max_element(units_, {}, version);
    const Unit& highest =
        *std::ranges::max_element(units_, {}, [&](const Unit& unit) { return number(unit.outline.target); });
    std::string target(highest.outline.target);
    for (const std::string_view option : highest.outline.target_options) target += fmt::format(", {}", option);
    std::string lines = fmt::format(".version {}\n.target {}\n", newest.outline.version, target);
    if (const std::uint64_t bits = address_bits(); bits != 0) lines += fmt::format(".address_size {}\n", bits);
    return lines;
  }

  /// Of variables that units share, as their definitions have them: units before the definition use them, too.
  std::string declarations() const {
    std::string lines;
    for (std::size_t i = 1; i < units_.size(); ++i)
      for (const UnitOutline::Symbol& symbol : units_[i].outline.symbols) {
        if (!symbol.is_variable || !symbol.is_definition || symbol.linkage == Linkage::Local) continue;
        if (owners_.at(symbol.name).unit != i) continue;
        const auto text = [&](const UnitOutline::Range& range) {
          return units_[i].source.text().substr(range.begin, range.end - range.begin);
        };
        lines += fmt::format(".extern {} {};\n", text(symbol.type), text(symbol.declarator));
      }
    return lines;
  }

  std::uint64_t address_bits() const {
    const std::uint64_t bits = units_.front().outline.address_bits;
    for (const Unit& unit : units_)
      if (unit.outline.address_bits != bits)
        throw Error("{}: its source files have different .address_size ({} and {})", name_, bits,
                    unit.outline.address_bits);
    return bits;
  }

  /// The unit's text with its new names and numbers of files, without what is left out of it.
  std::string edited(const Unit& unit, std::uint64_t first_file) const {
    std::vector<UnitOutline::Range> cuts = unit.left_out;
    cuts.insert(cuts.end(), unit.outline.header.begin(), unit.outline.header.end());
    std::ranges::sort(cuts, {}, &UnitOutline::Range::begin);
    std::string result;
    std::size_t from = 0;  // what stands before this has been copied or cut
    const auto copy_to = [&](std::size_t end) {
      if (end > from) result += unit.source.text().substr(from, end - from);
      from = std::max(from, end);
    };
    auto cut = cuts.begin();
    const auto cut_up_to = [&](std::size_t offset) {
      for (; cut != cuts.end() && cut->begin <= offset; ++cut) {
        copy_to(cut->begin);
        from = std::max(from, cut->end);
      }
    };
    each_change(unit, first_file, [&](const Token& token, const std::string& text) {
      cut_up_to(token.position.offset);
      if (token.position.offset < from) return;  // within what is cut
      copy_to(token.position.offset);
      result += text;
      from += token.text.size();
    });
    cut_up_to(unit.source.text().size());
    copy_to(unit.source.text().size());
    return result;
  }

  /// changed(token, text) for each token that is written otherwise.
  template <typename Changed>
  void each_change(const Unit& unit, std::uint64_t first_file, Changed&& changed) const {
    if (unit.new_names.empty() && first_file == 0) return;
    Cursor cursor(unit.source);
    while (cursor.peek().kind != TokenKind::End) {
      if (cursor.accept_dotted("section")) {
        cursor.take();
        cursor.skip_braces();
        continue;
      }
      const bool names_file = cursor.at_dotted("loc") || cursor.at_dotted("file") ||
                              (cursor.peek().kind == TokenKind::Identifier && cursor.peek().text == "inlined_at");
      const Token token = cursor.take();
      if (names_file && cursor.peek().kind == TokenKind::Integer) {
        const Token number = cursor.take();
        changed(number, std::to_string(number.value + first_file));
      } else if (token.kind == TokenKind::Identifier) {
        const auto renamed = unit.new_names.find(token.text);
        if (renamed != unit.new_names.end()) changed(token, renamed->second);
      }
    }
  }

  std::string_view name_;
  std::vector<Unit> units_;
  std::map<std::string_view, Owner> owners_;
};

/// Names that units share.
struct SharedNames {
  std::set<std::string, std::less<>> defined, declared;

  static SharedNames of(const std::string& unit, std::string_view name) {
    SharedNames names;
    for (const UnitOutline::Symbol& symbol : UnitOutline::of(Source(unit, name)).symbols) {
      if (symbol.linkage == UnitOutline::Linkage::Local) continue;
      const bool is_here = symbol.is_definition && symbol.linkage != UnitOutline::Linkage::Extern;
      (is_here ? names.defined : names.declared).emplace(symbol.name);
    }
    return names;
  }

  void add(SharedNames other) {
    defined.merge(other.defined);
    declared.merge(other.declared);
  }

  bool need(const SharedNames& other) const {
    return std::ranges::any_of(other.defined,
                               [&](const auto& name) { return declared.contains(name) && !defined.contains(name); });
  }
};

}  // namespace

std::vector<std::string> needed_units(std::span<const std::string> units, std::span<const std::string> archive,
                                      std::string_view name) {
  SharedNames names;
  for (const std::string& unit : units) names.add(SharedNames::of(unit, name));
  std::vector<std::pair<const std::string*, SharedNames>> left;
  for (const std::string& unit : archive) left.emplace_back(&unit, SharedNames::of(unit, name));
  std::vector<std::string> needed;
  const auto next = [&] {
    return std::ranges::find_if(left, [&](const auto& unit) { return names.need(unit.second); });
  };
  for (auto found = next(); found != left.end(); found = next()) {
    needed.push_back(*found->first);
    names.add(std::move(found->second));
    left.erase(found);
  }
  return needed;
}

std::string link(std::span<const std::string> units, std::string_view name) {
  return units.size() == 1 ? units.front() : Linker(units, name).text();
}

}  // namespace warpfork::ptx
