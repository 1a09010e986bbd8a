# share/warpfork/cuda: `warpfork cc` laid out as NVIDIA's toolkit, bin/nvcc, include and lib64, for CMake
# (CMAKE_CUDA_COMPILER) and Makefiles (CUDA_HOME). One for the build tree, one to be installed.

# warpfork_toolkit(FOLDER PROGRAM LIBRARIES): in FOLDER; the others seen from it
function(warpfork_toolkit folder program libraries)
  file(WRITE ${folder}/bin/nvcc "#!/bin/sh\nexec \"$(dirname \"$(readlink -f \"$0\")\")/../${program}\" cc \"$@\"\n")
  file(CHMOD ${folder}/bin/nvcc PERMISSIONS
    OWNER_READ OWNER_WRITE OWNER_EXECUTE GROUP_READ GROUP_EXECUTE WORLD_READ WORLD_EXECUTE)
  file(CREATE_LINK ../toolchain/include ${folder}/include SYMBOLIC)
  file(CREATE_LINK ${libraries} ${folder}/lib64 SYMBOLIC)
endfunction()
warpfork_toolkit(${CMAKE_BINARY_DIR}/share/warpfork/cuda ../../../warpfork ../../../lib)
warpfork_toolkit(${CMAKE_BINARY_DIR}/generated/cuda ../../../bin/warpfork ../../../lib/warpfork)
install(DIRECTORY ${CMAKE_BINARY_DIR}/generated/cuda DESTINATION share/warpfork USE_SOURCE_PERMISSIONS)

# What other linkers are told to look for: CMake links by the host's compiler.
set(link_folder ${CMAKE_BINARY_DIR}/lib)
file(MAKE_DIRECTORY ${link_folder})  # a fresh build tree has none yet
file(CREATE_LINK libcudart.so.12 ${link_folder}/libcudart.so SYMBOLIC)
file(WRITE ${link_folder}/libcudart_static.a "INPUT(libcudart.so)\n") # a linker script: there is the shared one alone
file(WRITE ${link_folder}/libcudadevrt.a "!<arch>\n")             # an empty archive: the runtime has what is in it
install(FILES ${link_folder}/libcudart.so ${link_folder}/libcudart_static.a ${link_folder}/libcudadevrt.a
  DESTINATION lib/warpfork)
