// Joins translation units of PTX, what nvcc -rdc=true leaves of several source files (PTX ISA, "Linking Directives").
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace warpfork::ptx {

/// One text of all units, in their order, for parse(): so that lines of messages are lines of it. A name that a unit
/// keeps to itself gets the unit's number where another has that name (`$str` becomes `$str$2`), of what is .weak or
/// .common in several units one is taken, and each unit's `.file` numbers follow those before. A single unit stays as
/// it is. What is .extern everywhere stays .extern. `name` stands in messages. Throws Error where two units define a
/// name, where they differ in .address_size, and where a text cannot be split into directives.
std::string link(std::span<const std::string> units, std::string_view name);

/// Of an archive's units those that define what `units`, or others of them, only declare: all that a linker takes of
/// one (System V ABI, "Archive File"). Throws Error as link() does.
std::vector<std::string> needed_units(std::span<const std::string> units, std::span<const std::string> archive,
                                      std::string_view name);

}  // namespace warpfork::ptx
