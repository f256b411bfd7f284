#include <fulgurite/tests/samples/sample.h>

#include <cmath>
#include <cstdlib>
#include <iomanip>
#include <set>
#include <sstream>

namespace fulgurite::tests {

namespace {

/// Writes a flattened pytree by its schema.
class ArgumentWriter {
public:
    ArgumentWriter(const Flat& flat, const std::function<std::string(std::size_t)>& tensor)
        : atoms_(flat.statics.atoms), strings_(flat.statics.strings), tensor_(tensor) {}

    std::string value(const Schema& schema) {
        switch (schema.kind) {
            case Schema::Kind::tuple:
                return children(schema, '[', ']', false);
            case Schema::Kind::record:
                return record(schema);
            case Schema::Kind::optional:
                return atoms_[next_].kind == Atom::Kind::none ? (++next_, "null")
                                                              : value(*schema.fields[0].schema);
            case Schema::Kind::list:
                return list(*schema.fields[0].schema);
            case Schema::Kind::dims: {
                const Schema integer{Schema::Kind::integer, {}, {}, {}, {}};
                return list(integer);
            }
            default:
                return leaf(schema, atoms_[next_++]);
        }
    }

private:
    std::string leaf(const Schema& schema, const Atom& atom) {
        switch (atom.kind) {
            case Atom::Kind::none:
                return "null";
            case Atom::Kind::tensor:
                return tensor_(next_tensor_++);
            case Atom::Kind::boolean:
                return atom.bits ? "true" : "false";
            case Atom::Kind::integer:
                for (const Schema::Enumerator& one : schema.enumerators) {
                    if (one.value == atom.bits) return '"' + std::string(one.name) + '"';
                }
                return std::to_string(atom.bits);
            case Atom::Kind::floating:
                return number(atom.as_double());
            case Atom::Kind::text:
                return '"' + strings_[static_cast<std::size_t>(atom.bits)] + '"';
            case Atom::Kind::dtype:
                return R"({"dtype":")" + std::string(name_of(atom.as_dtype())) + "\"}";
            case Atom::Kind::device:
                return R"({"device":")" + to_string(atom.as_device()) + "\"}";
            case Atom::Kind::begin:
                break;
        }
        throw std::logic_error("a leaf that is none");
    }

    static std::string number(double value) {
        if (std::isnan(value)) return R"({"float":"nan"})";
        if (std::isinf(value)) return value > 0 ? R"({"float":"inf"})" : R"({"float":"-inf"})";
        std::ostringstream text;
        text << std::setprecision(17) << value;
        const std::string out = text.str();
        return out.find_first_of(".e") == std::string::npos ? out + ".0" : out;
    }

    std::string list(const Schema& element) {
        std::string out = "[";
        for (std::int64_t n = atoms_[next_++].bits; n > 0; --n) out += value(element) + (n > 1 ? "," : "");
        return out + "]";
    }

    std::string children(const Schema& schema, char open, char close, bool names) {
        std::string out(1, open);
        for (const Schema::Field& field : schema.fields) {
            if (out.size() > 1) out += ',';
            if (names) out += '"' + std::string(field.name) + "\":";
            out += value(*field.schema);
        }
        return out + close;
    }

    /// Fields that have their defaults are left out.
    std::string record(const Schema& schema) {
        std::string out = "{";
        Flat defaults{schema.defaults, {}};
        ArgumentWriter other(defaults, tensor_);
        for (const Schema::Field& field : schema.fields) {
            const std::string text = value(*field.schema);
            if (!defaults.statics.atoms.empty() && other.value(*field.schema) == text) continue;
            if (out.size() > 1) out += ',';
            out += '"' + std::string(field.name) + "\":" + text;
        }
        return out + "}";
    }

    const std::vector<Atom>& atoms_;
    const std::vector<std::string>& strings_;
    const std::function<std::string(std::size_t)>& tensor_;
    std::size_t next_ = 0;
    std::size_t next_tensor_ = 0;
};

/// FNV-1a of the elements.
std::string hash_of_elements(const std::vector<Tensor>& tensors) {
    std::uint32_t hash = 2166136261u;
    for (const Tensor& tensor : tensors) {
        for (const char byte : bytes_of(tensor)) hash = (hash ^ static_cast<unsigned char>(byte)) * 16777619u;
    }
    std::ostringstream text;
    text << std::hex << std::setw(5) << std::setfill('0') << (hash >> 12);
    return text.str();
}

struct Tables {
    std::vector<Sample> samples;
    std::vector<ErrorSample> errors;
};

Tables make_tables() {
    SampleTable table;
    add_unary_samples(table);
    add_pointwise_samples(table);
    add_reduction_samples(table);
    add_view_samples(table);
    add_index_samples(table);
    add_matmul_samples(table);
    add_nn_samples(table);
    add_create_samples(table);
    Tables out{table.take_samples(), table.take_errors()};
    if (const char* wanted = std::getenv("FULGURITE_SAMPLE")) {
        std::erase_if(out.samples, [&](const Sample& s) { return s.key.find(wanted) == std::string::npos; });
        std::erase_if(out.errors,
                      [&](const ErrorSample& s) { return s.name.find(wanted) == std::string::npos; });
    }
    return out;
}

const Tables& tables() {
    static const Tables* const made = new Tables(make_tables());
    return *made;
}

}  // namespace

std::string arguments_json(const Schema& schema, const Flat& flat,
                           const std::function<std::string(std::size_t)>& tensor) {
    return ArgumentWriter(flat, tensor).value(schema);
}

Flat run_with(const Sample& sample, const std::vector<Tensor>& tensors) {
    return detail::dispatch(*sample.op, {sample.arguments.statics, tensors});
}

Sample& SampleTable::add_flat(const Symbol& op, Flat arguments) {
    Sample sample;
    sample.op = &op;
    const auto spec_of = [&](std::size_t i) { return to_string(arguments.tensors[i].spec()); };
    std::string text = arguments_json(*op.signature->arguments(), arguments, spec_of);
    text = text.substr(1, text.size() - 2);
    while (text.ends_with(",{}")) text.erase(text.size() - 3);
    sample.key = op.name + "(" + text + ") " + hash_of_elements(arguments.tensors);
    sample.arguments = std::move(arguments);
    for (const Sample& other : samples_) {
        if (other.op == sample.op && other.key == sample.key)
            throw std::logic_error("two samples " + sample.key);
    }
    samples_.push_back(std::move(sample));
    return samples_.back();
}

const std::vector<Sample>& all_samples() { return tables().samples; }
const std::vector<ErrorSample>& all_error_samples() { return tables().errors; }

}  // namespace fulgurite::tests
