// Every op has all its rows, or stands in a short list with the reason.

#include <map>
#include <set>

#include <fulgurite/core/executor.h>
#include <fulgurite/core/gradient.h>
#include <fulgurite/core/ops/ops.h>
#include <fulgurite/runtime/trace_function.h>
#include <fulgurite/tests/ops/for_samples.h>

namespace fulgurite::tests {

namespace {

using Reasons = std::map<std::string, std::string>;

std::vector<const Symbol*> composites() {
    std::vector<const Symbol*> out;
    for (const Symbol* symbol : all_symbols()) {
        if (!symbol->is_prim) out.push_back(symbol);
    }
    return out;
}

/// Names each op that has nothing of what is wanted, unless there is a reason, and each reason that is none.
template <class Has>
void require_all(const std::vector<const Symbol*>& symbols, const Reasons& reasons, const std::string& what,
                 const Has& has) {
    std::set<std::string> missing;
    for (const Symbol* symbol : symbols) {
        if (!has(*symbol)) missing.insert(symbol->name);
    }
    for (const std::string& name : missing) {
        if (!reasons.contains(name)) FAIL_CHECK(name << " has no " << what);
    }
    for (const auto& [name, reason] : reasons) {
        if (!missing.contains(name))
            FAIL_CHECK(name << " has a " << what << " now: take it from the list (" << reason << ")");
    }
    SUCCEED();
}

template <class Wanted>
std::set<std::string> ops_of(const Wanted& wanted) {
    std::set<std::string> out;
    for (const Sample& sample : all_samples()) {
        if (wanted(sample)) out.insert(sample.op->name);
    }
    return out;
}

bool has_dtype(const Sample& sample, DType dtype) {
    for (const Tensor& tensor : sample.arguments.tensors) {
        if (tensor.dtype() == dtype) return true;
    }
    return false;
}

/// The prims that a trace's calls come down to.
void collect_prims(const std::vector<BoundSymbolPtr>& body, std::set<const Symbol*>& out) {
    for (const BoundSymbolPtr& call : body) {
        if (call->symbol->is_prim) out.insert(call->symbol);
        collect_prims(call->subsymbols, out);
    }
}

std::set<const Symbol*> sampled_prims() {
    std::set<const Symbol*> out;
    for (const Sample& sample : all_samples()) {
        const Trace made =
            trace([&](const std::vector<Tensor>& tensors) { return run_with(sample, tensors).tensors; },
                  sample.arguments.tensors);
        collect_prims(made.body, out);
    }
    return out;
}

bool has_gradient_row(const Symbol& symbol) { return grad_rules().find(symbol) != nullptr; }

}  // namespace

TEST_CASE("every op has samples", "[ops][completeness]") {
    const std::set<std::string> sampled = ops_of([](const Sample&) { return true; });
    require_all(composites(), {}, "sample",
                [&](const Symbol& symbol) { return sampled.contains(symbol.name); });
}

TEST_CASE("every op has a sample of bfloat16", "[ops][completeness]") {
    const Reasons reasons{
        {"bitwise_and", "of integers"}, {"bitwise_not", "of integers"}, {"bitwise_or", "of integers"},
        {"bitwise_xor", "of integers"}, {"eye", "takes no tensors"},    {"one_hot", "of indices"},
    };
    const std::set<std::string> sampled =
        ops_of([](const Sample& sample) { return has_dtype(sample, bfloat16); });
    require_all(composites(), reasons, "sample of bfloat16",
                [&](const Symbol& symbol) { return sampled.contains(symbol.name); });
}

TEST_CASE("every op has a sample that is run on other layouts", "[ops][completeness]") {
    const Reasons reasons{{"eye", "takes no tensors"}, {"view", "whether strides allow it is its meaning"}};
    const std::set<std::string> sampled = ops_of([](const Sample& sample) {
        return has_layout(sample, Layout::reversed) || has_layout(sample, Layout::stepped);
    });
    require_all(composites(), reasons, "sample of other layouts",
                [&](const Symbol& symbol) { return sampled.contains(symbol.name); });
}

TEST_CASE("every op has an error sample", "[ops][completeness]") {
    const char* const takes_all = "a unary function of every dtype";
    Reasons reasons{{"clone", "takes every tensor"},
                    {"contiguous", "takes every tensor"},
                    {"stop_gradient", "takes every tensor"},
                    {"to", "takes every tensor and dtype"}};
    for (const char* name : {"cos",   "erf", "exp",   "expm1",       "gelu",       "isfinite", "isinf",
                             "isnan", "log", "log1p", "logical_not", "reciprocal", "rsqrt",    "sigmoid",
                             "silu",  "sin", "sqrt",  "square",      "tan",        "tanh"}) {
        reasons[name] = takes_all;
    }
    std::set<std::string> told;
    for (const ErrorSample& sample : all_error_samples()) told.insert(sample.name);
    require_all(composites(), reasons, "error sample",
                [&](const Symbol& symbol) { return told.contains(symbol.name); });
}

TEST_CASE("every prim has a reference kernel, or needs none", "[ops][completeness]") {
    const auto reference = std::dynamic_pointer_cast<OperatorExecutor>(get_executor("reference"));
    REQUIRE(reference);
    const Reasons reasons{{"prims::get_grad", "only within rules"}, {"prims::put_grad", "only within rules"}};
    std::vector<const Symbol*> prims;
    for (const Symbol* symbol : all_symbols()) {
        if (symbol->is_prim && !symbol->has(Tag::view)) prims.push_back(symbol);
    }
    require_all(prims, reasons, "reference kernel",
                [&](const Symbol& symbol) { return reference->kernel(symbol) != nullptr; });
}

TEST_CASE("every prim is reached by a sample", "[ops][completeness]") {
    const Reasons reasons{{"prims::get_grad", "only within rules"},
                          {"prims::put_grad", "only within rules"},
                          {"prims::alias", "only passes make it"},
                          {"prims::device_put", "needs a second device"}};
    std::vector<const Symbol*> prims;
    for (const Symbol* symbol : all_symbols()) {
        if (symbol->is_prim) prims.push_back(symbol);
    }
    const std::set<const Symbol*> reached = sampled_prims();
    require_all(prims, reasons, "sample that reaches it",
                [&](const Symbol& symbol) { return reached.contains(&symbol); });
}

TEST_CASE("every prim has a gradient rule", "[ops][completeness]") {
    const Reasons reasons{{"prims::get_grad", "only within rules"}, {"prims::put_grad", "only within rules"}};
    std::vector<const Symbol*> prims;
    for (const Symbol* symbol : all_symbols()) {
        if (symbol->is_prim) prims.push_back(symbol);
    }
    require_all(prims, reasons, "gradient rule", has_gradient_row);
}

}  // namespace fulgurite::tests
