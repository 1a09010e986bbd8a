# The workloads are CUDA programs, compiled by `warpfork cc` itself into ${build}/workloads, with their inputs in
# ${build}/workloads/data. Include this file after the target `warpfork` is defined; WORKLOAD_RUNTIMES names the
# targets of the runtime libraries that programs link with. Every workload checks itself: CTest runs each functionally.
#
# A workload is compiled anew when its sources or the toolchain's headers change, not whenever warpfork is linked.
file(GLOB_RECURSE workload_toolchain CONFIGURE_DEPENDS ${CMAKE_SOURCE_DIR}/toolchain/*)
set(workload_dir ${CMAKE_BINARY_DIR}/workloads)
set(workload_outputs)
# They set what they use, and read it as what they wrote. Cycles of theirs that are recorded anywhere rest on code that is compiled so.
set(workload_strictness -fstrict-return -fstrict-aliasing)

# Threads of one warp meet at a barrier from different paths, which the default mechanism cannot do.
set(barrier_deadlock_options --divergence multi-path)

foreach(workload aes backprop barrier_deadlock bfs bfs_queue bfs_warp capri_sample cp dependent_chain dg gaussian h264_mc
        hotspot idct libor lps lud mandelbrot mc memc mergesort mum mumpp nn nw ray raytrace reduction rend spin_lock
        storegpu tpacf visibility)
  set(source ${CMAKE_SOURCE_DIR}/workloads/${workload}/${workload}.cu)
  file(GLOB headers CONFIGURE_DEPENDS ${CMAKE_SOURCE_DIR}/workloads/${workload}/*.h ${CMAKE_SOURCE_DIR}/workloads/common/*.h)
  add_custom_command(
    OUTPUT ${workload_dir}/${workload}
    COMMAND ${CMAKE_COMMAND} -E make_directory ${workload_dir}
    COMMAND $<TARGET_FILE:warpfork> cc ${source} -O2 ${workload_strictness} -o ${workload_dir}/${workload}
    DEPENDS ${source} ${headers} ${workload_toolchain}
    COMMENT "Compiling workload ${workload}"
    VERBATIM)
  list(APPEND workload_outputs ${workload_dir}/${workload})
  add_test(NAME workload.${workload} COMMAND warpfork run --functional-only ${${workload}_options} ${workload_dir}/${workload})

  file(GLOB inputs CONFIGURE_DEPENDS ${CMAKE_SOURCE_DIR}/workloads/${workload}/data/*)
  foreach(input ${inputs})
    get_filename_component(name ${input} NAME)
    add_custom_command(
      OUTPUT ${workload_dir}/data/${name}
      COMMAND ${CMAKE_COMMAND} -E make_directory ${workload_dir}/data
      COMMAND ${CMAKE_COMMAND} -E copy ${input} ${workload_dir}/data/${name}
      DEPENDS ${input}
      VERBATIM)
    list(APPEND workload_outputs ${workload_dir}/data/${name})
  endforeach()
endforeach()

add_test(NAME workload.bfs.hubs COMMAND warpfork run --functional-only ${workload_dir}/bfs --reverse 1 --source 16807 --hubs 64)
# They read nothing that nobody has written.
foreach(workload bfs lud nw raytrace reduction)
  add_test(NAME workload.${workload}.memcheck
           COMMAND warpfork run --functional-only --memcheck ${workload_dir}/${workload})
endforeach()
# Cells so small that the usual step in time would be too long.
add_test(NAME workload.hotspot.large COMMAND warpfork run --functional-only ${workload_dir}/hotspot 2048)
# What one block finds does not fit into its queue.
add_test(NAME workload.bfs_queue.full COMMAND warpfork run --functional-only ${workload_dir}/bfs_queue --reverse 1 --source 16807)
add_test(NAME workload.barrier_deadlock.multi-path-or
         COMMAND warpfork run --divergence multi-path-or ${workload_dir}/barrier_deadlock)
foreach(mechanism pdom dual-path tbc capri)
  set(name workload.barrier_deadlock.${mechanism})
  add_test(NAME ${name} COMMAND warpfork run --divergence ${mechanism} ${workload_dir}/barrier_deadlock)
  set_tests_properties(${name} PROPERTIES PASS_REGULAR_EXPRESSION "hand_over.* is deadlocked at cycle")
endforeach()

# One warp's life of a CUDA program, to its end and to a deadlock.
add_test(NAME explain.bfs COMMAND warpfork explain --kernel expand --launch-number 2 --warp 3.0 ${workload_dir}/bfs)
set_tests_properties(explain.bfs PROPERTIES PASS_REGULAR_EXPRESSION "launch 2, block 3,0,0.*the warp has ended")
add_test(NAME explain.barrier_deadlock COMMAND warpfork explain --divergence pdom ${workload_dir}/barrier_deadlock)
set_tests_properties(explain.barrier_deadlock PROPERTIES PASS_REGULAR_EXPRESSION "0101 wait at the barrier.*had not ended")

# An experiment whose runs count what they cost; its claim holds of each kernel.
add_test(NAME experiment.energy
         COMMAND warpfork experiment ${CMAKE_SOURCE_DIR}/tests/data/experiments/energy.toml --programs ${workload_dir}
                 --results ${CMAKE_BINARY_DIR}/tests/experiment.energy.results)
set_tests_properties(experiment.energy PROPERTIES PASS_REGULAR_EXPRESSION "\\+ idle lanes that are clocked cost energy")

# Every workload under every mechanism, and in every organisation of lanes, timed, on a small input: a difference between
# their outputs is an error. Some threads have more registers than a lane of tesla30 has room for.
set(small_input_aes 4)
set(small_input_backprop 32)
set(small_input_bfs 2000)
set(small_input_bfs_queue 2000)
set(small_input_bfs_warp 1500)
set(small_input_capri_sample 100)
set(small_input_cp 64 --atoms 20)
set(small_input_dependent_chain 4 --additions 256)
set(small_input_dg 1 --stages 1)
set(small_input_gaussian 24)
set(small_input_h264_mc 6)
set(small_input_hotspot 64)
set(small_input_idct 4)
set(small_input_libor 64)
set(small_input_lps 32)
set(small_input_lud 4)
set(small_input_mandelbrot 48)
set(small_input_mc 128)
set(small_input_memc 512)
set(small_input_mergesort 3)
set(small_input_mum 128)
set(small_input_mumpp 48)
set(small_input_nn 2000)
set(small_input_nw 4)
set(small_input_ray 32)
set(small_input_raytrace 24)
set(small_input_reduction 40000)
set(small_input_rend 16)
set(small_input_storegpu 64)
set(small_input_tpacf 64 --sets 1)
set(small_input_visibility 1 --enemies 16)
foreach(workload aes backprop bfs bfs_queue bfs_warp capri_sample cp dependent_chain dg gaussian h264_mc hotspot idct
        libor lps lud mandelbrot mc memc mergesort mum mumpp nn nw ray raytrace reduction rend storegpu tpacf visibility)
  add_test(NAME workload.${workload}.mechanisms
           COMMAND warpfork compare ${workload_dir}/${workload} ${small_input_${workload}})
  add_test(NAME workload.${workload}.lanes
           COMMAND warpfork compare --machine tesla30 --divergence pdom
                   --lanes simt,simt-bcc,simt-scc,tsimt,tsimt-plus,stsimt2,stsimt4,stsimt,unlocked-lanes --set core.lanes.width=8
                   --set core.registers=32768 ${workload_dir}/${workload} ${small_input_${workload}})
endforeach()

# No byte shows how many host threads there are (docs/host-threads.md); all workloads: ./dev nightly threads.
foreach(workload bfs hotspot mum reduction)
  add_test(NAME workload.${workload}.threads
           COMMAND python3 ${CMAKE_SOURCE_DIR}/scripts/compare_threads.py $<TARGET_FILE:warpfork>
                   ${workload_dir}/${workload} ${small_input_${workload}})
endforeach()

# CAPRI's oracle simulates launches ahead, in copies of the program: they must leave no trace in it.
foreach(workload bfs bfs_queue capri_sample tpacf)
  add_test(NAME workload.${workload}.oracle
           COMMAND warpfork compare --divergence pdom,tbc,capri --set divergence.predictor=oracle ${workload_dir}/${workload}
                   ${small_input_${workload}})
endforeach()

# Spin locks: what hangs where the table in workloads/spin_lock/README.md says so.
set(spin_lock ${workload_dir}/spin_lock --release)
foreach(end "dual-path exit" "warp-subdivision exit" "multi-path exit" "multi-path-or exit" "pdom inside"
        "dual-path inside" "warp-subdivision inside" "multi-path inside"
        "multi-path-or inside" "thread-frontier exit" "thread-frontier inside" "thread-frontier behind"
        "convergence-barrier exit" "convergence-barrier inside" "convergence-barrier behind" "tbc inside" "capri inside")
  string(REPLACE " " ";" words ${end})
  list(GET words 0 mechanism)
  list(GET words 1 form)
  add_test(NAME workload.spin_lock.${form}.${mechanism}
           COMMAND warpfork run --functional-only --divergence ${mechanism} ${spin_lock} ${form})
endforeach()
foreach(livelock "pdom exit" "pdom behind" "dual-path behind" "warp-subdivision behind" "multi-path behind"
        "multi-path-or behind")
  string(REPLACE " " ";" words ${livelock})
  list(GET words 0 mechanism)
  list(GET words 1 form)
  set(name workload.spin_lock.${form}.${mechanism})
  add_test(NAME ${name} COMMAND warpfork run --functional-only --divergence ${mechanism} ${spin_lock} ${form})
  set_tests_properties(${name} PROPERTIES PASS_REGULAR_EXPRESSION "draw_numbers.* is livelocked: no thread")
endforeach()
foreach(hang "tbc exit" "capri exit" "tbc behind" "capri behind")
  string(REPLACE " " ";" words ${hang})
  list(GET words 0 mechanism)
  list(GET words 1 form)
  set(name workload.spin_lock.${form}.${mechanism})
  add_test(NAME ${name}
           COMMAND warpfork run --functional-only --max-cycles 1000000 --divergence ${mechanism} ${spin_lock} ${form})
  set_tests_properties(${name} PROPERTIES PASS_REGULAR_EXPRESSION "draw_numbers.* still ran after 1000000 ")
endforeach()

# What they copy back, and how they reach memory, against a GPU's record.
foreach(test workloads counters)
  add_test(NAME silicon.${test}
           COMMAND python3 ${CMAKE_SOURCE_DIR}/tests/silicon/${test}_test.py $<TARGET_FILE:warpfork> ${workload_dir})
endforeach()

add_custom_target(workloads ALL DEPENDS ${workload_outputs})
add_dependencies(workloads warpfork ${WORKLOAD_RUNTIMES})
