#include <fulgurite/tests/fuzz/random_program.h>

#include <fulgurite/core/ops/ops.h>
#include <fulgurite/tests/samples/values.h>

namespace fulgurite::tests {

namespace {

using Function = std::function<Tensor(const Tensor&, const Tensor&)>;

/// Something to do with one or two values, once its parameters are drawn for them.
struct Choice {
    const char* name;
    bool is_binary;
    std::function<Function(Random&, const Tensor& a, const Tensor& b, std::string& note)> draw;
};

Choice unary(const char* name, Tensor (*function)(Arg)) {
    return {name, false, [function](Random&, const Tensor&, const Tensor&, std::string&) -> Function {
                return [function](const Tensor& a, const Tensor&) { return function(a); };
            }};
}

Choice binary(const char* name, Tensor (*function)(Arg, Arg)) {
    return {name, true, [function](Random&, const Tensor&, const Tensor&, std::string&) -> Function {
                return [function](const Tensor& a, const Tensor& b) { return function(a, b); };
            }};
}

/// A function of a value and one of its dimensions.
Choice along(const char* name, Tensor (*function)(const Tensor&, std::int64_t)) {
    return {name, false,
            [function](Random& random, const Tensor& a, const Tensor&, std::string& note) -> Function {
                const std::int64_t dim = random.below(std::max(a.dim(), 1));
                note = ", " + std::to_string(dim);
                return [function, dim](const Tensor& x, const Tensor&) { return function(x, dim); };
            }};
}

Choice with_number(const char* name, Tensor (*function)(Arg, Arg)) {
    return {name, false,
            [function](Random& random, const Tensor&, const Tensor&, std::string& note) -> Function {
                const double number = static_cast<double>(random.below(15) - 7) / 4 + 0.125;
                note = ", " + std::to_string(number);
                return [function, number](const Tensor& x, const Tensor&) { return function(x, number); };
            }};
}

Choice of_two(const char* name, Tensor (*function)(const Tensor&, const Tensor&)) {
    return {name, true,
            [function](Random&, const Tensor&, const Tensor&, std::string&) -> Function { return function; }};
}

Choice of_one(const char* name, Tensor (*function)(const Tensor&)) {
    return {name, false, [function](Random&, const Tensor&, const Tensor&, std::string&) -> Function {
                return [function](const Tensor& x, const Tensor&) { return function(x); };
            }};
}

const Choice reshaping{"reshape", false,
                       [](Random& random, const Tensor& a, const Tensor&, std::string& note) -> Function {
                           Shape shape = a.shape();
                           if (random.one_in(2))
                               shape = {a.numel()};
                           else if (a.dim() > 1)
                               std::reverse(shape.begin(), shape.end());
                           else
                               shape.insert(0, 1);
                           note = ", " + to_string(shape);
                           return [shape](const Tensor& x, const Tensor&) { return reshape(x, shape); };
                       }};

const Choice slicing{
    "slice", false, [](Random& random, const Tensor& a, const Tensor&, std::string& note) -> Function {
        const std::int64_t dim = random.below(std::max(a.dim(), 1));
        const std::int64_t start = random.below(3), step = 1 + random.below(2);
        note =
            ", " + std::to_string(dim) + ", " + std::to_string(start) + ", to_end, " + std::to_string(step);
        return [=](const Tensor& x, const Tensor&) { return slice(x, dim, start, to_end, step); };
    }};

const Choice converting{
    "to", false, [](Random& random, const Tensor&, const Tensor&, std::string& note) -> Function {
        const DType dtype =
            random.pick(std::vector<DType>{float32, float64, bfloat16, float16, int64, bool_});
        note = ", " + std::string(name_of(dtype));
        return [dtype](const Tensor& x, const Tensor&) { return to(x, dtype); };
    }};

/// Bounded, so that programs stay far from infinity.
std::vector<Choice> smooth_choices() {
    std::vector<Choice> out{
        unary("sin", &sin),
        unary("cos", &cos),
        unary("tanh", &tanh),
        unary("sigmoid", &sigmoid),
        unary("neg", &neg),
        unary("erf", &erf),
        unary("silu", &silu),
        binary("add", &add),
        binary("sub", &sub),
        binary("mul", &mul),
        with_number("add", &add),
        with_number("mul", &mul),
        of_two(
            "x / (2 + y * y)", +[](const Tensor& a, const Tensor& b) { return a / (2.0 + b * b); }),
        of_two(
            "cat", +[](const Tensor& a, const Tensor& b) { return cat({a, b}, 0); }),
        of_two(
            "stack", +[](const Tensor& a, const Tensor& b) { return stack({a, b}, -1); }),
        of_two(
            "matmul of tanh", +[](const Tensor& a, const Tensor& b) { return matmul(tanh(a), tanh(b)); }),
        of_one(
            "x @ x.t()", +[](const Tensor& x) { return tanh(matmul(x, transpose(x, -1, -2))); }),
        of_one(
            "mean", +[](const Tensor& x) { return mean(x); }),
        of_one(
            "log1p of square", +[](const Tensor& x) { return log1p(square(x)); }),
        of_one(
            "ravel", +[](const Tensor& x) { return reshape(x, {-1}); }),
        along(
            "sum", +[](const Tensor& x, std::int64_t dim) { return sum(x, {.dim = dim}); }),
        along(
            "mean",
            +[](const Tensor& x, std::int64_t dim) { return mean(x, {.dim = dim, .keepdim = true}); }),
        along(
            "softmax", +[](const Tensor& x, std::int64_t dim) { return softmax(x, dim); }),
        along(
            "logsumexp", +[](const Tensor& x, std::int64_t dim) { return logsumexp(x, dim); }),
        along(
            "cumsum", +[](const Tensor& x, std::int64_t dim) { return cumsum(x, dim); }),
        along(
            "flip", +[](const Tensor& x, std::int64_t dim) { return flip(x, dim); }),
        along(
            "unsqueeze", +[](const Tensor& x, std::int64_t dim) { return unsqueeze(x, dim); }),
        along(
            "select", +[](const Tensor& x, std::int64_t dim) { return select(x, dim, 0); }),
        along(
            "transpose", +[](const Tensor& x, std::int64_t dim) { return transpose(x, 0, dim); }),
        along(
            "pad", +[](const Tensor& x, std::int64_t) { return pad(x, {1, 0}, {.value = 0.5}); }),
    };
    out.push_back(reshaping);
    out.push_back(slicing);
    return out;
}

std::vector<Choice> all_choices() {
    std::vector<Choice> out = smooth_choices();
    for (const Choice& choice : {
             unary("exp", &exp),
             unary("abs", &abs),
             unary("relu", &relu),
             unary("floor", &floor),
             unary("sqrt", &sqrt),
             unary("sign", &sign),
             unary("isfinite", &isfinite),
             unary("logical_not", &logical_not),
             binary("maximum", &maximum),
             binary("minimum", &minimum),
             binary("floor_divide", &floor_divide),
             binary("remainder", &remainder),
             binary("lt", &lt),
             binary("eq", &eq),
             binary("logical_and", &logical_and),
             with_number("gt", &gt),
             with_number("pow", &pow),
             with_number("maximum", &maximum),
             of_two(
                 "div", +[](const Tensor& a, const Tensor& b) { return div(a, b); }),
             of_two(
                 "where", +[](const Tensor& a, const Tensor& b) { return where(gt(a, 0), a, b); }),
             of_two(
                 "outer", +[](const Tensor& a, const Tensor& b) { return outer(a, b); }),
             of_one(
                 "clone", +[](const Tensor& x) { return clone(x); }),
             of_one(
                 "contiguous", +[](const Tensor& x) { return contiguous(x); }),
             of_one(
                 "argmax", +[](const Tensor& x) { return argmax(x); }),
             of_one(
                 "one_hot of argmax", +[](const Tensor& x) { return one_hot(argmax(x, {.dim = 0}), 6); }),
             along(
                 "amax", +[](const Tensor& x, std::int64_t dim) { return amax(x, {.dim = dim}); }),
             along(
                 "prod", +[](const Tensor& x, std::int64_t dim) { return prod(x, {.dim = dim}); }),
             along(
                 "var", +[](const Tensor& x, std::int64_t dim) { return var(x, {.dim = dim}); }),
             along(
                 "any",
                 +[](const Tensor& x, std::int64_t dim) { return any(x, {.dim = dim, .keepdim = true}); }),
             along(
                 "split", +[](const Tensor& x, std::int64_t dim) { return split(x, 2, dim).back(); }),
             along(
                 "index_select",
                 +[](const Tensor& x, std::int64_t dim) {
                     return index_select(x, dim, zeros({2}, {.dtype = int64}));
                 }),
         }) {
        out.push_back(choice);
    }
    out.push_back(converting);
    return out;
}

Tensor random_input(Random& random, const ProgramOptions& options, const Shape& base) {
    Shape shape = base;
    for (int i = shape.size(); i-- > 0;) {
        if (random.one_in(5)) shape[i] = 1;
    }
    while (!shape.empty() && random.one_in(4)) shape.erase(0);
    const std::vector<DType> dtypes{float32, float32, float32, float64, bfloat16,
                                    float16, int64,   int32,   bool_};
    const DType dtype = options.smooth ? float64 : random.pick(dtypes);
    const Tensor x = values(dtype, shape, static_cast<std::uint32_t>(random.below(1000)),
                            options.smooth ? Range::small : Range::any);
    if (options.smooth || !random.one_in(3)) return x;
    return with_layout(x, random.one_in(2) ? Layout::reversed : Layout::stepped);
}

/// Draws a step that works on some of the values; false where none was found.
bool add_step(Random& random, const std::vector<Choice>& choices, std::vector<Tensor>& values_so_far,
              RandomProgram& program) {
    for (int attempt = 0; attempt < 30; ++attempt) {
        const Choice& choice = random.pick(choices);
        const auto count = static_cast<std::int64_t>(values_so_far.size());
        Step step;
        step.a = static_cast<std::size_t>(count - 1 - std::min(random.below(count), random.below(count)));
        step.b = static_cast<std::size_t>(random.below(count));
        const Tensor& a = values_so_far[step.a];
        const Tensor& b = values_so_far[step.b];
        std::string note;
        step.op = choice.draw(random, a, b, note);
        step.text = std::string(choice.name) + "(v" + std::to_string(step.a) +
                    (choice.is_binary ? ", v" + std::to_string(step.b) : std::string()) + note + ")";
        try {
            const Tensor result = step.op(a, b);
            if (result.numel() > 200 || result.dim() > 5) continue;
            step.text += "  // " + to_string(result.spec());
            values_so_far.push_back(result);
            program.steps.push_back(std::move(step));
            return true;
        } catch (const Error&) {
            continue;  // shapes or dtypes that do not fit
        }
    }
    return false;
}

}  // namespace

std::vector<Tensor> RandomProgram::operator()(const std::vector<Tensor>& given) const {
    std::vector<Tensor> all = given;
    for (const Step& step : steps) all.push_back(step.op(all[step.a], all[step.b]));
    std::vector<Tensor> out;
    for (const std::size_t output : outputs) out.push_back(all[output]);
    return out;
}

RandomProgram random_program(std::uint64_t seed, ProgramOptions options) {
    static const std::vector<Choice> smooth = smooth_choices();
    static const std::vector<Choice> all = all_choices();
    Random random(seed);
    RandomProgram program;
    Shape base;
    for (std::int64_t rank = 1 + random.below(3); rank > 0; --rank) {
        base.push_back(!options.smooth && random.one_in(25) ? 0 : 1 + random.below(options.smooth ? 3 : 5));
    }
    for (std::int64_t count = 2 + random.below(3); count > 0; --count)
        program.inputs.push_back(random_input(random, options, base));
    std::vector<Tensor> values_so_far = program.inputs;
    for (std::int64_t count = 10 + random.below(11); count > 0; --count) {
        if (!add_step(random, options.smooth ? smooth : all, values_so_far, program)) break;
    }
    for (std::size_t i = program.inputs.size(); i < values_so_far.size(); ++i) {
        if (i + 1 == values_so_far.size() || random.one_in(4)) program.outputs.push_back(i);
    }
    return program;
}

std::string to_string(const RandomProgram& program) {
    std::string text;
    std::size_t next = 0;
    for (const Tensor& input : program.inputs)
        text += "  v" + std::to_string(next++) + ": " + to_string(input.spec()) + "\n";
    for (const Step& step : program.steps) text += "  v" + std::to_string(next++) + " = " + step.text + "\n";
    text += "  return";
    for (const std::size_t output : program.outputs) text += " v" + std::to_string(output);
    return text + "\n";
}

}  // namespace fulgurite::tests
