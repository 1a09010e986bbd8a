// The pipeline of a CPU core as a log for Konata, the pipeline viewer ("Kanata 0004").
#pragma once

#include <fmt/format.h>

#include <cstdint>
#include <fstream>
#include <map>
#include <optional>
#include <ostream>
#include <queue>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "ooo/core_listener.h"
#include "x86/code.h"

namespace warpfork::ooo {

/// A row for each µop, merges, buops and cuops among them, in the order of their fetch; rows of merges appear when
/// renaming makes them. Stages:
///   F   fetched                          stl waits in the issue queue for its operands, its masks or a unit
///   Dc  decoded, waits for renaming      X   executes, until what depends on it may issue
///   Rn  renamed                          Cm  waits for its turn to commit
/// An in-order core has F, Dc and X. The thread of a row is its warp, what Konata calls the simulator's id is the
/// instruction's number in its warp. An arrow leads to a µop from those that it waited for. Konata colours a stage by
/// the fewest stages that are before it in any row, and "stl" grey: rows that begin at renaming are in a lane of their
/// own, so that stages keep apart. Written as the core runs; memory is what is in flight. docs/pipeline-view.md
/// explains how to read it.
///
/// Sample (tabs are shown as spaces):
///   Kanata 0004
///   C= 0
///   I 0 0 0
///   L 0 0 1000 1111 h0 alu rcx flags < rcx rax
///   S 0 0 F
///   C 1
///   E 0 0 F
///   S 0 0 Dc
class KonataLog final : public CoreListener {
 public:
  /// `code` gives the disassembly of its instructions; µops of others show their registers only.
  KonataLog(std::ostream& out, const x86::Code* code);
  /// Throws Error if the file cannot be written.
  KonataLog(const std::string& path, const x86::Code* code);
  KonataLog(const KonataLog&) = delete;

  /// Writes what is left. Throws Error if not all could be written.
  void finish();

  void started(unsigned warp, const PathTable& paths, const Pirat* table) override;
  void fetched(const Fetch& fetch) override;
  void entered(const Entry& entry) override;
  void issued(const Issue& issue) override;
  void resolved(const Resolution& resolution) override;
  void committed(const Commit& commit) override;
  void flushed(Cycle at, unsigned warp, std::uint64_t instruction) override;

 private:
  using RowId = std::uint64_t;  // its number in the log
  enum class Stage : std::uint8_t { Fetch, Decode, Rename, Wait, Execute, Commit };
  struct Row {
    std::optional<Stage> stage;
    bool merge = false, selects_by_path = false;
    bool entered = false;    // its µop has a number
    bool committed = false;  // and retires when it is done
    bool explained = false;  // has a text on hover
    unsigned warp = 0;
    unsigned lane = 0;  // Konata's; 1: was not there when its instruction was fetched
    std::uint64_t instruction = 0, uop = 0;
    Cycle done = kNever;
    std::vector<RowId> producers;  // that it waits for
  };
  struct Instruction {
    std::vector<RowId> rows;
    std::size_t fetched_rows = 0, entered = 0;  // of its own µops: with a row since the fetch; that have entered
    std::uint64_t left = 0;                     // of its own µops: not committed
    std::size_t live = 0;                       // rows that have not retired
  };
  struct Change {  // of a row's stage, if at the end of the cycle nothing else has happened to it
    Cycle at;
    std::uint64_t order;
    RowId row;
    Stage from, to;
    bool operator>(const Change& other) const { return at != other.at ? at > other.at : order > other.order; }
  };

  RowId add_row(unsigned warp, std::uint64_t instruction, const std::string& label);
  std::string label(unsigned warp, const Fetched& fetched, const BranchRecord* branch, std::size_t uop) const;
  void rename(RowId id, const Entry& entry);
  void explain(RowId id, const std::string& text);
  void add_producer(Row& row, PhysicalRegister source, Cycle at) const;
  void set_stage(RowId id, Stage stage);
  void end_stage(RowId id);
  void change_later(Cycle at, RowId row, Stage from, Stage to);
  void retire(RowId row, bool flush);
  void go_to(Cycle at);
  void close_cycles_before(Cycle at);
  void write_text();
  template <class... Fields>
  void line(std::string_view command, const Fields&... fields);

  std::string name_;  // in messages
  std::ofstream file_;
  std::ostream& out_;
  const x86::Code* code_;
  fmt::memory_buffer text_;  // not yet written
  int failure_ = 0;          // errno of the first write that failed
  Cycle now_ = 0;            // of the last line
  RowId rows_made_ = 0;
  std::uint64_t retired_ = 0, changes_made_ = 0;
  std::vector<unsigned> lanes_;  // by warp
  std::unordered_map<RowId, Row> rows_;
  std::unordered_map<std::uint64_t, RowId> row_of_uop_;
  std::vector<std::map<std::uint64_t, Instruction>> instructions_;  // by warp and number
  std::vector<RowId> producers_;                                    // by physical register: row + 1
  std::priority_queue<Change, std::vector<Change>, std::greater<>> changes_;
};

}  // namespace warpfork::ooo
