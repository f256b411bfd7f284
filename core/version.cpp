#include <fulgurite/core/version.h>

namespace fulgurite {

std::string_view version() noexcept { return FULGURITE_VERSION; }

}  // namespace fulgurite
