#include <fulgurite/transforms/claim.h>

#include <stdexcept>

#include <fulgurite/tests/passes/toys.h>

using namespace fulgurite::tests;
namespace fg = fulgurite;
using fg::Operand;
using fg::Tensor;

namespace {

/// An executor outside of the registry, for lists given to claim.
struct Toy : fg::OperatorExecutor {
    using fg::OperatorExecutor::OperatorExecutor;
};
std::shared_ptr<Toy> toy(const char* name) { return std::make_shared<Toy>(name); }

Tensor copied(const Tensor& x) { return x.clone(); }
fg::TensorSpec same(const Tensor& x) { return x.spec(); }

struct Claimed {
    fg::Trace trace;
    std::vector<fg::ClaimRecord> records;
};

const fg::ClaimRecord& record_of(const Claimed& claimed, std::string_view symbol) {
    for (const fg::ClaimRecord& record : claimed.records) {
        if (record.symbol == symbol) return record;
    }
    FAIL("no record of " << symbol);
    return claimed.records.front();
}

template <class F>
Claimed claimed(const F& f, const std::vector<fg::ExecutorPtr>& executors,
                const fg::TensorSpec& spec = vector4, fg::ClaimOptions options = {}) {
    Claimed out;
    out.trace = fg::claim(traced(f, spec), executors, out.records, options);
    if (!options.allow_unclaimed) check(out.trace, fg::Stage::claimed);
    return out;
}

const auto exp_of = [](Tensor x) { return fg::exp(x); };
fg::ExecutorPtr reference() { return fg::get_executor("reference"); }

}  // namespace

TEST_CASE("executors are asked in the order of the list") {
    const auto first = toy("first"), second = toy("second");
    for (const auto& ex : {first, second})
        ex->register_kernel(fg::prims::exp, [](const Operand& x) { return copied(x.tensor()); });
    CHECK(record_of(claimed(exp_of, {first, second}), "prims::exp").executor == "first");
    CHECK(record_of(claimed(exp_of, {second, first}), "prims::exp").executor == "second");
    CHECK(call_of(claimed(exp_of, {second, first}).trace, "prims::exp").executor == second);
}

TEST_CASE("the whole composite is offered to everybody before its parts to anybody") {
    const auto parts = toy("parts"), whole = toy("whole");
    parts->register_kernel(fg::prims::mul,
                           [](const Operand& a, const Operand&) { return copied(a.tensor()); });
    const auto op = whole->register_operator("gelu", &same, &copied);
    whole->register_implementation(
        fg::ops::gelu,
        {.execution_transform = [=](const Operand& x, const fg::GeluOptions&) { return op(x.tensor()); }});
    const Claimed got = claimed([](Tensor x) { return fg::gelu(x); }, {parts, whole, reference()});
    CHECK(got.trace.body.size() == 1);
    CHECK(got.trace.body[0]->symbol->name == "whole::gelu");
    const Claimed apart = claimed([](Tensor x) { return fg::gelu(x); }, {parts, reference()});
    CHECK(count_calls(apart.trace, "prims::mul") > 0);
    CHECK(call_of(apart.trace, "prims::mul").executor == parts);
    CHECK(call_of(apart.trace, "prims::erf").executor == reference());
}

TEST_CASE("the checker's plan reaches the transform, and is decided once") {
    struct Plan {
        int power;
    };
    const auto ex = toy("planner");
    int asked = 0;
    std::vector<int> received;
    ex->register_implementation<Plan>(fg::prims::exp, {.checker = [&](const Operand& x) -> fg::Claim<Plan> {
                                                           ++asked;
                                                           if (x.tensor().dim() != 1)
                                                               return fg::refuse("only vectors");
                                                           return Plan{static_cast<int>(x.tensor().size(0))};
                                                       },
                                                       .execution_transform =
                                                           [&](const Plan& plan, const Operand& x) {
                                                               received.push_back(plan.power);
                                                               return fg::prims::mul(
                                                                   x, static_cast<double>(plan.power));
                                                           }});
    const Claimed got = claimed(exp_of, {ex, reference()});
    CHECK(asked == 1);
    CHECK(received == std::vector<int>{4});
    CHECK(count_calls(got.trace, "prims::mul") == 1);
    const Claimed refused = claimed(exp_of, {ex, reference()}, fg::TensorSpec({2, 2}));
    CHECK(count_calls(refused.trace, "prims::exp") == 1);
}

TEST_CASE("a checker runs with no trace active, and sees shape, dtype, strides and device") {
    const auto ex = toy("looker");
    bool tracing = true;
    fg::TensorSpec seen;
    ex->register_implementation(fg::prims::exp, {.checker = [&](const Operand& x) {
                                    tracing = fg::is_tracing();
                                    seen = x.tensor().spec();
                                    return false;
                                }});
    const fg::TensorSpec spec({2, 3}, fg::float64, fg::cpu, {1, 2});
    claimed(exp_of, {ex, reference()}, spec);
    CHECK_FALSE(tracing);
    CHECK(seen == spec);
}

TEST_CASE("refusals are recorded with their reasons, and explain prints them") {
    const auto shy = toy("shy"), rude = toy("rude");
    shy->register_implementation(fg::prims::exp,
                                 {.checker = [](const Operand&) { return fg::refuse("not today"); }});
    rude->register_implementation(fg::prims::exp, {.checker = [](const Operand&) { return false; }});
    const Claimed got = claimed(exp_of, {shy, rude, reference()});
    const fg::ClaimRecord& record = record_of(got, "prims::exp");
    CHECK(record.executor == "reference");
    REQUIRE(record.refusals.size() == 2);
    CHECK(record.refusals[0].executor == "shy");
    CHECK(record.refusals[0].reason == "not today");
    CHECK_FALSE(record.refusals[1].reason.empty());
    auto f = fg::jit(exp_of, {.executors = {fg::ExecutorPtr(shy), fg::ExecutorPtr(rude)}});
    f(fg::ones({4}));
    CHECK_THAT(fg::explain(f), ContainsSubstring("shy refused prims::exp") &&
                                   ContainsSubstring("not today") && ContainsSubstring("reference took it"));
}

TEST_CASE("an Error of checker, transform or meta is a refusal, and the next executor is asked") {
    const auto checks = toy("checks"), transforms = toy("transforms"), metas = toy("metas");
    checks->register_implementation(fg::prims::exp, {.checker = [](const Operand&) -> bool {
                                        fg::fail<fg::ShapeError>("checks", "cannot look");
                                    }});
    transforms->register_implementation(fg::prims::exp, {.execution_transform = [](const Operand&) -> Tensor {
                                            fg::fail<fg::ValueError>("transforms", "cannot rewrite");
                                        }});
    const auto op = metas->register_operator(
        "exp", [](const Operand&) -> fg::TensorSpec { fg::fail<fg::DTypeError>("metas", "cannot promise"); },
        [](const Operand& x) { return x.tensor(); });
    metas->register_implementation(fg::prims::exp, {.op = op});
    const Claimed got = claimed(exp_of, {checks, transforms, metas, reference()});
    const fg::ClaimRecord& record = record_of(got, "prims::exp");
    CHECK(record.executor == "reference");
    REQUIRE(record.refusals.size() == 3);
    CHECK_THAT(record.refusals[0].reason, ContainsSubstring("cannot look"));
    CHECK_THAT(record.refusals[1].reason, ContainsSubstring("cannot rewrite"));
    CHECK_THAT(record.refusals[2].reason, ContainsSubstring("cannot promise"));
}

TEST_CASE("any other exception of a checker or transform propagates, and nothing is left tracing") {
    const auto checks = toy("checks"), transforms = toy("transforms");
    bool fails = true;
    checks->register_implementation(fg::prims::exp, {.checker = [&](const Operand&) -> bool {
                                        if (fails) throw std::runtime_error("checker is broken");
                                        return false;
                                    }});
    transforms->register_implementation(fg::prims::exp, {.execution_transform = [](const Operand&) -> Tensor {
                                            throw std::logic_error("transform is broken");
                                        }});
    auto f = fg::jit(exp_of, {.executors = {fg::ExecutorPtr(checks)}});
    auto g = fg::jit(exp_of, {.executors = {fg::ExecutorPtr(transforms)}});
    CHECK_THROWS_WITH(f(fg::zeros({2})), "checker is broken");
    CHECK_THROWS_WITH(g(fg::zeros({2})), "transform is broken");
    CHECK_FALSE(fg::is_tracing());
    fails = false;
    CHECK(values(f(fg::zeros({2}))) == List{1, 1});
}

TEST_CASE("a prim that nobody takes is a ClaimError with each executor's reason and the line") {
    const auto shy = toy("shy"), idle = toy("idle");
    shy->register_implementation(fg::prims::exp,
                                 {.checker = [](const Operand&) { return fg::refuse("not today"); }});
    const unsigned line = __LINE__ + 1;
    const auto f = [](Tensor x) { return fg::exp(x); };
    const std::string text = thrown<fg::ClaimError>([&] { claimed(f, {shy, idle}); });
    CHECK_THAT(text, StartsWith("[prims::exp] claim_test.cpp:" + std::to_string(line)));
    CHECK_THAT(text, ContainsSubstring("float32[4]") && ContainsSubstring("shy: not today") &&
                         ContainsSubstring("idle: has no implementation"));
}

TEST_CASE("the reference executor refuses cuda, and allow_unclaimed keeps what nobody takes") {
    const auto f = [](Tensor x) { return fg::sum(fg::exp(x) * 2); };
    const fg::TensorSpec spec({4}, fg::float32, fg::cuda());
    CHECK_THAT(thrown<fg::ClaimError>([&] { fg::trace({.claimed = true}, f, spec); }),
               ContainsSubstring("reference: ") && ContainsSubstring("cuda"));
    const fg::Trace trace = fg::trace({.claimed = true, .allow_unclaimed = true}, f, spec);
    CHECK(count_calls(trace, "prims::exp") == 1);
    CHECK(call_of(trace, "prims::exp").executor == nullptr);
    CHECK_THAT(fg::to_string(trace), ContainsSubstring("prims::exp(") && ContainsSubstring("cuda"));
}

TEST_CASE("where a transform gives other strides, a layout op that one can see gives the promised ones") {
    const auto ex = toy("columns");
    const auto column_major = ex->register_operator(
        "exp",
        [](const Operand& x) {
            const fg::Shape shape = x.tensor().shape();
            return fg::TensorSpec(shape, x.tensor().dtype(), fg::cpu, {1, shape[0]});
        },
        [](const Operand& x) { return fg::exp(x.tensor().t()).contiguous().t(); });
    ex->register_implementation(fg::prims::exp, {.op = column_major});
    const Claimed got = claimed(exp_of, {ex, reference()}, fg::TensorSpec({2, 3}));
    CHECK(count_calls(got.trace, "columns::exp") == 1);
    CHECK(count_calls(got.trace, "prims::clone") == 1);
    CHECK(got.trace[got.trace.outputs[0]].spec == fg::TensorSpec({2, 3}));
    auto f = fg::jit(exp_of, {.executors = {fg::ExecutorPtr(ex)}});
    const Tensor out = f(fg::tensor({{0.0f, 0.0f, 0.0f}, {1.0f, 1.0f, 1.0f}}));
    CHECK(out.strides() == fg::Strides({3, 1}));
    CHECK(values(out)[2] == 1);
    CHECK(values(out)[3] == Approx(2.718282));
}

TEST_CASE("a transform that always gives row-major results may take operands of any dense layout") {
    const auto ex = toy("rows");
    const auto row_major = ex->register_operator(
        "exp", [](const Operand& x) { return fg::TensorSpec(x.tensor().shape(), x.tensor().dtype()); },
        [](const Operand& x) { return fg::exp(x.tensor().contiguous()); });
    ex->register_implementation(fg::prims::exp, {.op = row_major});
    auto f = fg::jit(exp_of, {.executors = {fg::ExecutorPtr(ex)}});
    const Tensor x = fg::tensor({{{0.0f, 1.0f, 2.0f}, {3.0f, 4.0f, 5.0f}}}) * 0.1;
    for (const Tensor& view : {x.permute({2, 0, 1}), x.permute({1, 2, 0}), x.permute({2, 1, 0}), x}) {
        const Tensor out = f(view), expected = fg::jit(exp_of, {.executors = {"reference"}})(view);
        CHECK(out.strides() == expected.strides());
        CHECK(values(out) == values(expected));
        CHECK_THAT(fg::explain(f), ContainsSubstring("rows runs"));
    }
}

TEST_CASE("a transform that returns another shape or dtype is an error of the executor's") {
    const auto ex = toy("liar");
    ex->register_implementation(
        fg::prims::exp, {.execution_transform = [](const Operand& x) { return fg::sum(x.tensor()); }});
    CHECK_THAT(
        thrown<fg::InternalError>([&] { claimed(exp_of, {ex, reference()}); }),
        ContainsSubstring("prims::exp") && ContainsSubstring("float32[4]") && ContainsSubstring("float32[]"));
}

TEST_CASE("a transform may return its operand, or one value for two results") {
    const auto ex = toy("lazy");
    ex->register_implementation(fg::prims::exp,
                                {.execution_transform = [](const Operand& x) { return x.tensor(); }});
    auto f = fg::jit([](Tensor x) { return fg::exp(x) + 1; }, {.executors = {fg::ExecutorPtr(ex)}});
    CHECK(values(f(fg::tensor({3.0f}))) == List{4});
    auto g = fg::jit([](Tensor x) { return std::pair(x, fg::exp(x)); }, {.executors = {fg::ExecutorPtr(ex)}});
    CHECK(values(g(fg::tensor({3.0f})).second) == List{3});
}

TEST_CASE("a result for which a transform gave its operand is no alias of the input") {
    const auto ex = toy("lazy");
    ex->register_implementation(fg::prims::exp,
                                {.execution_transform = [](const Operand& x) { return x.tensor(); }});
    auto f = fg::jit([](Tensor x) { return std::tuple(fg::exp(x), fg::exp(x), fg::exp(x)[0]); },
                     {.executors = {fg::ExecutorPtr(ex)}});
    const Tensor x = fg::tensor({3.0f, 4.0f});
    for (int i = 0; i < 2; ++i) {
        const auto [a, b, c] = f(x);
        CHECK(values(a) == List{3, 4});
        for (const auto& other : {b, c, x}) CHECK_FALSE(share_storage(a, other));
        CHECK_FALSE(share_storage(b, c));
        CHECK_FALSE(share_storage(b, x));
        CHECK_FALSE(share_storage(c, x));
    }
    for (const fg::BoundSymbolPtr& call : fg::last_traces(f).back().body)
        CHECK((call->executor || call->symbol->has(fg::Tag::view)));
}

TEST_CASE("what a transform emits is claimed in its turn, and inherits the line") {
    const auto ex = toy("rewriter");
    ex->register_implementation(fg::ops::square, {.execution_transform = [](const Operand& x) {
                                    return fg::exp(fg::log(x.tensor()) * 2);
                                }});
    unsigned line = 0;
    const auto f = [&](Tensor x) {
        line = __LINE__ + 1;
        return fg::square(x);
    };
    const Claimed got = claimed(f, {ex, reference()});
    CHECK(count_calls(got.trace, "prims::log") == 1);
    for (const auto& call : got.trace.body) CHECK(call->where.line == line);
}

TEST_CASE("views need nobody") {
    const Claimed got = claimed([](Tensor x) { return fg::reshape(x, {2, 2}).t()[1]; }, {});
    CHECK(got.trace.body.size() == 4);  // a selection is a slice and a view
    for (const auto& call : got.trace.body) CHECK(call->executor == nullptr);
}
