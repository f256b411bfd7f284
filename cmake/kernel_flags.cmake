# Kernel files: `*_avx2.cpp` and `*_avx512.cpp` are compiled for those instructions (who calls them asks the CPU
# first), and they and the reference executor are optimised in every build, so that tests stay quick. Flags that
# differ from the rest of the library's make its precompiled header useless to a file.
# Nobody asks for errno or floating-point exceptions after a kernel, and they would keep sqrt and choices scalar.
set(quiet_math -fno-math-errno -fno-trapping-math)
foreach(source IN LISTS sources)
    set(flags "")
    if(source MATCHES "_avx2\\.cpp$")
        set(flags -O3 ${quiet_math} -mavx2 -mfma)
    elseif(source MATCHES "_avx512\\.cpp$")
        set(flags -O3 ${quiet_math} -mavx512f -mavx512bw -mavx512dq -mavx512vl -mfma -mprefer-vector-width=512)
    elseif(source MATCHES "^executors/reference/")
        set(flags -O3 ${quiet_math})
    endif()
    if(flags AND CMAKE_CXX_COMPILER_ID STREQUAL "GNU" AND CMAKE_CXX_COMPILER_VERSION VERSION_LESS 13)
        list(APPEND flags -Wno-uninitialized -Wno-maybe-uninitialized) # false alarms in the intrinsics, GCC bug 105593
    endif()
    if(flags)
        set_source_files_properties("${source}" PROPERTIES
            COMPILE_OPTIONS "${flags}" SKIP_PRECOMPILE_HEADERS ON)
    endif()
endforeach()
