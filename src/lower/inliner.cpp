#include "lower/inliner.h"

#include <algorithm>
#include <optional>

#include "base/error.h"
#include "lower/call_check.h"
#include "ptx/call_parts.h"
#include "ptx/instruction_text.h"
#include "ptx/operand_walk.h"
#include "ptx/word_set.h"

namespace warpfork::lower {

namespace {

using ptx::Opcode;
using ptx::ScalarType;
using ptx::StateSpace;

constexpr std::size_t kMostInstructions = 1 << 20;

class Inliner {
 public:
  Inliner(const ptx::Module& module, const Lowering& lowering) : module_(module), lowering_(lowering) {}

  ptx::Function run(const ptx::Function& entry) {
    out_ = entry;
    out_.body.clear();
    out_.registers.clear();
    out_.variables.clear();
    emit(entry, {});
    return std::move(out_);
  }

 private:
  using Names = std::map<std::string, std::string>;

  /// One copy of a function's body on its way into the result.
  struct Copy {
    const ptx::Function& function;
    Names names;  // of its variables and .param parameters, in the result
    ptx::RegisterId first_register;
    std::vector<Pc> place;           // of its instructions, in the result
    std::vector<std::size_t> jumps;  // instructions of the result whose labels are still this function's
  };

  void emit(const ptx::Function& function, Names names) {
    if (std::find(active_.begin(), active_.end(), &function) != active_.end())
      fail(*call_,
           fmt::format("function '{}' is recursive; calls are inlined, so recursion is not supported", function.name));
    active_.push_back(&function);
    Copy copy{function, std::move(names), static_cast<ptx::RegisterId>(out_.registers.size()), {}, {}};
    out_.registers.insert(out_.registers.end(), function.registers.begin(), function.registers.end());
    add_variables(copy);
    for (const ptx::Instruction& source : function.body) {
      copy.place.push_back(static_cast<Pc>(out_.body.size()));
      emit(source, copy);
    }
    copy.place.push_back(static_cast<Pc>(out_.body.size()));
    for (const std::size_t at : copy.jumps)
      for (ptx::Operand& operand : out_.body[at].operands)
        if (auto* label = std::get_if<ptx::LabelOperand>(&operand)) label->target = copy.place[label->target];
    active_.pop_back();
  }

  /// Shared variables are one for all copies of a function, the others are each copy's own. The entry's keep their
  /// names unless the module has them, too: a callee may mean that one.
  void add_variables(Copy& copy) {
    const bool is_entry = active_.size() == 1;
    for (const ptx::Variable& variable : copy.function.variables) {
      const bool once = variable.space == StateSpace::Shared || variable.space == StateSpace::Global ||
                        variable.space == StateSpace::Const;
      const bool is_alone = is_entry && module_.find_variable(variable.name) == nullptr;
      std::string name = is_alone           ? variable.name
                         : once || is_entry ? fmt::format("{}::{}", copy.function.name, variable.name)
                                            : fmt::format("{}::{}#{}", copy.function.name, variable.name, copies_);
      copy.names[variable.name] = name;
      add_variable(variable, name);
    }
    ++copies_;
  }

  void add_variable(const ptx::Variable& variable, const std::string& name) {
    for (const ptx::Variable& known : out_.variables)
      if (known.name == name) return;
    out_.variables.push_back(variable);
    out_.variables.back().name = name;
  }

  /// Here every instruction passes as it was written; what follows rewrites some and loses words.
  void check_words(const ptx::Instruction& source) const {
    if (const auto refused = ptx::refused_word(source))
      throw Error("{}: error: instruction '{}' is not supported: it cannot be '.{}'\n    allowed: {}",
                  place_of(module_, source), mnemonic(source), refused->text, refused->allowed);
    if (const auto missing = ptx::missing_word(source))
      throw Error("{}: error: instruction '{}' is incomplete, and PTX has no default for it\n    add: {}",
                  place_of(module_, source), mnemonic(source), *missing);
  }

  void emit(const ptx::Instruction& source, Copy& copy) {
    check_words(source);
    if (out_.body.size() > kMostInstructions)
      fail(source, fmt::format("more than {} instructions after inlining", kMostInstructions));
    if (source.opcode == Opcode::Call) return emit_call(source, copy);
    if (source.opcode == Opcode::Brx) return emit_indexed_branch(source, copy);
    ptx::Instruction instruction = renamed(source, copy);
    if (instruction.opcode == Opcode::Ret && active_.size() > 1) {
      if (&source == &copy.function.body.back() && !source.guard) return;  // goes on behind the copy by itself
      instruction.opcode = Opcode::Bra;
      instruction.operands = {ptx::LabelOperand{"return", static_cast<Pc>(copy.function.body.size())}};
    }
    copy.jumps.push_back(out_.body.size());
    out_.body.push_back(std::move(instruction));
  }

  /// brx.idx as a chain of comparisons and branches; the last target needs no comparison.
  void emit_indexed_branch(const ptx::Instruction& source, Copy& copy) {
    const ptx::Instruction branch = renamed(source, copy);
    const auto* name = source.operands.size() == 2 ? source.operands[1].as<ptx::SymbolOperand>() : nullptr;
    const auto table = copy.function.branch_targets.find(name ? name->name : "");
    if (branch.guard || table == copy.function.branch_targets.end() || table->second.empty())
      fail(source, "only an unguarded branch by a table of this function is supported");
    const auto is_it = static_cast<ptx::RegisterId>(out_.registers.size());
    out_.registers.push_back({"%index", ScalarType::Pred});
    for (std::size_t i = 0; i < table->second.size(); ++i) {
      ptx::Instruction jump;
      jump.opcode = Opcode::Bra;
      jump.operands = {table->second[i]};
      jump.location = source.location;
      if (i + 1 < table->second.size()) {
        ptx::Instruction compare;
        compare.opcode = Opcode::Setp;
        compare.modifiers = {ptx::Modifier::Eq};
        compare.types = {ScalarType::U32};
        compare.operands = {ptx::RegisterOperand{is_it}, branch.operands[0],
                            ptx::ImmediateOperand{ptx::ImmediateOperand::Kind::Integer, i}};
        compare.location = source.location;
        out_.body.push_back(std::move(compare));
        jump.guard = ptx::Guard{is_it};
      }
      copy.jumps.push_back(out_.body.size());
      out_.body.push_back(std::move(jump));
    }
  }

  ptx::Instruction renamed(const ptx::Instruction& source, const Copy& copy) const {
    ptx::Instruction instruction = source;
    for (ptx::Operand& operand : instruction.operands) rename(operand, copy);
    if (instruction.guard) instruction.guard->predicate += copy.first_register;
    return instruction;
  }

  static void rename(ptx::Operand& whole, const Copy& copy) {
    const auto rename_symbol = [&](ptx::SymbolOperand& symbol) {
      if (const auto found = copy.names.find(symbol.name); found != copy.names.end()) symbol.name = found->second;
    };
    walk(whole, [&](ptx::Operand& operand) {
      if (auto* reg = std::get_if<ptx::RegisterOperand>(&operand)) reg->id += copy.first_register;
      if (auto* symbol = std::get_if<ptx::SymbolOperand>(&operand)) rename_symbol(*symbol);
      if (auto* address = std::get_if<ptx::AddressOperand>(&operand)) {
        if (auto* base = std::get_if<ptx::RegisterId>(&address->base)) *base += copy.first_register;
        if (auto* symbol = std::get_if<ptx::SymbolOperand>(&address->base)) rename_symbol(*symbol);
      }
    });
  }

  void emit_call(const ptx::Instruction& source, Copy& copy) {
    call_ = &source;
    const ptx::Instruction instruction = renamed(source, copy);
    const ptx::CallParts call = parts_of(instruction);
    const ptx::Function* callee = call.function ? module_.find_function(call.function->name) : nullptr;
    if (!callee) fail(source, "indirect calls are not supported");
    if (callee->is_declaration) return emit_system_call(source, instruction, *callee);
    if (const auto wrong = wrong_call(parts_of(source), *callee, copy.function)) fail(source, *wrong);
    std::optional<std::size_t> skip;
    if (instruction.guard) skip = emit_skip(instruction);
    const auto first_register = static_cast<ptx::RegisterId>(out_.registers.size());
    Names names;
    std::vector<std::string> result_names(call.results.size());  // of the results' variables
    for (std::size_t i = 0; i < call.arguments.size(); ++i)
      bind_argument(call.arguments[i], callee->parameters[i], *callee, first_register, names);
    for (std::size_t i = 0; i < call.results.size(); ++i)
      result_names[i] = bind_result(call.results[i], callee->returns[i], *callee, names);
    emit(*callee, std::move(names));
    call_ = &source;  // the body may hold calls of its own
    for (std::size_t i = 0; i < call.results.size(); ++i)
      copy_result(call.results[i], callee->returns[i], *callee, first_register, result_names[i]);
    if (skip) std::get<ptx::LabelOperand>(out_.body[*skip].operands[0]).target = static_cast<Pc>(out_.body.size());
  }

  /// The guard of a call, turned round, jumps over it. Its label is set when the end is known.
  std::size_t emit_skip(const ptx::Instruction& call) {
    ptx::Instruction skip;
    skip.opcode = Opcode::Bra;
    skip.guard = ptx::Guard{call.guard->predicate, !call.guard->negated};
    skip.operands = {ptx::LabelOperand{"after call", 0}};
    skip.location = call.location;
    out_.body.push_back(skip);
    return out_.body.size() - 1;
  }

  void emit_system_call(const ptx::Instruction& source, const ptx::Instruction& call, const ptx::Function& callee) {
    if (!lowering_.is_system_call(callee.name))
      fail(source, fmt::format("function '{}' has no body in this module", callee.name));
    out_.body.push_back(call);
  }

  static std::optional<ptx::RegisterId> register_named(const ptx::Function& function, const std::string& name) {
    for (std::size_t id = 0; id < function.registers.size(); ++id)
      if (function.registers[id].name == name) return static_cast<ptx::RegisterId>(id);
    return std::nullopt;
  }

  /// The caller's .param variable, if that is what the operand names.
  const ptx::Variable* parameter_variable(const ptx::Operand& operand) const {
    const auto* symbol = operand.as<ptx::SymbolOperand>();
    if (!symbol) return nullptr;
    for (const ptx::Variable& variable : out_.variables)
      if (variable.name == symbol->name && variable.space == StateSpace::Param) return &variable;
    return nullptr;
  }

  void bind_argument(const ptx::Operand& argument, const ptx::Variable& parameter, const ptx::Function& callee,
                     ptx::RegisterId first_register, Names& names) {
    const ptx::Variable* const variable = parameter_variable(argument);
    if (parameter.space != StateSpace::Param) {
      const auto id = register_named(callee, parameter.name);
      if (!id) return;
      const ptx::RegisterOperand reg{first_register + *id};
      if (variable)
        access(Opcode::Ld, {reg, whole(variable->name)}, parameter.type);
      else
        move(reg, argument, parameter.type);
    } else if (variable) {
      names[parameter.name] = variable->name;
    } else {
      const std::string name = fresh_variable(parameter, callee, names);
      access(Opcode::St, {whole(name), argument}, parameter.type);
    }
  }

  /// The name of the variable that holds the result; empty for a register.
  std::string bind_result(const ptx::Operand& result, const ptx::Variable& returned, const ptx::Function& callee,
                          Names& names) {
    if (returned.space != StateSpace::Param) return "";
    if (const ptx::Variable* variable = parameter_variable(result)) return names[returned.name] = variable->name;
    return fresh_variable(returned, callee, names);
  }

  void copy_result(const ptx::Operand& result, const ptx::Variable& returned, const ptx::Function& callee,
                   ptx::RegisterId first_register, const std::string& variable) {
    const ptx::Variable* const actual = parameter_variable(result);
    if (returned.space != StateSpace::Param) {
      const auto id = register_named(callee, returned.name);
      if (!id) return;
      const ptx::RegisterOperand reg{first_register + *id};
      if (actual)
        access(Opcode::St, {whole(actual->name), reg}, returned.type);
      else
        move(result, reg, returned.type);
    } else if (!actual && !result.as<ptx::SinkOperand>()) {
      access(Opcode::Ld, {result, whole(variable)}, returned.type);
    }
  }

  static ptx::Operand whole(const std::string& variable) {
    return ptx::AddressOperand{ptx::SymbolOperand{variable}, 0};
  }

  std::string fresh_variable(const ptx::Variable& like, const ptx::Function& callee, Names& names) {
    const std::string name = fmt::format("{}::{}#{}", callee.name, like.name, copies_);
    names[like.name] = name;
    add_variable(like, name);
    return name;
  }

  void move(ptx::Operand to, ptx::Operand from, ScalarType type) {
    ptx::Instruction instruction;
    instruction.opcode = Opcode::Mov;
    instruction.types = {type};
    instruction.operands = {std::move(to), std::move(from)};
    instruction.location = call_->location;
    out_.body.push_back(std::move(instruction));
  }

  void access(Opcode opcode, std::vector<ptx::Operand> operands, ScalarType type) {
    ptx::Instruction instruction;
    instruction.opcode = opcode;
    instruction.types = {type};
    instruction.space = StateSpace::Param;
    instruction.operands = std::move(operands);
    instruction.location = call_->location;
    out_.body.push_back(std::move(instruction));
  }

  [[noreturn]] void fail(const ptx::Instruction& source, std::string_view cause) const {
    throw Error("{}: error: instruction '{}': {}", place_of(module_, source), mnemonic(source), cause);
  }

  const ptx::Module& module_;
  const Lowering& lowering_;
  ptx::Function out_;
  std::vector<const ptx::Function*> active_;
  const ptx::Instruction* call_ = nullptr;
  unsigned copies_ = 0;
};

}  // namespace

ptx::Function inline_calls(const ptx::Module& module, const ptx::Function& entry, const Lowering& lowering) {
  return Inliner(module, lowering).run(entry);
}

}  // namespace warpfork::lower
