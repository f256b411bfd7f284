#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace fulgurite::detail {

/// One word of a trace's text.
struct Token {
    enum class Kind { end, name, integer, floating, string, symbol };
    Kind kind = Kind::end;
    std::string_view text;  ///< as written; a name with its "a::b::" in front
    std::size_t at = 0;
    std::int64_t integer = 0;
    double floating = 0;
    std::string string = {};  ///< without quotes and escapes

    bool is(std::string_view expected) const {
        return (kind == Kind::name || kind == Kind::symbol) && text == expected;
    }
};

/// Cuts a trace's text into tokens, one ahead. Comments and white space stand for nothing.
class Lexer {
public:
    explicit Lexer(std::string_view text) : text_(text) { advance(); }

    const Token& peek() const { return token_; }
    /// The token after the next one.
    Token peek_second() const;
    Token next();
    /// Takes the next token if it is this name or symbol.
    bool accept(std::string_view expected);
    void expect(std::string_view expected);
    Token expect(Token::Kind kind, const char* what);
    std::int64_t expect_integer();

    /// The comment on the line where the last token that was taken ended, without "//"; empty where there is
    /// none.
    std::string_view comment_behind() const;
    /// Throws ParseError at the next token: "line 3, column 7: expected ..., got ...".
    [[noreturn]] void fail_expected(std::string_view what) const;
    [[noreturn]] void fail_at(std::size_t at, std::string_view message) const;

private:
    void advance();
    void skip_blank();
    void lex_name();
    void lex_number();
    void lex_string();
    char escape();
    char at(std::size_t i) const { return i < text_.size() ? text_[i] : '\0'; }

    std::string_view text_;
    std::size_t next_ = 0;
    std::size_t last_end_ = 0;
    Token token_;
};

}  // namespace fulgurite::detail
