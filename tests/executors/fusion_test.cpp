#include <cmath>
#include <cstdio>
#include <iostream>

#include <fulgurite/tests/support/paths.h>
#include <fulgurite/tests/support/tensors.h>

using namespace fulgurite::tests;
namespace fg = fulgurite;
using fg::Tensor;
using fg::ValueId;

namespace {

/// Fuses runs of pointwise float64 prims over tensors of one shape, and runs them element by element.
class ToyFusion : public fg::FusionExecutor {
public:
    using fg::FusionExecutor::FusionExecutor;

    fg::ClaimResult can_fuse(const fg::BoundSymbol& call, const fg::Trace& trace) const override {
        if (!call.symbol->is_prim || !call.has(fg::Tag::pointwise)) return {};
        if (!function_of(*call.symbol)) return {false, "no function for " + call.symbol->name, {}};
        for (const ValueId id : call.operands) {
            const fg::TensorSpec& spec = trace[id].spec;
            if (spec.dtype != fg::float64) return {false, "only float64", {}};
            if (!spec.is_contiguous() || spec.rank() == 0) return {false, "only row-major tensors", {}};
        }
        return {true, {}, {}};
    }

    fg::Trace fuse(const fg::Trace& trace) override {
        fg::Trace out = trace;
        out.body.clear();
        std::vector<fg::BoundSymbolPtr> run;
        const auto finish = [&] {
            if (run.size() > 1 && take_fuel())
                out.body.push_back(fusion_of(run, trace));
            else
                out.body.insert(out.body.end(), run.begin(), run.end());
            run.clear();
        };
        for (const fg::BoundSymbolPtr& call : trace.body) {
            const bool ours = call->executor.get() == this && !call->owned_symbol;
            const bool same =
                run.empty() || (ours && trace[call->results[0]].spec == trace[run[0]->results[0]].spec);
            if (!ours || !same) finish();
            if (ours)
                run.push_back(call);
            else
                out.body.push_back(call);
        }
        finish();
        return out;
    }

    int fusions = 0;

private:
    using Function = double (*)(double, double);
    static Function function_of(const fg::Symbol& symbol) {
        static const std::map<std::string, Function> functions{
            {"prims::add", [](double a, double b) { return a + b; }},
            {"prims::mul", [](double a, double b) { return a * b; }},
            {"prims::neg", [](double a, double) { return -a; }},
            {"prims::exp", [](double a, double) { return std::exp(a); }}};
        const auto entry = functions.find(symbol.name);
        return entry == functions.end() ? nullptr : entry->second;
    }

    fg::BoundSymbolPtr fusion_of(const std::vector<fg::BoundSymbolPtr>& run, const fg::Trace& trace) {
        std::vector<ValueId> made, inputs, outputs;
        const auto has = [](const std::vector<ValueId>& ids, ValueId id) {
            return std::find(ids.begin(), ids.end(), id) != ids.end();
        };
        for (const auto& call : run) {
            for (const ValueId id : call->operands) {
                if (!has(made, id) && !has(inputs, id)) inputs.push_back(id);
            }
            made.push_back(call->results[0]);
        }
        const auto read_outside = [&](ValueId id) {
            if (has(trace.outputs, id)) return true;
            return std::any_of(trace.body.begin(), trace.body.end(), [&](const auto& call) {
                return std::find(run.begin(), run.end(), call) == run.end() && has(call->operands, id);
            });
        };
        for (const ValueId id : made) {
            if (read_outside(id)) outputs.push_back(id);
        }
        return make_fusion("fusion" + std::to_string(fusions++), inputs, outputs, run,
                           kernel_for(run, inputs, outputs));
    }

    static fg::Kernel kernel_for(const std::vector<fg::BoundSymbolPtr>& run,
                                 const std::vector<ValueId>& inputs, const std::vector<ValueId>& outputs) {
        using Run = void(const Tensor* const*, Tensor* const*);
        const auto body = [=](const Tensor* const* operands, Tensor* const* results) {
            for (std::int64_t i = 0; i < results[0]->numel(); ++i) {
                const auto at = static_cast<std::size_t>(i);
                std::map<ValueId, double> value;
                for (std::size_t k = 0; k < inputs.size(); ++k)
                    value[inputs[k]] = operands[k]->span<double>()[at];
                for (const auto& call : run) {
                    std::vector<double> given;
                    std::size_t next = 0;
                    for (const fg::Atom& atom : call->arguments->atoms) {
                        given.push_back(atom.kind == fg::Atom::Kind::tensor ? value.at(call->operands[next++])
                                                                            : atom.as_number().as_double());
                    }
                    given.push_back(0);
                    value[call->results[0]] = function_of(*call->symbol)(given[0], given[1]);
                }
                for (std::size_t k = 0; k < outputs.size(); ++k)
                    results[k]->mutable_span<double>()[at] = value.at(outputs[k]);
            }
        };
        return {fg::AnyFunction::own(std::function<Run>(body)),
                [](const fg::AnyFunction& function, const fg::Statics&, const Tensor* const* operands,
                   Tensor* const* results) {
                    function.call_exact<void, const Tensor* const*, Tensor* const*>(operands, results);
                },
                false};
    }
};

std::shared_ptr<ToyFusion> toy_fusion() { return std::make_shared<ToyFusion>("toy_fusion"); }

Tensor work(Tensor x, Tensor w) {
    const Tensor y = fg::exp(x * 2 + x) + 1;
    const Tensor z = fg::matmul(y, w);
    return -z * z + 3;
}

int fusions_in(const fg::Trace& trace) {
    return static_cast<int>(std::count_if(trace.body.begin(), trace.body.end(), [](const auto& call) {
        return call->symbol->name.starts_with("toy_fusion::fusion");
    }));
}

const Tensor x = fg::tensor({{0.0, 0.5}, {1.0, -1.0}}), w = fg::tensor({{1.0, 2.0}, {3.0, -4.0}});

/// Sets the fuel for a test, and takes the limit off again.
struct Fuel {
    explicit Fuel(std::int64_t n) { fg::FusionExecutor::set_fuel(n); }
    ~Fuel() { fg::FusionExecutor::set_fuel(-1); }
};

}  // namespace

TEST_CASE("runs of pointwise prims become fusions, the rest goes to the others") {
    const Fuel fuel(-1);
    auto f = fg::jit(&work, {.executors = {fg::ExecutorPtr(toy_fusion())}});
    const List expected = values(work(x, w)), got = values(f(x, w));
    for (std::size_t i = 0; i < got.size(); ++i) CHECK(got[i] == Approx(expected[i]));
    const fg::Trace& trace = fg::last_traces(f).back();
    CHECK(fusions_in(trace) == 2);
    CHECK(count_calls(trace, "prims::matmul") == 1);
    CHECK(trace.body.size() == 3);
    const std::string text = fg::to_string(trace);
    CHECK_THAT(text, ContainsSubstring("toy_fusion::fusion0") && ContainsSubstring("prims::exp"));
    CHECK_THAT(fg::explain(f),
               ContainsSubstring("toy_fusion runs") && ContainsSubstring("reference runs prims::matmul"));
}

TEST_CASE("fuel stops after so many fusions, and the results stay the same") {
    const List expected = values(work(x, w));
    for (const int n : {0, 1, 2, 5}) {
        const Fuel fuel(n);
        auto f = fg::jit(&work, {.executors = {fg::ExecutorPtr(toy_fusion())}});
        const List got = values(f(x, w));
        for (std::size_t i = 0; i < got.size(); ++i) CHECK(got[i] == Approx(expected[i]));
        const fg::Trace& trace = fg::last_traces(f).back();
        CHECK(fusions_in(trace) == std::min(n, 2));
        if (n == 0) {
            for (const auto& call : trace.body) CHECK(call->executor->name() == "reference");
        }
    }
}

TEST_CASE("prints how much is fused", "[.fuel]") {
    auto f = fg::jit(&work, {.executors = {fg::ExecutorPtr(toy_fusion())}});
    f(x, w);
    std::cout << "fusions: " << fusions_in(fg::last_traces(f).back()) << '\n';
}

TEST_CASE("FULGURITE_FUEL sets the fuel of a process, and refuses what is no number") {
    const auto with_fuel = [](const std::string& fuel) {
        const std::string command = "FULGURITE_FUEL='" + fuel + "' '" +
                                    (build_root() / "tests/test_executors").string() + "' '[.fuel]' 2>&1";
        std::FILE* pipe = popen(command.c_str(), "r");
        REQUIRE(pipe != nullptr);
        std::string output;
        for (int c; (c = std::fgetc(pipe)) != EOF;) output += static_cast<char>(c);
        pclose(pipe);
        return output;
    };
    CHECK_THAT(with_fuel("1"), ContainsSubstring("fusions: 1"));
    CHECK_THAT(with_fuel("0"), ContainsSubstring("fusions: 0"));
    CHECK_THAT(with_fuel(""), ContainsSubstring("fusions: 2"));
    CHECK_THAT(with_fuel("-1"), ContainsSubstring("fusions: 2"));
    CHECK_THAT(with_fuel("all"), ContainsSubstring("[FULGURITE_FUEL]") && ContainsSubstring("'all'"));
}

TEST_CASE("a fusion executor's refusals are in explain") {
    auto f = fg::jit([](Tensor a) { return fg::sin(a) + 1; }, {.executors = {fg::ExecutorPtr(toy_fusion())}});
    f(x);
    CHECK_THAT(fg::explain(f), ContainsSubstring("toy_fusion refused prims::sin") &&
                                   ContainsSubstring("no function for prims::sin"));
    f(x.to(fg::float32));
    CHECK_THAT(fg::explain(f), ContainsSubstring("only float64"));
}

TEST_CASE("a fused program can be differentiated, and its fusion has several results") {
    auto f = fg::jit(fg::value_and_grad([](Tensor a) { return fg::sum(fg::exp(a * 2) + a); }),
                     {.executors = {fg::ExecutorPtr(toy_fusion())}});
    const auto [value, gradient] = f(fg::tensor({0.0, 1.0}));
    CHECK(value.item<double>() == Approx(2 + std::exp(2.0)));
    CHECK(values(gradient)[0] == Approx(3));
    CHECK(values(gradient)[1] == Approx(2 * std::exp(2.0) + 1));
    CHECK(fusions_in(fg::last_traces(f).back()) >= 1);
}

TEST_CASE("fusions run for outputs, views of them and empty tensors") {
    auto f = fg::jit(
        [](Tensor a) {
            const Tensor b = a * 2 + 1;
            return std::tuple(b, b.t(), fg::exp(b) * 0);
        },
        {.executors = {fg::ExecutorPtr(toy_fusion())}});
    const auto [b, transposed, zeros] = f(x);
    CHECK(values(b) == List{1, 2, 3, -1});
    CHECK(share_storage(b, transposed));
    CHECK(values(zeros) == List{0, 0, 0, 0});
    CHECK(std::get<0>(f(fg::ones({0, 2}, {.dtype = fg::float64}))).shape() == fg::Shape({0, 2}));
}
