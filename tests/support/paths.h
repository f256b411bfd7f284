#pragma once

#include <filesystem>

namespace fulgurite::tests {

/// The root of the source tree: golden files are below it.
std::filesystem::path source_root();

/// The build folder, such as build/release: the examples' binaries are below it.
std::filesystem::path build_root();

}  // namespace fulgurite::tests
