// Whole programs, built by `warpfork cc`.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <csignal>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <sstream>

#include "base/error.h"
#include "unit/cuda/program_run.h"

namespace warpfork::cuda {
namespace program_test {

TEST_F(Program, features_of_ordinary_programs_work) { expect_pass(run(build("features")), 7); }

TEST_F(Program, features_work_without_optimization) { expect_pass(run(build("features", {"-O0"})), 7); }

TEST_F(Program, virtual_functions_and_pointers_to_functions_work) {
  expect_pass(run(build("virtual_functions")), 2);
  expect_pass(run(build("virtual_functions", {"-O0"})), 2);
}

TEST_F(Program, functions_that_call_themselves_work_without_optimization) {
  expect_pass(run(build("recursion", {"-O0"})), 10);
}

TEST_F(Program, is_told_that_its_launches_cannot_be_recorded_and_ends_by_itself) {
  const std::string program = build("short_launches");
  const ProgramRun failed = run("/bin/sh", {}, {"-c", "trap '' XFSZ; ulimit -f 2; exec " + program});
  EXPECT_EQ(failed.status, 1);
  EXPECT_THAT(failed.output, testing::AllOf(testing::HasSubstr("warpfork: "), testing::HasSubstr("cannot be written"),
                                            testing::HasSubstr("set TMPDIR to a folder")));
  EXPECT_TRUE(failed.result.torn);
}

TEST_F(Program, graphs_are_captured_and_built) { expect_pass(run(build("graphs")), 8); }

TEST_F(Program, halves_are_computed_bit_by_bit_as_on_the_host) { expect_pass(run(build("half")), 3); }

TEST_F(Program, bfloat16_is_rounded_once) {
  expect_pass(run(build("bfloat16")), 2);
  expect_pass(run(build("bfloat16", {"-arch=sm_80"})), 2);
}

TEST_F(Program, numbers_of_eight_bits_are_the_nearest_by_arithmetic_and_by_instructions) {
  expect_pass(run(build("float8", {"-std=c++11", "-Wall", "-Wextra", "-Werror"})), 3);
  expect_pass(run(build("float8", {"-arch=sm_90", "-std=c++20"})), 3);
}

TEST_F(Program, functions_are_kept_copied_and_called_in_kernels_as_on_the_host) {
  expect_pass(run(build("polymorphic_functions", {"-std=c++11", "-Wall", "-Wextra", "-Werror"})), 2);
  expect_pass(run(build("polymorphic_functions", {"-std=c++20", "-O0"})), 2);
}

TEST_F(Program, code_for_other_targets_is_left_out) {
  for (const char* architecture : {"-arch=sm_35", "-arch=sm_86", "-arch=sm_90", "-arch=sm_121"})
    expect_pass(run(build("targets", {architecture, "-std=c++11", "-Wall", "-Wextra", "-Werror"})), 1);
}

TEST_F(Program, profiler_of_the_driver_and_sections_of_device_code_have_headers) {
  expect_pass(run(build("small_headers", {"-lcuda"})), 1);
}

TEST_F(Program, random_numbers_are_those_of_curand) { expect_pass(run(build("random", {"-std=c++11"})), 8); }

TEST_F(Program, complex_numbers_and_small_headers_are_there) { expect_pass(run(build("complex")), 1); }

TEST_F(Program, groups_scan_and_copy_together) {
  expect_pass(run(build("group_work")), 3);
  expect_pass(run(build("group_work", {"-arch=sm_80"})), 3);
}

TEST_F(Program, standard_library_does_in_kernels_what_it_does_on_the_host) {
  expect_pass(run(build("standard_library")), 1);
}

TEST_F(Program, what_came_with_later_architectures_is_there) {
  expect_pass(run(build("later_architectures", {"-arch=sm_100"})), 2);
}

TEST_F(Program, blocks_and_warps_reduce_and_scan_as_cub_does) {
  expect_pass(run(build("block_primitives", {"-I", TEST_TOOLCHAIN "/../cub-primitives"})), 3);
}

TEST_F(Program, what_is_undefined_is_compiled_as_it_is_written) {
  expect_pass(run(build("undefined_behaviour")), 3);
  expect_pass(run(build("undefined_behaviour", {"-G", "-O3"})), 3);
}

TEST_F(Program, thrust_is_debians) {
  if (!std::filesystem::exists("/usr/include/thrust")) GTEST_SKIP() << "there is no Thrust: apt install libthrust-dev";
  const ProgramRun finished = run(build("thrust"));
  EXPECT_EQ(finished.output, "sum 500500\nsorted 1000 999 1\nscanned 1999 500500\n");
}

TEST_F(Program, intrinsics_round_as_their_names_say) { expect_pass(run(build("rounding")), 51); }

TEST_F(Program, intrinsics_round_alike_without_optimization) { expect_pass(run(build("rounding", {"-O0"})), 51); }

TEST_F(Program, indices_are_copied_and_passed_by_value) { expect_pass(run(build("builtin_variables")), 1); }

TEST_F(Program, later_attributes_are_there) { expect_pass(run(build("attributes", {"-w"})), 3); }

TEST_F(Program, clusters_of_several_blocks_are_refused_by_name) {
  const std::string source = folder_ + "/cluster.cu";
  std::ofstream(source) << "__global__ void __cluster_dims__(2, 1, 1) kernel() {}\n";
  testing::internal::CaptureStderr();
  EXPECT_NE(compile({source, "-c", "-o", folder_ + "/cluster.o"}), 0);
  EXPECT_THAT(testing::internal::GetCapturedStderr(),
              testing::HasSubstr("clusters of several blocks are not supported"));
}

TEST_F(Program, launches_may_depend_on_their_forerunners) {
  expect_pass(run(build("dependent_launches", {"-arch=sm_90", "-default-stream", "per-thread"})), 2);
}

TEST_F(Program, inline_assembly_names_registers_by_one_sign) {
  expect_pass(run(build("inline_assembly")), 1);
  expect_pass(run(build("inline_assembly", {"-O0", "-Dlanes_below=lanes_below"})), 1);
}

TEST_F(Program, macros_may_have_the_names_of_template_parameters) {
  expect_pass(run(build("macro_names", {"-arch=sm_80"})), 1);
}

TEST_F(Program, wide_integers_are_divided_and_converted) {
  expect_pass(run(build("wide_integers")), 4);
  expect_pass(run(build("wide_integers", {"-O0"})), 4);
}

// Its numbers are those of nvcc 13's program, too.
TEST_F(Program, small_integers_are_of_numbers_that_they_cannot_hold_what_nvcc_makes) {
  expect_pass(run(build("narrow_conversions")), 6);
  expect_pass(run(build("narrow_conversions", {"-O0"})), 6);
}

TEST_F(Program, variables_in_shared_memory_begin_where_they_are_told) {
  expect_pass(run(build("shared_alignment")), 1);
}

TEST_F(Program, shuffles_take_every_type) { expect_pass(run(build("shuffle_types")), 9); }

TEST_F(Program, cache_operators_dot_products_and_short_atomics_work) {
  expect_pass(run(build("memory_intrinsics")), 40);
}

TEST_F(Program, pairs_and_fours_of_floats_are_added_atomically) {
  expect_pass(run(build("vector_atomics", {"-arch=sm_90"})), 1);
}

TEST_F(Program, exact_functions_give_the_hosts_bits) {
  expect_pass(run(build("exact_functions")), 2);
  expect_pass(run(build("exact_functions", {"-O0"})), 2);
}

TEST_F(Program, subnormal_numbers_have_neighbours_where_they_are_flushed) {
  expect_pass(run(build("flushed_neighbours", {"-ftz=true"})), 1);
}

TEST_F(Program, functions_have_cudas_values_at_zeros_and_at_the_ends_of_ranges) {
  expect_pass(run(build("special_values")), 2);
}

TEST_F(Program, constants_have_cudas_names_types_and_bits) {
  expect_pass(run(build("constants", {"-std=c++11", "-Wall", "-Wextra", "-Werror"})), 3);
}

TEST_F(Program, special_functions_are_those_of_the_host) { expect_pass(run(build("special_functions")), 18); }

TEST_F(Program, host_code_has_cudas_functions_too) { expect_pass(run(build("host_mathematics", {"-std=c++11"})), 1); }

TEST_F(Program, kernels_allocate_and_free) { expect_pass(run(build("device_heap")), 3); }

TEST_F(Program, program_without_kernels_works) { expect_pass(run(build("host_only.cpp", {"-std=c++17"})), 0); }

TEST_F(Program, driver_api_loads_ptx_and_is_one_with_the_runtime_api) {
  expect_pass(run(build("driver_api.cpp", {"-std=c++17", "-lcuda"})), 3);
}

TEST_F(Program, program_that_loads_the_driver_by_itself_needs_nothing_else) {
  const std::string program = folder_ + "/driver_loaded";
  const std::string clang = process::find_program("clang++");
  ASSERT_EQ(run_program({clang, "-isystem", TEST_TOOLCHAIN, source("driver_loaded.cpp"), "-o", program}), 0);
  const ProgramRun finished = run(program);
  EXPECT_EQ(finished.output, "works, driver 13000, devices 1\n");
  EXPECT_TRUE(finished.result.complete);
}

// The stand-in's functions give wrong answers.
TEST_F(Program, runtime_that_is_linked_into_a_program_is_replaced) {
  const std::string program = folder_ + "/linked_runtime";
  const std::string clang = process::find_program("clang++");
  ASSERT_EQ(run_program({clang, "-O0", source("linked_runtime.cpp"), "-o", program}), 0);
  EXPECT_EQ(run(program).output, "of its own: 7 devices, release 7\n");
  EXPECT_EQ(run(program, replacing("13")).output, "of its own: 1 devices, release 13000\n");
  EXPECT_EQ(run(program, replacing("12")).output, "of its own: 1 devices, release 12000\n");
}

// A library by the name of NVIDIA's, with nothing in it.
TEST_F(Program, library_that_calls_the_driver_is_named) {
  const std::string library = folder_ + "/libcufft.so.13", program = folder_ + "/uses_library";
  const std::string clang = process::find_program("clang++");
  ASSERT_EQ(run_program({clang, "-shared", "-x", "c++", "/dev/null", "-o", library}), 0);
  ASSERT_EQ(run_program({clang, "-Wl,--no-as-needed", source("linked_runtime.cpp"), library, "-o", program}), 0);
  const std::string said = run(program, replacing("13")).output;
  EXPECT_THAT(said, testing::HasSubstr("warpfork: libcufft is not supported: it calls the GPU's driver"));
}

TEST_F(Program, source_in_c_is_compiled_as_c) { expect_pass(run(build("host_only.c", {"-std=c++17", "-Wall"})), 0); }

TEST_F(Program, objects_of_all_languages_are_linked) {
  const std::string part = folder_ + "/part.o";
  ASSERT_EQ(compiler::compile(std::vector<std::string>{"-c", source("features"), "-Dmain=features_main", "-o", part},
                              {TEST_TOOLCHAIN, TEST_CUDART_FOLDER}),
            0);
  expect_pass(run(build("host_only.c", {part})), 0);
}

TEST_F(Program, names_that_nvcc_provides_are_there) { expect_pass(run(build("names")), 0); }

TEST_F(Program, pointers_begin_as_addresses_inside_variables) { expect_pass(run(build("initial_addresses")), 1); }

TEST_F(Program, variables_without_a_namespaces_name_are_there_for_the_host) {
  expect_pass(run(build("anonymous_variables")), 1);
}

TEST_F(Program, managed_memory_is_the_same_on_both_sides) { expect_pass(run(build("managed")), 2); }

TEST_F(Program, managed_variables_are_the_same_on_both_sides) {
  expect_pass(run(build("managed_variables")), 1);
  expect_pass(run(build("managed_variables", {"-O0", "-g", "-Werror", "all-warnings"})), 1);
}

TEST_F(Program, managed_variables_begin_as_constants) {
  const std::string source = folder_ + "/managed_variable.cu", said = folder_ + "/said";
  std::ofstream(source) << "struct A { __host__ __device__ A(); };\n__managed__ A x;\nint main() {}\n";
  testing::internal::CaptureStderr();
  EXPECT_NE(compiler::compile(std::vector<std::string>{source, "-c", "-o", said}, {TEST_TOOLCHAIN, TEST_CUDART_FOLDER}),
            0);
  EXPECT_THAT(testing::internal::GetCapturedStderr(), testing::HasSubstr("dynamic initialization is not supported"));
}

TEST_F(Program, managed_variables_are_shared_by_files) {
  expect_pass(run(build("managed_files", {source("managed_files_part"), "-rdc=true"})), 2);
  EXPECT_THAT([&] { build("managed_files", {source("managed_files_part")}); },
              testing::ThrowsMessage<Error>(testing::HasSubstr("compile both with -rdc=true")));
}

TEST_F(Program, managed_memory_is_refused_where_the_addresses_are_taken) {
  const ProgramRun finished = run(build("address_taken"));
  EXPECT_THAT(finished.output, testing::HasSubstr("warpfork: managed memory is not available"));
  EXPECT_THAT(finished.output, testing::HasSubstr("managed: cudaErrorNotSupported, copied: 42\n"));
}

TEST_F(Program, device_mathematics_is_as_exact_as_cudas) {
  const ProgramRun finished = run(build("mathematics"));
  EXPECT_EQ(finished.output, "PASS\n");
}

TEST_F(Program, kernel_that_stores_out_of_bounds_is_told_once_and_stays_an_error) {
  const ProgramRun failed = run(build("wild_store"));
  EXPECT_THAT(failed.output, testing::HasSubstr("warpfork: wild_store.out.0.ptx:"));
  EXPECT_THAT(failed.output, testing::HasSubstr("out of bounds"));
  EXPECT_THAT(failed.result.errors.front(), testing::HasSubstr("kernel 'store'"));
  EXPECT_THAT(failed.output, testing::HasSubstr("cudaErrorIllegalAddress, cudaErrorIllegalAddress\n"));
  EXPECT_TRUE(failed.result.complete);
  EXPECT_EQ(failed.result.errors.size(), 1u);
}

TEST_F(Program, vote_that_names_the_other_side_of_a_branch_ends_with_its_source_line) {
  const ProgramRun failed = run(build("member_masks"));
  EXPECT_THAT(failed.output, testing::HasSubstr("own sides ffff aaaa0000\n"));
  EXPECT_THAT(failed.output, testing::HasSubstr("its member mask 0xffffffff names thread ("));
  EXPECT_THAT(failed.output, testing::HasSubstr("member_masks.cu:1"));  // line 17 or 19
  EXPECT_THAT(failed.output, testing::HasSubstr("all lanes: cudaErrorLaunchFailure\n"));
  EXPECT_EQ(failed.result.errors.size(), 1u);
}

TEST_F(Program, kernels_print_among_the_programs_output) { expect_printing(run(build("printing"))); }

TEST_F(Program, failed_assertion_is_told_as_cuda_tells_it_and_stays_an_error) {
  expect_assertion(run(build("assertion")));
}

TEST_F(Program, launch_that_cannot_be_is_told_once_however_often_it_is_tried) {
  for (const char* how : {"-DASKS", "-DLOOKS_AT_THE_RESULT"}) {
    const ProgramRun finished = run(build("too_many_threads", {how, "-lcuda"}));
    EXPECT_THAT(finished.output, testing::HasSubstr("launch of 'nothing' with 2048 threads per block"));
    EXPECT_THAT(finished.output, testing::HasSubstr("\ncudaErrorInvalidConfiguration, then cudaSuccess\n")) << how;
    EXPECT_TRUE(finished.result.errors.empty()) << how;
    EXPECT_EQ(finished.result.refusals.size(), 1u);
    EXPECT_EQ(finished.result.launches.size(), 1u);
  }
}

TEST_F(Program, launch_that_cannot_be_fails_the_run_of_a_program_that_never_asks) {
  for (const char* how : {"-DNEVER_ASKS", "-DANOTHER_THREAD_ASKS"}) {
    const ProgramRun finished = run(build("too_many_threads", {how, "-lcuda"}));
    EXPECT_THAT(finished.output, testing::HasSubstr("\nno error, then cudaSuccess\n")) << how;
    EXPECT_EQ(finished.result.errors, finished.result.refusals) << how;
    EXPECT_EQ(finished.result.errors.size(), 1u) << how;
  }
}

TEST_F(Program, registered_memory_is_the_same_on_both_sides) { expect_pass(run(build("registered")), 2); }

TEST_F(Program, calls_have_the_parameters_of_all_releases) {
  const ProgramRun finished = run(build("other_releases"));
  EXPECT_EQ(finished.output,
            "warpfork: cudaIpcGetMemHandle is not supported\n"
            "warpfork: cudaGraphChildGraphNodeGetGraph is not supported\nPASS\n");
  EXPECT_EQ(finished.result.launches.size(), 2u);
}

void replace(std::string& line, std::string_view from, std::string_view to) {
  if (const std::size_t at = line.find(from); at != std::string::npos) line.replace(at, from.size(), to);
}

/// What the runtime of a GPU answered (NVIDIA H200, CUDA 13.0). We keep the codes that the API's reference gives a
/// launch that cannot be and a kernel that is none, which that runtime has given up.
std::string answers_of_a_gpu(const std::string& which) {
  std::ifstream file("tests/data/silicon/nvidia-h200/api_answers/" + which + ".txt");
  std::string answers;
  for (std::string line; std::getline(file, line); answers += line + "\n") {
    if (line.starts_with("launch nothing<<<") || line.starts_with("launch bounded<<<"))
      replace(line, "cudaErrorInvalidValue", "cudaErrorInvalidConfiguration");
    if (line.starts_with("cudaLaunchKernel(") || line.starts_with("cudaFuncGetAttributes("))
      for (int twice = 0; twice < 2; ++twice)
        replace(line, "cudaErrorInvalidResourceHandle", "cudaErrorInvalidDeviceFunction");
  }
  return answers;
}

/// Without what the simulator says of errors.
std::string own_lines(const std::string& output) {
  std::istringstream lines(output);
  std::string own;
  for (std::string line; std::getline(lines, line);)
    if (!line.starts_with("warpfork: ") && !line.starts_with(' ')) own += line + "\n";
  return own;
}

TEST_F(Program, calls_answer_as_the_runtime_of_a_gpu_does) {
  const std::string program = build("api_answers");
  EXPECT_EQ(own_lines(run(program).output), answers_of_a_gpu("ordinary"));
}

TEST_F(Program, calls_answer_as_the_runtime_of_a_gpu_does_after_a_kernel_failed) {
  const std::string program = build("api_answers");
  for (const char* failure : {"misaligned", "wild", "trap"})
    EXPECT_EQ(own_lines(run(program, {}, {failure}).output), answers_of_a_gpu(failure)) << failure;
}

TEST_F(Program, aborted_program_leaves_an_incomplete_result) {
  const ProgramRun aborted = run(build("abort"));
  EXPECT_EQ(aborted.status, 128 + SIGABRT);
  EXPECT_TRUE(aborted.result.used);
  EXPECT_FALSE(aborted.result.complete);
}

TEST_F(Program, device_code_of_several_files_is_linked) {
  expect_pass(run(build("linked", {source("linked_part"), "-rdc=true"})), 2);
  EXPECT_THAT([&] { build("linked", {"-rdc=true"}); },
              testing::ThrowsMessage<Error>(testing::HasSubstr("which is in none of the objects")));
  EXPECT_THAT([&] { build("linked"); },
              testing::ThrowsMessage<Error>(testing::HasSubstr("compile both with -rdc=true")));
}

TEST_F(Program, device_code_of_objects_is_linked_for_another_linker) {
  const std::string one = folder_ + "/one.o", other = folder_ + "/other.o", both = folder_ + "/both.o",
                    program = folder_ + "/program";
  ASSERT_EQ(compile({"-dc", source("linked"), "-o", one}), 0);
  ASSERT_EQ(compile({"-dc", source("linked_part"), "-o", other}), 0);
  ASSERT_EQ(compile({"-shared", "-dlink", one, other, "-o", both}), 0);
  ASSERT_EQ(
      run_program({"/usr/bin/c++", one, other, both, "-L" TEST_CUDART_FOLDER, "-l:libcudart.so.12", "-o", program}), 0);
  expect_pass(run(program), 2);
}

TEST_F(Program, device_code_of_archives_is_linked_though_no_host_code_asks_for_it) {
  const std::string main = folder_ + "/main", functions = folder_ + "/functions", program = folder_ + "/program",
                    registration = folder_ + "/registration.o", archive = folder_ + "/libfunctions.a",
                    resolved = folder_ + "/resolved.a";
  std::ofstream(functions + ".cu") << "__device__ int twice(int x) { return 2 * x; }\n";
  std::ofstream(main + ".cu")
      << "#include <cstdio>\n__device__ int twice(int);\n__global__ void k(int* p) { *p = twice(21); }\n"
         "int main() { int *p; cudaMallocManaged(&p, 4); k<<<1, 1>>>(p); cudaDeviceSynchronize();\n"
         "  std::puts(*p == 42 ? \"PASS\" : \"FAIL\"); }\n";
  for (const std::string& file : {main, functions}) ASSERT_EQ(compile({"-dc", file + ".cu", "-o", file + ".o"}), 0);
  ASSERT_EQ(compile({"-lib", functions + ".o", "-o", archive}), 0);

  ASSERT_EQ(compile({main + ".o", archive, "-o", program}), 0);
  expect_pass(run(program), 1);
  ASSERT_EQ(compile({main + ".o", "-L" + folder_, "-lfunctions", "-o", program}), 0);
  expect_pass(run(program), 1);

  ASSERT_EQ(compile({"-dlink", main + ".o", archive, "-o", registration}), 0);
  const std::vector<std::string> link{"/usr/bin/c++", "-o", program, "-L" TEST_CUDART_FOLDER};
  const auto linked_of = [&](std::vector<std::string> inputs) {
    inputs.insert(inputs.begin(), link.begin(), link.end());
    inputs.emplace_back("-l:libcudart.so.12");
    return run_program(inputs);
  };
  ASSERT_EQ(linked_of({main + ".o", registration, archive}), 0);
  expect_pass(run(program), 1);

  // What CMake's CUDA_RESOLVE_DEVICE_SYMBOLS makes of a static library.
  ASSERT_EQ(run_program({"/usr/bin/ar", "qc", resolved, functions + ".o", registration}), 0);
  ASSERT_EQ(linked_of({main + ".o", resolved}), 0);
  expect_pass(run(program), 1);
}

TEST_F(Program, features_of_relocatable_code_work) { expect_pass(run(build("features", {"-rdc=true"})), 7); }

TEST_F(Program, unsupported_call_names_itself_once) {
  const ProgramRun finished = run(build("unsupported"));
  EXPECT_THAT(finished.output, testing::HasSubstr("801 801\n"));
  EXPECT_THAT(finished.output, testing::HasSubstr("warpfork: cudaFreeMipmappedArray is not supported\n"));
  EXPECT_EQ(finished.output.find("is not supported"), finished.output.rfind("is not supported"));
  EXPECT_EQ(finished.result.unsupported_calls, std::vector<std::string>{"cudaFreeMipmappedArray"});
}

TEST_F(Program, started_without_a_session_it_says_how_to_start_it) {
  const std::string program = build("wild_store"), output = folder_ + "/output";
  run_program({"/usr/bin/env", "-u", kSessionVariable, "/bin/sh", "-c", "exec \"$0\" >\"$1\" 2>&1", program, output});
  std::ifstream file(output);
  const std::string text(std::istreambuf_iterator<char>(file), {});
  EXPECT_THAT(text, testing::HasSubstr("start the program by 'warpfork run'"));
}

}  // namespace program_test
}  // namespace warpfork::cuda
