#include <fulgurite/transforms/separate_outputs.h>

#include <map>

#include <fulgurite/core/ops/prims.h>
#include <fulgurite/core/tracing.h>

namespace fulgurite {

void note_output_aliases(Trace& trace) {
    const ViewBases bases(trace);
    trace.output_aliases.clear();
    for (const ValueId id : trace.outputs) trace.output_aliases.push_back(bases.of(id).value);
}

Trace separate_outputs(const Trace& trace) {
    const ViewBases bases(trace);
    // Whose storage a base is now: that of the first output with it, or of the input that it is.
    std::map<ValueId, std::int64_t> owner;
    for (const ValueId id : trace.inputs) owner.emplace(id, id);
    for (const Capture& capture : trace.captures) owner.emplace(capture.value, capture.value);
    Trace out = trace;
    TraceScope scope(trace.values);
    for (std::size_t i = 0; i < out.outputs.size() && i < trace.output_aliases.size(); ++i) {
        const ValueId base = bases.of(out.outputs[i]).value;
        if (owner.try_emplace(base, trace.output_aliases[i]).first->second == trace.output_aliases[i])
            continue;
        out.outputs[i] = scope.value_of(prims::clone(scope.handle(out.outputs[i])));
    }
    out.body.insert(out.body.end(), scope.body().begin(), scope.body().end());
    return out;
}

}  // namespace fulgurite
