#include <limits>
#include <optional>

#include <fulgurite/core/text_parse.h>
#include <fulgurite/core/text_value.h>

namespace fulgurite::detail {

namespace {
std::int64_t negated(std::int64_t value) {
    return static_cast<std::int64_t>(-static_cast<std::uint64_t>(value));
}
}  // namespace

Flat ValueParser::arguments(const Schema& tuple) {
    out_ = {};
    bool first = true;
    for (const Schema::Field& field : tuple.fields) {
        if (!std::exchange(first, false)) lexer_.expect(",");
        value(*field.schema);
    }
    return std::move(out_);
}

Flat ValueParser::flat_arguments(const Schema& tuple) {
    out_ = {};
    bool first = false;
    flat_value(tuple, first);
    return std::move(out_);
}

TensorSpec ValueParser::spec() {
    const DType type = dtype();
    lexer_.expect(",");
    const Dims shape = dims();
    lexer_.expect(",");
    const Dims strides = dims();
    lexer_.expect(",");
    TensorSpec spec(shape, type, device(), strides);
    if (lexer_.accept(",")) {
        lexer_.expect("weak");
        spec.weak = true;
    }
    return spec;
}

Tensor ValueParser::tensor() {
    const std::size_t at = lexer_.peek().at;
    const Token name = lexer_.expect(Token::Kind::name, "a value's name");
    Tensor tensor = find_(name.text);
    if (!tensor.defined())
        lexer_.fail_at(at, "expected a value that is defined, got '" + std::string(name.text) + "'");
    return tensor;
}

void ValueParser::tensor_or_none() {
    if (lexer_.accept("none")) return add(Atom::none());
    out_.tensors.push_back(tensor());
    add(Atom::tensor());
}

double ValueParser::floating() {
    const bool negative = lexer_.accept("-");
    double value = 0;
    if (lexer_.accept("inf")) {
        value = std::numeric_limits<double>::infinity();
    } else if (lexer_.accept("nan")) {  // C's function: a constant of this name would be ambiguous
        lexer_.expect("(");
        lexer_.expect(Token::Kind::string, "\"\"");
        lexer_.expect(")");
        value = std::numeric_limits<double>::quiet_NaN();
    } else if (lexer_.accept("from_bits")) {
        lexer_.expect("(");
        value = std::bit_cast<double>(lexer_.expect_integer());
        lexer_.expect(")");
    } else {
        value = lexer_.expect(Token::Kind::floating, "a floating number, such as 0x1.8p+1").floating;
    }
    return negative ? -value : value;
}

/// A tensor or a number, whose category its literal tells.
void ValueParser::operand() {
    if (lexer_.accept("true")) return add(Atom::of(true));
    if (lexer_.accept("false")) return add(Atom::of(false));
    const Token& token = lexer_.peek();
    if (token.kind == Token::Kind::name) {
        if (token.is("inf") || token.is("nan") || token.is("from_bits")) return add(Atom::of(floating()));
        if (token.is("int64_min")) return add(Atom::of(lexer_.expect_integer()));
        return tensor_or_none();
    }
    const bool negative = lexer_.accept("-");
    const Token number = lexer_.next();
    if (number.kind == Token::Kind::integer)
        return add(Atom::of(negative ? negated(number.integer) : number.integer));
    if (number.kind == Token::Kind::floating)
        return add(Atom::of(negative ? -number.floating : number.floating));
    if (negative && number.is("inf")) return add(Atom::of(-std::numeric_limits<double>::infinity()));
    lexer_.fail_at(number.at, "expected a value's name or a number, got '" + std::string(number.text) + "'");
}

DType ValueParser::dtype() {
    for (int i = 0; i < dtype_count; ++i) {
        if (lexer_.accept(name_of(static_cast<DType>(i)))) return static_cast<DType>(i);
    }
    lexer_.fail_expected("a dtype, such as float32");
}

Device ValueParser::device() {
    if (lexer_.accept("cpu")) return cpu;
    if (!lexer_.accept("cuda")) lexer_.fail_expected("a device: cpu or cuda(index)");
    lexer_.expect("(");
    const std::size_t at = lexer_.peek().at;
    const std::int64_t index = lexer_.expect_integer();
    if (index < 0 || index > std::numeric_limits<std::int16_t>::max())
        lexer_.fail_at(at, "expected the index of a device");
    lexer_.expect(")");
    return cuda(static_cast<int>(index));
}

std::int64_t ValueParser::enumerator(const Schema& schema) {
    if (lexer_.peek().kind != Token::Kind::name) return lexer_.expect_integer();
    const Token token = lexer_.next();
    if (token.text == text_of_type(schema.type)) {
        lexer_.expect("(");
        const std::int64_t value = lexer_.expect_integer();
        lexer_.expect(")");
        return value;
    }
    const std::size_t colon = token.text.rfind(':');
    const std::string_view name = colon == token.text.npos ? token.text : token.text.substr(colon + 1);
    for (const Schema::Enumerator& entry : schema.enumerators) {
        if (entry.name == name) return entry.value;
    }
    lexer_.fail_at(token.at, "expected an enumerator of " + std::string(text_of_type(schema.type)) +
                                 ", got '" + std::string(token.text) + "'");
}

Dims ValueParser::dims() {
    lexer_.accept("Dims");
    lexer_.expect("{");
    Dims dims;
    if (lexer_.accept("}")) return dims;
    do dims.push_back(lexer_.expect_integer());
    while (lexer_.accept(","));
    lexer_.expect("}");
    return dims;
}

void ValueParser::dims_atoms() {
    const Dims entries = dims();
    add(Atom::begin(static_cast<std::size_t>(entries.size())));
    for (const std::int64_t entry : entries) add(Atom::of(entry));
}

/// A value without children.
void ValueParser::leaf(const Schema& schema) {
    using Kind = Schema::Kind;
    switch (schema.kind) {
        case Kind::tensor:
            return tensor_or_none();
        case Kind::boolean:
            if (lexer_.accept("true")) return add(Atom::of(true));
            if (lexer_.accept("false")) return add(Atom::of(false));
            lexer_.fail_expected("true or false");
        case Kind::integer:
            return add(Atom::of(lexer_.expect_integer()));
        case Kind::floating:
            return add(Atom::of(floating()));
        case Kind::text: {
            const Token token = lexer_.expect(Token::Kind::string, "a quoted text");
            add({Atom::Kind::text, static_cast<std::int64_t>(out_.statics.strings.size())});
            return out_.statics.strings.push_back(token.string);
        }
        case Kind::dtype:
            return add(Atom::of(dtype()));
        case Kind::device:
            return add(Atom::of(device()));
        case Kind::enumeration:
            return add(Atom::of(enumerator(schema)));
        default:
            return operand();
    }
}

void ValueParser::value(const Schema& schema) {
    using Kind = Schema::Kind;
    switch (schema.kind) {
        case Kind::optional:
            if (lexer_.accept("none")) return add(Atom::none());
            return value(*schema.fields[0].schema);
        case Kind::dims:
            return dims_atoms();
        case Kind::list:
        case Kind::map:
            return children(schema);
        case Kind::tuple: {
            lexer_.expect("{");
            bool first = true;
            for (const Schema::Field& field : schema.fields) {
                if (!std::exchange(first, false)) lexer_.expect(",");
                value(*field.schema);
            }
            return lexer_.expect("}");
        }
        case Kind::record:
            return record(schema);
        default:
            return leaf(schema);
    }
}

void ValueParser::children(const Schema& schema) {
    const std::size_t begin = out_.statics.atoms.size();
    add(Atom::begin(0));
    std::int64_t count = 0;
    lexer_.expect("{");
    while (!lexer_.accept("}")) {
        if (count++ > 0) lexer_.expect(",");
        if (schema.kind == Schema::Kind::map) lexer_.expect("{");
        value(*schema.fields[0].schema);
        if (schema.kind == Schema::Kind::map) {
            lexer_.expect(",");
            value(*schema.fields[1].schema);
            lexer_.expect("}");
        }
    }
    out_.statics.atoms[begin].bits = count;
}

/// Fields in their order; those left out have their defaults.
void ValueParser::record(const Schema& schema) {
    if (!schema.type.empty()) lexer_.accept(text_of_type(schema.type));
    lexer_.expect("{");
    const bool has_defaults = !schema.defaults.atoms.empty();
    std::optional<Token> designator;
    bool first = true;
    std::size_t default_at = 0;
    for (const Schema::Field& field : schema.fields) {
        if (!designator && !lexer_.peek().is("}")) {
            if (!std::exchange(first, false)) lexer_.expect(",");
            lexer_.expect(".");
            designator = lexer_.expect(Token::Kind::name, "the name of a field");
        }
        const std::size_t begin = default_at;
        if (has_defaults) default_at = end_of_value(*field.schema, schema.defaults, default_at);
        if (designator && designator->text == field.name) {
            lexer_.expect("=");
            value(*field.schema);
            designator.reset();
        } else if (has_defaults) {
            add_default(schema, begin, default_at);
        } else {
            lexer_.fail_expected("a value for ." + std::string(field.name) + ", which has no default");
        }
    }
    if (designator) {
        lexer_.fail_at(designator->at, "expected the fields of " + std::string(text_of_type(schema.type)) +
                                           " in their order, got '" + std::string(designator->text) + "'");
    }
    lexer_.expect("}");
}

void ValueParser::add_default(const Schema& record, std::size_t begin, std::size_t end) {
    for (; begin < end; ++begin) {
        Atom atom = record.defaults.atoms[begin];
        if (atom.kind == Atom::Kind::text) {
            out_.statics.strings.push_back(record.defaults.strings[static_cast<std::size_t>(atom.bits)]);
            atom.bits = static_cast<std::int64_t>(out_.statics.strings.size()) - 1;
        }
        add(atom);
    }
}

void ValueParser::flat_value(const Schema& schema, bool& first) {
    using Kind = Schema::Kind;
    if (schema.kind == Kind::tuple || schema.kind == Kind::record) {
        for (const Schema::Field& field : schema.fields) flat_value(*field.schema, first);
        return;
    }
    if (schema.kind == Kind::optional) {
        if (!first) lexer_.expect(",");
        first = true;
        if (!lexer_.accept("none")) return flat_value(*schema.fields[0].schema, first);
        first = false;
        return add(Atom::none());
    }
    if (!first) lexer_.expect(",");
    first = false;
    if (schema.kind == Kind::dims)
        dims_atoms();
    else if (schema.kind == Kind::list || schema.kind == Kind::map)
        flat_list(schema);
    else
        leaf(schema);
}

void ValueParser::flat_list(const Schema& schema) {
    const std::size_t begin = out_.statics.atoms.size();
    add(Atom::begin(0));
    std::int64_t count = 0;
    lexer_.expect("list");
    lexer_.expect("(");
    while (!lexer_.accept(")")) {
        if (count++ > 0) lexer_.expect(",");
        const bool wrapped = lexer_.accept("item");
        if (wrapped) lexer_.expect("(");
        bool first = true;
        for (const Schema::Field& field : schema.fields) flat_value(*field.schema, first);
        if (wrapped) lexer_.expect(")");
    }
    out_.statics.atoms[begin].bits = count;
}

}  // namespace fulgurite::detail
