// Random units that share names and keep others to themselves: each use must meet the definition that the rules give
// it (PTX ISA, "Linking Directives"), whatever the linker calls it.
#include <gtest/gtest.h>
#include <rapidcheck.h>

#include <map>

#include "ptx/linker.h"
#include "unit/ptx/sample.h"

namespace warpfork::ptx {
namespace linker_random_test {

enum class Role { Absent, Local, Weak, Visible, Extern };

/// Of the same sort as new names of the linker's, so that it must avoid them.
const std::vector<std::string> kNames{"a", "b", "a$1", "a$2", "b$2", "a$2$3"};

/// What is called so in each unit: functions or variables.
using Roles = std::vector<std::map<std::string, Role>>;

bool is_shared(Role role) { return role == Role::Weak || role == Role::Visible; }

/// At most one unit makes a name visible, and who declares it .extern finds it somewhere.
Roles random_roles(std::size_t units) {
  Roles roles(units);
  for (const std::string& name : kNames) {
    bool has_visible = false, has_shared = false;
    for (auto& of_unit : roles) {
      Role role = *rc::gen::element(Role::Absent, Role::Local, Role::Weak, Role::Visible, Role::Extern);
      if (role == Role::Visible && has_visible) role = Role::Weak;
      has_visible |= role == Role::Visible;
      has_shared |= is_shared(role);
      of_unit[name] = role;
    }
    for (auto& of_unit : roles)
      if (of_unit[name] == Role::Extern && !has_shared) of_unit[name] = Role::Absent;
  }
  return roles;
}

/// The unit whose definition a use in `unit` meets.
std::size_t owner_of(const Roles& roles, std::size_t unit, const std::string& name) {
  if (roles[unit].at(name) == Role::Local) return unit;
  for (const Role wanted : {Role::Visible, Role::Weak})
    for (std::size_t i = 0; i < roles.size(); ++i)
      if (roles[i].at(name) == wanted) return i;
  return unit;
}

/// What a definition holds, by which it is known again.
std::size_t mark(std::size_t unit, std::size_t name) { return 100 * unit + name + 1; }

std::string declaration(Role role, bool is_function, const std::string& name, std::size_t value) {
  const std::string linkage = role == Role::Local    ? ""
                              : role == Role::Weak   ? ".weak "
                              : role == Role::Extern ? ".extern "
                                                     : ".visible ";
  if (is_function)
    return linkage + ".func " + name +
           (role == Role::Extern ? ";\n" : fmt::format(" {{ .reg .u32 %r; mov.u32 %r, {}; ret; }}\n", value));
  return linkage + ".global .u32 " + name + (role == Role::Extern ? ";\n" : fmt::format(" = {};\n", value));
}

/// The entry k of this number uses all names of the unit, one after the other.
std::string unit_text(const std::map<std::string, Role>& roles, bool are_functions, std::size_t unit) {
  std::string text = kHead, uses;
  for (std::size_t i = 0; i < kNames.size(); ++i) {
    const Role role = roles.at(kNames[i]);
    if (role == Role::Absent) continue;
    text += declaration(role, are_functions, kNames[i], mark(unit, i));
    uses += are_functions ? "call " + kNames[i] + ";\n" : "ld.global.u32 %r, [" + kNames[i] + "];\n";
  }
  return text + fmt::format(".visible .entry k{} {{ .reg .u32 %r;\n{}ret; }}\n", unit, uses);
}

std::uint64_t mark_of_use(const Module& module, const Instruction& use) {
  if (use.opcode == Opcode::Call) {
    const Function& callee = *module.find_function(use.operands[0].as<SymbolOperand>()->name);
    return callee.body.at(0).operands[1].as<ImmediateOperand>()->bits;
  }
  const auto& base = std::get<SymbolOperand>(use.operands[1].as<AddressOperand>()->base);
  const std::vector<std::byte>& initial = module.find_variable(base.name)->initial;
  return std::to_integer<std::uint64_t>(initial.at(0)) | std::to_integer<std::uint64_t>(initial.at(1)) << 8;
}

void check_uses(const Module& module, const Roles& roles, std::size_t unit) {
  const Function& entry = *module.find_function("k" + std::to_string(unit));
  std::size_t next = 0;
  for (std::size_t i = 0; i < kNames.size(); ++i)
    if (roles[unit].at(kNames[i]) != Role::Absent)
      RC_ASSERT(mark_of_use(module, entry.body.at(next++)) == mark(owner_of(roles, unit, kNames[i]), i));
}

void link_random_units(bool are_functions) {
  const Roles roles = random_roles(*rc::gen::inRange<std::size_t>(2, 5));
  std::vector<std::string> texts;
  for (std::size_t unit = 0; unit < roles.size(); ++unit) texts.push_back(unit_text(roles[unit], are_functions, unit));
  const std::string linked = link(texts, "t.ptx");
  RC_LOG(linked);
  const Module module = parse_text(linked);
  for (std::size_t unit = 0; unit < roles.size(); ++unit) check_uses(module, roles, unit);
}

TEST(LinkedUnits, call_the_functions_that_they_mean) {
  EXPECT_TRUE(rc::check([] { link_random_units(true); }));
}

TEST(LinkedUnits, read_the_variables_that_they_mean) {
  EXPECT_TRUE(rc::check([] { link_random_units(false); }));
}

}  // namespace linker_random_test
}  // namespace warpfork::ptx
