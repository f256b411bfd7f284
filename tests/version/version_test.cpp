#include <algorithm>
#include <string>

#include <fulgurite/fulgurite.h>
#include <fulgurite/tests/support/catch.h>

TEST_CASE("the version has three numbers", "[version]") {
    const std::string text(fulgurite::version());
    CHECK(std::count(text.begin(), text.end(), '.') == 2);
    CHECK(text.find_first_not_of("0123456789.") == std::string::npos);
    CHECK_THAT(text, !StartsWith(".") && !EndsWith(".") && !ContainsSubstring(".."));
}
