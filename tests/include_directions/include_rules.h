#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace fulgurite::tests {

/// Whether a header is installed: fulgurite.h and what is below core/, transforms/ and runtime/, but for
/// `*_internal.h`, internal/, runtime/llvm/ and runtime/cuda/ (cmake/install.cmake has the same rule).
bool is_public_header(std::string_view path);

/// What is wrong with the includes of one source file, `path` being relative to the repository's root: a
/// message each.
std::vector<std::string> include_errors(const std::string& path, const std::string& text);

}  // namespace fulgurite::tests
