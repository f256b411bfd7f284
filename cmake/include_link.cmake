# <fulgurite/core/trace.h> is the one name of a header, here and after installation. Here a link makes it so.
set(FULGURITE_INCLUDE_DIR "${PROJECT_BINARY_DIR}/include")
file(MAKE_DIRECTORY "${FULGURITE_INCLUDE_DIR}")
file(CREATE_LINK "${PROJECT_SOURCE_DIR}" "${FULGURITE_INCLUDE_DIR}/fulgurite" SYMBOLIC)
