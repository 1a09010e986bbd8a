#include "lower/inliner.h"

#include <algorithm>
#include <optional>

#include "base/error.h"
#include "lower/add_variable.h"
#include "lower/argument_passing.h"
#include "lower/call_check.h"
#include "lower/callees.h"
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
  Inliner(const ptx::Module& module, const Lowering& lowering)
      : module_(module), lowering_(lowering), callees_(module) {}

  ptx::Function run(const ptx::Function& entry) {
    out_ = entry;
    out_.body.clear();
    out_.registers.clear();
    out_.variables.clear();
    emit(entry, {});
    return std::move(out_);
  }

 private:
  using Names = ArgumentPassing::Names;

  /// One copy of a function's body on its way into the result.
  struct Copy {
    const ptx::Function& function;
    Names names;  // of its variables and .param parameters, in the result
    ptx::RegisterId first_register;
    std::vector<Pc> place;           // of its instructions, in the result
    std::vector<std::size_t> jumps;  // instructions of the result whose labels are still this function's
  };

  void emit(const ptx::Function& function, Names names) {
    if (is_active(function))
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
      add_variable(out_, variable, name);
    }
    ++copies_;
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
    if (active_.size() > 1 && reaches_parameter_by_register(instruction)) instruction.space = StateSpace::Local;
    if (instruction.opcode == Opcode::Ret && active_.size() > 1) {
      if (&source == &copy.function.body.back() && !source.guard) return;  // goes on behind the copy by itself
      instruction.opcode = Opcode::Bra;
      instruction.operands = {ptx::LabelOperand{"return", static_cast<Pc>(copy.function.body.size())}};
    }
    copy.jumps.push_back(out_.body.size());
    out_.body.push_back(std::move(instruction));
  }

  /// In a function that is called: of a parameter whose address was taken, which therefore is put into local memory
  /// (promote_parameters()).
  static bool reaches_parameter_by_register(const ptx::Instruction& instruction) {
    if (instruction.space != StateSpace::Param) return false;
    return std::ranges::any_of(instruction.operands, [](const ptx::Operand& operand) {
      const auto* address = operand.as<ptx::AddressOperand>();
      return address != nullptr && std::holds_alternative<ptx::RegisterId>(address->base);
    });
  }

  /// brx.idx as a chain of comparisons and branches; the last target needs no comparison.
  void emit_indexed_branch(const ptx::Instruction& source, Copy& copy) {
    const ptx::Instruction branch = renamed(source, copy);
    const auto* name = source.operands.size() == 2 ? source.operands[1].as<ptx::SymbolOperand>() : nullptr;
    const auto table = copy.function.branch_targets.find(name ? name->name : "");
    if (branch.guard || table == copy.function.branch_targets.end() || table->second.empty())
      fail(source, "only an unguarded branch by a table of this function is supported");
    const ptx::RegisterId is_it = fresh_predicate("%index");
    for (std::size_t i = 0; i < table->second.size(); ++i) {
      ptx::Instruction jump;
      jump.opcode = Opcode::Bra;
      jump.operands = {table->second[i]};
      jump.location = source.location;
      if (i + 1 < table->second.size()) {
        compare(is_it, ptx::Modifier::Eq, ScalarType::U32, branch.operands[0],
                ptx::ImmediateOperand{ptx::ImmediateOperand::Kind::Integer, i}, source.location);
        jump.guard = ptx::Guard{is_it};
      }
      copy.jumps.push_back(out_.body.size());
      out_.body.push_back(std::move(jump));
    }
  }

  ptx::RegisterId fresh_predicate(const char* name) {
    out_.registers.push_back({name, ScalarType::Pred});
    return static_cast<ptx::RegisterId>(out_.registers.size() - 1);
  }

  void compare(ptx::RegisterId result, ptx::Modifier relation, ScalarType type, ptx::Operand left, ptx::Operand right,
               const ptx::Location& location) {
    ptx::Instruction instruction;
    instruction.opcode = Opcode::Setp;
    instruction.modifiers = {relation};
    instruction.types = {type};
    instruction.operands = {ptx::RegisterOperand{result}, std::move(left), std::move(right)};
    instruction.location = location;
    out_.body.push_back(std::move(instruction));
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
    if (!call.function) return emit_call_by_pointer(source, instruction, copy.function);
    const ptx::Function* callee = module_.find_function(call.function->name);
    if (!callee) fail(source, fmt::format("there is no function '{}'", call.function->name));
    if (callee->is_declaration) return emit_system_call(source, instruction, *callee);
    if (const auto wrong = wrong_call(parts_of(source), *callee, copy.function)) fail(source, *wrong);
    std::optional<std::size_t> skip;
    if (instruction.guard) skip = emit_jump("after call", turned(*instruction.guard));
    emit_body(call, *callee);
    if (skip) end_here(*skip);
  }

  /// Comparisons with the addresses of those whom the call may reach, behind each one's its body. Of the call itself
  /// nothing is left but that it reaches nobody; for the last one this stands in front of the body, so that no way
  /// leads past all bodies.
  void emit_call_by_pointer(const ptx::Instruction& source, const ptx::Instruction& call, const ptx::Function& caller) {
    std::vector<const ptx::Function*> callees = callees_.of(source, caller);
    std::erase_if(callees, [&](const ptx::Function* callee) { return is_active(*callee); });  // it would be recursion
    const ptx::CallParts parts = parts_of(call);
    const ScalarType address = module_.address_bits == 64 ? ScalarType::U64 : ScalarType::U32;
    std::vector<std::size_t> ends;
    if (call.guard) ends.push_back(emit_jump("after call", turned(*call.guard)));
    const ptx::RegisterId is_other = fresh_predicate("%callee");
    ptx::Instruction nobody = call;
    nobody.operands = {*parts.callee};
    nobody.guard.reset();
    for (const ptx::Function* callee : callees) {
      const bool is_last = callee == callees.back();
      compare(is_other, ptx::Modifier::Ne, address, *parts.callee, ptx::SymbolOperand{callee->name}, source.location);
      if (is_last) {
        nobody.guard = ptx::Guard{is_other};
        out_.body.push_back(nobody);
        emit_body(parts, *callee);
      } else {
        const std::size_t next = emit_jump("next callee", ptx::Guard{is_other});
        emit_body(parts, *callee);
        ends.push_back(emit_jump("after call"));
        end_here(next);
      }
    }
    if (callees.empty()) out_.body.push_back(nobody);
    for (const std::size_t end : ends) end_here(end);
  }

  bool is_active(const ptx::Function& function) const { return std::ranges::find(active_, &function) != active_.end(); }

  /// A copy of the callee's body, arguments and results around it.
  void emit_body(const ptx::CallParts& call, const ptx::Function& callee) {
    const ptx::Instruction* const source = call_;
    const ArgumentPassing passing(out_, call, callee, source->location, copies_);
    emit(callee, passing.pass_arguments());
    call_ = source;  // the body may hold calls of its own
    passing.pass_results();
  }

  static ptx::Guard turned(const ptx::Guard& guard) { return {guard.predicate, !guard.negated}; }

  /// A branch of the present call; end_here() says whither.
  std::size_t emit_jump(const char* label, std::optional<ptx::Guard> guard = std::nullopt) {
    ptx::Instruction jump;
    jump.opcode = Opcode::Bra;
    jump.guard = guard;
    jump.operands = {ptx::LabelOperand{label, 0}};
    jump.location = call_->location;
    out_.body.push_back(std::move(jump));
    return out_.body.size() - 1;
  }
  void end_here(std::size_t jump) {
    std::get<ptx::LabelOperand>(out_.body[jump].operands[0]).target = static_cast<Pc>(out_.body.size());
  }

  void emit_system_call(const ptx::Instruction& source, const ptx::Instruction& call, const ptx::Function& callee) {
    if (!lowering_.is_system_call(callee.name))
      fail(source, fmt::format("function '{}' has no body in this module", callee.name));
    out_.body.push_back(call);
  }

  [[noreturn]] void fail(const ptx::Instruction& source, std::string_view cause) const {
    throw Error("{}: error: instruction '{}': {}", place_of(module_, source), mnemonic(source), cause);
  }

  const ptx::Module& module_;
  const Lowering& lowering_;
  Callees callees_;
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
