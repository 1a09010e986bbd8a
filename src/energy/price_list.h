// What a technology costs: the energies, areas and leakage from which reports are formed (docs/energy.md).
#pragma once

namespace warpfork::energy {

/// Memory cells and what grows with them. Lengths are in F, the feature size.
struct ArrayPrices {
  double cell_height = 0, cell_width = 0, search_cell_width = 0, wire_pitch = 0, efficiency = 0;
  double reference_bits = 0, access_pj = 0, search_fj = 0, cell_leakage_nw = 0, port_leakage_nw = 0;

  template <class Visit>
  void visit(Visit&& v) {
    v("cell_height", cell_height, "F: memory cell with one port");
    v("cell_width", cell_width, "F: the same");
    v("search_cell_width", search_cell_width, "F: cell of a searched memory");
    v("wire_pitch", wire_pitch, "F: between the wires that a further port needs");
    v("efficiency", efficiency, "part of an array's area that is cells");
    v("reference_bits", reference_bits, "bits, tags among them, of the cache of access_pj");
    v("access_pj", access_pj, "pJ: 64 bits read from or written to the reference cache");
    v("search_fj", search_fj, "fJ: each bit that a search compares");
    v("cell_leakage_nw", cell_leakage_nw, "nW: a cell without its ports");
    v("port_leakage_nw", port_leakage_nw, "nW: a port of a cell");
  }
};

/// Wires, and the leakage of whatever is no memory cell.
struct WirePrices {
  double wire_pj = 0, crossbar_pitch = 0, leakage_mw = 0;

  template <class Visit>
  void visit(Visit&& v) {
    v("wire_pj", wire_pj, "pJ: a bit over a mm");
    v("crossbar_pitch", crossbar_pitch, "F: between the wires of a crossbar");
    v("leakage_mw", leakage_mw, "mW: a mm² of logic, the decoders and amplifiers of arrays among it");
  }
};

/// What arrays and wires cost, in whatever machine they are.
struct Technology {
  double feature_um = 0, memory_pj = 0;
  ArrayPrices array;
  WirePrices wires;

  template <class Visit>
  void visit(Visit&& v) {
    v("feature_um", feature_um, "F in µm");
    v("memory_pj", memory_pj, "pJ: 64 bits from or to the DRAM");
    v("array", array, "memory cells and what grows with them");
    v("wires", wires, "wires, and the leakage of logic");
  }
};

/// A CPU core's units and control.
struct LogicPrices {
  double integer_mm2 = 0, integer_pj = 0, multiply_mm2 = 0, multiply_pj = 0, float_mm2 = 0, float_pj = 0, vector_pj = 0;
  double idle_mw = 0, control_pj = 0;

  template <class Visit>
  void visit(Visit&& v) {
    v("integer_mm2", integer_mm2, "mm²: a 64-bit integer unit; branch and address units cost as much");
    v("integer_pj", integer_pj, "pJ: an operation of one");
    v("multiply_mm2", multiply_mm2, "mm²: a unit for integer multiplication and division");
    v("multiply_pj", multiply_pj, "pJ: an operation of one");
    v("float_mm2", float_mm2, "mm²: 64 bits of a floating-point and vector unit");
    v("float_pj", float_pj, "pJ: a floating-point operation on 64 bits");
    v("vector_pj", vector_pj, "pJ: another operation of a vector unit on 64 bits");
    v("idle_mw", idle_mw, "mW: the units of an out-of-order core, whatever they do");
    v("control_pj", control_pj, "pJ: decode and pipeline control of an instruction");
  }
};

/// Area of a core that is in no structure of its own, in mm² before `scale`: out of order log × ln(stages) − less, in
/// order less − log × ln(stages), and for each doubling of the threads the part `thread_doubling` more.
struct ControlPrices {
  double out_of_order_log = 0, out_of_order_less = 0, in_order_log = 0, in_order_less = 0, thread_doubling = 0,
         scale = 0;

  template <class Visit>
  void visit(Visit&& v) {
    v("out_of_order_log", out_of_order_log, "mm², see the class");
    v("out_of_order_less", out_of_order_less, "mm²");
    v("in_order_log", in_order_log, "mm²");
    v("in_order_less", in_order_less, "mm²");
    v("thread_doubling", thread_doubling, "part");
    v("scale", scale, "from the technology of the formula to this one, with the room between macros");
  }
};

/// What a run does not count and is assumed.
struct MixPrices {
  double instruction_bits = 0;

  template <class Visit>
  void visit(Visit&& v) {
    v("instruction_bits", instruction_bits, "mean length of an instruction");
  }
};

/// Of a CPU core.
struct PriceList : Technology {
  LogicPrices logic;
  ControlPrices control;
  MixPrices mix;

  template <class Visit>
  void visit(Visit&& v) {
    Technology::visit(v);
    v("logic", logic, "units and control");
    v("control", control, "the core's area outside its structures");
    v("mix", mix, "what a run does not count and is assumed");
  }
};

/// Arithmetic on 32 bits: what a thread's operation costs, and the area of its unit.
struct ThreadPrices {
  double integer_pj = 0, multiply_pj = 0, float_add_pj = 0, float_multiply_pj = 0, double_pj = 0;
  double integer_um2 = 0, multiply_um2 = 0, float_add_um2 = 0, float_multiply_um2 = 0;

  template <class Visit>
  void visit(Visit&& v) {
    v("integer_pj", integer_pj, "pJ: an integer sum, and what costs no more");
    v("multiply_pj", multiply_pj, "pJ: an integer product");
    v("float_add_pj", float_add_pj, "pJ: a single-precision sum");
    v("float_multiply_pj", float_multiply_pj, "pJ: a single-precision product");
    v("double_pj", double_pj, "pJ: a double-precision product with a sum");
    v("integer_um2", integer_um2, "µm²: adder, shifter and logic");
    v("multiply_um2", multiply_um2, "µm²: the multiplier of integers");
    v("float_add_um2", float_add_um2, "µm²: the adder of single precision");
    v("float_multiply_um2", float_multiply_um2, "µm²: the multiplier of single precision");
  }
};

/// What moves an instruction on.
struct PipelinePrices {
  double decode_pj = 0, clock_fj = 0, stages = 0, stage_bits = 0;

  template <class Visit>
  void visit(Visit&& v) {
    v("decode_pj", decode_pj, "pJ: decode and control of a warp instruction");
    v("clock_fj", clock_fj, "fJ: the clock of a register's bit in a cycle");
    v("stages", stages, "of the pipeline of an arithmetic unit");
    v("stage_bits", stage_bits, "bits of a thread in a stage's registers");
  }
};

/// Of a GPU.
struct GpuPriceList : Technology {
  ThreadPrices threads;
  PipelinePrices pipeline;

  template <class Visit>
  void visit(Visit&& v) {
    Technology::visit(v);
    v("threads", threads, "arithmetic");
    v("pipeline", pipeline, "instructions and clock");
  }
};

/// Throw Error with the name of a price that is not positive, as one is that the file does not give, or not finite.
void require_complete(PriceList prices);
void require_complete(GpuPriceList prices);

}  // namespace warpfork::energy
