#include <fulgurite/tests/samples/checks.h>

#include <algorithm>

#include <fulgurite/core/ops/ops.h>
#include <fulgurite/core/text.h>
#include <fulgurite/runtime/check_grad.h>
#include <fulgurite/runtime/jit.h>
#include <fulgurite/runtime/trace_function.h>
#include <fulgurite/transforms/eval_shape.h>
#include <fulgurite/transforms/value_and_grad.h>

namespace fulgurite::tests {

namespace {

using Tensors = std::vector<Tensor>;

auto function_of(const Sample& sample) {
    return [&sample](const Tensors& tensors) { return run_with(sample, tensors).tensors; };
}

Tensors run_jitted(const Sample& sample, const Executors& executors, const Tensors& tensors) {
    JitOptions options;
    options.executors = executors;
    return jit(function_of(sample), options)(tensors);
}

/// The op as a list of executors runs it; eagerly for the default list.
Tensors run_for(const Sample& sample, const Executors& executors, const Tensors& tensors) {
    return executors.empty() ? run_with(sample, tensors).tensors : run_jitted(sample, executors, tensors);
}

std::string compare(const Tensors& got, const Tensors& expected, const char* how,
                    const std::function<std::string(const Tensor&, const Tensor&)>& difference) {
    if (got.size() != expected.size()) {
        return std::string(how) + ": " + std::to_string(got.size()) + " results, expected " +
               std::to_string(expected.size());
    }
    for (std::size_t i = 0; i < got.size(); ++i) {
        const std::string text = difference(got[i], expected[i]);
        if (!text.empty()) return std::string(how) + ": result " + std::to_string(i) + ": " + text;
    }
    return {};
}

/// The specs agree but for the strides of empty tensors and sizes of 1.
std::string spec_difference(const Tensor& got, const Tensor& expected) {
    TensorSpec a = got.spec(), b = expected.spec();
    for (int d = 0; d < a.rank() && a.shape == b.shape; ++d) {
        if (a.shape[d] <= 1 || a.numel() == 0) a.strides[d] = b.strides[d] = 0;
    }
    return a == b ? std::string()
                  : "got " + to_string(got.spec()) + ", expected " + to_string(expected.spec());
}

std::vector<std::string> bytes_of_all(const Tensors& tensors) {
    std::vector<std::string> out;
    for (const Tensor& tensor : tensors) out.push_back(bytes_of(tensor));
    return out;
}

Tolerance scaled(Tolerance tolerance, Tolerance slack, double factor = 1) {
    return {tolerance.relative * slack.relative * factor, tolerance.absolute * slack.absolute * factor};
}

auto within_tolerance(const Sample& sample, double factor = 1) {
    return [&sample, factor](const Tensor& got, const Tensor& expected) {
        return difference(got, cast(expected, got.dtype()),
                          scaled(tolerance_of(got.dtype()), sample.slack, factor));
    };
}

bool is_low_precision(DType dtype) { return dtype == float16 || dtype == bfloat16; }

Tensors floating_tensors(const Sample& sample) {
    Tensors out;
    for (const Tensor& tensor : sample.arguments.tensors) {
        if (is_floating_point(tensor.dtype())) out.push_back(tensor);
    }
    return out;
}

/// The results of the sample with other floating inputs.
Tensors run_with_floating(const Sample& sample, const Tensors& floating) {
    Tensors tensors = sample.arguments.tensors;
    std::size_t next = 0;
    for (Tensor& tensor : tensors) {
        if (is_floating_point(tensor.dtype())) tensor = floating[next++];
    }
    return run_with(sample, tensors).tensors;
}

/// A float64 number that depends on each element of the floating results.
Tensor weighted_sum(const Tensors& results) {
    Tensor total = full({}, 0.0, {.dtype = float64});
    for (const Tensor& result : results) {
        if (!is_floating_point(result.dtype())) continue;
        total = add(total, sum(mul(to(result, float64), weights_for(result.shape()))));
    }
    return total;
}

auto loss_of(const Sample& sample) {
    return [&sample](const Tensors& floating) { return weighted_sum(run_with_floating(sample, floating)); };
}

std::int64_t elements_in(const Tensors& tensors) {
    std::int64_t count = 0;
    for (const Tensor& tensor : tensors) count += tensor.numel();
    return count;
}

}  // namespace

Tensor weights_for(const Shape& shape) { return values(float64, shape, 23, Range::away); }

Sample in_float64(const Sample& sample) {
    Sample out = sample;
    for (Tensor& tensor : out.arguments.tensors) {
        if (is_floating_point(tensor.dtype())) tensor = cast(tensor, float64);
    }
    for (Atom& atom : out.arguments.statics.atoms) {
        if (atom.kind == Atom::Kind::dtype && is_floating_point(atom.as_dtype())) atom = Atom::of(float64);
    }
    return out;
}

std::string check_jit(const Sample& sample, const Executors& executors) {
    const Tensors& inputs = sample.arguments.tensors;
    const std::vector<std::string> before = bytes_of_all(inputs);
    const Tensors promised = eval_shape(function_of(sample), inputs);
    const Tensors whole = run(sample).tensors;
    const auto same_bits = [&](const Tensors& got, const Tensors& expected, const char* how,
                               bool is_same_program) {
        return is_same_program ? compare(got, expected, how, bitwise_difference)
                               : compare(got, expected, how, within_tolerance(sample));
    };
    const bool is_one_program = sample.own_eager.empty();
    std::string text =
        is_one_program ? compare(whole, promised, "eager against its meta", spec_difference) : std::string();
    if (text.empty() && !sample.op->is_prim) {
        const Flat parts = sample.op->signature->invoke(sample.op->body, sample.arguments.statics,
                                                        sample.arguments.tensors.data());
        text = same_bits(parts.tensors, whole, "part by part against whole", is_one_program);
    }
    if (text.empty()) {
        const Tensors jitted = run_jitted(sample, executors, inputs);
        text = same_bits(jitted, whole, "jitted against eager", is_one_program && executors.empty());
        if (text.empty()) text = compare(jitted, promised, "jitted against its meta", spec_difference);
    }
    if (text.empty() && bytes_of_all(inputs) != before) text = "an input has changed";
    return text;
}

std::string check_precision(const Sample& sample, const Executors& executors) {
    const Tensors got = run_for(sample, executors, sample.arguments.tensors);
    const DefaultDType scope(float64);
    const Sample exact = in_float64(sample);
    return compare(got, run(exact).tensors, "against float64", within_tolerance(sample));
}

bool has_layout(const Sample& sample, Layout layout) {
    if (!sample.no_layouts.empty()) return false;
    return std::ranges::any_of(sample.arguments.tensors, [&](const Tensor& x) {
        return x.numel() > 0 && !with_layout(x, layout).is_contiguous();
    });
}

std::string check_layout(const Sample& sample, Layout layout, const Executors& executors) {
    Tensors laid, dense;
    for (const Tensor& tensor : sample.arguments.tensors) {
        laid.push_back(with_layout(tensor, layout));
        dense.push_back(laid_out(laid.back(), contiguous_strides(tensor.shape())));
    }
    const Tensors expected = run_with(sample, dense).tensors;
    std::string text;
    if (sample.own_eager.empty()) {
        const Tensors promised = eval_shape(function_of(sample), laid);
        text = compare(run_with(sample, laid).tensors, promised, "eager against its meta", spec_difference);
    }
    if (text.empty())
        text = compare(run_for(sample, executors, laid), expected, "against contiguous",
                       within_tolerance(sample));
    return text.empty() ? text : std::string(name_of(layout)) + ", " + text;
}

bool is_floating(const Sample& sample) {
    if (!sample.no_gradient.empty() || floating_tensors(sample).empty()) return false;
    return std::ranges::any_of(eval_shape(function_of(sample), sample.arguments.tensors),
                               [](const Tensor& result) { return is_floating_point(result.dtype()); });
}

std::string check_gradient(const Sample& sample) {
    const DefaultDType scope(float64);
    const Sample exact = in_float64(sample);
    return check_grad(loss_of(exact), floating_tensors(exact));
}

std::string check_second_gradient(const Sample& sample) {
    const DefaultDType scope(float64);
    const Sample exact = in_float64(sample);
    const Tensors inputs = floating_tensors(exact);
    if (elements_in(inputs) > 12) return {};
    const auto gradient = grad(std::function<Tensor(const Tensors&)>(loss_of(exact)));
    return check_grad([&](const Tensors& floating) { return weighted_sum(gradient(floating)); }, inputs);
}

Gradients gradients_of(const Sample& sample) {
    Gradients out;
    out.results = run(sample).tensors;
    const bool differentiable =
        std::ranges::any_of(out.results, [](const Tensor& x) { return is_floating_point(x.dtype()); });
    if (differentiable)
        out.gradients =
            grad(std::function<Tensor(const Tensors&)>(loss_of(sample)))(floating_tensors(sample));
    return out;
}

std::string check_gradient_precision(const Sample& sample, const Executors& executors) {
    const Tensors inputs = floating_tensors(sample);
    const auto gradient = grad(std::function<Tensor(const Tensors&)>(loss_of(sample)));
    JitOptions options;
    options.executors = executors;
    const Tensors got = jit(gradient, options)(inputs);
    for (std::size_t i = 0; i < got.size(); ++i) {
        if (got[i].dtype() != inputs[i].dtype() || got[i].shape() != inputs[i].shape()) {
            return "the gradient is " + to_string(got[i].spec()) + ", of " + to_string(inputs[i].spec());
        }
    }
    const DefaultDType scope(float64);
    const Sample exact = in_float64(sample);
    const Tensors expected =
        grad(std::function<Tensor(const Tensors&)>(loss_of(exact)))(floating_tensors(exact));
    const bool is_low =
        std::ranges::any_of(inputs, [](const Tensor& x) { return is_low_precision(x.dtype()); });
    return compare(got, expected, "gradient against float64", [&](const Tensor& a, const Tensor& b) {
        const Tolerance tolerance = tolerance_of(is_low && a.dtype() == float32 ? bfloat16 : a.dtype());
        return difference(a, cast(b, a.dtype()), scaled(tolerance, sample.slack, 4));
    });
}

std::string check_text(const Sample& sample) {
    for (const bool claimed : {false, true}) {
        TraceOptions options;
        options.claimed = claimed;
        const Trace made = trace(options, function_of(sample), sample.arguments.tensors);
        const std::string text = print(made);
        try {
            const Trace parsed = parse(text);
            if (parsed == made) continue;
            return std::string(claimed ? "the claimed trace" : "the trace") +
                   " comes back as another one:\n" + text + "\n" + print(parsed);
        } catch (const std::exception& error) {
            return std::string(error.what()) + "\n" + text;
        }
    }
    return {};
}

std::string check_error(const ErrorSample& sample) {
    const std::vector<std::string> before = bytes_of_all(sample.inputs);
    std::string text;
    try {
        sample.call();
        text = "nothing was thrown";
    } catch (const std::exception& error) {
        const std::string message = error.what();
        if (!sample.is_expected(error))
            text = "another type of error";
        else if (!message.starts_with("[" + sample.name + "]"))
            text = "the message does not begin with the op's name";
        else if (message.find(sample.text) == std::string::npos)
            text = "the message does not contain what came";
        if (!text.empty()) text += ": " + message;
    }
    if (text.empty() && bytes_of_all(sample.inputs) != before) text = "an input has changed";
    if (text.empty()) {
        for (const Tensor& input : sample.inputs) input.clone();
    }
    return text.empty() ? text : text + "\n  expected " + sample.error + " with \"" + sample.text + "\"";
}

}  // namespace fulgurite::tests
