#include <algorithm>
#include <map>
#include <set>

#include <fulgurite/runtime/memory_plan.h>
#include <fulgurite/runtime/program.h>

namespace fulgurite {

namespace {
/// Bytes from the first element to past the last that the strides reach.
std::int64_t extent_bytes(const TensorSpec& spec) {
    std::int64_t last = 0;
    for (int i = 0; i < spec.rank(); ++i) {
        if (spec.shape[i] == 0) return 0;
        last += (spec.shape[i] - 1) * spec.strides[i];
    }
    return checked_mul(last + 1, size_of(spec.dtype));
}
}  // namespace

/// Lays a claimed trace out: which slot each value has, where its memory comes from, and the order of steps.
class Program::Builder {
public:
    Builder(Program& program, const Trace& trace) : program_(program), trace_(trace), bases_(trace) {}

    void build() {
        for (const Capture& capture : trace_.captures)
            program_.captures_.emplace_back(slot_of(capture.value), capture.tensor);
        for (const ValueId id : trace_.inputs) {
            program_.inputs_.push_back(slot_of(id));
            program_.transient_.push_back(slot_of(id));
        }
        find_dynamic_bases();
        for (const BoundSymbolPtr& symbol : trace_.body) add(symbol);
        add_outputs();
        place_residents();
        program_.slot_count_ = slots_.size();
        program_.promised_.resize(slots_.size());
        for (const auto& [id, slot] : slots_)
            program_.promised_[static_cast<std::size_t>(slot)] = trace_[id].spec;
    }

private:
    Slot slot_of(ValueId id) {
        return slots_.try_emplace(id, static_cast<Slot>(slots_.size())).first->second;
    }

    bool is_view(const BoundSymbol& symbol) const {
        return symbol.has(Tag::view) && symbol.symbol->is_prim && !symbol.executor;
    }

    /// Values whose memory is another at each run: inputs, captures, what a kernel returns, what an output
    /// reaches.
    void find_dynamic_bases() {
        for (const Capture& capture : trace_.captures) dynamic_.insert(capture.value);
        for (const ValueId id : trace_.inputs) dynamic_.insert(id);
        for (const BoundSymbolPtr& symbol : trace_.body) {
            if (is_view(*symbol)) continue;
            const Kernel& kernel = kernel_of(*symbol);
            for (const ValueId id : symbol->results) {
                if (kernel.returns) dynamic_.insert(id);
            }
        }
        for (const ValueId id : trace_.outputs) dynamic_.insert(bases_.of(id).value);
    }

    static const Kernel& kernel_of(const BoundSymbol& symbol) {
        const Kernel* kernel = symbol.owned_kernel.get();
        if (!kernel && symbol.executor) kernel = symbol.executor->kernel(*symbol.symbol);
        if (kernel && kernel->run) return *kernel;
        throw InternalError("[plan] nobody claimed " + symbol.symbol->name);
    }

    void add(const BoundSymbolPtr& symbol) {
        if (is_view(*symbol)) return add_view(*symbol);
        const auto step = static_cast<std::int32_t>(program_.steps_.size());
        const Kernel& kernel = kernel_of(*symbol);
        Call call{&kernel, symbol, {}, {}, argument_count_};
        for (const ValueId id : symbol->operands) {
            call.operands.push_back(slot_of(id));
            use(bases_.of(id).value, step);
        }
        for (const ValueId id : symbol->results) {
            call.results.push_back(slot_of(id));
            if (kernel.returns)
                program_.transient_.push_back(slot_of(id));
            else
                make_room(id, step);
        }
        argument_count_ += call.operands.size() + call.results.size();
        program_.steps_.push_back({Step::Kind::call, static_cast<std::int32_t>(program_.calls_.size())});
        program_.calls_.push_back(std::move(call));
    }

    /// Where a result is written: fresh memory for what an output reaches, the arena for the rest.
    void make_room(ValueId id, std::int32_t step) {
        const TensorSpec& spec = trace_[id].spec;
        if (!dynamic_.contains(id)) {
            resident_bases_.push_back(id);
            lives_.insert({id, {extent_bytes(spec), step, step}});
            return;
        }
        push_make({slot_of(id), -1, 0, spec, extent_bytes(spec)});
    }

    void push_make(const Make& make) {
        program_.transient_.push_back(make.slot);
        program_.steps_.push_back({Step::Kind::make, static_cast<std::int32_t>(program_.makes_.size())});
        program_.makes_.push_back(make);
    }

    void add_view(const BoundSymbol& symbol) {
        const ValueId id = symbol.results[0];
        const ViewBases::Base base = bases_.of(id);
        if (dynamic_.contains(base.value))
            push_make({slot_of(id), slot_of(base.value), base.offset, trace_[id].spec, 0});
        else
            resident_views_.push_back(id);
    }

    void use(ValueId base, std::int32_t step) {
        if (const auto life = lives_.find(base); life != lives_.end()) life->second.last = step;
    }

    void add_outputs() {
        for (const ValueId id : trace_.outputs) program_.outputs_.push_back({slot_of(id), false});
        const std::vector<Slot>& transient = program_.transient_;
        std::set<Slot> later;
        for (auto output = program_.outputs_.rbegin(); output != program_.outputs_.rend(); ++output) {
            const bool is_transient =
                std::find(transient.begin(), transient.end(), output->slot) != transient.end();
            output->last = later.insert(output->slot).second && is_transient;
        }
    }

    void place_residents() {
        std::vector<Interval> intervals;
        for (const ValueId id : resident_bases_) intervals.push_back(lives_.at(id));
        program_.arena_bytes_ = pack(intervals);
        std::map<ValueId, std::int64_t> offsets;
        for (std::size_t i = 0; i < intervals.size(); ++i) {
            offsets[resident_bases_[i]] = intervals[i].offset;
            add_resident(resident_bases_[i], intervals[i].offset);
        }
        for (const ValueId id : resident_views_) {
            const ViewBases::Base base = bases_.of(id);
            add_resident(id, offsets.at(base.value) + base.offset * size_of(trace_[id].spec.dtype));
        }
    }
    void add_resident(ValueId id, std::int64_t byte_offset) {
        program_.residents_.push_back({slot_of(id), byte_offset, trace_[id].spec});
    }

    Program& program_;
    const Trace& trace_;
    ViewBases bases_;
    std::map<ValueId, Slot> slots_;
    std::set<ValueId> dynamic_;
    std::map<ValueId, Interval> lives_;
    std::vector<ValueId> resident_bases_;
    std::vector<ValueId> resident_views_;
    std::size_t argument_count_ = 0;
};

Program::Program(const Trace& trace) { Builder(*this, trace).build(); }

}  // namespace fulgurite
