#include <fulgurite/core/output_owners.h>
#include <fulgurite/core/tracing.h>

namespace fulgurite {

std::vector<std::int64_t> output_owners(const Trace& trace, const std::vector<std::int64_t>& aliases) {
    std::map<std::int64_t, std::int64_t> owner;
    for (const ValueId id : trace.inputs) owner.try_emplace(id, -1 - static_cast<std::int64_t>(owner.size()));
    for (const Capture& capture : trace.captures) {
        owner.try_emplace(capture.value, -1 - static_cast<std::int64_t>(owner.size()));
    }
    const ViewBases bases(trace);
    std::vector<std::int64_t> owners;
    for (std::size_t i = 0; i < trace.outputs.size(); ++i) {
        const auto self = static_cast<std::int64_t>(i);
        if (trace.outputs[i] == no_value) {
            owners.push_back(self);
            continue;
        }
        const std::int64_t storage = i < aliases.size() ? aliases[i] : bases.of(trace.outputs[i]).value;
        owners.push_back(owner.try_emplace(storage, self).first->second);
    }
    return owners;
}

namespace {

/// Writes a trace as bytes that two traces share exactly when they are equal programs: values get numbers in
/// order of their definition; names, source lines, claims and notes of passes are left out. A composite's
/// parts are left out too, since its symbol and arguments imply them; a fusion's are not.
class Encoder {
public:
    explicit Encoder(const Trace& trace) : trace_(trace) {
        write(static_cast<std::int64_t>(trace.inputs.size()));
        for (const ValueId id : trace.inputs) define(id);
        write(static_cast<std::int64_t>(trace.captures.size()));
        for (const Capture& capture : trace.captures) define(capture.value);
        write_body(trace.body);
        write_values(trace.outputs);
        write_aliases();
    }

    const std::string& bytes() const { return bytes_; }

private:
    void write(std::int64_t value) { bytes_.append(reinterpret_cast<const char*>(&value), sizeof value); }
    void write(std::string_view text) {
        write(static_cast<std::int64_t>(text.size()));
        bytes_ += text;
    }
    void write(const Dims& dims) {
        write(dims.size());
        for (const std::int64_t entry : dims) write(entry);
    }
    void write(const Statics& statics) {
        write(static_cast<std::int64_t>(statics.atoms.size()));
        for (const Atom& atom : statics.atoms) {
            write(static_cast<std::int64_t>(atom.kind));
            if (atom.kind == Atom::Kind::text)
                write(std::string_view(statics.strings[static_cast<std::size_t>(atom.bits)]));
            else
                write(atom.bits);
        }
    }

    std::int64_t number(ValueId id) {
        if (id == no_value) return no_value;
        return numbers_.try_emplace(id, static_cast<std::int64_t>(numbers_.size())).first->second;
    }
    void write_values(const std::vector<ValueId>& ids) {
        write(static_cast<std::int64_t>(ids.size()));
        for (const ValueId id : ids) write(number(id));
    }
    void define(ValueId id) {
        const TensorProxy& proxy = trace_[id];
        write(number(id));
        write(proxy.spec.shape);
        write(proxy.spec.strides);
        write(static_cast<std::int64_t>(proxy.spec.dtype));
        write(Atom::of(proxy.spec.device).bits);
        write(proxy.spec.weak);
        write(proxy.offset);
    }

    void write_body(const std::vector<BoundSymbolPtr>& body) {
        write(static_cast<std::int64_t>(body.size()));
        for (const BoundSymbolPtr& symbol : body) write_call(*symbol);
    }
    void write_call(const BoundSymbol& symbol) {
        write(std::string_view(symbol.symbol->name));
        write(fulgurite::has(symbol.tags, Tag::detached));
        write_values(symbol.operands);
        write(*symbol.arguments);
        write(static_cast<std::int64_t>(symbol.regions.size()));
        for (const Region& region : symbol.regions) {
            write(static_cast<std::int64_t>(region.parameters.size()));
            for (const ValueId id : region.parameters) define(id);
            write_body(region.body);
            write_values(region.results);
        }
        if (symbol.owned_symbol) write_body(symbol.subsymbols);
        write(symbol.result_structure);
        for (const ValueId id : symbol.results) define(id);
    }

    /// Which outputs share a storage with which earlier output, input or capture.
    void write_aliases() {
        for (const std::int64_t owner : output_owners(trace_, trace_.output_aliases)) write(owner);
    }

    const Trace& trace_;
    std::map<ValueId, std::int64_t> numbers_;
    std::string bytes_;
};

}  // namespace

bool operator==(const Trace& a, const Trace& b) { return Encoder(a).bytes() == Encoder(b).bytes(); }

std::uint64_t hash_of(const Trace& trace) {
    const Encoder encoder(trace);
    std::uint64_t hash = 0xcbf29ce484222325u;  // FNV-1a: the same in every run
    for (const char byte : encoder.bytes()) hash = (hash ^ static_cast<unsigned char>(byte)) * 0x100000001b3u;
    return hash;
}

}  // namespace fulgurite
