#include <fulgurite/tests/support/paths.h>

namespace fulgurite::tests {

std::filesystem::path source_root() { return FULGURITE_SOURCE_ROOT; }

std::filesystem::path build_root() { return FULGURITE_BUILD_ROOT; }

}  // namespace fulgurite::tests
