#pragma once

#include <string_view>

#include <fulgurite/core/executor.h>

namespace fulgurite {

/// The executor's own operator "executor::name", looked for in the current compile context first (where
/// temporary executors are), then in the registry; null where there is none.
const Symbol* find_executor_operator(std::string_view name);

namespace detail {
/// What is registered has changed: programs compiled before are out of date.
void bump_registry_generation();
}  // namespace detail

}  // namespace fulgurite
