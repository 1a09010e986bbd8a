#include "lower/wmma.h"

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <utility>
#include <vector>

#include "analysis/register_use.h"
#include "lower/body_edit.h"
#include "lower/expansion.h"
#include "lower/wmma_fragment.h"
#include "ptx/operand_elements.h"

namespace warpfork::lower {

namespace {

using ptx::ImmediateOperand;
using ptx::Modifier;
using ptx::Opcode;
using ptx::Operand;
using ptx::RegisterId;
using ptx::RegisterOperand;
using ptx::ScalarType;
using ptx::StateSpace;

constexpr std::size_t kHalfRegisters = 8;  // of a fragment of .f16, whatever its shape

/// What an instruction does, if we know it and all its other words.
struct Wmma {
  Modifier deed{};   // load, store or mma
  Modifier which{};  // matrix of a load or store
  WmmaPieces pieces;
  bool saturates = false;

  static std::optional<Wmma> of(const ptx::Instruction& instruction);

 private:
  bool take(Modifier word);
};

bool Wmma::take(Modifier word) {
  switch (word) {
    case Modifier::Load:
    case Modifier::Store:
    case Modifier::Mma:
      deed = word;
      return true;
    case Modifier::A:
    case Modifier::B:
    case Modifier::C:
    case Modifier::D:
      which = word;
      return true;
    case Modifier::Satfinite:
      saturates = true;
      return true;
    case Modifier::Sync:
    case Modifier::Aligned:
    case Modifier::Row:
    case Modifier::Col:
    case Modifier::Rn:
    case Modifier::SharedCta:
      return true;
    default:
      return ptx::to_string(word).starts_with('m');  // the shape
  }
}

/// The type of A and B that goes with a fragment of C or D; all of these shapes have the same elements in it.
ScalarType factor_with(ScalarType sum, const ptx::MatrixShape& shape) {
  if (sum == ScalarType::F64) return sum;
  if (sum == ScalarType::S32) return ScalarType::S8;
  return shape.k == 8 ? ScalarType::Tf32 : ScalarType::F16;
}

std::optional<Wmma> Wmma::of(const ptx::Instruction& instruction) {
  if (instruction.opcode != Opcode::Wmma || instruction.types.empty()) return std::nullopt;
  Wmma found;
  if (!std::ranges::all_of(instruction.modifiers, [&](Modifier word) { return found.take(word); })) return std::nullopt;
  const std::optional<ptx::MatrixShape> shape = ptx::matrix_shape(instruction);
  if (!shape) return std::nullopt;
  const ScalarType first = instruction.types.front();
  const bool is_product = found.deed == Modifier::Mma,
             is_sum = found.which == Modifier::C || found.which == Modifier::D;
  const bool names_factors = instruction.types.size() == 4;
  const ScalarType factor = is_product ? names_factors ? instruction.types[1] : ScalarType::F16
                            : is_sum   ? factor_with(first, *shape)
                                       : first;
  const std::optional<WmmaPieces> pieces = WmmaPieces::of(*shape, factor);
  if (!pieces || (found.saturates && first != ScalarType::S32)) return std::nullopt;
  found.pieces = *pieces;
  return found;
}

Operand vector_of(std::span<const Operand> elements) {
  ptx::VectorOperand vector;
  vector.elements.assign(elements.begin(), elements.end());
  return vector;
}

/// A fragment's way to or from memory.
class Transfer {
 public:
  Transfer(ptx::Function& function, BodyEdit& edit, Pc pc, const Wmma& wmma, const std::set<RegisterId>& looked_at)
      : function_(function),
        out_(function, edit, pc),
        wmma_(wmma),
        looked_at_(looked_at),
        fragment_(WmmaFragment::of(wmma.pieces, wmma.which, out_.source.types[0])) {}

  /// False if the operands are not those of the fragment.
  bool write() {
    const bool loads = wmma_.deed == Modifier::Load;
    const std::vector<Operand>& operands = out_.source.operands;
    const auto elements = ptx::elements_of(operands[loads ? 0 : 1]);
    const bool has_spare = loads && fragment_.element == ScalarType::F16 && is_factor();
    if (elements.size() != (has_spare ? kHalfRegisters : fragment_.registers.size())) return false;
    from_ = operands[loads ? 1 : 0].as<ptx::AddressOperand>();
    if (from_ == nullptr) return false;
    begin();
    for (std::size_t i = 0; i < fragment_.registers.size(); i += width_)
      loads ? load(i, elements.subspan(i, width_)) : store(i, elements.subspan(i, width_));
    for (const Operand& spare : elements.subspan(fragment_.registers.size())) zero(spare);
    return true;
  }

 private:
  bool is_factor() const { return wmma_.which == Modifier::A || wmma_.which == Modifier::B; }
  unsigned bytes() const { return ptx::bytes_of(fragment_.element); }

  /// Elements from one line to the next, or from one place to the next if the memory has them the other way.
  Operand stride() const {
    if (out_.source.operands.size() > 2) return out_.source.operands[2];
    const ptx::MatrixShape& shape = wmma_.pieces.shape;
    const bool by_row = out_.source.has(Modifier::Row);
    const unsigned rows = wmma_.which == Modifier::B ? shape.k : shape.m;
    const unsigned columns = wmma_.which == Modifier::A ? shape.k : shape.n;
    return Expansion::number(by_row ? columns : rows);
  }

  /// The first loads may write the register that the others' addresses are computed from.
  void keep_stride() {
    const auto* const given = stride_.as<RegisterOperand>();
    if (given == nullptr) return;
    const std::vector<RegisterId> written = analysis::registers_of(out_.source).writes;
    if (std::ranges::find(written, given->id) == written.end()) return;
    const RegisterId kept = out_.fresh("%stride", ScalarType::U32);
    out_.add(out_.made(Opcode::Mov, {}, {ScalarType::U32}, {RegisterOperand{kept}, *given}));
    stride_ = RegisterOperand{kept};
  }

  /// The address of the lane's own line and place.
  void begin() {
    is_along_ = fragment_.lines_are_rows == out_.source.has(Modifier::Row);
    width_ = is_along_ && fragment_.elements == 1 && !is_factor() ? 2 : 1;
    stride_ = stride();
    keep_stride();
    const RegisterId lane = out_.fresh("%lane", ScalarType::U32);
    out_.add(out_.made(Opcode::Mov, {}, {ScalarType::U32},
                       {RegisterOperand{lane}, ptx::SpecialRegisterOperand{ptx::SpecialRegister::Laneid}}));
    const RegisterOperand line{
        out_.computed(Opcode::Shr, {}, ScalarType::U32, RegisterOperand{lane}, Expansion::number(2))};
    RegisterOperand place{out_.computed(Opcode::And, {}, ScalarType::B32, RegisterOperand{lane}, Expansion::number(3))};
    if (fragment_.step > 1)
      place.id = out_.computed(Opcode::Mul, {Modifier::Lo}, ScalarType::U32, place, Expansion::number(fragment_.step));
    const RegisterId elements = out_.fresh("%part", ScalarType::U32);
    out_.add(out_.made(Opcode::Mad, {Modifier::Lo}, {ScalarType::U32},
                       {RegisterOperand{elements}, is_along_ ? line : place, stride_, is_along_ ? place : line}));
    start_ = moved(base(), RegisterOperand{elements}, bytes());
  }

  /// The register of the address, without its offset.
  RegisterId base() {
    if (const auto* used = std::get_if<RegisterId>(&from_->base)) return *used;
    const RegisterId copy = out_.fresh("%base", ScalarType::U64);
    const auto* number = std::get_if<std::uint64_t>(&from_->base);
    const Operand value = number != nullptr ? Expansion::number(*number) : std::get<ptx::SymbolOperand>(from_->base);
    out_.add(out_.made(Opcode::Mov, {}, {ScalarType::U64}, {RegisterOperand{copy}, value}));
    return copy;
  }

  /// So many bytes for each of `count` behind the address, which has 32 or 64 bits.
  RegisterId moved(RegisterId address, const Operand& count, unsigned each) {
    const bool is_wide = ptx::bits_of(function_.registers[address].type) == 64;
    const RegisterId result = out_.fresh("%address", is_wide ? ScalarType::U64 : ScalarType::U32);
    out_.add(out_.made(Opcode::Mad, {is_wide ? Modifier::Wide : Modifier::Lo}, {ScalarType::U32},
                       {RegisterOperand{result}, count, Expansion::number(each), RegisterOperand{address}}));
    return result;
  }

  /// Where the element of that index in the register lies.
  ptx::AddressOperand place_of(std::size_t index, unsigned element) {
    const WmmaFragment::Register& of = fragment_.registers[index];
    const unsigned place = of.place + element;
    const unsigned strides = is_along_ ? of.line : place, behind = is_along_ ? place : of.line;
    ptx::AddressOperand address{start_, from_->offset + std::int64_t{behind} * bytes()};
    if (strides == 0) return address;
    if (const auto* number = stride_.as<ImmediateOperand>()) {
      address.offset += static_cast<std::int64_t>(number->bits * strides * bytes());
      return address;
    }
    const auto [known, is_new] = starts_.try_emplace(strides, 0);
    if (is_new) known->second = moved(start_, stride_, strides * bytes());
    address.base = known->second;
    return address;
  }

  ptx::Instruction access(Opcode opcode, ScalarType type, std::vector<Operand> operands) const {
    ptx::Instruction instruction = out_.made(opcode, {}, {type}, std::move(operands));
    instruction.space = out_.source.space;
    instruction.guard = out_.source.guard;
    return instruction;
  }
  bool lies_in_one_piece() const { return is_along_ || fragment_.elements == 1; }
  ScalarType whole() const { return fragment_.element == ScalarType::F64 ? ScalarType::B64 : ScalarType::B32; }
  ScalarType part() const { return bytes() == 1 ? ScalarType::U8 : ScalarType::U16; }

  static Operand data(std::span<const Operand> elements) {
    return elements.size() == 1 ? elements[0] : vector_of(elements);
  }

  void load(std::size_t index, std::span<const Operand> registers) {
    if (!lies_in_one_piece()) return gather(index, registers[0]);
    ptx::Instruction instruction = access(Opcode::Ld, whole(), {data(registers), place_of(index, 0)});
    instruction.vector_width = static_cast<std::uint8_t>(registers.size());
    out_.add(std::move(instruction));
  }

  /// A register whose elements lie a stride apart.
  void gather(std::size_t index, const Operand& into) {
    std::vector<RegisterId> parts;
    for (unsigned i = 0; i < fragment_.elements; ++i) {
      parts.push_back(out_.fresh("%element", ScalarType::B32));
      out_.add(access(Opcode::Ld, part(), {RegisterOperand{parts.back()}, place_of(index, i)}));
    }
    constexpr std::uint64_t kLowBytes = 0x40, kLowHalves = 0x5410;
    if (parts.size() == 4) parts = {permuted(parts[0], parts[1], kLowBytes), permuted(parts[2], parts[3], kLowBytes)};
    out_.add_guarded(
        out_.made(Opcode::Prmt, {}, {ScalarType::B32},
                  {into, RegisterOperand{parts[0]}, RegisterOperand{parts[1]}, Expansion::number(kLowHalves)}));
  }
  RegisterId permuted(RegisterId low, RegisterId high, std::uint64_t selector) {
    const RegisterId result = out_.fresh("%element", ScalarType::B32);
    out_.add(
        out_.made(Opcode::Prmt, {}, {ScalarType::B32},
                  {RegisterOperand{result}, RegisterOperand{low}, RegisterOperand{high}, Expansion::number(selector)}));
    return result;
  }

  void store(std::size_t index, std::span<const Operand> registers) {
    if (lies_in_one_piece()) {
      ptx::Instruction instruction = access(Opcode::St, whole(), {place_of(index, 0), data(registers)});
      instruction.vector_width = static_cast<std::uint8_t>(registers.size());
      return out_.add(std::move(instruction));
    }
    const RegisterOperand high{out_.computed(Opcode::Shr, {}, ScalarType::U32, registers[0], Expansion::number(16))};
    out_.add(access(Opcode::St, part(), {place_of(index, 0), registers[0]}));
    out_.add(access(Opcode::St, part(), {place_of(index, 1), high}));
  }

  void zero(const Operand& spare) {
    const auto* used = spare.as<RegisterOperand>();
    if (used == nullptr || !looked_at_.contains(used->id)) return;
    out_.add_guarded(out_.made(Opcode::Mov, {}, {ScalarType::B32}, {spare, Expansion::number(0)}));
  }

  ptx::Function& function_;
  Expansion out_;
  const Wmma& wmma_;
  const std::set<RegisterId>& looked_at_;
  WmmaFragment fragment_;
  const ptx::AddressOperand* from_ = nullptr;
  bool is_along_ = true;  // the elements of a line lie side by side
  unsigned width_ = 1;    // registers that one instruction loads or stores
  Operand stride_;
  RegisterId start_ = 0;
  std::map<unsigned, RegisterId> starts_;  // likewise, so many strides behind it
};

/// One wmma.mma.
class Product {
 public:
  Product(ptx::Function& function, BodyEdit& edit, Pc pc, const Wmma& wmma)
      : function_(function), out_(function, edit, pc), wmma_(wmma) {}

  /// False if the operands are not those of the fragments.
  bool write() {
    const std::vector<Operand>& operands = out_.source.operands;
    if (operands.size() != 4) return false;
    const bool is_turned = wmma_.pieces.is_turned;
    types_ = out_.source.types;
    if (types_.size() == 2) types_ = {types_[0], ScalarType::F16, ScalarType::F16, types_[1]};
    d_ = fragment(0, Modifier::C);
    left_ = is_turned ? fragment(2, Modifier::B) : fragment(1, Modifier::A);
    right_ = is_turned ? fragment(1, Modifier::A) : fragment(2, Modifier::B);
    c_ = fragment(3, Modifier::C);
    if (types_.size() != 4 || d_.empty() || left_.empty() || right_.empty() || c_.empty()) return false;
    const std::vector<Operand> results = std::exchange(d_, apart_from_sources());
    for (unsigned row = 0; row < wmma_.pieces.rows(); ++row)
      for (unsigned column = 0; column < wmma_.pieces.columns(); ++column) piece(row, column);
    for (std::size_t i = 0; i < results.size(); ++i)
      if (results[i] != d_[i]) copy(results[i], d_[i]);
    return true;
  }

 private:
  /// The registers that count; none if the operand has another number of them.
  std::vector<Operand> fragment(std::size_t operand, Modifier which) const {
    const auto elements = ptx::elements_of(out_.source.operands[operand]);
    if (operand >= types_.size()) return {};
    const std::size_t count = WmmaFragment::of(wmma_.pieces, which, types_[operand]).registers.size();
    const bool has_spare = which != Modifier::C && types_[operand] == ScalarType::F16;
    if (elements.size() != (has_spare ? kHalfRegisters : count)) return {};
    return {elements.begin(), elements.begin() + static_cast<std::ptrdiff_t>(count)};
  }

  /// The results, or other registers for them if a later piece reads one of them.
  std::vector<Operand> apart_from_sources() {
    std::set<RegisterId> read;
    const std::size_t first = d_.size() / (wmma_.pieces.rows() * wmma_.pieces.columns());
    const auto add = [&](const Operand& operand) {
      if (const auto* used = operand.as<RegisterOperand>()) read.insert(used->id);
    };
    std::ranges::for_each(left_, add);
    std::ranges::for_each(right_, add);
    std::for_each(c_.begin() + static_cast<std::ptrdiff_t>(c_.size() * first / d_.size()), c_.end(), add);
    std::vector<Operand> results = d_;
    for (std::size_t i = 0; i < first; ++i)
      if (const auto* used = results[i].as<RegisterOperand>(); used != nullptr && read.contains(used->id))
        results[i] = RegisterOperand{out_.fresh("%sum", function_.registers[used->id].type)};
    return results;
  }

  /// That of a row or column of pieces, of so many.
  static Operand part(const std::vector<Operand>& fragment, unsigned index, unsigned count) {
    const std::size_t size = fragment.size() / count;
    return vector_of(std::span(fragment).subspan(index * size, size));
  }

  void piece(unsigned row, unsigned column) {
    const unsigned rows = wmma_.pieces.rows(), columns = wmma_.pieces.columns();
    const unsigned index = row * columns + column, count = rows * columns;
    ptx::ModifierList words{Modifier::Sync, Modifier::Aligned, shape_word(), Modifier::Row, Modifier::Col};
    if (wmma_.saturates) words.push_back(Modifier::Satfinite);
    out_.add_guarded(out_.made(
        Opcode::Mma, words, types_,
        {part(d_, index, count), part(left_, row, rows), part(right_, column, columns), part(c_, index, count)}));
  }

  Modifier shape_word() const {
    const unsigned k = wmma_.pieces.piece.k;
    return k == 16 ? Modifier::M16n8k16 : k == 8 ? Modifier::M16n8k8 : Modifier::M8n8k4;
  }

  void copy(const Operand& to, const Operand& from) {
    const ScalarType type = types_[0] == ScalarType::F64 ? ScalarType::B64 : ScalarType::B32;
    out_.add_guarded(out_.made(Opcode::Mov, {}, {type}, {to, from}));
  }

  ptx::Function& function_;
  Expansion out_;
  const Wmma& wmma_;
  ptx::TypeList types_;
  std::vector<Operand> d_, left_, right_, c_;
};

/// What is read by other instructions than products.
std::set<RegisterId> looked_at(const ptx::Function& function) {
  std::set<RegisterId> ids;
  for (const ptx::Instruction& instruction : function.body) {
    if (instruction.opcode == Opcode::Wmma && instruction.has(Modifier::Mma)) continue;
    const std::vector<RegisterId> reads = analysis::registers_of(instruction).reads;
    ids.insert(reads.begin(), reads.end());
  }
  return ids;
}

}  // namespace

void spell_out_wmma(ptx::Function& function) {
  const auto is_wmma = [](const ptx::Instruction& instruction) { return instruction.opcode == Opcode::Wmma; };
  if (std::ranges::none_of(function.body, is_wmma)) return;
  const std::set<RegisterId> read = looked_at(function);
  BodyEdit edit(function);
  const auto size = static_cast<Pc>(function.body.size());
  for (Pc pc = 0; pc < size; ++pc) {
    const std::optional<Wmma> wmma = Wmma::of(function.body[pc]);
    if (!wmma) continue;
    const bool is_product = wmma->deed == Modifier::Mma;
    if (is_product ? Product(function, edit, pc, *wmma).write() : Transfer(function, edit, pc, *wmma, read).write())
      edit.remove(pc);
  }
  edit.apply();
}

}  // namespace warpfork::lower
