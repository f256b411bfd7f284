#include <fulgurite/core/text_lexer.h>

#include <algorithm>
#include <charconv>

#include <fulgurite/core/errors.h>

namespace fulgurite::detail {

namespace {
bool is_digit(char c) { return c >= '0' && c <= '9'; }
bool is_word(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || is_digit(c); }

/// Reads a whole literal; false where it is none or out of range.
bool read_floating(std::string_view text, double& value) {
    const bool hex = text.starts_with("0x");
    if (hex) text.remove_prefix(2);
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value,
                                              hex ? std::chars_format::hex : std::chars_format::general);
    return error == std::errc{} && end == text.data() + text.size();
}

bool read_integer(std::string_view text, std::int64_t& value) {
    const bool hex = text.starts_with("0x");
    if (hex) text.remove_prefix(2);
    if (!hex) {
        const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
        return error == std::errc{} && end == text.data() + text.size();
    }
    std::uint64_t bits = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), bits, 16);
    value = static_cast<std::int64_t>(bits);
    return error == std::errc{} && end == text.data() + text.size();
}
}  // namespace

void Lexer::fail_at(std::size_t at, std::string_view message) const {
    const std::string_view before = text_.substr(0, std::min(at, text_.size()));
    const auto line = std::count(before.begin(), before.end(), '\n') + 1;
    const std::size_t start = before.rfind('\n');
    const std::size_t column = before.size() - (start == before.npos ? 0 : start + 1) + 1;
    throw ParseError("[parse] line " + std::to_string(line) + ", column " + std::to_string(column) + ": " +
                     std::string(message));
}

void Lexer::fail_expected(std::string_view what) const {
    const std::string got =
        token_.kind == Token::Kind::end ? "the end of the text" : "'" + std::string(token_.text) + "'";
    fail_at(token_.at, "expected " + std::string(what) + ", got " + got);
}

Token Lexer::peek_second() const {
    Lexer ahead = *this;
    ahead.advance();
    return ahead.token_;
}

Token Lexer::next() {
    Token token = token_;
    advance();
    return token;
}

bool Lexer::accept(std::string_view expected) {
    if (!token_.is(expected)) return false;
    advance();
    return true;
}

void Lexer::expect(std::string_view expected) {
    if (!accept(expected)) fail_expected("'" + std::string(expected) + "'");
}

Token Lexer::expect(Token::Kind kind, const char* what) {
    if (token_.kind != kind) fail_expected(what);
    return next();
}

std::int64_t Lexer::expect_integer() {
    if (accept("int64_min")) return INT64_MIN;
    const bool negative = accept("-");
    const std::int64_t value = expect(Token::Kind::integer, "an integer").integer;
    return negative ? static_cast<std::int64_t>(-static_cast<std::uint64_t>(value)) : value;
}

std::string_view Lexer::comment_behind() const {
    const std::size_t begin = text_.find_first_not_of(" \t", last_end_);
    if (begin == text_.npos || text_.substr(begin, 2) != "//") return {};
    std::string_view comment = text_.substr(begin + 2, text_.find('\n', begin) - begin - 2);
    comment.remove_prefix(std::min(comment.find_first_not_of(' '), comment.size()));
    while (!comment.empty() && (comment.back() == ' ' || comment.back() == '\r')) comment.remove_suffix(1);
    return comment;
}

void Lexer::skip_blank() {
    while (next_ < text_.size()) {
        const char c = text_[next_];
        if (c == ' ' || c == '\t' || c == '\n' || c == '\r')
            ++next_;
        else if (c == '/' && at(next_ + 1) == '/')
            next_ = std::min(text_.find('\n', next_), text_.size());
        else
            return;
    }
}

void Lexer::advance() {
    last_end_ = next_;
    skip_blank();
    token_ = Token{};
    token_.at = next_;
    if (next_ == text_.size()) return;
    const char c = text_[next_];
    if (is_digit(c))
        lex_number();
    else if (is_word(c))
        lex_name();
    else if (c == '"')
        lex_string();
    else if (std::string_view("(){}[]<>,;=.&-").find(c) != std::string_view::npos) {
        token_.kind = Token::Kind::symbol;
        ++next_;
    } else {
        fail_at(next_, "expected a trace's text, got the character '" + std::string(1, c) + "'");
    }
    token_.text = text_.substr(token_.at, next_ - token_.at);
}

void Lexer::lex_name() {
    token_.kind = Token::Kind::name;
    while (is_word(at(next_))) {
        while (is_word(at(next_))) ++next_;
        if (at(next_) == ':' && at(next_ + 1) == ':' && is_word(at(next_ + 2))) next_ += 2;
    }
}

void Lexer::lex_number() {
    const std::size_t begin = next_;
    const bool hex = at(next_) == '0' && at(next_ + 1) == 'x';
    const char exponent = hex ? 'p' : 'e';
    while (is_word(at(next_)) || at(next_) == '.' ||
           ((at(next_) == '-' || at(next_) == '+') && at(next_ - 1) == exponent)) {
        ++next_;
    }
    const std::string_view text = text_.substr(begin, next_ - begin);
    const bool whole = text.find_first_of(hex ? ".p" : ".e") == text.npos;
    token_.kind = whole ? Token::Kind::integer : Token::Kind::floating;
    const bool good = whole ? read_integer(text, token_.integer) : read_floating(text, token_.floating);
    if (!good) fail_at(begin, "expected a number, got '" + std::string(text) + "'");
}

void Lexer::lex_string() {
    const std::size_t begin = next_++;
    token_.kind = Token::Kind::string;
    while (at(next_) != '"') {
        if (next_ >= text_.size() || text_[next_] == '\n') fail_at(begin, "expected a closing quote");
        token_.string += text_[next_] == '\\' ? escape() : text_[next_++];
    }
    ++next_;
}

char Lexer::escape() {
    const char c = at(++next_);
    if (c >= '0' && c <= '3' && at(next_ + 1) >= '0' && at(next_ + 1) <= '7' && at(next_ + 2) >= '0' &&
        at(next_ + 2) <= '7') {
        const int value = (c - '0') * 64 + (at(next_ + 1) - '0') * 8 + (at(next_ + 2) - '0');
        next_ += 3;
        return static_cast<char>(value);
    }
    ++next_;
    if (c == 'n') return '\n';
    if (c == 't') return '\t';
    if (c == '"' || c == '\\') return c;
    fail_at(next_ - 2, "expected an escape (\\n, \\t, \\\", \\\\ or three octal digits)");
}

}  // namespace fulgurite::detail
