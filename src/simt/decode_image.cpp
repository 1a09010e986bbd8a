// Operands of instructions that read and write textures and surfaces.
#include <span>

#include "ptx/operand_elements.h"
#include "simt/decode_operands.h"
#include "simt/image/image_form.h"
#include "simt/image/image_handlers.h"

namespace warpfork::simt::decode_operands {

namespace {

using ptx::Modifier;
using ptx::Opcode;
using ptx::ScalarType;

Geometry geometry_of(const ptx::Instruction& source) {
  if (source.has(Modifier::Geometry2d)) return Geometry::Plane;
  if (source.has(Modifier::Geometry3d)) return Geometry::Volume;
  if (source.has(Modifier::A1d)) return Geometry::LineLayers;
  if (source.has(Modifier::A2d)) return Geometry::PlaneLayers;
  return Geometry::Line;
}

Boundary boundary_of(const ptx::Instruction& source) {
  if (source.has(Modifier::Clamp)) return Boundary::Clamp;
  return source.has(Modifier::Zero) ? Boundary::Zero : Boundary::Trap;
}

std::uint8_t component_of(const ptx::Instruction& source) {
  if (source.has(Modifier::G)) return 1;
  if (source.has(Modifier::B)) return 2;
  return source.has(Modifier::A) ? 3 : 0;
}

constexpr std::size_t kPadded = 4;  // coordinates

class ImageOperands {
 public:
  ImageOperands(const ptx::Instruction& source, DecodeContext& context, Instruction& decoded)
      : source_(source), context_(context), decoded_(decoded) {}

  /// `[handle, {coordinates}]`. Four are what PTX wants of three, and before ISA 2.0 of all: the last are not read.
  void place(const ptx::Operand& operand, ScalarType coordinate_type) {
    const auto* const tuple = operand.as<ptx::VectorOperand>();
    if (tuple == nullptr || tuple->elements.size() != 2) context_.unsupported(source_);
    decoded_.operand[4] = context_.operands.source(tuple->elements[0], ScalarType::U64);
    const std::span<const ptx::Operand> coordinates = ptx::elements_of(tuple->elements[1]);
    if (coordinates.size() != form.coordinates() && coordinates.size() != kPadded)
      context_.operands.fail("the geometry has another number of coordinates");
    for (unsigned i = 0; i < form.coordinates(); ++i) {
      const ScalarType type = i == 0 && form.has_layer() ? ScalarType::U32 : coordinate_type;
      const std::uint32_t row = context_.operands.source(coordinates[i], type) / ImageForm::kRow;
      if (row > 0xffff) context_.operands.fail("the kernel has too many registers for textures");
      form.row[i] = static_cast<std::uint16_t>(row);
    }
  }

  /// True if the registers are of 64 bits.
  bool data(std::size_t operand, bool is_result) {
    const ScalarType type = source_.types.front();
    std::uint32_t* row = decoded_.operand.data();
    for (const ptx::Operand& element : context_.elements(source_, operand))
      *row++ = is_result ? context_.operands.destination(element, type) : context_.operands.source(element, type);
    return ptx::bits_of(type) == 64;
  }

  ImageForm form;

 private:
  const ptx::Instruction& source_;
  DecodeContext& context_;
  Instruction& decoded_;
};

}  // namespace

void texture(const ptx::Instruction& source, DecodeContext& context, Instruction& decoded) {
  const bool gathers = source.opcode == Opcode::Tld4;
  const std::size_t operands = 2 + (source.has(Modifier::Level) ? 1 : 0) + (source.has(Modifier::Grad) ? 2 : 0);
  if (source.types.size() != 2 || source.operands.size() != operands) context.unsupported(source);
  const ScalarType result = source.types[0], coordinate = source.types[1];
  if (result != ScalarType::F32 && result != ScalarType::U32 && result != ScalarType::S32) context.unsupported(source);
  if (coordinate != ScalarType::F32 && (coordinate != ScalarType::S32 || gathers)) context.unsupported(source);
  ImageOperands image(source, context, decoded);
  image.form.geometry = geometry_of(source);
  image.form.has_float_coordinates = coordinate == ScalarType::F32;
  image.form.component = component_of(source);
  image.place(source.operands[1], coordinate);
  image.data(0, true);
  decoded.kind = InstructionKind::Load;
  decoded.read_only = true;
  decoded.immediate = image.form.bits();
  decoded.handler = gathers ? gather_texture : read_texture;
}

void surface(const ptx::Instruction& source, DecodeContext& context, Instruction& decoded) {
  const bool stores = source.opcode == Opcode::Sust;
  if (source.types.size() != 1 || source.operands.size() != 2) context.unsupported(source);
  const unsigned bytes = ptx::bytes_of(source.types[0]) * source.vector_width;
  if (bytes > 16) context.unsupported(source);
  ImageOperands image(source, context, decoded);
  image.form.geometry = geometry_of(source);
  image.form.boundary = boundary_of(source);
  image.form.elements = source.vector_width;
  image.place(source.operands[stores ? 0 : 1], ScalarType::S32);
  const bool is_wide = image.data(stores ? 1 : 0, !stores);
  decoded.kind = stores ? InstructionKind::Store : InstructionKind::Load;
  decoded.access_bytes = static_cast<std::uint8_t>(bytes);
  decoded.immediate = image.form.bits();
  if (stores)
    decoded.handler = is_wide ? store_wide_surface : store_surface;
  else
    decoded.handler = is_wide ? load_wide_surface : load_surface;
}

}  // namespace warpfork::simt::decode_operands
