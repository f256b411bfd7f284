#pragma once

#include <cstdint>
#include <span>
#include <stdexcept>
#include <string>
#include <vector>

namespace language_model {

/// There is no usable text; the message is one line for the user.
struct TextError : std::runtime_error {
    using std::runtime_error::runtime_error;
};

using Bytes = std::span<const std::uint8_t>;

/// A text: its first 90 % are for training, its last 10 % are held out.
struct Text {
    std::vector<std::uint8_t> bytes;

    Bytes training() const { return Bytes(bytes).first(split()); }
    Bytes held_out() const { return Bytes(bytes).subspan(split()); }
    std::size_t split() const { return bytes.size() / 10 * 9; }
};

/// A program that prints a text, and what it has to print.
struct TextProgram {
    std::string command;
    std::size_t size;
    std::uint64_t checksum;  ///< FNV-1a, 64 bits
};

/// The King James text, from the Debian packages bible-kjv and bible-kjv-text.
extern const TextProgram king_james;

Text read_text(const std::string& path);
Text run_text_program(const TextProgram& program);

std::uint64_t fnv1a(Bytes bytes);

}  // namespace language_model
