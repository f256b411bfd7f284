// Our results and gradients against PyTorch's, which make_golden.py has written to data/. After a change of
// samples:
//     build/release/tests/dump_samples /tmp/samples && python3 tests/golden/make_golden.py /tmp/samples

#include <map>
#include <set>

#include <fulgurite/core/symbol.h>
#include <fulgurite/tests/samples/checks.h>
#include <fulgurite/tests/support/catch.h>
#include <fulgurite/tests/support/paths.h>
#include <fulgurite/tests/support/safetensors.h>

namespace fulgurite::tests {

namespace {

using Golden = std::map<std::string, Tensor>;

/// The golden tensors of an op by sample; empty where there is no file.
const Golden& golden_of(const Symbol& op) {
    static std::map<std::string, Golden> files;
    const auto [place, is_new] = files.try_emplace(op.name);
    const auto file =
        source_root() / "tests/golden/data" / (op.name.substr(op.name.rfind(':') + 1) + ".safetensors");
    if (is_new && std::filesystem::exists(file)) place->second = read_safetensors(file);
    return place->second;
}

const Tensor* find(const Golden& golden, const std::string& name) {
    const auto found = golden.find(name);
    return found == golden.end() ? nullptr : &found->second;
}

/// Why PyTorch says nothing to this sample; empty where it does.
std::string reason_for_none(const Sample& sample) {
    const std::string& op = sample.op->name;
    const std::vector<Tensor>& tensors = sample.arguments.tensors;
    if (tensors.empty() && !sample.op->is_prim && op != "eye")
        return "PyTorch has no functions of numbers alone";
    if (op == "silu" && !is_floating_point(tensors[0].dtype())) return "not of integers there";
    if (op == "gelu" && !sample.no_gradient.empty()) return "its kernel gives NaN at infinity";
    if (op == "scatter_add" && tensors[1].shape() == Shape{1, 2})
        return "no gradient there for a source larger than the index";
    return {};
}

/// Why PyTorch's gradient is not ours.
std::string reason_for_other_gradient(const Sample& sample) {
    if (sample.op->name == "prod" && !sample.no_gradient.empty())
        return "our rule divides by a NaN where it is one of the factors";
    if (sample.op->name == "prims::full") return "torch.full takes a number, which has no gradient";
    return {};
}

std::string compare_one(const Sample& sample, const std::string& what, const Tensor& got,
                        const Golden& golden, double factor) {
    const Tensor* const expected = find(golden, sample.key + "/" + what);
    if (!expected) return what + " is not in the golden file: run make_golden.py";
    if (got.dtype() != expected->dtype() || got.shape() != expected->shape()) {
        return what + ": got " + to_string(got.spec()) + ", PyTorch has " + to_string(expected->spec());
    }
    const Tolerance tolerance = tolerance_of(got.dtype());
    const std::string text = difference(got, *expected,
                                        {tolerance.relative * sample.slack.relative * factor,
                                         tolerance.absolute * sample.slack.absolute * factor});
    return text.empty() ? text : what + ": " + text;
}

std::string compare_all(const Sample& sample) {
    const Golden& golden = golden_of(*sample.op);
    const Gradients got = gradients_of(sample);
    for (std::size_t i = 0; i < got.results.size(); ++i) {
        const std::string text = compare_one(sample, "result" + std::to_string(i), got.results[i], golden, 1);
        if (!text.empty()) return text;
    }
    if (!reason_for_other_gradient(sample).empty()) return {};
    for (std::size_t i = 0; i < got.gradients.size(); ++i) {
        const std::string text = compare_one(sample, "grad" + std::to_string(i), got.gradients[i], golden, 4);
        if (!text.empty()) return text;
    }
    return {};
}

}  // namespace

TEST_CASE("results and gradients are PyTorch's", "[golden]") {
    for (const Sample& sample : all_samples()) {
        if (!reason_for_none(sample).empty()) continue;
        std::string problem;
        try {
            problem = compare_all(sample);
        } catch (const std::exception& error) {
            problem = std::string("threw ") + error.what();
        }
        if (!problem.empty()) FAIL_CHECK(sample.key << "\n  " << problem);
    }
    SUCCEED();
}

TEST_CASE("every op has golden values of bfloat16", "[golden]") {
    const std::set<std::string> without{"bitwise_and", "bitwise_not", "bitwise_or", "bitwise_xor", "one_hot"};
    for (const Symbol* op : all_symbols()) {
        if (op->is_prim || without.contains(op->name)) continue;
        bool found = false;
        for (const auto& [name, tensor] : golden_of(*op))
            found = found || name.find("bfloat16") != std::string::npos;
        CHECKED_ELSE(found) FAIL_CHECK(op->name << " has no golden value of bfloat16");
    }
}

}  // namespace fulgurite::tests
