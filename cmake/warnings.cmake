# fulgurite_warnings(target): the project's warnings, in developers' builds only. -Wconversion is not among them: in
# code about sizes and dtypes it mostly asks for casts that hide the errors it looks for.
function(fulgurite_warnings target)
    if(NOT FULGURITE_DEVELOPER)
        return()
    endif()
    target_compile_options(${target} PRIVATE
        -Wall -Wextra -Wshadow -Wnon-virtual-dtor -Woverloaded-virtual -Wcast-qual -Wvla
        -Wno-missing-field-initializers # options are aggregates with designated initialisers
        -Wno-psabi)
    if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
        target_compile_options(${target} PRIVATE -Wduplicated-cond -Wlogical-op)
        if(CMAKE_CXX_COMPILER_VERSION VERSION_LESS 13)
            target_compile_options(${target} PRIVATE -Wno-restrict) # false alarms in std::string, GCC bug 105651
        endif()
        if(FULGURITE_SANITIZE)
            # Instrumented code confuses GCC's flow analysis; -Wtsan is about fences, which we do not rely on alone.
            target_compile_options(${target} PRIVATE -Wno-maybe-uninitialized -Wno-array-bounds
                -Wno-stringop-overflow -Wno-tsan)
        endif()
    endif()
    if(FULGURITE_WERROR)
        target_compile_options(${target} PRIVATE -Werror)
    endif()
endfunction()
