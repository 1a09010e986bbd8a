#include "lower/inliner.h"

#include <algorithm>
#include <deque>
#include <limits>
#include <map>
#include <optional>
#include <span>
#include <utility>

#include "base/error.h"
#include "lower/activation_passing.h"
#include "lower/add_variable.h"
#include "lower/address_type.h"
#include "lower/argument_passing.h"
#include "lower/call_check.h"
#include "lower/callees.h"
#include "lower/circles.h"
#include "lower/recursion_writer.h"
#include "lower/shared_functions.h"
#include "lower/stack_allocations.h"
#include "ptx/call_parts.h"
#include "ptx/instruction_age.h"
#include "ptx/instruction_text.h"
#include "ptx/operand_walk.h"
#include "ptx/word_set.h"

namespace warpfork::lower {

namespace {

using ptx::Opcode;
using ptx::ScalarType;
using ptx::StateSpace;

constexpr std::size_t kMostInstructions = 1 << 20;
constexpr unsigned kWholeKernel = std::numeric_limits<unsigned>::max();  // of circles, one that holds the kernel

/// Here every instruction passes as it was written; what follows rewrites some and loses words.
void check_words(const ptx::Module& module, const ptx::Instruction& source) {
  if (const auto refused = ptx::refused_word(source))
    throw Error("{} is not supported: it cannot be '.{}'\n    allowed: {}{}", what_is_refused(module, source),
                refused->text, refused->allowed, ptx::remedy_for_age(source));
  if (const auto missing = ptx::missing_word(source))
    throw Error("{} is incomplete, and PTX has no default for it\n    add: {}", what_is_refused(module, source),
                *missing);
}

/// In a function that is called: of a parameter whose address was taken, which therefore is put into local memory
/// (promote_parameters()).
bool reaches_parameter_by_register(const ptx::Instruction& instruction) {
  if (instruction.space != StateSpace::Param) return false;
  return std::ranges::any_of(instruction.operands, [](const ptx::Operand& operand) {
    const auto* address = operand.as<ptx::AddressOperand>();
    return address != nullptr && std::holds_alternative<ptx::RegisterId>(address->base);
  });
}

/// What was put in for a call of a function without lines of a source is at the call's line.
void take_line(std::span<ptx::Instruction> body, const ptx::Location& call) {
  for (ptx::Instruction& instruction : body) {
    if (instruction.location.source_line != 0) continue;
    instruction.location.source_file = call.source_file;
    instruction.location.source_line = call.source_line;
  }
}

/// An operand of a copy: registers come behind the first one, variables have the names.
void rename(ptx::Operand& whole, const ArgumentPassing::Names& names, ptx::RegisterId first_register) {
  const auto rename_symbol = [&](ptx::SymbolOperand& symbol) {
    if (const auto found = names.find(symbol.name); found != names.end()) symbol.name = found->second;
  };
  walk(whole, [&](ptx::Operand& operand) {
    if (auto* reg = std::get_if<ptx::RegisterOperand>(&operand)) reg->id += first_register;
    if (auto* symbol = std::get_if<ptx::SymbolOperand>(&operand)) rename_symbol(*symbol);
    if (auto* address = std::get_if<ptx::AddressOperand>(&operand)) {
      if (auto* base = std::get_if<ptx::RegisterId>(&address->base)) *base += first_register;
      if (auto* symbol = std::get_if<ptx::SymbolOperand>(&address->base)) rename_symbol(*symbol);
    }
  });
}

/// A copy that all calls of its circle share.
struct SharedCopy {
  unsigned number = 0;
  ArgumentPassing::Names names;
  ptx::RegisterId first_register = 0;
  Pc entry = 0;
};
/// The copies are those of each function, by the one through which the circle was entered where that matters.
struct OpenCircle {
  unsigned number = 0;
  std::map<std::pair<const ptx::Function*, const ptx::Function*>, SharedCopy> copies;  // looked up only
};

class Inliner {
 public:
  Inliner(const ptx::Module& module, const ptx::Function& entry, const Lowering& lowering)
      : module_(module),
        lowering_(lowering),
        callees_(module),
        circles_(module, entry, callees_),
        shared_(entry, callees_, circles_, lowering.most_copied),
        recursion_(out_, address_type()) {
    out_ = entry;
    out_.body.clear();
    out_.registers.clear();
    out_.variables.clear();
  }

  Inlined run(const ptx::Function& entry) {
    if (shared_.any()) open_.push_back({kWholeKernel, {}});
    emit(entry, {});
    return {std::move(out_), recursion_.take()};
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
    Copy copy = open(function, std::move(names));
    fill(copy);
  }

  Copy open(const ptx::Function& function, Names names) {
    Copy copy{function, std::move(names), static_cast<ptx::RegisterId>(out_.registers.size()), {}, {}};
    out_.registers.insert(out_.registers.end(), function.registers.begin(), function.registers.end());
    add_variables(copy);
    return copy;
  }

  void fill(Copy& copy) {
    for (const ptx::Instruction& source : copy.function.body) {
      copy.place.push_back(static_cast<Pc>(out_.body.size()));
      emit(source, copy);
    }
    copy.place.push_back(static_cast<Pc>(out_.body.size()));
    for (const std::size_t at : copy.jumps)
      for (ptx::Operand& operand : out_.body[at].operands)
        if (auto* label = std::get_if<ptx::LabelOperand>(&operand)) label->target = copy.place[label->target];
  }

  /// Shared variables are one for all copies of a function, the others are each copy's own. The entry's keep their
  /// names unless the module has them, too: a callee may mean that one.
  void add_variables(Copy& copy) {
    const bool is_entry = copy.function.is_entry;
    for (const ptx::Variable& variable : copy.function.variables) {
      const bool once = variable.space == StateSpace::Shared || variable.space == StateSpace::Global ||
                        variable.space == StateSpace::Const;
      const bool is_alone = is_entry && module_.find_variable(variable.name) == nullptr;
      std::string name = is_alone           ? variable.name
                         : once || is_entry ? fmt::format("{}::{}", copy.function.name, variable.name)
                                            : fmt::format("{}::{}#{}", copy.function.name, variable.name, copies_);
      copy.names[variable.name] = name;
      if (once || is_entry)
        add_variable(out_, variable, name);
      else
        add_new_variable(out_, variable, name);
    }
    ++copies_;
  }

  void emit(const ptx::Instruction& source, Copy& copy) {
    check_words(module_, source);
    if (out_.body.size() > kMostInstructions)
      fail(source, fmt::format("more than {} instructions after inlining\n"
                               "  each call becomes a copy of what it calls: build without -G, so that the compiler "
                               "inlines what is small, or call less",
                               kMostInstructions));
    if (source.opcode == Opcode::Call) return emit_call(source, copy);
    if (source.opcode == Opcode::Brx) return emit_indexed_branch(source, copy);
    ptx::Instruction instruction = renamed(source, copy);
    if (!copy.function.is_entry && reaches_parameter_by_register(instruction)) instruction.space = StateSpace::Local;
    if (instruction.opcode == Opcode::Ret && !copy.function.is_entry) {
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
    for (ptx::Operand& operand : instruction.operands) rename(operand, copy.names, copy.first_register);
    if (instruction.guard) instruction.guard->predicate += copy.first_register;
    return instruction;
  }

  void emit_call(const ptx::Instruction& source, Copy& copy) {
    call_ = &source;
    const ptx::Instruction instruction = renamed(source, copy);
    const ptx::CallParts call = parts_of(instruction);
    if (!call.function) return emit_call_by_pointer(source, instruction, copy.function);
    const ptx::Function* callee = module_.find_function(call.function->name);
    if (!callee) fail(source, fmt::format("there is no function '{}'", call.function->name));
    if (callee->is_declaration) {
      if (const auto wrong = wrong_argument_sizes(parts_of(source), *callee, copy.function)) fail(source, *wrong);
      return emit_system_call(source, instruction, *callee);
    }
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
    const std::vector<const ptx::Function*> callees = callees_.of(source, caller);
    const ptx::CallParts parts = parts_of(call);
    std::vector<std::size_t> ends;
    if (call.guard) ends.push_back(emit_jump("after call", turned(*call.guard)));
    const ptx::RegisterId is_other = fresh_predicate("%callee");
    ptx::Instruction nobody = call;
    nobody.operands = {*parts.callee};
    nobody.guard.reset();
    for (const ptx::Function* callee : callees) {
      const bool is_last = callee == callees.back();
      compare(is_other, ptx::Modifier::Ne, address_type(), *parts.callee, ptx::SymbolOperand{callee->name},
              source.location);
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

  /// A copy of the callee's body, arguments and results around it. Of a function without lines of a source, what it
  /// does is at the line of the call.
  void emit_body(const ptx::CallParts& call, const ptx::Function& callee) {
    const ptx::Instruction* const source = call_;
    const std::size_t begin = out_.body.size();
    if (const auto circle = circle_of(callee)) {
      emit_in_circle(call, callee, *circle);
    } else {
      const std::optional<ptx::RegisterId> stack = save_stack(callee, source->location);
      const ArgumentPassing passing(out_, call, callee, source->location, copies_);
      emit(callee, passing.pass_arguments());
      passing.pass_results();
      if (stack) out_.body.push_back(stack_access(Opcode::Stackrestore, *stack, address_type(), source->location));
    }
    call_ = source;  // the body may hold calls of its own
    take_line(std::span(out_.body).subspan(begin), source->location);
  }

  /// Within what all calls of the function share a copy, if they do. Functions that are shared have theirs with all
  /// circles in the whole kernel.
  std::optional<unsigned> circle_of(const ptx::Function& function) const {
    const std::optional<unsigned> circle = circles_.of(function);
    if (!shared_.any() || (!circle && !shared_.contains(function))) return circle;
    return kWholeKernel;
  }

  /// Within a circle's first copy all others of the circle are emitted where they are called first. What may overwrite
  /// an activation's values comes back to a copy by a branch: there they are saved.
  void emit_in_circle(const ptx::CallParts& call, const ptx::Function& callee, unsigned number) {
    const bool opens = open_.empty() || open_.back().number != number;
    if (opens) open_.push_back({number, {}});
    OpenCircle& circle = open_.back();
    const std::pair copy(&callee, entrance_of(callee));
    const ptx::Function* const outer = std::exchange(entrance_, copy.second);
    if (const auto known = circle.copies.find(copy); known != circle.copies.end())
      emit_recursive_call(call, callee, known->second);
    else
      emit_shared_copy(call, callee, circle.copies[copy]);
    entrance_ = outer;
    if (opens) open_.pop_back();
  }

  /// The function by which threads that call this one have entered its circle; null where the circle has one copy of it
  /// whoever that was.
  const ptx::Function* entrance_of(const ptx::Function& callee) const {
    const std::optional<unsigned> circle = circles_.of(callee);
    if (!circle || (shared_.any() && !shared_.parts_by_entrance(*circle))) return nullptr;
    return entrance_ != nullptr && circles_.of(*entrance_) == circle ? entrance_ : &callee;
  }

  void emit_shared_copy(const ptx::CallParts& call, const ptx::Function& callee, SharedCopy& shared) {
    const ptx::Location location = call_->location;
    Copy copy = open(callee, add_parameters(callee));
    const bool is_recursive = circles_.of(callee).has_value();  // else there is one activation of it at a time
    shared = {recursion_.add_copy(is_recursive ? copy.names : Names{}), copy.names, copy.first_register, 0};
    ActivationPassing passing(out_, call, {callee, shared.names, shared.first_register}, location, copies_++);
    passing.load_arguments();
    recursion_.add_waiting(passing.waiting());
    recursion_.set_frame(shared.number, location);
    passing.store_arguments();
    recursion_.return_behind_copy(shared.number, location);
    shared.entry = static_cast<Pc>(out_.body.size());
    recursion_.begin_room(Recursion::room_of_copy(shared.number), callee.body.front().location);
    fill(copy);
    recursion_.end_room(Recursion::room_of_copy(shared.number), callee.body.back().location);
    passing.load_results();
    recursion_.add_waiting(passing.waiting());
    passing.store_results();
  }

  void emit_recursive_call(const ptx::CallParts& call, const ptx::Function& callee, const SharedCopy& shared) {
    const ptx::Location& location = call_->location;
    ActivationPassing passing(out_, call, {callee, shared.names, shared.first_register}, location, copies_++);
    const unsigned number = recursion_.add_call(shared.number);
    recursion_.begin_room(Recursion::room_of_call(number), location);
    passing.load_arguments();
    recursion_.add_waiting(passing.waiting());
    recursion_.set_frame(shared.number, location);
    passing.store_arguments();
    recursion_.return_behind_call(number, location);
    std::get<ptx::LabelOperand>(out_.body[emit_jump("recursion")].operands[0]).target = shared.entry;
    passing.load_results();
    recursion_.set_results(number, passing.waiting());
    recursion_.end_room(Recursion::room_of_call(number), location);
    passing.store_results();
  }

  /// Of a copy that has them to itself.
  Names add_parameters(const ptx::Function& function) {
    Names names;
    for (const auto* list : {&function.parameters, &function.returns})
      for (const ptx::Variable& variable : *list) {
        if (variable.space != StateSpace::Param) continue;
        if (variable.bytes == 0)
          fail(*call_, fmt::format("function '{}' is recursive, and '{}' has no size", function.name, variable.name));
        names[variable.name] = fmt::format("{}::{}#{}", function.name, variable.name, copies_);
        add_new_variable(out_, variable, names[variable.name]);
      }
    return names;
  }

  /// A function that allocates on the stack gives that back when it ends. The register that holds where it was.
  std::optional<ptx::RegisterId> save_stack(const ptx::Function& callee, const ptx::Location& location) {
    if (!allocates_on_stack(callee)) return std::nullopt;
    out_.registers.push_back({"%saved", address_type()});
    const auto saved = static_cast<ptx::RegisterId>(out_.registers.size() - 1);
    out_.body.push_back(stack_access(Opcode::Stacksave, saved, address_type(), location));
    return saved;
  }

  ScalarType address_type() const { return lower::address_type(module_); }

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
    throw Error("{}: {}", what_is_refused(module_, source), cause);
  }

  const ptx::Module& module_;
  const Lowering& lowering_;
  Callees callees_;
  Circles circles_;
  SharedFunctions shared_;
  ptx::Function out_;
  RecursionWriter recursion_;
  std::deque<OpenCircle> open_;  // within one another
  const ptx::Instruction* call_ = nullptr;
  const ptx::Function* entrance_ = nullptr;  // of the circle in which the present call stands
  unsigned copies_ = 0;
};

}  // namespace

Inlined inline_calls(const ptx::Module& module, const ptx::Function& entry, const Lowering& lowering) {
  return Inliner(module, entry, lowering).run(entry);
}

}  // namespace warpfork::lower
