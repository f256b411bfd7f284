# The library: every .cpp below its folders, so that no list is kept by hand.
file(GLOB_RECURSE sources CONFIGURE_DEPENDS
    RELATIVE "${PROJECT_SOURCE_DIR}"
    "${PROJECT_SOURCE_DIR}/core/*.cpp"
    "${PROJECT_SOURCE_DIR}/transforms/*.cpp"
    "${PROJECT_SOURCE_DIR}/runtime/*.cpp"
    "${PROJECT_SOURCE_DIR}/executors/*.cpp"
    "${PROJECT_SOURCE_DIR}/fulgurite.cpp")
if(EXISTS "${PROJECT_SOURCE_DIR}/runtime/llvm/CMakeLists.txt")
    list(FILTER sources EXCLUDE REGEX "^runtime/llvm/") # a module of its own, loaded at the first compile
endif()
if(NOT CMAKE_SYSTEM_PROCESSOR MATCHES "^(x86_64|AMD64|amd64)$")
    list(FILTER sources EXCLUDE REGEX "_avx(2|512)\\.cpp$")
endif()

add_library(fulgurite ${sources})
add_library(fulgurite::fulgurite ALIAS fulgurite)
target_compile_features(fulgurite PUBLIC cxx_std_20)
set_target_properties(fulgurite PROPERTIES
    POSITION_INDEPENDENT_CODE ON
    CXX_EXTENSIONS OFF
    CXX_VISIBILITY_PRESET default
    VERSION ${PROJECT_VERSION}
    SOVERSION ${PROJECT_VERSION_MAJOR}.${PROJECT_VERSION_MINOR})
target_include_directories(fulgurite PUBLIC
    "$<BUILD_INTERFACE:${FULGURITE_INCLUDE_DIR}>"
    "$<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}>")
if(FULGURITE_PCH)
    target_precompile_headers(fulgurite PRIVATE ${FULGURITE_PRECOMPILED})
endif()
fulgurite_warnings(fulgurite)
set_source_files_properties(core/version.cpp PROPERTIES
    COMPILE_DEFINITIONS "FULGURITE_VERSION=\"${PROJECT_VERSION}\"")

# A consumer needs threads and nothing else. The header-only libraries serve our .cpp files alone: their include
# folders and definitions are taken, not their targets, since a static library would export even a private target.
find_package(Threads REQUIRED)
target_link_libraries(fulgurite PUBLIC Threads::Threads PRIVATE ${CMAKE_DL_LIBS})
find_package(fmt REQUIRED)
find_package(Boost REQUIRED)
find_package(nlohmann_json REQUIRED)
foreach(dependency fmt::fmt-header-only Boost::headers nlohmann_json::nlohmann_json)
    target_include_directories(fulgurite SYSTEM PRIVATE
        "$<TARGET_PROPERTY:${dependency},INTERFACE_INCLUDE_DIRECTORIES>")
    target_compile_definitions(fulgurite PRIVATE
        "$<TARGET_PROPERTY:${dependency},INTERFACE_COMPILE_DEFINITIONS>")
endforeach()

if(EXISTS "${PROJECT_SOURCE_DIR}/runtime/llvm/CMakeLists.txt")
    add_subdirectory(runtime/llvm)
endif()
