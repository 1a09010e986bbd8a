#include "sweep/expansion.h"

#include <algorithm>
#include <set>

#include "base/error.h"
#include "base/named.h"
#include "sweep/placeholders.h"

namespace warpfork::sweep {

namespace {

using config::SweepAxis;
using config::SweepExclusion;
using config::SweepMachine;
using config::SweepPlan;
using config::SweepProgram;

constexpr std::size_t kMostPoints = 1'000'000;

/// Axes that step together.
struct Dimension {
  std::vector<const SweepAxis*> axes;
  std::size_t step = 0;

  std::size_t size() const { return axes[0]->values.size(); }
};

class Expansion {
 public:
  explicit Expansion(const SweepPlan& plan) : plan_(plan) {}

  std::vector<Point> points() {
    for (const SweepProgram& program : plan_.programs)
      for (const SweepMachine& machine : plan_.machines)
        if (program.is_recording() == !machine.core.empty()) expand(program, machine);
    require_use();
    return std::move(points_);
  }

 private:
  void expand(const SweepProgram& program, const SweepMachine& machine) {
    used_.insert({&program, &machine});
    std::vector<Dimension> dimensions = dimensions_of(program, machine);
    do {
      Point point = point_at(program, machine, dimensions);
      if (is_excluded(point)) continue;
      points_.push_back(std::move(point));
      if (points_.size() > kMostPoints)
        throw Error("{}the plan has more than {} points\n  part it, or leave some out by [[exclude]]", program.place,
                    kMostPoints);
    } while (advance(dimensions));
  }

  std::vector<Dimension> dimensions_of(const SweepProgram& program, const SweepMachine& machine) {
    const std::set<std::string> named = placeholders_of(program, machine);
    std::vector<Dimension> dimensions;
    for (const SweepAxis& axis : plan_.axes) {
      const bool sets = !axis.key.empty() && (axis.machines.empty() ||
                                              std::ranges::find(axis.machines, machine.name) != axis.machines.end());
      if (!sets && !named.contains(axis.name)) continue;
      used_.insert(&axis);
      const auto together = std::ranges::find_if(
          dimensions, [&](const Dimension& one) { return !axis.zip.empty() && one.axes[0]->zip == axis.zip; });
      if (together == dimensions.end())
        dimensions.push_back({{&axis}});
      else
        together->axes.push_back(&axis);
    }
    return dimensions;
  }

  std::set<std::string> placeholders_of(const SweepProgram& program, const SweepMachine& machine) const {
    std::set<std::string> names;
    const auto note = [&](const std::string& name, const std::string& place) {
      require_axis(name, place);
      names.insert(name);
      return std::string();
    };
    fill_in(program, machine, note);
    return names;
  }

  void require_axis(const std::string& name, const std::string& place) const {
    const std::vector<std::string> known = names_of(plan_.axes);
    if (std::ranges::find(known, name) == known.end())
      throw Error("{}{{{}}}: there is no such axis\n  axes: {}; write {{{{ and }}}} for braces themselves", place, name,
                  fmt::join(known, ", "));
  }

  /// A point of both, its placeholders replaced.
  static Point fill_in(const SweepProgram& program, const SweepMachine& machine, const ValueOfName& value_of) {
    const auto of_program = [&](const std::string& text) {
      return replace_placeholders(text, program.place, value_of);
    };
    const auto of_machine = [&](const std::string& text) {
      return replace_placeholders(text, machine.place, value_of);
    };
    Point point;
    point.program = program.name;
    point.machine = machine.name;
    point.file = of_program(program.file);
    point.launch = of_program(program.launch);
    for (const std::string& argument : program.arguments) point.arguments.push_back(of_program(argument));
    point.description = of_machine(machine.description);
    point.core = of_machine(machine.core);
    for (const std::string& assignment : machine.overrides) point.overrides.push_back(of_machine(assignment));
    point.place = machine.place;
    return point;
  }

  static Point point_at(const SweepProgram& program, const SweepMachine& machine,
                        const std::vector<Dimension>& dimensions) {
    std::vector<std::pair<std::string, report::Json>> values;
    std::vector<std::string> overrides;
    for (const Dimension& dimension : dimensions)
      for (const SweepAxis* axis : dimension.axes) {
        values.emplace_back(axis->name, axis->values[dimension.step]);
        if (!axis->key.empty()) overrides.push_back(axis->key + "=" + config::sweep_text(values.back().second));
      }
    Point point = fill_in(program, machine, [&](const std::string& name, const std::string&) {
      return config::sweep_text(std::ranges::find(values, name, &std::pair<std::string, report::Json>::first)->second);
    });
    point.overrides.insert(point.overrides.end(), overrides.begin(), overrides.end());
    point.axes = std::move(values);
    return point;
  }

  static bool advance(std::vector<Dimension>& dimensions) {
    for (auto dimension = dimensions.rbegin(); dimension != dimensions.rend(); ++dimension) {
      if (++dimension->step < dimension->size()) return true;
      dimension->step = 0;
    }
    return false;
  }

  bool is_excluded(const Point& point) {
    bool excluded = false;
    for (const SweepExclusion& exclusion : plan_.exclusions)
      if (std::ranges::all_of(exclusion.values, [&](const auto& one) { return has(point, one.first, one.second); })) {
        used_.insert(&exclusion);
        excluded = true;
      }
    return excluded;
  }

  static bool has(const Point& point, const std::string& key, const std::vector<std::string>& values) {
    const auto is = [&](const std::string& text) { return std::ranges::find(values, text) != values.end(); };
    if (key == "program") return is(point.program);
    if (key == "machine") return is(point.machine);
    return std::ranges::any_of(
        point.axes, [&](const auto& axis) { return axis.first == key && is(config::sweep_text(axis.second)); });
  }

  /// What makes no difference to any point was meant to.
  void require_use() const {
    for (const SweepProgram& program : plan_.programs)
      require_used(&program, program.place,
                   program.is_recording() ? "a recording runs on a machine with 'core': there is none"
                                          : "a GPU's program runs on a machine without 'core': there is none");
    for (const SweepMachine& machine : plan_.machines)
      require_used(&machine, machine.place,
                   machine.core.empty() ? "no program runs on this GPU: all are recordings"
                                        : "no program runs on this core: none is a recording (.wft)");
    for (const SweepAxis& axis : plan_.axes)
      require_used(&axis, axis.place,
                   "no program or machine has this axis\n  write {name} where its value belongs, or give it "
                   "'set', the machine's key that it sets");
    for (const SweepExclusion& exclusion : plan_.exclusions)
      require_used(&exclusion, exclusion.place, "no point is excluded by this");
    if (points_.empty()) throw Error("{}every point is excluded", plan_.exclusions[0].place);
    if (!plan_.options.place.empty() && std::ranges::all_of(points_, &Point::on_cpu))
      throw Error("{}this is of GPU runs alone: all points replay recordings", plan_.options.place);
  }

  void require_used(const void* part, const std::string& place, const char* why) const {
    if (!used_.contains(part)) throw Error("{}{}", place, why);
  }

  const SweepPlan& plan_;
  std::vector<Point> points_;
  std::set<const void*> used_;  // parts of the plan that made a difference; asked, never walked
};

}  // namespace

std::vector<Point> points_of(const SweepPlan& plan) { return Expansion(plan).points(); }

}  // namespace warpfork::sweep
