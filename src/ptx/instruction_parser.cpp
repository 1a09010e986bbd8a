#include "ptx/instruction_parser.h"

#include <fmt/ranges.h>

#include <utility>

#include "base/text.h"
#include "ptx/checker.h"
#include "ptx/dotted_words.h"

namespace warpfork::ptx {

namespace {

Opcode opcode_of(const Token& token, const Cursor& cursor) {
  if (const auto opcode = opcode_from(token.text)) return *opcode;
  std::vector<std::string> known;
#define PTX_OPCODE(name, text) known.emplace_back(text);
#include "ptx/opcodes.def"
#undef PTX_OPCODE
  cursor.fail(token, fmt::format("unknown instruction '{}'", token.text),
              fmt::format("nearest known: {}", fmt::join(nearest_names(token.text, known), ", ")));
}

}  // namespace

void InstructionParser::parse(const Token& opcode, std::optional<Guard> guard, const Location& source_place) {
  Instruction instruction;
  instruction.opcode = opcode_of(opcode, cursor_);
  instruction.guard = guard;
  instruction.location = source_place;
  instruction.location.line = opcode.position.line;
  instruction.location.column = opcode.position.column;
  operands_.begin(instruction.opcode);
  places_.clear();
  dotted_words(instruction);
  switch (instruction.opcode) {
    case Opcode::Call:
      call_operands(instruction);
      break;
    case Opcode::Bra:
      label_operand(instruction);
      break;
    default:
      operands(instruction);
  }
  cursor_.expect(";");
  check_instruction(instruction, function_, cursor_.source(), opcode.position, places_);
  for (Instruction& computation : operands_.take_computations()) {
    computation.location = instruction.location;
    function_.body.push_back(std::move(computation));
  }
  function_.body.push_back(std::move(instruction));
}

void InstructionParser::dotted_words(Instruction& instruction) {
  while (cursor_.peek().kind == TokenKind::Dotted) {
    const Token word = cursor_.take();
    add_dotted_word(instruction, word, cursor_);
    if (word.text == "const" && cursor_.at("[")) bank_number();
  }
}

/// `ld.const[2].f32` of PTX before 2.2; what stands in the brackets of `ld.const [x]` is no number before a dot.
void InstructionParser::bank_number() {
  Cursor ahead = cursor_;
  ahead.expect("[");
  if (ahead.peek().kind != TokenKind::Integer || ahead.take().value > kMaxConstantBank) return;
  if (!ahead.accept("]") || ahead.peek().kind != TokenKind::Dotted) return;
  cursor_ = ahead;
}

void InstructionParser::operands(Instruction& instruction) {
  if (cursor_.at(";")) return;
  instruction.operands.reserve(4);  // enough for all but a few
  do {
    begin_operand();
    if (instruction.opcode == Opcode::Brx && !instruction.operands.empty())
      table_operand(instruction);
    else
      instruction.operands.push_back(operands_.operand());
  } while (cursor_.accept(","));
}

void InstructionParser::label_operand(Instruction& instruction) {
  begin_operand();
  const Token label = cursor_.expect_identifier("a label");
  labels_.use_target(label, instruction.operands.size());
  instruction.operands.push_back(LabelOperand{std::string(label.text), kNoPc});
}

void InstructionParser::table_operand(Instruction& instruction) {
  const Token label = cursor_.expect_identifier("the label of a table");
  labels_.use_table(label, instruction.operands.size());
  instruction.operands.push_back(SymbolOperand{std::string(label.text), 0});
}

/// `call (returns), callee, (arguments), prototype;` where all but the callee may be missing.
void InstructionParser::call_operands(Instruction& instruction) {
  begin_operand();
  if (cursor_.at("(")) {
    instruction.operands.push_back(operands_.list());
    cursor_.expect(",");
    begin_operand();
  }
  const Token callee = cursor_.expect_identifier("the function to call");
  instruction.operands.push_back(operands_.named(callee));
  if (!cursor_.accept(",")) return;
  begin_operand();
  if (cursor_.at("(")) {
    instruction.operands.push_back(operands_.list());
    if (!cursor_.accept(",")) return;
    begin_operand();
  }
  table_operand(instruction);
}

}  // namespace warpfork::ptx
