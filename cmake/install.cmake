# The library, its public headers and the package files that find_package(fulgurite CONFIG) reads. Public are
# fulgurite.h and what is below core/, transforms/ and runtime/, but for `*_internal.h`, internal/, runtime/llvm/ and
# runtime/cuda/: the same rule as in tests/include_directions.
include(CMakePackageConfigHelpers)
set(package_dir "${CMAKE_INSTALL_LIBDIR}/cmake/fulgurite")

install(TARGETS fulgurite EXPORT fulgurite)
install(EXPORT fulgurite NAMESPACE fulgurite:: FILE fulguriteTargets.cmake DESTINATION "${package_dir}")
install(FILES fulgurite.h DESTINATION "${CMAKE_INSTALL_INCLUDEDIR}/fulgurite")
foreach(folder core transforms runtime)
    if(IS_DIRECTORY "${PROJECT_SOURCE_DIR}/${folder}")
        install(DIRECTORY ${folder} DESTINATION "${CMAKE_INSTALL_INCLUDEDIR}/fulgurite"
            FILES_MATCHING PATTERN "*.h"
            PATTERN "*_internal.h" EXCLUDE
            PATTERN "internal" EXCLUDE
            PATTERN "runtime/llvm" EXCLUDE
            PATTERN "runtime/cuda" EXCLUDE)
    endif()
endforeach()
configure_package_config_file(cmake/fulguriteConfig.cmake.in fulguriteConfig.cmake
    INSTALL_DESTINATION "${package_dir}")
write_basic_package_version_file(fulguriteConfigVersion.cmake COMPATIBILITY SameMinorVersion)
install(FILES "${CMAKE_CURRENT_BINARY_DIR}/fulguriteConfig.cmake"
    "${CMAKE_CURRENT_BINARY_DIR}/fulguriteConfigVersion.cmake" DESTINATION "${package_dir}")
