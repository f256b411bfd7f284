#include <algorithm>

#include <fulgurite/tests/ops/for_samples.h>

namespace fulgurite::tests {

namespace {
bool is_low_precision(const Sample& sample) {
    return std::ranges::any_of(sample.arguments.tensors,
                               [](const Tensor& x) { return x.dtype() == float16 || x.dtype() == bfloat16; });
}
}  // namespace

TEST_CASE("gradients are those of finite differences", "[ops][grad]") {
    for_all_samples([](const Sample& sample) {
        return is_floating(sample) && !is_low_precision(sample) ? check_gradient(sample) : std::string();
    });
}

TEST_CASE("gradients of gradients are those of finite differences", "[ops][grad]") {
    for_all_samples([](const Sample& sample) {
        const bool is_wanted = is_floating(sample) && !is_low_precision(sample) && sample.no_second.empty();
        return is_wanted ? check_second_gradient(sample) : std::string();
    });
}

TEST_CASE("gradients have the dtype of their inputs, within its tolerance of float64", "[ops][grad]") {
    for_all_samples([](const Sample& sample) {
        return is_floating(sample) ? check_gradient_precision(sample) : std::string();
    });
}

}  // namespace fulgurite::tests
