# Compile through ccache where there is one. The sloppiness is what precompiled headers need with GCC; it is set
# here as well as in the scripts, so that a plain `ninja` profits too.
if(PROJECT_IS_TOP_LEVEL AND NOT CMAKE_CXX_COMPILER_LAUNCHER)
    find_program(FULGURITE_CCACHE ccache)
    mark_as_advanced(FULGURITE_CCACHE)
    if(FULGURITE_CCACHE)
        set(CMAKE_CXX_COMPILER_LAUNCHER
            "${CMAKE_COMMAND};-E;env;CCACHE_SLOPPINESS=pch_defines,time_macros;${FULGURITE_CCACHE}")
    endif()
endif()
