#include <fulgurite/runtime/program.h>

#include <algorithm>

#include <fulgurite/core/ops/layout.h>
#include <fulgurite/core/ops/view.h>

namespace fulgurite {

/// A RunState for one run; emptied of the run's own tensors and given back at the end, also when a kernel
/// throws.
class Program::Lease {
public:
    explicit Lease(const Program& program) : program_(program) {
        state_ = program.idle_.exchange(nullptr, std::memory_order_acquire);
        if (!state_) take_another();
    }
    ~Lease() {
        for (const Slot slot : program_.transient_) state_->slots[static_cast<std::size_t>(slot)] = Tensor();
        RunState* none = nullptr;
        if (program_.idle_.compare_exchange_strong(none, state_, std::memory_order_release,
                                                   std::memory_order_relaxed))
            return;
        const std::lock_guard lock(program_.mutex_);
        program_.more_idle_.emplace_back(state_);
    }
    Lease(const Lease&) = delete;
    Lease& operator=(const Lease&) = delete;
    RunState& operator*() const { return *state_; }

private:
    void take_another() {
        {
            const std::lock_guard lock(program_.mutex_);
            if (!program_.more_idle_.empty()) {
                state_ = program_.more_idle_.back().release();
                program_.more_idle_.pop_back();
                return;
            }
        }
        state_ = program_.make_state().release();
    }

    const Program& program_;
    RunState* state_;
};

Program::~Program() { delete idle_.load(); }

std::unique_ptr<Program::RunState> Program::make_state() const {
    auto state = std::make_unique<RunState>();
    state->slots.resize(slot_count_);
    if (!residents_.empty()) {
        state->arena = StoragePtr::adopt(Storage::allocate(static_cast<std::size_t>(arena_bytes_), cpu));
    }
    for (const Resident& resident : residents_) {
        state->slots[static_cast<std::size_t>(resident.slot)] = Tensor::concrete(
            resident.spec, state->arena, resident.byte_offset / size_of(resident.spec.dtype));
    }
    for (const auto& [slot, tensor] : captures_) state->slots[static_cast<std::size_t>(slot)] = tensor;
    for (const Call& call : calls_) {
        for (const auto* slots : {&call.operands, &call.results}) {
            for (const Slot slot : *slots)
                state->arguments.push_back(&state->slots[static_cast<std::size_t>(slot)]);
        }
    }
    return state;
}

void Program::throw_no_elements(const Tensor& input) {
    const TensorNode& node = input.node();
    if (node.kind == TensorNode::Kind::traced) {
        throw TraceError(error_text(
            "run", "a traced " + to_string(node.spec) + " was kept after its trace" +
                       (node.where.known() ? " (made at " + to_string(node.where) + ")" : std::string())));
    }
    fail<TraceError>("run", "expected concrete tensors, got an abstract " + to_string(node.spec) +
                                ": use compile, eval_shape or trace for shapes alone");
}

void Program::run(std::span<Tensor> inputs, Tensor* outputs) const {
    const Lease lease(*this);
    RunState& state = *lease;
    const auto slot = [&state](Slot index) -> Tensor& {
        return state.slots[static_cast<std::size_t>(index)];
    };
    for (std::size_t i = 0; i < inputs_.size(); ++i) {
        if (!inputs[i].is_concrete()) throw_no_elements(inputs[i]);
        slot(inputs_[i]) = std::move(inputs[i]);
    }
    for (const Step step : steps_) {
        if (step.kind == Step::Kind::call) {
            run_call(calls_[static_cast<std::size_t>(step.index)], state);
            continue;
        }
        const Make& make = makes_[static_cast<std::size_t>(step.index)];
        if (make.base < 0) {
            Storage* fresh = Storage::allocate(static_cast<std::size_t>(make.bytes), make.spec.device);
            slot(make.slot) = Tensor::concrete(make.spec, StoragePtr::adopt(fresh));
        } else {
            const TensorNode& base = slot(make.base).node();
            slot(make.slot) = Tensor::concrete(make.spec, base.storage, base.offset + make.offset);
        }
    }
    for (const Output output : outputs_) {
        if (output.last)
            *outputs++ = std::move(slot(output.slot));
        else
            *outputs++ = slot(output.slot);
    }
}

void Program::run_call(const Call& call, RunState& state) const {
    const LocationScope location(call.symbol->where);
    Tensor* const* operands = state.arguments.data() + call.first_argument;
    Tensor* const* results = operands + call.operands.size();
    if (call.kernel->returns) {
        for (std::size_t i = 0; i < call.results.size(); ++i) *results[i] = Tensor();
    }
    call.kernel->run(call.kernel->function, *call.symbol->arguments, operands, results);
    if (!call.kernel->returns) return;
    for (std::size_t i = 0; i < call.results.size(); ++i) {
        check_returned(call, *results[i], promised_[static_cast<std::size_t>(call.results[i])]);
        const auto shares = [&](const Tensor* other) {
            return other->defined() && other->node().storage.get() == results[i]->node().storage.get();
        };
        // An operand may lie in the arena, and a result is a tensor of its own by its meta.
        if (std::any_of(operands, operands + call.operands.size(), shares) ||
            std::any_of(results, results + i, shares)) {
            *results[i] = clone(*results[i]);
        }
    }
}

void Program::check_returned(const Call& call, const Tensor& result, const TensorSpec& promised) {
    if (result.is_concrete() && result.shape() == promised.shape && result.dtype() == promised.dtype &&
        result.device() == promised.device &&
        same_layout(promised.shape, result.strides(), promised.strides)) {
        return;
    }
    // The part's own name: its executor is at fault, not who called the whole.
    throw ValueError(error_text(
        call.symbol->symbol->name,
        "expected its implementation to return what its meta promised, " + to_string(promised) +
            " with strides " + to_string(promised.strides) + ", got " +
            (result.defined() ? to_string(result.spec()) + " with strides " + to_string(result.strides())
                              : std::string("nothing"))));
}

}  // namespace fulgurite
