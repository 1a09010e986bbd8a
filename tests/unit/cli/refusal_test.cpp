// Command lines that are refused: each names what is wrong of it and what is allowed.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/error.h"
#include "unit/cli/invocation.h"

namespace warpfork::cli {
namespace refusal_test {

using ::testing::HasSubstr;

struct Refused {
  const char* line;
  const char* cause;
  const char* remedy;  // "" where the cause says it all
};

void PrintTo(const Refused& refused, std::ostream* out) { *out << refused.line; }

/// A UsageError, after which main prints the hint at --help and exits with 2.
class WrongUsage : public testing::TestWithParam<Refused> {};

TEST_P(WrongUsage, is_told_with_cause_and_remedy) {
  try {
    invoke(std::string(GetParam().line));
    FAIL() << "not refused";
  } catch (const UsageError& error) {
    EXPECT_THAT(error.what(), HasSubstr(GetParam().cause));
    EXPECT_THAT(error.what(), HasSubstr(GetParam().remedy));
  }
}

const Refused kUsage[] = {
    {"", "subcommand is required", ""},
    {"rum x", "rum", "run"},
    {"run", "PROGRAM is required", ""},
    {"run --machine", "--machine", "required"},
    {"run --max-cycles many k.ptx", "--max-cycles", "many"},
    {"run --max-cycles -1 k.ptx", "--max-cycles", "-1"},
    {"run --max-cycles 18446744073709551616 k.ptx", "--max-cycles", "18446744073709551616"},
    {"run --divergense pdom ./p", "there is no option --divergense", "nearest: --divergence"},
    {"run k.ptx --launc l.toml", "there is no option --launc", "nearest: --launch"},
    {"run k.ptx extra --launch l.toml", "a bare kernel or saved launch takes no arguments: extra", ""},
    {"run --save-launch 0 -o f.wfl ./p", "--save-launch", ""},
    {"run --functional-only=maybe ./p", "--functional-only", ""},
    {"run --interval 0 --csv f ./p", "--interval: 0", "from 1 on"},
    {"run --sample 0 ./p", "--sample 0", "as 10% or 0.1"},
    {"run --sample 1 ./p", "--sample 1", "without --sample all are"},
    {"run --sample 100% ./p", "--sample 100%", "as 10% or 0.1"},
    {"run --sample 1O% ./p", "--sample 1O%", "as 10% or 0.1"},
    {"run --sample % ./p", "--sample %", "as 10% or 0.1"},
    {"compare --sample 10% ./p", "there is no option --sample", ""},
    {"compare", "PROGRAM is required", ""},
    {"compare --json", "--json", "required"},
    {"run --host-tim f ./p", "there is no option --host-tim", "--host-time"},
    {"compare --host-time f ./p", "there is no option --host-time", ""},
    {"explain", "PROGRAM is required", ""},
    {"explain --launch-number 0 k.ptx", "--launch-number", ""},
    {"explain --cycles x k.ptx", "--cycles", "x"},
    {"explain --json f k.ptx --launch l.toml", "there is no option --json", ""},
    {"experiment", "EXPERIMENT is required", ""},
    {"experiment capri --recordings 0", "--recordings", "1 to 1000"},
    {"experiment capri --recordings 1001", "--recordings", "1 to 1000"},
    {"experiment capri --jobs 0", "--jobs", "1 to 1024"},
    {"experiment capri multipath", "multipath", ""},
    {"inspect", "is required", ""},
    {"inspect k.ptx --image first", "--image", "first"},
    {"inspect k.ptx --dots", "--dots", ""},
    {"machines gtx480 tesla30", "tesla30", ""},
    {"mechanisms pdom", "pdom", ""},
    {"version 2", "2", ""},
    {"record ./p", "--output is required", ""},
    {"record -o f.wft", "PROGRAM is required", ""},
    {"record -o f.wft --limit 0 ./p", "--limit", ""},
    {"record -o f.wft --threads 8193 ./p", "--threads", "1 to 8192"},
    {"cpu", "subcommand is required", ""},
    {"cpu walk", "there is no command 'walk'", "run"},
    {"cpu run", "is required", ""},
    {"cpu run f.wft --warps 65", "--warps", "1 to 64"},
    {"cpu compare", "is required", ""},
    {"cpu dump", "is required", ""},
    {"run --launch", "--launch", "required"},
    {"run --set", "--set", "required"},
    {"run --json a --json b ./p", "--json", ""},
    {"run --cycles 3 ./p", "there is no option --cycles; nearest: ", "--max-cycles"},
    {"compare --lanes", "--lanes", "required"},
    {"explain --limit -1 k.ptx", "--limit", "-1"},
    {"explain --from-cycle 1e3 k.ptx", "--from-cycle", "1e3"},
    {"experiment capri --jobs 1025", "--jobs", "1 to 1024"},
    {"inspect k.ptx l.ptx", "l.ptx", ""},
    {"record -o f.wft --threads 0 ./p", "--threads", "1 to 8192"},
    {"record -o f.wft --limit many ./p", "--limit", "many"},
    {"cpu run f.wft --threads 65", "--threads", "1 to 64"},
    {"cpu compare f.wft --core smt", "there is no option --core; nearest: --cores", ""},
    {"cpu compare --core=smt f.wft", "there is no option --core; nearest: --cores", ""},
    {"cpu compare f.wft --warps 0", "--warps", "1 to 64"},
    {"cpu run f.wft --konata", "--konata", "required"},
    {"cpu cores simt-x", "simt-x", ""},
    {"cpu machine a.toml b.toml", "b.toml", ""},
    {"cpu dump p q", "q", ""},
};
INSTANTIATE_TEST_SUITE_P(All, WrongUsage, testing::ValuesIn(kUsage));

/// An Error, after which main exits with 1.
class WrongInput : public testing::TestWithParam<Refused> {};

TEST_P(WrongInput, is_told_with_cause_and_remedy) {
  try {
    invoke(std::string(GetParam().line));
    FAIL() << "not refused";
  } catch (const Error& error) {
    EXPECT_THAT(error.what(), HasSubstr(GetParam().cause));
    EXPECT_THAT(error.what(), HasSubstr(GetParam().remedy));
  }
}

const Refused kInput[] = {
    {"run k.ptx", "k.ptx: a bare kernel needs --launch FILE.toml", "entry name, grid, block and arguments"},
    {"run --launch l.toml ./program", "--launch goes with a bare kernel", "not with a program"},
    {"run --divergence pdom --set divergence.mechanism=tbc ./program",
     "--set divergence.mechanism=tbc: --divergence pdom decides divergence.mechanism", "leave one of them out"},
    {"run --set core.lanes.organisation=stsimt --lanes simt ./program", "--lanes simt decides", ""},
    {"run --set core.scheduler=lrr --scheduler gto ./program", "--scheduler gto decides core.scheduler", ""},
    {"run --set core.scalarize=off --scalarize divergent ./program", "--scalarize divergent decides", ""},
    {"compare --divergence pdom,tbc --set divergence.mechanism=tbc ./program", "--divergence pdom,tbc decides", ""},
    {"compare --set divergence.mechanism=tbc ./program", "without --divergence all mechanisms are compared",
     "name some"},
    {"run --divergence capri --set divergence.predictor=foo ./program", "there is no compaction predictor 'foo'",
     "latest, always"},
    {"run --divergence pdom --set divergence.predictor=never ./program",
     "--set divergence.predictor=never: pdom does not use divergence.predictor\n", "  used by capri"},
    {"run --set divergence.max_splits=2 ./program", "pdom does not use divergence.max_splits\n",
     "  used by dual-path, warp-subdivision, multi-path, multi-path-or"},
    {"run --divergence capri --set divergence.reconvergence_entries=4 ./program", "capri does not use",
     "  used by multi-path, multi-path-or"},
    {"run --set divergence.mechanism=multi-path --set divergence.compaction_cycles=4 ./program",
     "multi-path does not use", "  used by tbc, capri"},
    {"run --lanes tsimt --set core.lanes.width=2 ./program", "tsimt does not use core.lanes.width\n",
     "  used by stsimt"},
    {"run --lanes simt --set core.scalar_registers=16 ./program", "simt does not use core.scalar_registers\n",
     "  used by simt-scalar"},
    {"run --lanes simt-scalar --set core.scalar_registers=16 ./program",
     "--set core.scalar_registers=16: core.scalarize is off", "give --scalarize divergent"},
    {"run --lanes simt-scalar --scalarize divergent --set core.registers_per_thread=20 --set core.scalar_registers=16 "
     "./program",
     "--set core.scalar_registers=16: core.registers_per_thread is set", "set core.registers_per_thread to 0"},
    {"run --scheduler gto --set core.two_level_active=3 ./program", "gto does not use core.two_level_active\n",
     "  used by two-level"},
    {"run --divergence capri --set divergence.predictor=never --set divergence.predictor_entries=4 ./program",
     "never does not use divergence.predictor_entries\n", "  used by latest"},
    {"run --divergence capri --set divergence.predictor_index_shift=2 ./program",
     "divergence.predictor_entries=0, does not use divergence.predictor_index_shift\n", "  used by one of a number"},
    {"explain --divergence tbc --set divergence.predictor=never k.ptx --launch l.toml", "tbc does not use",
     "  used by capri"},
    {"step --divergence pdom,tbc --set divergence.max_splits=2 k.ptx --launch l.toml",
     "pdom and tbc do not use divergence.max_splits\n", "  used by dual-path"},
    {"compare --divergence pdom,tbc --lanes simt,simt-scalar --set divergence.predictor=never ./program",
     "--set divergence.predictor=never: pdom and tbc do not use divergence.predictor\n", "  used by capri"},
    {"compare --set core.lanes.collector_groups=2 ./program", "simt does not use core.lanes.collector_groups\n",
     "  used by tsimt, tsimt-plus, stsimt2, stsimt4, stsimt, unlocked-lanes"},
    {"run --set energy.prices=foo ./program", "energy.prices: there is no price list 'foo'", "as 40nm"},
    {"run --set core.register_granularity=65537 ./program", "must be an integer from 0 to 65536", ""},
    {"run --set memory.dram.cas_latency=1048577 ./program", "must be an integer from 0 to 1048576", ""},
    {"run --sample-seed 3 ./program", "--sample-seed goes with --sample SHARE", ""},
    {"run --json k.ptx k.ptx --launch l.toml", "k.ptx: would be overwritten", "another name"},
    {"run --interval 9 --csv t.x --json ./t.x k.ptx --launch l.toml", "t.x: is to be written twice", "a file each"},
    {"run --json graph.txt ./program graph.txt", "graph.txt: would be overwritten", ""},
    {"run --save-launch 1 -o s.wfl s.wfl", "s.wfl: would be overwritten", ""},
    {"compare --json l.toml k.ptx --launch l.toml", "l.toml: would be overwritten", ""},
    {"explain --graph k.ptx k.ptx --launch l.toml", "k.ptx: would be overwritten", ""},
    {"step -o m.toml --machine m.toml k.ptx --launch l.toml", "m.toml: would be overwritten", ""},
    {"cpu run --json f.wft f.wft", "f.wft: would be overwritten", ""},
    {"cpu compare --json f.wft f.wft", "f.wft: would be overwritten", ""},
    {"cpu run --konata - f.wft", "--konata: a pipeline's log needs a file", ""},
    {"cpu run --konata f --json f f.wft", "f: is to be written twice", ""},
    {"record -o ./program ./program", "./program: would be overwritten", ""},
    {"report -o r.json r.json", "r.json: would be overwritten", ""},
    {"experiment --json e.toml e.toml", "e.toml: would be overwritten", ""},
    {"run --interval 9 ./program", "--interval counts into a file", "--csv FILE"},
    {"run --trace-limit 9 ./program", "--trace-limit goes with --trace FILE", ""},
    {"run --sample 10% --functional-only ./program", "--sample needs timing", "--functional-only"},
    {"run --sample 10% --trace t.json ./program", "--trace cannot stand beside --sample: ", "leave one of them out"},
    {"run --sample 10% --lines ./program", "--lines cannot stand beside --sample: ", "leave one of them out"},
    {"run --sample 10% --interval 9 ./program", "--interval cannot stand beside --sample: ", "leave one of them out"},
    {"run --sample 10% --racecheck ./program", "--racecheck cannot stand beside --sample: ", "leave one of them out"},
    {"run --sample 10% --energy ./program", "--energy cannot stand beside --sample: ", "leave one of them out"},
    {"run --sample 10% --max-cycles 9 ./program", "--max-cycles cannot stand beside --sample: ", "leave one"},
    {"run --sample 10% --max-instructions 9 ./program",
     "--max-instructions cannot stand beside --sample: ", "leave one"},
    {"run --sample 10% --threads 2 ./program",
     "--threads above 1 cannot stand beside --sample: ", "leave one of them out"},
    {"run --kernels ( ./program", "--kernels '(': not a regular expression", ""},
    {"run /nowhere.ptx --launch /nowhere.toml", "/nowhere.", ""},
    {"run --machine nothing k.ptx --launch l.toml", "there is no machine 'nothing'", "gtx480, tesla30"},
    {"run --machine /nowhere.toml k.ptx --launch l.toml", "/nowhere.toml", ""},
    {"run --divergence pdon k.ptx --launch l.toml", "pdon", "pdom"},
    {"run --lanes stsimd4 k.ptx --launch l.toml", "stsimd4", "stsimt4"},
    {"run --scheduler fifo k.ptx --launch l.toml", "there is no warp scheduler 'fifo'", "all policies: gto, lrr"},
    {"run --set core.wrap_size=32 k.ptx --launch l.toml", "core.wrap_size", "core.warp_size"},
    {"run --set cores k.ptx --launch l.toml", "cores", ""},
    {"run --set cores=many k.ptx --launch l.toml", "many", ""},
    {"run --json /nowhere/f.json k.ptx --launch l.toml", "/nowhere/f.json", ""},
    {"run --host-time /nowhere/f.json k.ptx --launch l.toml", "/nowhere/f.json", ""},
    {"run --divergence tbc --lanes tsimt k.ptx --launch l.toml", "tbc", ""},
    {"run --scalarize divergent k.ptx --launch l.toml", "'simt' lanes", "simt-scalar"},
    {"run --scalarize some --lanes tsimt k.ptx --launch l.toml", "no rule 'some'", "known: off, divergent"},
    {"run --scalarize divergent --divergence tbc --lanes simt-scalar k.ptx --launch l.toml", "'tbc'", "pdom"},
    {"compare --divergence pdom,pdon k.ptx --launch l.toml", "pdon", "pdom"},
    {"compare --divergence pdom,tbc,pdom k.ptx --launch l.toml", "--divergence: 'pdom' is named twice", ""},
    {"compare --lanes simt,simt k.ptx --launch l.toml", "--lanes: 'simt' is named twice", ""},
    {"cpu compare --cores smt,smt f.wft", "--cores: 'smt' is named twice", ""},
    {"cpu run --core ditva --check f.wft", "core 'ditva' does not rename", ""},
    {"report --source /nowhere.cu r.json", "--source /nowhere.cu: there is no such", ""},
    {"run --check-scalar k.ptx --launch l.toml", "--check-scalar: core.scalarize is off", "--scalarize divergent"},
    {"run --trace t.json --trace-cores 15- k.ptx --launch l.toml", "gtx480 has cores 0 to 14", ""},
    {"run --set core.warps=nan k.ptx --launch l.toml", "not nan", ""},
    {"compare --lanes simt,simd k.ptx --launch l.toml", "simd", "simt"},
    {"compare --json /nowhere/f.json k.ptx --launch l.toml", "/nowhere/f.json", ""},
    {"explain --graph /nowhere/f.dot k.ptx --launch l.toml", "/nowhere/f.dot", ""},
    {"explain --warp first k.ptx --launch l.toml", "first", ""},
    {"experiment carpi", "there is no experiment 'carpi'",
     "known: capri, mechanisms-and-lanes, multipath, simt-x, stsimt"},
    {"experiment /nowhere.toml", "/nowhere.toml", ""},
    {"experiment capri --scale large", "large", "paper"},
    {"completion fish", "there is no shell 'fish'", "all shells: bash, zsh"},
    {"experiment capri --only nobody", "--only nobody: there is no such benchmark", "known: "},
    {"experiment capri --recordings 2", "--recordings 2: no benchmark of this experiment", "'varies'"},
    {"experiment capri --programs /nowhere", "/nowhere: there is no such folder", "--programs"},
    {"experiment capri --json /nowhere/f.json", "/nowhere/f.json", ""},
    {"experiment capri --page /nowhere/f.md", "/nowhere/f.md", ""},
    {"experiment capri --page README.md", "README.md: has no place for a figure", "<!-- tables of NAME -->"},
    {"experiment capri --page README.md --only SAMPLE", "--page goes without --only", ""},
    {"inspect /nowhere.ptx", "/nowhere.ptx", ""},
    {"machines nothing", "there is no machine 'nothing'", "give a file that ends in .toml"},
    {"cpu run /nowhere.wft", "/nowhere.wft", ""},
    {"cpu run --json /nowhere/f.json f.wft", "/nowhere/f.json", ""},
    {"cpu compare --cores simt-x,simt-y /nowhere.wft", "simt-y", "simt-x"},
    {"cpu dump /nowhere", "/nowhere", ""},
    {"cpu machine /nowhere.toml", "/nowhere.toml", ""},
    {"record -o /nowhere/f.wft -- /bin/true", "/nowhere/f.wft", ""},
    {"cpu run --konata /nowhere/k f.wft", "/nowhere/k", ""},
    {"cpu compare --json /nowhere/f.json f.wft", "/nowhere/f.json", ""},
    {"explain --warp 0 k.ptx --launch l.toml", "--warp '0': not a block and a warp", "write B.W, for example 0.3"},
    {"step --warp first k.ptx --launch l.toml", "first", ""},
    {"step --cycles 3 k.ptx --launch l.toml", "--cycles '3'", "200-900"},
    {"step --cycles 9-8 k.ptx --launch l.toml", "--cycles '9-8'", "A not behind B"},
    {"step -o /nowhere/f.html k.ptx --launch l.toml", "/nowhere/f.html", ""},
    {"step --divergence pdom,tbc,capri k.ptx --launch l.toml", "room for 2", "a page for each pair"},
    {"step --divergence pdom,pdon k.ptx --launch l.toml", "pdon", "pdom"},
    {"explain --warp 0.0.0 k.ptx --launch l.toml", "--warp '0.0.0': not a block and a warp", "1,2,0.3"},
    {"inspect /nowhere.ptx --image 0", "/nowhere.ptx", ""},
    {"experiment capri --only SAMPLE,nobody", "--only nobody", "known: "},
};
INSTANTIATE_TEST_SUITE_P(All, WrongInput, testing::ValuesIn(kInput));

struct RefusedFile {
  const char* text;
  const char* line;  // FILE stands for a file with the text
  const char* cause;
  const char* remedy;
};

void PrintTo(const RefusedFile& refused, std::ostream* out) { *out << refused.line << " with " << refused.text; }

class WrongFile : public testing::TestWithParam<RefusedFile> {};

TEST_P(WrongFile, is_told_by_its_name_with_cause_and_remedy) {
  const std::string file = file_with("given.toml", GetParam().text);
  std::string line = GetParam().line;
  line.replace(line.find("FILE"), 4, file);
  try {
    invoke(line);
    FAIL() << "not refused";
  } catch (const Error& error) {
    EXPECT_THAT(error.what(), HasSubstr(file));
    EXPECT_THAT(error.what(), HasSubstr(GetParam().cause));
    EXPECT_THAT(error.what(), HasSubstr(GetParam().remedy));
  }
}

const RefusedFile kFiles[] = {
    {"int main() {}", "cpu dump FILE", "is no executable (ELF) file", "gcc -static"},
    {"a text", "cpu run FILE", "is no recording of warpfork", ""},
    {"a text", "cpu compare FILE", "is no recording of warpfork", ""},
    {"cors = 2\n", "machines FILE", "cors", "cores"},
    {"cores = \"two\"\n", "machines FILE", "cores", ""},
    {"[pipeline]\nisue_width = 2\n", "cpu machine FILE", "isue_width", "issue_width"},
    {"cores = \n", "machines FILE", ":1:", ""},
    {"title = 3\n", "experiment FILE", "title", ""},
    {R"({"schema": 1, "machine": {}, "program": {}, "totals": {}})", "report FILE",
     "is no result of ours: ", "reports are made of"},
};
INSTANTIATE_TEST_SUITE_P(All, WrongFile, testing::ValuesIn(kFiles));

}  // namespace refusal_test
}  // namespace warpfork::cli
