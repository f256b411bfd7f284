// One body for each thing that must hold of every op, over the whole table of samples.
// FULGURITE_SAMPLE="matmul(" runs those samples only whose key contains it.

#include <fulgurite/tests/ops/for_samples.h>

namespace fulgurite::tests {

TEST_CASE("an op gives the same bits whole, in parts and jitted, and keeps its meta's promise", "[ops]") {
    for_all_samples([](const Sample& sample) { return check_jit(sample); });
}

TEST_CASE("results are those of float64 within the dtype's tolerance", "[ops]") {
    for_all_samples([](const Sample& sample) {
        return sample.no_low_precision.empty() ? check_precision(sample) : std::string();
    });
}

TEST_CASE("non-contiguous inputs give equal results", "[ops]") {
    for (const Layout layout : {Layout::reversed, Layout::stepped, Layout::expanded}) {
        for_all_samples([layout](const Sample& sample) {
            return has_layout(sample, layout) ? check_layout(sample, layout) : std::string();
        });
    }
}

TEST_CASE("traces of ops are the same after printing and parsing", "[ops][text]") {
    for_all_samples([](const Sample& sample) { return check_text(sample); });
}

TEST_CASE("mistakes are told as documented, and leave the inputs usable", "[ops][errors]") {
    for_samples(
        all_error_samples(), +[](const ErrorSample& sample) -> const std::string& { return sample.name; },
        [](const ErrorSample& sample) { return check_error(sample); });
}

}  // namespace fulgurite::tests
