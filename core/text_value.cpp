#include <fulgurite/core/text_value.h>

#include <charconv>
#include <cmath>
#include <cstdio>
#include <limits>

namespace fulgurite::detail {

namespace {
std::string hex(std::uint64_t value) {
    char text[24];
    std::snprintf(text, sizeof text, "0x%llx", static_cast<unsigned long long>(value));
    return text;
}

std::string joined(const std::vector<std::string>& parts) {
    std::string out;
    for (const std::string& part : parts) out += (out.empty() ? "" : ", ") + part;
    return out;
}

[[noreturn]] void misfit() { throw InternalError("[text] the arguments do not fit the schema of their op"); }

const Atom& atom_at(const Statics& statics, std::size_t at) {
    if (at >= statics.atoms.size()) misfit();
    return statics.atoms[at];
}
}  // namespace

std::string text_of(double value) {
    if (std::isnan(value)) {
        const auto bits = std::bit_cast<std::uint64_t>(value);
        if (bits == std::bit_cast<std::uint64_t>(std::numeric_limits<double>::quiet_NaN()))
            return "nan(\"\")";
        return "from_bits(" + hex(bits) + ")";
    }
    if (std::isinf(value)) return value < 0 ? "-inf" : "inf";
    char text[40];
    char* const end = std::to_chars(text, text + sizeof text, std::fabs(value), std::chars_format::hex).ptr;
    return (std::signbit(value) ? "-0x" : "0x") + std::string(text, end);
}

std::string text_of(std::int64_t value) {
    return value == std::numeric_limits<std::int64_t>::min() ? "int64_min" : std::to_string(value);
}

std::string text_of(const Dims& dims) {
    std::string out = "{";
    for (int i = 0; i < dims.size(); ++i) out += (i ? ", " : "") + text_of(dims[i]);
    return out + "}";
}

std::string text_of(Device device) {
    return device.type == DeviceType::cpu ? "cpu" : "cuda(" + std::to_string(device.index) + ")";
}

std::string quoted(const std::string& text) {
    std::string out = "\"";
    for (const char c : text) {
        const auto byte = static_cast<unsigned char>(c);
        if (c == '"' || c == '\\')
            out += std::string("\\") + c;
        else if (c == '\n')
            out += "\\n";
        else if (c == '\t')
            out += "\\t";
        else if (byte >= 32 && byte < 127)
            out += c;
        else
            out += {'\\', static_cast<char>('0' + byte / 64), static_cast<char>('0' + byte / 8 % 8),
                    static_cast<char>('0' + byte % 8)};
    }
    return out + "\"";
}

std::string text_of(const TensorSpec& spec) {
    return std::string(name_of(spec.dtype)) + ", " + text_of(spec.shape) + ", " + text_of(spec.strides) +
           ", " + text_of(spec.device) + (spec.weak ? ", weak" : "");
}

std::string_view text_of_type(std::string_view type) {
    constexpr std::string_view home = "fulgurite::";
    return type.starts_with(home) ? type.substr(home.size()) : type;
}

std::size_t end_of_value(const Schema& schema, const Statics& statics, std::size_t at) {
    using Kind = Schema::Kind;
    switch (schema.kind) {
        case Kind::optional:
            return atom_at(statics, at).kind == Atom::Kind::none
                       ? at + 1
                       : end_of_value(*schema.fields[0].schema, statics, at);
        case Kind::tuple:
        case Kind::record:
            for (const Schema::Field& field : schema.fields) at = end_of_value(*field.schema, statics, at);
            return at;
        case Kind::dims:
            return at + 1 + static_cast<std::size_t>(atom_at(statics, at).bits);
        case Kind::list:
        case Kind::map: {
            std::int64_t count = atom_at(statics, at++).bits;
            while (count-- > 0) {
                for (const Schema::Field& field : schema.fields)
                    at = end_of_value(*field.schema, statics, at);
            }
            return at;
        }
        default:
            atom_at(statics, at);
            return at + 1;
    }
}

bool same_statics(const Statics& a, std::size_t a_begin, std::size_t a_end, const Statics& b,
                  std::size_t b_begin, std::size_t b_end) {
    if (a_end - a_begin != b_end - b_begin) return false;
    for (; a_begin < a_end; ++a_begin, ++b_begin) {
        const Atom &x = atom_at(a, a_begin), &y = atom_at(b, b_begin);
        if (x.kind != y.kind || x.kind == Atom::Kind::tensor) return false;
        const bool text = x.kind == Atom::Kind::text;
        if (text ? a.strings.at(static_cast<std::size_t>(x.bits)) !=
                       b.strings.at(static_cast<std::size_t>(y.bits))
                 : x.bits != y.bits) {
            return false;
        }
    }
    return true;
}

const Atom& ValuePrinter::next() { return atom_at(statics_, at_++); }

std::string ValuePrinter::operand() {
    if (next_operand_ >= operands_.size()) misfit();
    return operands_[next_operand_++];
}

std::string ValuePrinter::arguments(const Schema& tuple) {
    std::vector<std::string> parts;
    for (const Schema::Field& field : tuple.fields) parts.push_back(value(*field.schema, false));
    return joined(parts);
}

std::string ValuePrinter::flat_arguments(const Schema& tuple) {
    std::vector<std::string> parts;
    flat_value(tuple, parts);
    return joined(parts);
}

std::string ValuePrinter::number(const Atom& atom) {
    if (atom.kind == Atom::Kind::boolean) return atom.bits ? "true" : "false";
    if (atom.kind == Atom::Kind::floating) return text_of(atom.as_double());
    return text_of(atom.bits);
}

std::string ValuePrinter::enumerator(const Schema& schema, std::int64_t value) {
    const std::string_view type = text_of_type(schema.type);
    const bool has_cxx_name = type.find_first_of("{(< ") == type.npos;
    if (!has_cxx_name) return text_of(value);
    for (const Schema::Enumerator& entry : schema.enumerators) {
        if (entry.value == value) return std::string(type) + "::" + std::string(entry.name);
    }
    return std::string(type) + "(" + text_of(value) + ")";
}

std::string ValuePrinter::dims(const Atom& begin) {
    std::string out = "{";
    for (std::int64_t i = 0; i < begin.bits; ++i) out += (i ? ", " : "") + text_of(next().bits);
    return out + "}";
}

/// A value that is one atom.
std::string ValuePrinter::leaf(const Schema& schema, const Atom& atom) {
    switch (schema.kind) {
        case Schema::Kind::text:
            if (atom.kind != Atom::Kind::text) misfit();
            return quoted(statics_.strings.at(static_cast<std::size_t>(atom.bits)));
        case Schema::Kind::dtype:
            if (atom.bits < 0 || atom.bits >= dtype_count) misfit();
            return std::string(name_of(atom.as_dtype()));
        case Schema::Kind::device:
            return text_of(atom.as_device());
        case Schema::Kind::enumeration:
            return enumerator(schema, atom.bits);
        default:
            if (atom.kind == Atom::Kind::none) return "none";
            return atom.kind == Atom::Kind::tensor ? operand() : number(atom);
    }
}

/// Within an optional, braces alone would not compile: `names_type` puts the type in front of them.
std::string ValuePrinter::value(const Schema& schema, bool names_type) {
    using Kind = Schema::Kind;
    switch (schema.kind) {
        case Kind::optional:
            if (atom_at(statics_, at_).kind != Atom::Kind::none) return value(*schema.fields[0].schema, true);
            ++at_;
            return "none";
        case Kind::dims:
            return (names_type ? "Dims" : "") + dims(next());
        case Kind::list:
        case Kind::map:
            return children(schema, next().bits);
        case Kind::tuple: {
            std::vector<std::string> parts;
            for (const Schema::Field& field : schema.fields) parts.push_back(value(*field.schema, false));
            return "{" + joined(parts) + "}";
        }
        case Kind::record:
            return record(schema, names_type);
        default:
            return leaf(schema, next());
    }
}

std::string ValuePrinter::children(const Schema& schema, std::int64_t count) {
    std::vector<std::string> parts;
    while (count-- > 0) {
        std::string child = value(*schema.fields[0].schema, false);
        if (schema.kind == Schema::Kind::map)
            child.insert(0, "{").append(", ").append(value(*schema.fields[1].schema, false)).append("}");
        parts.push_back(std::move(child));
    }
    return "{" + joined(parts) + "}";
}

std::string ValuePrinter::record(const Schema& schema, bool names_type) {
    const bool has_defaults = !schema.defaults.atoms.empty();
    std::size_t default_at = 0;
    std::vector<std::string> parts;
    for (const Schema::Field& field : schema.fields) {
        const std::size_t end = end_of_value(*field.schema, statics_, at_);
        if (has_defaults) {
            const std::size_t begin =
                std::exchange(default_at, end_of_value(*field.schema, schema.defaults, default_at));
            if (same_statics(statics_, at_, end, schema.defaults, begin, default_at)) {
                at_ = end;
                continue;
            }
        }
        parts.push_back("." + std::string(field.name) + " = " + value(*field.schema, false));
    }
    return (names_type ? std::string(text_of_type(schema.type)) : "") + "{" + joined(parts) + "}";
}

void ValuePrinter::flat_value(const Schema& schema, std::vector<std::string>& out) {
    using Kind = Schema::Kind;
    switch (schema.kind) {
        case Kind::optional:
            if (atom_at(statics_, at_).kind != Atom::Kind::none)
                return flat_value(*schema.fields[0].schema, out);
            ++at_;
            return out.push_back("none");
        case Kind::tuple:
        case Kind::record:
            for (const Schema::Field& field : schema.fields) flat_value(*field.schema, out);
            return;
        case Kind::dims:
            return out.push_back("Dims" + dims(next()));
        case Kind::list:
        case Kind::map:
            return out.push_back(flat_list(schema, next().bits));
        default:
            return out.push_back(leaf(schema, next()));
    }
}

std::string ValuePrinter::flat_list(const Schema& schema, std::int64_t count) {
    std::vector<std::string> parts;
    while (count-- > 0) {
        std::vector<std::string> child;
        for (const Schema::Field& field : schema.fields) flat_value(*field.schema, child);
        parts.push_back(child.size() == 1 ? child[0] : "item(" + joined(child) + ")");
    }
    return "list(" + joined(parts) + ")";
}

}  // namespace fulgurite::detail
