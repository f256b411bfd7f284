#include <fulgurite/core/errors.h>

#include <thread>

#include <fulgurite/core/device.h>
#include <fulgurite/tests/support/catch.h>

using namespace fulgurite;

TEST_CASE("an error begins with the op and the outermost line", "[errors]") {
    CHECK(error_text("matmul", "no") == "[matmul] no");
    {
        const LocationScope outer({"/home/someone/train.cpp", 41});
        const LocationScope inner({"layers.h", 7});
        CHECK(error_text("matmul", "no") == "[matmul] train.cpp:41: no");
        std::string elsewhere;
        std::thread([&] { elsewhere = error_text("matmul", "no"); }).join();
        CHECK(elsewhere == "[matmul] no");
        CHECK_THROWS_WITH(fail<ShapeError>("matmul", "no"), "[matmul] train.cpp:41: no");
    }
    CHECK_FALSE(current_location().known());
    CHECK_THROWS_AS(fail("matmul", "no"), Error);
}

TEST_CASE("an unknown location neither hides nor ends a known one", "[errors]") {
    const LocationScope unknown(SourceLocation{});
    const LocationScope known({"a.cpp", 3});
    {
        const LocationScope nested(SourceLocation{});
    }
    CHECK(current_location().line == 3);
}

TEST_CASE("locations and devices print as a user writes them", "[errors]") {
    CHECK(to_string(SourceLocation("a/b/c.cpp", 12)) == "c.cpp:12");
    CHECK(to_string(SourceLocation("c.cpp", 1)) == "c.cpp:1");
    CHECK(to_string(SourceLocation{}).empty());
    CHECK(to_string(cpu) == "cpu");
    CHECK(to_string(cuda(1)) == "cuda:1");
}
