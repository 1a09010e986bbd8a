#include "config/description.h"

#include "base/error.h"
#include "base/text.h"
#include "config/assign.h"
#include "config/text_file.h"
#include "config/toml_text.h"

namespace warpfork::config {

namespace {

using Json = nlohmann::ordered_json;

std::string join(const std::string& prefix, std::string_view name) {
  return prefix.empty() ? std::string(name) : fmt::format("{}.{}", prefix, name);
}

void collect_paths(std::span<const Field> fields, bool tables, const std::string& prefix,
                   std::vector<std::string>& paths) {
  for (const Field& field : fields) {
    const std::string path = join(prefix, field.name);
    if (tables != field.target.has_value()) paths.push_back(path);
    collect_paths(field.members, tables, path, paths);
  }
}

const Field* find(std::span<const Field> fields, std::string_view name) {
  for (const Field& field : fields)
    if (field.name == name) return &field;
  return nullptr;
}

/// `all` are the fields of the whole description, for the names that may have been meant.
[[noreturn]] void unknown(std::span<const Field> all, const std::string& path, bool table, const std::string& place) {
  std::vector<std::string> known;
  collect_paths(all, table, "", known);
  throw Error("{}there is no {} '{}'\n  nearest: {}", place, table ? "table" : "key", path,
              fmt::join(nearest_names(path, known), ", "));
}

[[noreturn]] void wrong_kind(const Field& field, const std::string& path, const std::string& place) {
  if (field.target) throw Error("{}'{}' is a single value, not a table", place, path);
  std::vector<std::string> keys;
  for (const Field& member : field.members) keys.push_back(member.name);
  throw Error("{}'{}' is a table, not a single value\n  its keys: {}", place, path, fmt::join(keys, ", "));
}

struct TomlBinder {
  std::span<const Field> all;
  std::string_view name;

  void bind(std::span<const Field> fields, const toml::table& table, const std::string& prefix) const {
    for (const auto& [key, node] : table) {
      const std::string path = join(prefix, key.str());
      const std::string where = place(name, key.source());
      const Field* field = find(fields, key.str());
      if (!field) unknown(all, path, node.is_table(), where);
      if (field->target.has_value() == node.is_table()) wrong_kind(*field, path, where);
      if (field->target)
        assign(*field, value_of(node, name), place(name, node.source()), path);
      else
        bind(field->members, *node.as_table(), path);
    }
  }
};

struct JsonBinder {
  std::span<const Field> all;
  std::string place;

  void bind(std::span<const Field> fields, const Json& object, const std::string& prefix) const {
    for (const auto& [key, value] : object.items()) {
      const std::string path = join(prefix, key);
      const Field* field = find(fields, key);
      if (!field) unknown(all, path, value.is_object(), place);
      if (field->target.has_value() == value.is_object()) wrong_kind(*field, path, place);
      if (field->target)
        assign(*field, value, place, path);
      else
        bind(field->members, value, path);
    }
  }
};

const Field& find_path(std::span<const Field> fields, const std::string& path, const std::string& place) {
  std::span<const Field> here = fields;
  const Field* found = nullptr;
  for (std::size_t begin = 0; begin <= path.size();) {
    const std::size_t end = std::min(path.find('.', begin), path.size());
    found = find(here, std::string_view(path).substr(begin, end - begin));
    if (!found) unknown(fields, path, false, place);
    here = found->members;
    begin = end + 1;
  }
  if (!found->target) wrong_kind(*found, path, place);
  return *found;
}

/// What was written after the equals sign: TOML if it is a TOML value, else the text itself.
Json value_of_text(const Field& field, const std::string& text) {
  if (std::holds_alternative<std::string*>(*field.target) && !text.starts_with('"')) return text;
  try {
    const toml::table table = parse_toml("v = " + text, "");
    if (table.size() == 1) return value_of(table.begin()->second, "");
  } catch (const Error&) {  // not TOML: the message about the type is the better one
  }
  return text;
}

}  // namespace

void bind_text(std::span<const Field> fields, std::string_view text, std::string_view name) {
  TomlBinder{fields, name}.bind(fields, parse_toml(text, name), "");
}

void bind_file(std::span<const Field> fields, const std::filesystem::path& file) {
  bind_text(fields, read_text(file), file.string());
}

void bind_json(std::span<const Field> fields, const Json& object, std::string_view name) {
  const std::string place = fmt::format("{}: error: ", name);
  if (!object.is_object()) throw Error("{}an object is wanted", place);
  JsonBinder{fields, place}.bind(fields, object, "");
}

void apply_override(std::span<const Field> fields, std::string_view assignment) {
  const std::string place = fmt::format("--set {}: error: ", assignment);
  const std::size_t equals = assignment.find('=');
  if (equals == std::string_view::npos) throw Error("{}path.to.key=value is wanted", place);
  const std::string path(assignment.substr(0, equals));
  const Field& field = find_path(fields, path, place);
  assign(field, value_of_text(field, std::string(assignment.substr(equals + 1))), place, path);
}

Json to_json(std::span<const Field> fields) {
  Json object = Json::object();
  for (const Field& field : fields)
    object[field.name] = field.target ? value_of(*field.target) : to_json(field.members);
  return object;
}

namespace {

/// With the bounds that are its own, not its type's.
std::string doc_of(const Field& field) {
  if (field.range.most == Range().most) return field.doc;
  return fmt::format("{}; {} to {}", field.doc, field.range.least, field.range.most);
}

}  // namespace

std::vector<Key> keys(std::span<const Field> fields) {
  std::vector<Key> found;
  for (const Field& field : fields) {
    if (field.target) found.push_back({field.name, value_of(*field.target).dump(), doc_of(field)});
    for (Key& key : keys(field.members))
      found.push_back({join(field.name, key.path), std::move(key.value), std::move(key.doc)});
  }
  return found;
}

}  // namespace warpfork::config
