#include <fulgurite/core/text_runtime.h>

#include <fulgurite/core/registry.h>

namespace fulgurite::text {

namespace {
thread_local Feed* current_feed = nullptr;

TensorSpec spec_of(DType dtype, const Shape& shape, const Strides& strides, Device device, bool is_weak) {
    TensorSpec spec(shape, dtype, device, strides);
    spec.weak = is_weak;
    return spec;
}

void require_same(const Tensor& tensor, const TensorSpec& expected) {
    TensorSpec got = tensor.spec();
    got.weak = expected.weak;
    if (got == expected) return;
    fail<ValueError>("text", "expected " + to_string(expected) + " with strides " +
                                 to_string(expected.strides) + ", got " + to_string(got) + " with strides " +
                                 to_string(got.strides));
}
}  // namespace

Feed::Feed(std::vector<Tensor> inputs, std::vector<Tensor> captures)
    : inputs_(std::move(inputs)), captures_(std::move(captures)), outer_(current_feed) {
    current_feed = this;
}
Feed::~Feed() { current_feed = outer_; }

Tensor take(bool capture, const TensorSpec& spec) {
    const char* const kind = capture ? "capture" : "input";
    if (!current_feed) fail<ValueError>(kind, "expected a Feed, got none");
    std::vector<Tensor>& tensors = capture ? current_feed->captures_ : current_feed->inputs_;
    std::size_t& next = capture ? current_feed->next_capture_ : current_feed->next_input_;
    if (next == tensors.size()) {
        fail<ValueError>(kind,
                         "expected more than the " + std::to_string(tensors.size()) + " tensors of the feed");
    }
    require_same(tensors[next], spec);
    return tensors[next++];
}

Tensor input(DType dtype, const Shape& shape, const Strides& strides, Device device) {
    return take(false, spec_of(dtype, shape, strides, device, false));
}
Tensor input(DType dtype, const Shape& shape, const Strides& strides, Device device, Weak) {
    return take(false, spec_of(dtype, shape, strides, device, true));
}
Tensor capture(DType dtype, const Shape& shape, const Strides& strides, Device device) {
    return take(true, spec_of(dtype, shape, strides, device, false));
}
Tensor capture(DType dtype, const Shape& shape, const Strides& strides, Device device, Weak) {
    return take(true, spec_of(dtype, shape, strides, device, true));
}
void expect(const Tensor& tensor, DType dtype, const Shape& shape, const Strides& strides, Device device) {
    require_same(tensor, spec_of(dtype, shape, strides, device, false));
}
void expect(const Tensor& tensor, DType dtype, const Shape& shape, const Strides& strides, Device device,
            Weak) {
    require_same(tensor, spec_of(dtype, shape, strides, device, true));
}

Tensor fresh(const Tensor& tensor) { return tensor.clone(); }

namespace detail {
void require_results(std::size_t expected, std::size_t got) {
    if (expected == got) return;
    fail<ValueError>("text", "expected " + std::to_string(expected) + " results, got " + std::to_string(got));
}

void append(Flat& out, const Packed& value) {
    const Statics& statics = value.flat.statics;
    for (Atom atom : statics.atoms) {
        if (atom.kind == Atom::Kind::text) atom.bits += static_cast<std::int64_t>(out.statics.strings.size());
        out.statics.atoms.push_back(atom);
    }
    out.statics.strings.insert(out.statics.strings.end(), statics.strings.begin(), statics.strings.end());
    out.tensors.insert(out.tensors.end(), value.flat.tensors.begin(), value.flat.tensors.end());
}
void append(Flat& out, const char* value) { append(out, Packed{tree_flatten(std::string(value))}); }
void append(Flat& out, None) { out.statics.atoms.push_back(Atom::none()); }

std::vector<Tensor> run(std::string_view name, Flat arguments) {
    const Symbol* symbol = find_executor_operator(name);
    if (!symbol)
        fail<ValueError>("call", "expected an operator of an executor, got '" + std::string(name) + "'");
    return fulgurite::detail::dispatch(*symbol, std::move(arguments)).tensors;
}
}  // namespace detail

}  // namespace fulgurite::text
