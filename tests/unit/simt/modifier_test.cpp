// Every dotted word means something to the opcode it stands at, or the instruction is refused.
#include <fmt/ranges.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <memory>
#include <optional>
#include <set>

#include "base/error.h"
#include "fast_run.h"
#include "one_warp.h"
#include "ptx/instruction_text.h"
#include "ptx/parser.h"
#include "ptx/word_set.h"
#include "random_bodies.h"
#include "simt/instruction_decoder.h"

namespace warpfork::simt {
namespace modifier_test {

using ptx::Modifier;
using testing::HasSubstr;

// What the patterns of reference_patterns.def do not have.
const char* const kMoreForms[] = {"div.[approx|full][|.ftz].f32 %r, %r, %r;",
                                  "[rcp|sqrt].approx[|.ftz].f32 %r, %r;",
                                  "rcp.approx.ftz.f64 %d, %d;",
                                  "rsqrt.approx[|.ftz].f32 %r, %r;",
                                  "rsqrt.approx[|.ftz].f64 %d, %d;",
                                  "[sin|cos|lg2|ex2].approx[|.ftz].f32 %r, %r;",
                                  "tanh.approx.f32 %r, %r;",
                                  "cvt.pack.sat.[u16|s16].s32 %r, %r, %r;",
                                  "cvt.pack.sat.[u8|s8|u4|s4].s32.b32 %r, %r, %r, %r;",
                                  "cvt.rn.sat.f16.[s32|u32] %h, %r;",

                                  "ld.global.nc.v2.f32 {%r, %r}, [%d];",
                                  "ldu.global.u32 %r, [%d];",
                                  "ld.volatile.[global.u32|u32] %r, [%d];",
                                  "ld.param.u64 %d, [out];",
                                  "st.[local|shared].u32 [%r], %r;",
                                  "st.[global.wt|relaxed.gpu].u32 [%d], %r;",
                                  "atom.acq_rel.gpu.add.u32 %r, [%d], %r;",
                                  "red.shared.max.s32 [%r], %r;",
                                  "tex.1d.v4.[f32|u32|s32].[f32|s32] {%r, %r, %r, %r}, [%d, {%r}];",
                                  "tex.[2d|a1d].v4.f32.[f32|s32] {%r, %r, %r, %r}, [%d, {%r, %r}];",
                                  "tex.[3d|a2d].v4.u32.f32 {%r, %r, %r, %r}, [%d, {%r, %r, %r, %r}];",
                                  "tex.level.2d.v4.f32.f32 {%r, %r, %r, %r}, [%d, {%r, %r}], %r;",
                                  "tex.grad.1d.v4.f32.f32 {%r, %r, %r, %r}, [%d, {%r}], {%r}, {%r};",
                                  "tld4.[r|g|b|a].2d.v4.[f32|u32].f32 {%r, %r, %r, %r}, [%d, {%r, %r}];",
                                  "tld4.r.a2d.v4.f32.f32 {%r, %r, %r, %r}, [%d, {%r, %r, %r, %r}];",
                                  "suld.b.2d[|.ca].[b8|b32].[trap|clamp|zero] %r, [%d, {%r, %r}];",
                                  "suld.b.1d.b64.trap %d, [%d, {%r}];",
                                  "suld.b.[3d|a2d].v4.b32.zero {%r, %r, %r, %r}, [%d, {%r, %r, %r, %r}];",
                                  "sust.b.[2d|a1d][|.wb].b32.[trap|clamp|zero] [%d, {%r, %r}], %r;",
                                  "sust.b.1d.v2.b64.trap [%d, {%r}], {%d, %d};",
                                  "isspacep.[global|shared|local|param] %p, %d;",
                                  "cvta[|.to].[global|shared|local|const].u64 %d, %d;",
                                  "mul24.lo.s32 %r, %r, %r;",
                                  "elect.sync %r|%p, -1;",
                                  "[bra|bra.uni] finish;",
                                  "call[|.uni] vprintf, (%d, %d);",
                                  "ret;",
                                  "exit;",
                                  "bar.sync 0;",
                                  "bar.arrive 1, 64;",
                                  "bar.red.popc.u32 %r, 0, %p;",
                                  "barrier.cta.sync.aligned 0;",
                                  "barrier.red.[and|or].pred %p, 0, %p;",
                                  "barrier.cluster.wait[|.acquire][|.aligned];",
                                  "bar.warp.sync -1;",
                                  "membar.[cta|gl|sys];",
                                  "fence.[sc|acq_rel].gpu;",
                                  "fence.proxy.async[|.global|.shared::cta|.shared::cluster];",
                                  "fence.mbarrier_init.release.cluster;",
                                  "trap;",
                                  "brkpt;",
                                  "pmevent 1;",
                                  "nanosleep.u32 %r;",
                                  "prefetch.global.L2 [%d];",
                                  "prefetchu.L1 [%d];",
                                  "applypriority.global.L2::evict_normal [%d], 128;",
                                  "discard.global.L2 [%d], 128;",
                                  "griddepcontrol.wait;"};

constexpr std::string_view kSystemCall = ".extern .func (.param .b32 status) vprintf (.param .b64 f, .param .b64 l);";

// Why a word may stand where it changes nothing.
const std::set<std::string_view> kNamesTheDefault{"rn", "cta", "sync", "sat", "ftz"};
const std::set<std::string_view> kSynonyms{"rn", "approx", "full", "lt", "le", "gt", "ge", "lo", "ls", "hi", "hs"};
const std::set<std::string_view> kRoundsWhatIsExact{"rz", "rm", "rp"};
const std::set<std::string_view> kCaches{"ca",
                                         "cg",
                                         "cs",
                                         "lu",
                                         "cv",
                                         "wb",
                                         "wt",
                                         "L1",
                                         "L2",
                                         "L1::evict_normal",
                                         "L1::evict_unchanged",
                                         "L1::evict_first",
                                         "L1::evict_last",
                                         "L1::no_allocate",
                                         "L2::evict_normal",
                                         "L2::evict_first",
                                         "L2::evict_last",
                                         "L2::cache_hint",
                                         "L2::64B",
                                         "L2::128B",
                                         "L2::256B"};
const std::set<std::string_view> kMemoryOrder{"weak", "volatile", "relaxed", "acquire", "release",      "acq_rel",
                                              "sc",   "mmio",     "cta",     "cluster", "gpu",          "sys",
                                              "gl",   "proxy",    "alias",   "async",   "mbarrier_init"};
const std::set<std::string_view> kConvergence{"uni", "aligned", "sync"};
const std::set<std::string_view> kOneSpace{"shared::cta", "shared::cluster", "param::entry", "param::func", "to"};
const std::set<std::string_view> kDoesNothingAtAll{"launch_dependents", "wait", "global", "local",
                                                   "shared"};  // also prefetch

bool has_reason(std::string_view word) {
  for (const auto* reason : {&kNamesTheDefault, &kSynonyms, &kRoundsWhatIsExact, &kCaches, &kMemoryOrder, &kConvergence,
                             &kOneSpace, &kDoesNothingAtAll})
    if (reason->contains(word)) return true;
  return false;
}

/// An instruction that is taken, in a module of its own.
struct Form {
  std::shared_ptr<const ptx::Module> module;
  ptx::Instruction instruction;

  std::optional<Instruction> decoded(const ptx::Instruction& changed) const {
    if (ptx::refused_word(changed) || ptx::missing_word(changed)) return std::nullopt;
    static const DeviceSymbols kSymbols{{"table", {MemorySpace::Const, DeviceMemory::kBase}}};
    InstructionDecoder decoder(*module, *module->find_function("body"), kSymbols,
                               handler_set(HostInstructionSet::Baseline), nullptr);
    try {
      return decoder.decode(changed);
    } catch (const Error&) {
      return std::nullopt;
    }
  }
};

/// By room lower, so that it is never decoded.
bool is_spelled_out(const ptx::Instruction& instruction) {
  switch (instruction.opcode) {
    case ptx::Opcode::Cp:
    case ptx::Opcode::Wmma:
    case ptx::Opcode::Mbarrier:
      return true;
    case ptx::Opcode::Mov:
    case ptx::Opcode::Atom:
    case ptx::Opcode::Red:
      return instruction.vector_width > 1;
    default:
      return instruction.vector_width > 4;
  }
}

void add_forms(const std::string& body, std::map<std::string, Form>& forms) {
  const auto module =
      std::make_shared<const ptx::Module>(ptx::parse(reference::harness_ptx(body, kSystemCall), "form.ptx"));
  for (const ptx::Instruction& instruction : module->find_function("body")->body)
    if (!is_spelled_out(instruction))
      forms.try_emplace(fmt::format("{} of {}", mnemonic(instruction), instruction.operands.size()),
                        Form{module, instruction});
}

const std::map<std::string, Form>& all_forms() {
  static const std::map<std::string, Form> forms = [] {
    constexpr unsigned kDraws = 30;  // of each pattern's choices
    std::vector<std::string> patterns = instruction_patterns();
    patterns.insert(patterns.end(), warp_instruction_patterns().begin(), warp_instruction_patterns().end());
    patterns.insert(patterns.end(), std::begin(kMoreForms), std::end(kMoreForms));
    std::map<std::string, Form> made;
    Random random(11);
    for (const std::string& pattern : patterns)
      for (unsigned i = 0; i < kDraws; ++i) add_forms(instantiate(pattern, random), made);
    return made;
  }();
  return forms;
}

constexpr Modifier kModifiers[] = {
#define PTX_MODIFIER(name, text) Modifier::name,
#include "ptx/modifiers.def"
#undef PTX_MODIFIER
};

bool changes_nothing(const ptx::Instruction& instruction, Modifier modifier) {
  for (const ptx::Alternatives& group : ptx::taken_words(instruction))
    for (const ptx::TakenWord& word : group.words)
      if (word.text == to_string(modifier)) return word.changes_nothing;
  return false;
}

/// The words of which the instruction must have one and has this one; else none.
std::vector<ptx::TakenWord> mandatory_with(const ptx::Instruction& instruction, Modifier modifier) {
  for (const ptx::Alternatives& group : ptx::taken_words(instruction))
    for (const ptx::TakenWord& word : group.words)
      if (group.is_mandatory && word.text == to_string(modifier)) return group.words;
  return {};
}

TEST(Modifiers, forms_cover_every_opcode_that_is_executed) {
  std::set<ptx::Opcode> opcodes;
  for (const auto& [text, form] : all_forms()) {
    EXPECT_TRUE(form.decoded(form.instruction)) << text;
    opcodes.insert(form.instruction.opcode);
  }
#define OPERATION(opcode, ...) EXPECT_TRUE(opcodes.contains(ptx::Opcode::opcode)) << #opcode;
#include "simt/operations.def"
#undef OPERATION
}

/// The instruction with one more word, as the parser would read it: the first state space is no modifier.
ptx::Instruction with(ptx::Instruction instruction, Modifier modifier) {
  for (const ptx::StateSpace space : {ptx::StateSpace::Global, ptx::StateSpace::Shared, ptx::StateSpace::Local,
                                      ptx::StateSpace::Param, ptx::StateSpace::Const})
    if (instruction.space == ptx::StateSpace::Generic && to_string(space) == to_string(modifier)) {
      instruction.space = space;
      return instruction;
    }
  instruction.modifiers.push_back(modifier);
  return instruction;
}

TEST(Modifiers, an_added_one_is_refused_or_changes_the_decoded_record) {
  for (const auto& [text, form] : all_forms())
    for (const Modifier modifier : kModifiers) {
      const ptx::Instruction more = with(form.instruction, modifier);
      const auto decoded = form.decoded(more);
      if (!decoded) continue;
      EXPECT_EQ(*decoded == form.decoded(form.instruction), changes_nothing(more, modifier))
          << text << " and ." << to_string(modifier);
    }
}

TEST(Modifiers, a_taken_one_is_needed_or_changes_the_decoded_record) {
  for (const auto& [text, form] : all_forms())
    for (std::size_t i = 0; i < form.instruction.modifiers.size(); ++i) {
      ptx::Instruction less = form.instruction;
      less.modifiers.clear();
      for (std::size_t j = 0; j < form.instruction.modifiers.size(); ++j)
        if (j != i) less.modifiers.push_back(form.instruction.modifiers[j]);
      const auto decoded = form.decoded(less);
      if (!decoded) continue;
      const Modifier modifier = form.instruction.modifiers[i];
      EXPECT_EQ(*decoded == form.decoded(form.instruction), changes_nothing(form.instruction, modifier))
          << text << " without ." << to_string(modifier);
    }
}

TEST(Modifiers, a_mandatory_one_is_an_instruction_of_its_own_unless_it_is_a_synonym) {
  for (const auto& [text, form] : all_forms())
    for (std::size_t i = 0; i < form.instruction.modifiers.size(); ++i) {
      const Modifier modifier = form.instruction.modifiers[i];
      const std::vector<ptx::TakenWord> words = mandatory_with(form.instruction, modifier);
      const bool has_synonym = std::any_of(words.begin(), words.end(), [&, &form = form](const ptx::TakenWord& other) {
        ptx::Instruction changed = form.instruction;
        changed.modifiers[i] = ptx::modifier_from(other.text).value_or(modifier);
        return changed.modifiers[i] != modifier && form.decoded(changed) == form.decoded(form.instruction);
      });
      if (!words.empty()) {
        EXPECT_EQ(has_synonym, changes_nothing(form.instruction, modifier)) << text << ": " << to_string(modifier);
      }
    }
}

TEST(Modifiers, those_that_change_nothing_have_a_reason) {
  for (const auto& [text, form] : all_forms())
    for (const ptx::Alternatives& group : ptx::taken_words(form.instruction))
      for (const ptx::TakenWord& word : group.words)
        if (word.changes_nothing && ptx::modifier_from(word.text)) {
          EXPECT_TRUE(has_reason(word.text)) << text << ": " << word.text;
        }
}

TEST(Modifiers, a_meaningless_one_is_refused_with_instruction_line_and_what_is_allowed) {
  const std::string text = refusal("mov.b32 %r0, 1;\nadd.hi.u32 %r0, %r1, %r2;");
  EXPECT_THAT(text, HasSubstr(": error: instruction 'add.hi.u32' is not supported: it cannot be '.hi'\n"
                              "    allowed: {.cc}"));
  const std::string first = refusal("add.hi.u32 %r0, %r1, %r2;");
  EXPECT_NE(text.substr(0, text.find(": error")), first.substr(0, first.find(": error")));  // the line
}

TEST(Modifiers, meaningless_ones_of_many_kinds_are_refused) {
  for (const char* body :
       {"add.wide.u32 %r0, %r1, %r2;", "and.sat.b32 %r0, %r1, %r2;", "shl.wrap.b32 %r0, %r1, %r2;",
        "ld.global.sat.u32 %r0, [%d0];", "mov.ftz.b32 %r0, %r1;", "add.clamp.f32 %r0, %r1, %r2;",
        "mad.lo.sat.s32 %r0, %r1, %r2, %r3;", "mad.wide.cc.u32 %d0, %r1, %r2, %d3;", "min.abs.f32 %r0, %r1, %r2;",
        "mad24.lo.sat.s32 %r0, %r1, %r2, %r3;", "setp.lt.and.s32 %p0, %r1, %r2;", "bar.sync.popc 0;",
        "bar.warp.arrive -1;", "rcp.rn.ftz.f64 %d0, %d1;", "ld.shared.nc.u32 %r0, [%r1];"})
    EXPECT_THAT(refusal(body), HasSubstr("error: instruction '")) << body;
}

TEST(Modifiers, a_missing_one_is_refused_with_instruction_line_and_remedy) {
  EXPECT_THAT(refusal("mul.u32 %r0, %r1, %r2;"),
              HasSubstr(": error: instruction 'mul.u32' is incomplete, and PTX has no default for it\n"
                        "    add: .lo|.hi|.wide"));
  EXPECT_THAT(refusal("{ .reg .f32 %a; sin.f32 %a, %a; }"), HasSubstr("add: .approx"));
}

// What ptxas of CUDA 13 refuses because a modifier is missing.
constexpr const char* kIncomplete[] = {"mad.u32 %r0, %r1, %r2, %r3;",
                                       "mad.f32 %r0, %r1, %r2, %r3;",
                                       "madc.u32 %r0, %r1, %r2, %r3;",
                                       "mul24.u32 %r0, %r1, %r2;",
                                       "mad24.u32 %r0, %r1, %r2, %r3;",
                                       "fma.f32 %r0, %r1, %r2, %r3;",
                                       "fma.f64 %d0, %d1, %d2, %d3;",
                                       "fma.f16 %h0, %h1, %h2, %h3;",
                                       "div.f32 %r0, %r1, %r2;",
                                       "div.f64 %d0, %d1, %d2;",
                                       "rcp.f32 %r0, %r1;",
                                       "rcp.f64 %d0, %d1;",
                                       "rcp.approx.f64 %d0, %d1;",
                                       "sqrt.f32 %r0, %r1;",
                                       "sqrt.f64 %d0, %d1;",
                                       "rsqrt.f32 %r0, %r1;",
                                       "rsqrt.f64 %d0, %d1;",
                                       "cos.f32 %r0, %r1;",
                                       "lg2.f32 %r0, %r1;",
                                       "ex2.f32 %r0, %r1;",
                                       "tanh.f32 %r0, %r1;",
                                       "setp.lt.s32 %p0, %r1, %r2, %p1;",
                                       "bmsk.b32 %r0, %r1, %r2;",
                                       "szext.s32 %r0, %r1, %r2;",
                                       "shf.l.b32 %r0, %r1, %r2, %r3;",
                                       "shf.wrap.b32 %r0, %r1, %r2, %r3;",
                                       "dp2a.u32.u32 %r0, %r1, %r2, %r3;",
                                       "lop3.b32 %r0|%p0, %r1, %r2, %r3, 3, %p1;",
                                       "shfl.sync.b32 %r0, %r1, %r2, %r3, -1;",
                                       "vote.sync.pred %p0, %p1, -1;",
                                       "match.sync.b32 %r0, %r1, -1;",
                                       "match.any.b32 %r0, %r1, -1;",
                                       "redux.sync.s32 %r0, %r1, -1;",
                                       "redux.add.s32 %r0, %r1, -1;",
                                       "elect %r0|%p0, -1;",
                                       "atom.global.u32 %r0, [%d0], %r1;",
                                       "red.global.u32 [%d0], %r1;",
                                       "bar 0;",
                                       "bar.red.u32 %r0, 0, %p1;",
                                       "bar.red.pred %p0, 0, %p1;",
                                       "barrier.cta 0;",
                                       "bar.warp -1;",
                                       "cvta.u64 %d0, %d1;",
                                       "cvta.to.u64 %d0, %d1;",
                                       "isspacep %p0, %d1;",
                                       "membar;",
                                       "fence.sc;",
                                       "prefetch.global [%d0];",
                                       "prefetchu [%d0];",
                                       "applypriority.global [%d0], 128;",
                                       "discard.global [%d0], 128;",
                                       "griddepcontrol;",
                                       "cvt.s32.f32 %r0, %r1;",
                                       "cvt.s64.f64 %d0, %d1;",
                                       "cvt.f32.s32 %r0, %r1;",
                                       "cvt.f64.s32 %d0, %r1;",
                                       "cvt.f32.f64 %r0, %d1;",
                                       "cvt.f16.f32 %h0, %r1;",
                                       "cvt.f16x2.f32 %r0, %r1, %r2;",
                                       "cvt.pack.u16.s32 %r0, %r1, %r2;"};

TEST(Modifiers, missing_ones_of_many_kinds_are_refused) {
  for (const char* const body : kIncomplete) EXPECT_THAT(refusal(body), HasSubstr("error: instruction '")) << body;
}

// What it takes without one.
TEST(Modifiers, those_that_may_be_missing_may) {
  for (const char* body :
       {"add.f32 %r0, %r1, %r2;", "sub.f64 %d0, %d1, %d2;", "mul.f32 %r0, %r1, %r2;", "add.f16 %h0, %h1, %h2;",
        "cvt.f64.f32 %d0, %r1;", "cvt.f32.f32 %r0, %r1;", "cvt.f32.f16 %r0, %h1;", "cvt.u32.s32 %r0, %r1;",
        "fence.gpu;", "prmt.b32 %r0, %r1, %r2, %r3;", "lop3.b32 %r0, %r1, %r2, %r3, 3;", "ld.u32 %r0, [%d0];"})
    EXPECT_EQ(refusal(body), "no error") << body;
}

// An operand that nothing reads, or that is not there.
TEST(Modifiers, operands_that_the_modifiers_do_not_ask_for_are_refused) {
  for (const auto& [body, allowed] : std::initializer_list<std::pair<const char*, const char*>>{
           {"atom.global.cas.b32 %r0, [%d0], %r1;", "3 operands where 4 are allowed"},
           {"atom.global.add.u32 %r0, [%d0], %r1, %r2;", "4 operands where 3 are allowed"},
           {"red.global.add.u32 [%d0], %r1, %r2;", "3 operands where 2 are allowed"},
           {"ld.global.u32 %r0, [%d0], %d1;", "3 operands where 2 are allowed"},
           {"ld.global.L2::cache_hint.u32 %r0, [%d0];", "2 operands where 3 are allowed"},
           {"st.global.u32 [%d0], %r0, %d1;", "3 operands where 2 are allowed"},
           {"cvt.rn.f32.s32 %r0, %r1, %r2;", "3 operands where 2 are allowed"},
           {"cvt.rn.f16x2.f32 %r0, %r1;", "2 operands where 3 are allowed"}})
    EXPECT_THAT(refusal(body), HasSubstr(allowed)) << body;
  EXPECT_EQ(refusal("ld.global.L2::cache_hint.u32 %r0, [%d0], %d1;"), "no error");
}

// A call and an indexed branch never reach the decoder, and loads and stores of a call's parameters become moves.
TEST(Modifiers, what_is_rewritten_before_it_is_decoded_is_checked_as_well) {
  EXPECT_THAT(refusal("{ .param .b32 x; st.param.sat.b32 [x], %r0; }"), HasSubstr("it cannot be '.sat'"));
  EXPECT_THAT(refusal("t: .branchtargets l;\nl: brx.idx.ftz %r0, t;"), HasSubstr("it cannot be '.ftz'"));
}

}  // namespace modifier_test
}  // namespace warpfork::simt
