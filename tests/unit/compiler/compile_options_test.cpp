#include "compiler/compile_options.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/error.h"

namespace warpfork::compiler {
namespace compile_options_test {

using testing::ElementsAre;

// A source that exists, wherever the tests run.
const std::string kSource = "tests/cudart/programs/features.cu";

CompileOptions parse(std::vector<std::string> arguments) { return parse_compile_options(arguments); }

std::string error_of(std::vector<std::string> arguments) {
  try {
    parse_compile_options(arguments);
  } catch (const Error& error) {
    return error.what();
  }
  return "no error";
}

TEST(CompileOptions, sorts_options_by_who_gets_them) {
  const auto options = parse({kSource, "-I", "folder", "-DN=3", "-g", "-lm", "helper.o", "-std=c++17", "-o", "out"});
  EXPECT_THAT(options.common, ElementsAre("-I", "folder", "-DN=3", "-std=c++17"));
  EXPECT_THAT(options.host_only, ElementsAre("-g"));
  EXPECT_THAT(options.link_inputs, ElementsAre("-lm", "helper.o"));
  EXPECT_EQ(options.output, "out");
  EXPECT_EQ(options.optimization, "-O2");
}

// As nvcc's --help has them: <path>,… and what nvcc --dryrun makes of them.
TEST(CompileOptions, takes_lists_where_nvcc_does) {
  const auto options =
      parse({kSource, "-I", "a,b", "-Ic,d", "-DX=1,Y=2", "--define-macro=S=\"e,f\"", "-D", "Q=a\\,b", "-U", "V,W",
             "-isystem", "g,h", "--pre-include", "i.h,j.h", "-lm,cudart,dl", "-L", "k,l"});
  EXPECT_THAT(options.common,
              ElementsAre("-I", "a", "-I", "b", "-Ic", "-Id", "-DX=1", "-DY=2", "-D", "S=\"e,f\"", "-D", "Q=a,b", "-U",
                          "V", "-U", "W", "-isystem", "g", "-isystem", "h", "-include", "i.h", "-include", "j.h"));
  EXPECT_THAT(options.link_inputs, ElementsAre("-lm", "-ldl", "-Lk", "-Ll"));
}

TEST(CompileOptions, refuses_to_overwrite_what_it_reads) {
  for (const char* mode : {"-O2", "-c", "-ptx"})
    EXPECT_THAT(error_of({mode, kSource, "-o", "tests/cudart/../cudart/programs/features.cu"}),
                testing::HasSubstr("features.cu: would be overwritten, and is what the command reads"));
  EXPECT_THAT(error_of({"a.o", "b.o", "-o", "b.o"}), testing::HasSubstr("b.o: would be overwritten"));
  EXPECT_THAT(error_of({"-x", "c", "a.out"}), testing::HasSubstr("a.out: "));
  EXPECT_EQ(error_of({"-c", kSource, "-o", "/dev/null"}), "no error");
}

TEST(CompileOptions, knows_the_language_of_a_source_by_its_name) {
  const std::string c = "tests/cudart/programs/host_only.c", cxx = "tests/cudart/programs/host_only.cpp";
  const auto options = parse({c, "part.o", kSource, cxx});
  ASSERT_EQ(options.sources.size(), 3u);
  EXPECT_EQ(options.sources[0].language, Language::C);
  EXPECT_EQ(options.sources[1].language, Language::Cuda);
  EXPECT_EQ(options.sources[2].language, Language::Cxx);
  EXPECT_EQ(options.sources[2].path, cxx);
  EXPECT_THAT(options.link_inputs, ElementsAre("part.o"));
  EXPECT_THAT(error_of({"-ptx", c}), testing::HasSubstr("host_only.c: has no kernels"));
}

TEST(CompileOptions, understands_nvccs_ways_to_name_an_architecture) {
  EXPECT_EQ(parse({kSource}).architecture, "70");
  EXPECT_EQ(parse({kSource, "-arch=sm_75"}).architecture, "75");
  EXPECT_EQ(parse({kSource, "-arch", "compute_80"}).architecture, "80");
  EXPECT_EQ(parse({kSource, "-gencode", "arch=compute_61,code=sm_61"}).architecture, "61");
  EXPECT_EQ(parse({kSource, "--cuda-gpu-arch=sm_35"}).architecture, "35");
}

TEST(CompileOptions, takes_unset_values_for_possible_unless_told_otherwise) {
  EXPECT_FALSE(parse({kSource}).impossible.unset_values);
  EXPECT_TRUE(parse({kSource, "-fstrict-return"}).impossible.unset_values);
  EXPECT_FALSE(parse({kSource, "-fstrict-return", "-fno-strict-return"}).impossible.unset_values);
}

TEST(CompileOptions, takes_memory_of_two_types_for_possible_unless_told_otherwise) {
  EXPECT_FALSE(parse({kSource}).impossible.other_types);
  EXPECT_TRUE(parse({kSource, "-fstrict-aliasing"}).impossible.other_types);
  EXPECT_FALSE(parse({kSource, "-fstrict-aliasing", "-fno-strict-aliasing"}).impossible.other_types);
}

TEST(CompileOptions, passes_words_of_xcompiler_to_the_host_only) {
  EXPECT_THAT(parse({kSource, "-Xcompiler", "-fopenmp"}).host_only, ElementsAre("-fopenmp"));
  EXPECT_THAT(parse({kSource, "-Xcompiler=-fPIC,-DX=a\\,b", "--compiler-options", "-O3 -g"}).host_only,
              ElementsAre("-fPIC", "-DX=a,b", "-O3", "-g"));
  EXPECT_THAT(parse({kSource, "-Xlinker", "-rpath,folder"}).link_inputs,
              ElementsAre("-Xlinker", "-rpath", "-Xlinker", "folder"));
}

// CMake's FindCUDA has quotation marks around each; the shell that nvcc calls takes them away.
TEST(CompileOptions, quotation_marks_hold_a_word_of_xcompiler_together) {
  EXPECT_THAT(parse({kSource, "-Xcompiler", ",\"-g\",\"-DX=1 + 2\""}).host_only, ElementsAre("-g", "-DX=1 + 2"));
  EXPECT_THAT(parse({kSource, "-Xcompiler", "-DX=\\\"a\\\""}).host_only, ElementsAre("-DX=\"a\""));
}

TEST(CompileOptions, takes_every_target_that_nvcc_takes) {
  EXPECT_EQ(parse({kSource, "-arch=sm_90a"}).architecture, "90");
  EXPECT_EQ(parse({kSource, "-arch=native"}).architecture, "70");
  EXPECT_EQ(parse({kSource, "-arch=compute_80", "-code=sm_80,compute_80"}).architecture, "80");
  EXPECT_EQ(parse({kSource, "--generate-code=arch=compute_75,code=[sm_75,compute_75]"}).architecture, "75");
  EXPECT_EQ(parse({kSource, "-gencode=arch=compute_80,code=\"sm_80,compute_80\"", "-m64"}).architecture, "80");
}

TEST(CompileOptions, ignores_what_is_always_so) {
  const auto options =
      parse({kSource, "-cudart", "shared", "-cudart=static", "-lineinfo", "-ccbin", "g++", "-t", "4", "--threads=0",
             "--forward-unknown-to-host-compiler", "-diag-suppress", "177,20012", "-Wno-deprecated-gpu-targets",
             "-lcudart", "-lcudart_static", "-lcudadevrt", "-rdc=false"});
  EXPECT_TRUE(options.host_only.empty() && options.common.empty() && options.notes.empty());
  EXPECT_TRUE(options.link_inputs.empty());
  EXPECT_EQ(options.sources.size(), 1u);
}

TEST(CompileOptions, takes_what_only_concerns_messages_and_speed) {
  const auto options =
      parse({kSource, "-Xcudafe", "--diag_suppress=177 --display_error_number", "-Xcudafe=--diag_warning=1,2",
             "--cudafe-options", "--promote_warnings", "-Xnvlink", "--suppress-stack-size-warning", "-t0", "-t16",
             "-dopt", "on", "-compress-mode=size", "-static-global-template-stub=false", "-nohdinitlist",
             "--no-host-device-move-forward", "-ewp"});
  EXPECT_TRUE(options.host_only.empty() && options.common.empty() && options.notes.empty());
  EXPECT_EQ(options.sources.size(), 1u);
  EXPECT_THAT(error_of({kSource, "-Xcudafe", "--diag_suppress=1 --no_exceptions"}),
              testing::HasSubstr("-Xcudafe --no_exceptions is not possible: clang reads the sources"));
  EXPECT_THAT(error_of({kSource, "--nvlink-options", "-lto"}), testing::HasSubstr("no device code is linked"));
  EXPECT_THAT(parse({kSource, "-t1x"}).host_only, ElementsAre("-t1x")) << "clang's affair";
}

TEST(CompileOptions, version_needs_no_source) {
  EXPECT_TRUE(parse({"--version"}).version_only);
  EXPECT_TRUE(parse({"-V"}).version_only);
}

TEST(CompileOptions, device_code_is_relocatable_if_it_is_asked_for) {
  EXPECT_FALSE(parse({kSource, "-c"}).relocatable);
  EXPECT_FALSE(parse({kSource, "-rdc=true", "-rdc=false"}).relocatable);
  EXPECT_TRUE(parse({kSource, "--relocatable-device-code", "true"}).relocatable);
  EXPECT_TRUE(parse({kSource, "-dc"}).relocatable);
  EXPECT_TRUE(parse({kSource, "-dc"}).compile_only);
  EXPECT_THAT(error_of({kSource, "-rdc=maybe"}), testing::HasSubstr("allowed: true, false"));
}

TEST(CompileOptions, what_a_library_is_made_by_is_for_the_linker) {
  const auto options = parse({kSource, "-shared", "-Xcompiler", "-fPIC", "-rdynamic"});
  EXPECT_THAT(options.link_inputs, ElementsAre("-shared", "-rdynamic"));
  EXPECT_THAT(options.host_only, ElementsAre("-fPIC"));
}

TEST(CompileOptions, tells_what_nvcc_would_do_and_nobody_does) {
  const auto notes = parse({kSource, "-keep", "--keep-dir=folder", "--resource-usage", "-Xptxas", "-O3,-v,-dlcm=cg",
                            "--ptxas-options=--warn-on-spills", "-dlto", "-opt-info", "inline", "-time", "-",
                            "--host-linker-script=use-lcs", "-Xnvlink", "-v"})
                         .notes;
  ASSERT_EQ(notes.size(), 10u);
  EXPECT_THAT(notes[0], testing::StartsWith("-keep keeps no files"));
  EXPECT_THAT(notes[4], testing::StartsWith("-Xptxas -dlcm=cg changes nothing"));
}

TEST(CompileOptions, long_names_are_those_of_short_ones) {
  const auto options = parse({"--include-path", "a", "--define-macro=N=3", "--library=m", "--output-file", "out",
                              "--std", "c++20", "--compile", "--optimize", "3", "--x", "cu", kSource});
  EXPECT_THAT(options.common, ElementsAre("-I", "a", "-D", "N=3", "-std=c++20"));
  EXPECT_THAT(options.link_inputs, ElementsAre("-lm"));
  EXPECT_EQ(options.output, "out");
  EXPECT_TRUE(options.compile_only);
  EXPECT_EQ(options.optimization, "-O3");
}

TEST(CompileOptions, language_is_what_x_says) {
  const std::string cxx = "tests/cudart/programs/host_only.cpp";
  EXPECT_EQ(parse({"-x", "cu", cxx}).sources[0].language, Language::Cuda);
  EXPECT_EQ(parse({cxx, "-x=cu"}).sources[0].language, Language::Cuda);
  EXPECT_EQ(parse({"-x", "c++", "tests/cudart/programs/expect.h"}).sources[0].language, Language::Cxx);
  EXPECT_THAT(parse({"-x", "cu", cxx, "part.o"}).link_inputs, ElementsAre("part.o"));
  EXPECT_THAT(error_of({"-x", "fortran", cxx}), testing::HasSubstr("allowed: cu, c++, c"));
}

TEST(CompileOptions, arithmetic_is_of_device_code) {
  const FloatingPointOptions usual = parse({kSource}).floating_point;
  EXPECT_TRUE(!usual.flush_subnormals && usual.precise_division && usual.precise_roots && usual.fuse);
  const auto fast = parse({kSource, "--use_fast_math", "-prec-sqrt=true"});
  EXPECT_TRUE(fast.floating_point.flush_subnormals && fast.floating_point.approximate_functions);
  EXPECT_TRUE(!fast.floating_point.precise_division && fast.floating_point.precise_roots);
  EXPECT_THAT(fast.common, ElementsAre("-D__USE_FAST_MATH__"));
  EXPECT_FALSE(parse({kSource, "--fmad", "false"}).floating_point.fuse);
  EXPECT_THAT(error_of({kSource, "-ftz=1"}), testing::HasSubstr("-ftz 1 is not possible; allowed: true, false"));
}

TEST(CompileOptions, registers_of_device_code_are_limited) {
  EXPECT_EQ(parse({kSource}).maximum_registers, 0u);
  EXPECT_EQ(parse({kSource, "-maxrregcount=32"}).maximum_registers, 32u);
  EXPECT_EQ(parse({kSource, "--maxrregcount", "48"}).maximum_registers, 48u);
  EXPECT_EQ(parse({kSource, "-Xptxas", "-maxrregcount=24"}).maximum_registers, 24u);
  EXPECT_THAT(error_of({kSource, "-maxrregcount=few"}), testing::HasSubstr("takes a number"));
}

TEST(CompileOptions, default_streams_of_threads_are_only_told_to_the_program) {
  EXPECT_THAT(parse({kSource, "--default-stream", "per-thread"}).common,
              ElementsAre("-DCUDA_API_PER_THREAD_DEFAULT_STREAM=1"));
  EXPECT_THAT(parse({kSource, "-default-stream=legacy"}).common, testing::IsEmpty());
}

TEST(CompileOptions, libraries_that_are_here_by_another_name_are_those) {
  const auto options = parse({kSource, "-lcudart", "-lnvToolsExt", "-l", "gomp"});
  EXPECT_THAT(options.link_inputs, ElementsAre("-fopenmp"));
  EXPECT_THAT(options.notes, ElementsAre(testing::StartsWith("-lgomp links libomp")));
}

TEST(CompileOptions, warnings_are_of_both_passes) {
  EXPECT_THAT(parse({kSource, "-Wall", "-ferror-limit=0", "-w"}).common, ElementsAre("-Wall", "-ferror-limit=0", "-w"));
  EXPECT_THAT(parse({"-Werror", kSource}).common, ElementsAre("-Werror"));
  EXPECT_THAT(parse({"-Werror", "all-warnings", kSource}).common, ElementsAre("-Werror"));
  EXPECT_THAT(parse({"-Werror=reorder,missing-launch-bounds", kSource}).common, ElementsAre("-Werror=reorder"));
  EXPECT_THAT(parse({"-Werror=unused", kSource}).common, ElementsAre("-Werror=unused"));
}

TEST(CompileOptions, allowances_that_clang_needs_not_are_only_told_to_the_program) {
  EXPECT_THAT(parse({kSource, "--extended-lambda", "--expt-relaxed-constexpr"}).common,
              ElementsAre("-D__CUDACC_EXTENDED_LAMBDA__", "-D__CUDACC_RELAXED_CONSTEXPR__"));
  EXPECT_THAT(parse({kSource, "-expt-extended-lambda"}).common, ElementsAre("-D__CUDACC_EXTENDED_LAMBDA__"));
}

TEST(CompileOptions, letter_of_an_architecture_is_told_to_be_left_out) {
  EXPECT_THAT(parse({kSource, "-arch=sm_90a"}).notes,
              ElementsAre(testing::StartsWith("-arch sm_90a gives code for sm_90:")));
  EXPECT_THAT(parse({kSource, "-gencode", "arch=compute_100f,code=sm_100"}).notes,
              ElementsAre(testing::StartsWith("-arch compute_100f gives code for compute_100:")));
  EXPECT_THAT(parse({kSource, "-arch=sm_90"}).notes, testing::IsEmpty());
}

TEST(CompileOptions, an_archive_is_written_instead_of_a_program) {
  EXPECT_TRUE(parse({"--lib", kSource, "-o", "x.a"}).archive_only);
  EXPECT_FALSE(parse({kSource, "-lm"}).archive_only);
  EXPECT_THAT(error_of({"-lib", "a.a"}), testing::HasSubstr("a.a"));  // which would be written, too
}

TEST(CompileOptions, dependencies_alone_compile_nothing) {
  EXPECT_EQ(parse({"-M", kSource}).preprocessing, "-M");
  EXPECT_EQ(parse({"--generate-nonsystem-dependencies", kSource}).preprocessing, "-MM");
  EXPECT_EQ(parse({kSource, "-c", "-MD"}).preprocessing, "");
  EXPECT_THAT(error_of({"-M", "x.o"}), testing::HasSubstr("-E and -M need a source file"));
}

TEST(CompileOptions, files_of_dependencies_are_no_inputs) {
  EXPECT_THAT(parse({kSource, "-c", "-MD", "-MF", "x.d"}).dependencies, ElementsAre("-MD", "-MF", "x.d"));
  EXPECT_THAT(parse({kSource, "-M", "-MT", "x"}).dependencies, ElementsAre("-MT", "x"));
  EXPECT_THAT(parse({kSource, "-MT", "x"}).dependencies, testing::IsEmpty());
}

TEST(CompileOptions, text_alone_is_preprocessed) {
  EXPECT_EQ(parse({"-E", kSource}).preprocessing, "-E");
  EXPECT_EQ(parse({"--preprocess", kSource, "-o", "x.ii"}).preprocessing, "-E");
}

TEST(CompileOptions, what_is_an_option_of_nvccs_is_so_by_its_own_dashes_and_values) {
  EXPECT_THAT(error_of({kSource, "-list-gpu-arch"}),
              testing::EndsWith("-list-gpu-arch is no option; nvcc has --list-gpu-arch"));
  EXPECT_THAT(error_of({kSource, "--arch=sm_75"}), testing::EndsWith("--arch is no option; nvcc has -arch"));
  EXPECT_THAT(error_of({kSource, "-lineinfo=true"}), testing::EndsWith("-lineinfo takes no value"));
}

TEST(CompileOptions, an_archive_is_written_as_the_options_say) {
  const auto options = parse({"-lib", kSource, "-arbin", "llvm-ar", "--archive-options", "-v,D"});
  EXPECT_EQ(options.archiver, "llvm-ar");
  EXPECT_THAT(options.archiving, ElementsAre("-v", "D"));
}

TEST(CompileOptions, architectures_are_listed_without_a_source) {
  EXPECT_TRUE(parse({"--list-gpu-arch"}).list_architectures);
  EXPECT_TRUE(parse({"-code-ls"}).list_codes);
}

TEST(CompileOptions, depth_of_templates_is_of_both_passes) {
  EXPECT_THAT(parse({kSource, "--ftemplate-depth", "50", "-ftemplate-backtrace-limit=3"}).common,
              ElementsAre("-ftemplate-depth=50", "-ftemplate-backtrace-limit=3"));
}

TEST(CompileOptions, device_link_and_guarded_stacks_are_as_the_options_say) {
  EXPECT_TRUE(parse({kSource}).device_link);
  EXPECT_FALSE(parse({kSource, "--no-device-link"}).device_link);
  EXPECT_THAT(parse({kSource, "-device-stack-protector=false"}).notes, testing::IsEmpty());
  EXPECT_THAT(parse({kSource, "-device-stack-protector=true"}).notes, testing::SizeIs(1));
  EXPECT_THAT(error_of({kSource, "-cudadevrt=shared"}), testing::HasSubstr("allowed: none, static"));
}

TEST(CompileOptions, refuses_what_cannot_be) {
  EXPECT_THAT(error_of({kSource, "-cudart", "none"}), testing::HasSubstr("allowed: shared, static"));
  EXPECT_THAT(error_of({kSource, "-cubin"}), testing::HasSubstr("-cubin is not possible: there is no machine code"));
  EXPECT_THAT(error_of({"scale.ptx", "-o", "x"}),
              testing::HasSubstr("scale.ptx needs no compiler: warpfork run scale.ptx --launch FILE.toml"));
  EXPECT_THAT(error_of({kSource, "-m32"}), testing::HasSubstr("-m 32 is not possible"));
  EXPECT_THAT(error_of({kSource, "-default-stream", "none"}), testing::HasSubstr("allowed: legacy, null, per-thread"));
  EXPECT_THAT(error_of({kSource, "-Xptxas", "--device-debug"}), testing::HasSubstr("there is no ptxas"));
  EXPECT_THAT(error_of({kSource, "-arch=fast"}), testing::HasSubstr("no architecture"));
  EXPECT_THAT(error_of({"-O2"}), testing::HasSubstr("nothing to compile"));
  EXPECT_THAT(error_of({kSource, "-o"}), testing::HasSubstr("needs a value"));
  EXPECT_THAT(error_of({"none.cu"}), testing::HasSubstr("no such file"));
  EXPECT_THAT(error_of({"-c", kSource, kSource, "-o", "x.o"}), testing::HasSubstr("names one file"));
  EXPECT_THAT(error_of({"-dlink", kSource}), testing::HasSubstr("takes objects"));
}

}  // namespace compile_options_test
}  // namespace warpfork::compiler
