#pragma once

/// Catch2 with one vocabulary for its version 2 (Debian 12) and 3 (Ubuntu 24.04). Beside Catch2's macros,
/// tests use unqualified: Approx, ContainsSubstring, StartsWith, EndsWith, WithinAbs, WithinRel, and the
/// generators' names through `Catch::Generators` (GENERATE finds them by itself). `SKIP("why")`, outside of
/// an assertion, ends a test case that cannot run here; it is reported and counted, never passed off as a
/// pass.

#if __has_include(<catch2/catch_test_macros.hpp>)

#include <catch2/catch_approx.hpp>
#include <catch2/catch_message.hpp>
#include <catch2/catch_template_test_macros.hpp>
#include <catch2/catch_test_macros.hpp>
#include <catch2/generators/catch_generators.hpp>
#include <catch2/generators/catch_generators_adapters.hpp>
#include <catch2/generators/catch_generators_range.hpp>
#include <catch2/matchers/catch_matchers.hpp>
#include <catch2/matchers/catch_matchers_exception.hpp>
#include <catch2/matchers/catch_matchers_floating_point.hpp>
#include <catch2/matchers/catch_matchers_string.hpp>

using Catch::Approx;
using Catch::Matchers::ContainsSubstring;

#else

#include <string>

#include <catch2/catch.hpp>

inline auto ContainsSubstring(const std::string& text,
                              Catch::CaseSensitive::Choice choice = Catch::CaseSensitive::Yes) {
    return Catch::Matchers::Contains(text, choice);
}

namespace fulgurite::tests {
[[noreturn]] void skip(const char* file, int line, const std::string& reason);
}

/// Catch2 3 has it; here it leaves the test case the way a failed REQUIRE does, without the failure.
#define SKIP(reason) ::fulgurite::tests::skip(__FILE__, __LINE__, reason)

#endif

using Catch::Matchers::EndsWith;
using Catch::Matchers::StartsWith;
using Catch::Matchers::WithinAbs;
using Catch::Matchers::WithinRel;
