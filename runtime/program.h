#pragma once

#include <atomic>
#include <memory>
#include <mutex>
#include <span>
#include <vector>

#include <fulgurite/core/executor.h>
#include <fulgurite/core/trace.h>

namespace fulgurite {

/// A finished program: a flat list of steps over numbered slots, with one memory plan for what lives inside
/// it. Immutable; several threads may run it at once, each on a leased RunState.
class Program {
public:
    /// From a trace in which every symbol is claimed or a view. Throws InternalError for another.
    explicit Program(const Trace& trace);
    ~Program();
    Program(const Program&) = delete;
    Program& operator=(const Program&) = delete;

    /// Runs it. `inputs` are concrete and have the specs of the trace's inputs; they are moved from.
    /// `outputs` has room for output_count(). What a kernel throws propagates; nothing is lost but this call.
    void run(std::span<Tensor> inputs, Tensor* outputs) const;

    std::size_t output_count() const { return outputs_.size(); }
    /// Bytes of the arena: all intermediates, sharing memory where their lives do not overlap.
    std::int64_t arena_bytes() const { return arena_bytes_; }
    /// Kernel calls a run makes.
    std::size_t call_count() const { return calls_.size(); }

private:
    using Slot = std::int32_t;

    struct Call {
        const Kernel* kernel;
        BoundSymbolPtr symbol;  ///< arguments, source line, and the executor kept alive
        std::vector<Slot> operands;
        std::vector<Slot> results;
        std::size_t first_argument = 0;  ///< in RunState::arguments
    };
    /// A tensor made anew at each run: an output's own memory, or a view of something that changes from run
    /// to run.
    struct Make {
        Slot slot;
        Slot base;  ///< of a view; -1: fresh memory
        std::int64_t offset;
        TensorSpec spec;
        std::int64_t bytes;
    };
    struct Step {
        enum class Kind : std::uint8_t { make, call } kind;
        std::int32_t index;
    };
    /// A tensor that every RunState holds for good: it lies in the arena.
    struct Resident {
        Slot slot;
        std::int64_t byte_offset;
        TensorSpec spec;
    };
    struct RunState {
        StoragePtr arena;
        std::vector<Tensor> slots;
        std::vector<Tensor*> arguments;  ///< by call: its operands, then its results, in `slots`
    };
    class Builder;
    class Lease;

    std::unique_ptr<RunState> make_state() const;
    void run_call(const Call& call, RunState& state) const;
    [[noreturn]] static void throw_no_elements(const Tensor& input);
    static void check_returned(const Call& call, const Tensor& result, const TensorSpec& promised);

    std::vector<Step> steps_;
    std::vector<Call> calls_;
    std::vector<Make> makes_;
    std::vector<Resident> residents_;
    std::vector<TensorSpec> promised_;  ///< by slot
    std::vector<Slot> inputs_;
    std::vector<std::pair<Slot, Tensor>> captures_;
    struct Output {
        Slot slot;
        bool last;  ///< nobody reads the slot after: it may be moved from
    };
    std::vector<Output> outputs_;
    std::vector<Slot> transient_;  ///< emptied after each run
    std::size_t slot_count_ = 0;
    std::int64_t arena_bytes_ = 0;

    mutable std::atomic<RunState*> idle_{nullptr};
    mutable std::mutex mutex_;
    mutable std::vector<std::unique_ptr<RunState>> more_idle_;
};

}  // namespace fulgurite
