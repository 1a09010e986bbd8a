#include "ooo/konata_log.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <iterator>

#include "base/error.h"
#include "x86/code_listing.h"
#include "x86/uop_text.h"

namespace warpfork::ooo {

namespace {

constexpr std::size_t kWriteBytes = 1 << 16;
constexpr std::array<std::string_view, 6> kStages = {"F", "Dc", "Rn", "stl", "X", "Cm"};

std::uint64_t uops_of(const Fetched& fetched) { return fetched.uops * std::uint64_t{fetched.repeats}; }

std::string merge_text(const Merge& merge, unsigned lanes) {
  const std::string selector = merge.path == kNoPath ? mask_text(merge.mask, lanes) : fmt::format("h{}", merge.path);
  return fmt::format("{} p{} < p{} {} p{}", x86::name(merge.renaming.architectural), merge.renaming.physical,
                     merge.main(), selector, merge.leading());
}

/// "rcx p4, flags p5 < rcx p1, rax p0"
std::string registers_text(const x86::Uop& operation, const RenamedUop& renamed) {
  std::string text;
  for (const Renaming& renaming : renamed.written())
    text += fmt::format("{}{} p{}", text.empty() ? "" : ", ", x86::name(renaming.architectural), renaming.physical);
  for (unsigned i = 0; i < renamed.source_count; ++i)
    text += fmt::format("{}{} p{}",
                        i != 0         ? ", "
                        : text.empty() ? "< "
                                       : " < ",
                        x86::name(operation.sources[i]), renamed.sources[i]);
  return text;
}

}  // namespace

KonataLog::KonataLog(std::ostream& out, const x86::Code* code) : name_("the pipeline log"), out_(out), code_(code) {
  line("Kanata", "0004");
  line("C=", 0);
}

KonataLog::KonataLog(const std::string& path, const x86::Code* code)
    : name_(path), file_(path), out_(file_), code_(code) {
  if (!file_) throw Error("{}: error: cannot be written: {}", path, std::strerror(errno));
  line("Kanata", "0004");
  line("C=", 0);
}

void KonataLog::finish() {
  close_cycles_before(kNever);
  write_text();
  if (failure_ != 0) throw Error("{}: error: cannot be written: {}", name_, std::strerror(failure_));
}

void KonataLog::write_text() {
  errno = 0;
  if (failure_ == 0 && !out_.write(text_.data(), static_cast<std::streamsize>(text_.size())).flush())
    failure_ = errno != 0 ? errno : EIO;
  text_.clear();
}

template <class... Fields>
void KonataLog::line(std::string_view command, const Fields&... fields) {
  text_.append(command);
  (fmt::format_to(std::back_inserter(text_), "\t{}", fields), ...);
  text_.push_back('\n');
  if (text_.size() >= kWriteBytes) write_text();
}

/// Lines from here on belong to this cycle.
void KonataLog::go_to(Cycle at) {
  close_cycles_before(at);
  if (at > now_) line("C", at - now_);
  now_ = at;
}

/// What a cycle's last word on a row is, is known when the cycle is over.
void KonataLog::close_cycles_before(Cycle at) {
  while (!changes_.empty() && changes_.top().at < at) {
    const Change change = changes_.top();
    changes_.pop();
    const auto row = rows_.find(change.row);
    if (row == rows_.end() || row->second.stage != change.from) continue;
    if (change.at > now_) line("C", change.at - now_);
    now_ = change.at;
    if (row->second.committed)
      retire(change.row, false);
    else
      set_stage(change.row, change.to);
  }
}

void KonataLog::change_later(Cycle at, RowId row, Stage from, Stage to) {
  changes_.push({at, changes_made_++, row, from, to});
}

void KonataLog::set_stage(RowId id, Stage stage) {
  end_stage(id);
  Row& row = rows_.at(id);
  row.stage = stage;
  line("S", id, row.lane, kStages[static_cast<std::size_t>(stage)]);
}

/// The format lets a stage end where the next one begins, but older versions of the viewer want to be told.
void KonataLog::end_stage(RowId id) {
  const Row& row = rows_.at(id);
  if (row.stage) line("E", id, row.lane, kStages[static_cast<std::size_t>(*row.stage)]);
}

void KonataLog::retire(RowId row, bool flush) {
  end_stage(row);
  line("R", row, retired_, flush ? 1 : 0);
  retired_ += !flush;
  const auto gone = rows_.find(row);
  if (gone->second.entered) row_of_uop_.erase(gone->second.uop);
  std::map<std::uint64_t, Instruction>& instructions = instructions_[gone->second.warp];
  const auto instruction = instructions.find(gone->second.instruction);
  rows_.erase(gone);
  if (--instruction->second.live == 0 && instruction->second.left == 0) instructions.erase(instruction);
}

KonataLog::RowId KonataLog::add_row(unsigned warp, std::uint64_t instruction, const std::string& label) {
  const RowId id = rows_made_++;
  Row& row = rows_[id];
  row.warp = warp;
  row.instruction = instruction;
  Instruction& of = instructions_[warp][instruction];
  of.rows.push_back(id);
  ++of.live;
  row.lane = of.rows.size() > of.fetched_rows ? 1 : 0;
  line("I", id, instruction, warp);
  line("L", id, 0, label);
  return id;
}

void KonataLog::started(unsigned warp, const PathTable& paths, const Pirat* /*table*/) {
  lanes_.resize(std::max<std::size_t>(lanes_.size(), warp + 1));
  instructions_.resize(lanes_.size());
  lanes_[warp] = paths.lanes();
}

/// pc, lanes and path; disassembly; µop. What parts or joins paths is marked.
std::string KonataLog::label(unsigned warp, const Fetched& fetched, const BranchRecord* branch, std::size_t uop) const {
  const std::string lanes = fmt::format("{} h{}", mask_text(fetched.lanes, lanes_[warp]), fetched.path);
  if (fetched.instruction == nullptr) {
    const Convergence& converged = branch->convergence;
    return fmt::format("{:x} {} {}", branch->pc, lanes,
                       fetched.role == Role::Convergence
                           ? fmt::format("[cuop] < h{} h{}", converged.first, converged.second)
                           : "[buop] threads that wait");
  }
  const x86::StaticInstruction& instruction = *fetched.instruction;
  const std::size_t count = instruction.uops.size();
  std::string text = fmt::format("{:x} {}", instruction.pc, lanes);
  if (fetched.role == Role::DivergentBranch && uop + 1 == count) text += " [buop]";
  const auto bytes = code_ == nullptr ? std::span<const std::uint8_t>() : code_->bytes(instruction.pc);
  if (!bytes.empty()) text += fmt::format(" {}", x86::disassemble(instruction.pc, bytes));
  if (!bytes.empty() && count > 1) text += " |";
  if (bytes.empty() || count > 1) text += fmt::format(" {}", x86::to_text(instruction.uops[uop], instruction.accesses));
  return text;
}

/// The µops that a rep instruction makes beyond its first iteration get their rows when they enter.
void KonataLog::fetched(const Fetch& fetch) {
  go_to(fetch.at);
  Instruction& instruction = instructions_[fetch.warp][fetch.number];
  instruction = Instruction{};
  instruction.left = uops_of(fetch.instruction);
  instruction.fetched_rows = fetch.instruction.uops;
  for (std::size_t uop = 0; uop < instruction.fetched_rows; ++uop) {
    const RowId row = add_row(fetch.warp, fetch.number, label(fetch.warp, fetch.instruction, fetch.branch, uop));
    set_stage(row, Stage::Fetch);
    change_later(fetch.at + 1, row, Stage::Fetch, Stage::Decode);
  }
}

void KonataLog::entered(const Entry& entry) {
  go_to(entry.at);
  Instruction& instruction = instructions_[entry.warp][entry.instruction];
  RowId id = 0;
  if (entry.merge != nullptr) {
    const std::uint64_t pc = entry.fetched.instruction == nullptr ? 0 : entry.fetched.instruction->pc;
    id = add_row(entry.warp, entry.instruction,
                 fmt::format("{:x} {} h{} [merge] {}", pc, mask_text(entry.fetched.lanes, lanes_[entry.warp]),
                             entry.fetched.path, merge_text(*entry.merge, lanes_[entry.warp])));
  } else if (instruction.entered < instruction.fetched_rows) {
    id = instruction.rows[instruction.entered++];
  } else {
    const std::size_t uop = instruction.entered++ % entry.fetched.instruction->uops.size();
    id = add_row(entry.warp, entry.instruction, label(entry.warp, entry.fetched, nullptr, uop));
  }
  row_of_uop_[entry.uop] = id;
  rows_.at(id).entered = true;
  rows_.at(id).uop = entry.uop;
  if (entry.table != nullptr) rename(id, entry);
}

void KonataLog::rename(RowId id, const Entry& entry) {
  Row& row = rows_.at(id);
  const auto produce = [&](PhysicalRegister written) {
    producers_.resize(std::max<std::size_t>(producers_.size(), written + 1u));
    producers_[written] = id + 1;
  };
  if (entry.merge != nullptr) {
    row.merge = true;
    row.selects_by_path = entry.merge->path != kNoPath;
    add_producer(row, entry.merge->main(), entry.at);
    add_producer(row, entry.merge->leading(), entry.at);
    produce(entry.merge->renaming.physical);
  } else if (entry.operation != nullptr) {
    for (const PhysicalRegister source : entry.renamed->read()) add_producer(row, source, entry.at);
    for (const Renaming& renaming : entry.renamed->written()) produce(renaming.physical);
    explain(id, registers_text(*entry.operation, *entry.renamed));
  }
  set_stage(id, Stage::Rename);
  change_later(entry.at + 1, id, Stage::Rename, Stage::Wait);
}

/// On hover.
void KonataLog::explain(RowId id, const std::string& text) {
  Row& row = rows_.at(id);
  if (text.empty()) return;
  line("L", id, 1, fmt::format("{}{}", row.explained ? "; " : "", text));
  row.explained = true;
}

/// Of a register whose value is not there yet.
void KonataLog::add_producer(Row& row, PhysicalRegister source, Cycle at) const {
  if (source >= producers_.size() || producers_[source] == 0) return;
  const RowId producer = producers_[source] - 1;
  const auto found = rows_.find(producer);
  if (found == rows_.end() || found->second.done <= at) return;
  if (std::ranges::find(row.producers, producer) == row.producers.end()) row.producers.push_back(producer);
}

void KonataLog::issued(const Issue& issue) {
  go_to(issue.at);
  const RowId id = row_of_uop_.at(issue.uop);
  Row& row = rows_.at(id);
  if (row.stage == Stage::Wait) line("L", id, 2, kWaitCauseNames[static_cast<std::size_t>(issue.waited)]);
  for (const RowId producer : row.producers) line("W", id, producer, 0);
  set_stage(id, Stage::Execute);
  row.done = issue.done;
  change_later(issue.done, id, Stage::Execute, Stage::Commit);
}

/// On the buop or cuop: where its lanes went, and the masks as they now are.
void KonataLog::resolved(const Resolution& resolution) {
  go_to(resolution.at);
  const auto branch = instructions_[resolution.warp].find(resolution.instruction);
  if (branch == instructions_[resolution.warp].end()) return;
  const PathTable& paths = resolution.paths;
  const auto with_mask = [&](PathId path) {
    return fmt::format(" h{} {}", path, mask_text(paths.mask(path), lanes_[resolution.warp]));
  };
  std::string text;
  const Divergence& divergence = resolution.branch.divergence;
  if (divergence.from != kNoPath) {
    text = fmt::format("h{} >{}", divergence.from, with_mask(divergence.created));
    if (divergence.alternate != kNoPath) text += with_mask(divergence.alternate);
    text += "; ";
  }
  text += "paths:";
  for (unsigned path = 0; path < PathTable::kMaxEntries; ++path)
    if (const auto id = static_cast<PathId>(path); paths.exists(id)) text += with_mask(id);
  const RowId row = branch->second.rows[branch->second.fetched_rows - 1];
  if (rows_.contains(row)) explain(row, text);
}

void KonataLog::committed(const Commit& commit) {
  go_to(commit.at);
  const RowId id = row_of_uop_.at(commit.uop);
  Row& row = rows_.at(id);
  if (row.selects_by_path) explain(id, fmt::format("lanes {}", mask_text(commit.lanes, lanes_[commit.warp])));
  if (!row.merge) --instructions_[row.warp].at(row.instruction).left;
  if (row.done > commit.at)
    row.committed = true;
  else
    retire(id, false);
}

void KonataLog::flushed(Cycle at, unsigned warp, std::uint64_t number) {
  go_to(at);
  const std::vector<RowId> rows = instructions_[warp].at(number).rows;
  for (const RowId row : rows)
    if (rows_.contains(row)) retire(row, true);
  instructions_[warp].erase(number);
}

}  // namespace warpfork::ooo
