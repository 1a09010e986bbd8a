#include "program_generator.h"

#include <algorithm>

namespace warpfork::contract {

using Kind = FlowInstruction::Kind;

namespace {

class Generator {
 public:
  Generator(Shape shape, ReconvergenceRule rule, std::span<const std::uint8_t> tape)
      : shape_(shape), rule_(rule), tape_(tape) {}

  /// A number below `count`; 0 when the tape has run out.
  unsigned choose(unsigned count) { return next_ < tape_.size() ? tape_[next_++] % count : 0; }

  FlowProgram structured() {
    while (next_ < tape_.size() && code_.size() < kMostInstructions) statement(0);
    emit(Kind::Leave);
    return FlowProgram(std::move(code_), rule_);
  }

  FlowProgram unstructured() {
    const Pc size = 3 + static_cast<Pc>(std::min<std::size_t>(tape_.size() / 3, kMostInstructions));
    for (Pc pc = 0; pc < size; ++pc) {
      switch (choose(5)) {
        case 0:
          emit(Kind::Step);
          break;
        case 1:
        case 2:
          emit(Kind::Branch, {choose(size), pc + 1});
          break;
        case 3:
          emit(Kind::Branch, {choose(size), choose(size), choose(size)});
          break;
        default:
          emit(choose(3) == 0 ? Kind::Leave : Kind::Step);
          break;
      }
    }
    emit(Kind::Leave);
    return FlowProgram(std::move(code_), rule_);
  }

 private:
  static constexpr std::size_t kMostInstructions = 60;
  static constexpr unsigned kDeepest = 4;

  Pc here() const { return static_cast<Pc>(code_.size()); }
  Pc emit(Kind kind, std::vector<Pc> targets = {}) {
    code_.push_back({.kind = kind, .targets = std::move(targets)});
    return here() - 1;
  }
  void statements(unsigned depth) {
    for (unsigned count = 1 + choose(3); count > 0 && code_.size() < kMostInstructions; --count) statement(depth);
  }

  void statement(unsigned depth) {
    const unsigned kind = depth >= kDeepest ? 0 : choose(shape_ == Shape::Structured ? 7 : 10);
    switch (kind) {
      case 0:
        emit(Kind::Step);
        break;
      case 1:
        if_else(depth, false);
        break;
      case 2:
        if_else(depth, true);
        break;
      case 3:
        do_while(depth);
        break;
      case 4:
        while_do(depth);
        break;
      case 5:
        multiway(depth);
        break;
      case 6:
        emit(depth == 0 && shape_ != Shape::EarlyExits ? Kind::Barrier : Kind::Step);
        break;
      case 7:
        emit(Kind::Leave);
        break;
      case 8:
        jump_in_loop(breaks_);
        break;
      default:
        jump_in_loop(continues_);
        break;
    }
  }

  void if_else(unsigned depth, bool has_else) {
    const Pc branch = emit(Kind::Branch, {here() + 1});
    statements(depth + 1);
    if (has_else) {
      const Pc skip = emit(Kind::Branch);
      code_[branch].targets.push_back(here());
      statements(depth + 1);
      code_[skip].targets = {here()};
    } else {
      code_[branch].targets.insert(code_[branch].targets.begin(), here());
    }
  }

  void do_while(unsigned depth) {
    const Pc head = here();
    open_loop();
    statements(depth + 1);
    close_loop(here());
    emit(Kind::Branch, {head, here() + 1});
    land(breaks_.back(), here());
    breaks_.pop_back();
  }

  void while_do(unsigned depth) {
    const Pc head = emit(Kind::Branch, {here() + 1});
    open_loop();
    statements(depth + 1);
    close_loop(head);
    emit(Kind::Branch, {head});
    code_[head].targets.insert(code_[head].targets.begin(), here());
    land(breaks_.back(), here());
    breaks_.pop_back();
  }

  void multiway(unsigned depth) {
    const Pc branch = emit(Kind::Branch);
    std::vector<Pc> leaving;
    for (unsigned cases = 2 + choose(3); cases > 0; --cases) {
      code_[branch].targets.push_back(here());
      statements(depth + 1);
      if (choose(4) != 3) leaving.push_back(emit(Kind::Branch));  // else falls into the next case
    }
    if (choose(2)) code_[branch].targets.push_back(here());  // no default
    land(leaving, here());
  }

  /// A guarded break or continue of the innermost loop; a step outside loops.
  void jump_in_loop(std::vector<std::vector<Pc>>& jumps) {
    if (jumps.empty()) {
      emit(Kind::Step);
    } else {
      jumps.back().push_back(emit(Kind::Branch, {here() + 1}));
    }
  }
  void open_loop() {
    breaks_.emplace_back();
    continues_.emplace_back();
  }
  void close_loop(Pc continue_target) {
    land(continues_.back(), continue_target);
    continues_.pop_back();
  }
  void land(const std::vector<Pc>& jumps, Pc target) {
    for (Pc jump : jumps) code_[jump].targets.insert(code_[jump].targets.begin(), target);
  }

  Shape shape_;
  ReconvergenceRule rule_;
  std::span<const std::uint8_t> tape_;
  std::size_t next_ = 0;
  std::vector<FlowInstruction> code_;
  std::vector<std::vector<Pc>> breaks_, continues_;  // of the open loops, outermost first
};

}  // namespace

FlowProgram make_program(Shape shape, ReconvergenceRule rule, std::span<const std::uint8_t> tape) {
  Generator generator(shape, rule, tape);
  return shape == Shape::Unstructured ? generator.unstructured() : generator.structured();
}

}  // namespace warpfork::contract
