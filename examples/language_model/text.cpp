#include "text.h"

#include <array>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <memory>

#include <fmt/format.h>
#include <sys/wait.h>

namespace language_model {

const TextProgram king_james{"bible -f gen1:1-rev22:21", 4404412, 0x2142d8695f8a9b7e};

namespace {
constexpr std::size_t smallest_text = 10'000;

template <class... Args>
[[noreturn]] void fail(fmt::format_string<Args...> format, Args&&... args) {
    throw TextError(fmt::format(format, std::forward<Args>(args)...));
}

std::vector<std::uint8_t> read_to_end(std::FILE* file) {
    std::vector<std::uint8_t> bytes;
    std::array<std::uint8_t, 1 << 16> chunk;
    while (const std::size_t count = std::fread(chunk.data(), 1, chunk.size(), file)) {
        bytes.insert(bytes.end(), chunk.begin(), chunk.begin() + static_cast<std::ptrdiff_t>(count));
    }
    return bytes;
}

void check_status(const TextProgram& program, int status) {
    const std::string name = program.command.substr(0, program.command.find(' '));
    const int code = WIFEXITED(status) ? WEXITSTATUS(status) : -1;
    if (code == 127) {
        fail("the program '{}' was not found: install bible-kjv and bible-kjv-text, or give --text FILE",
             name);
    }
    if (code != 0) {
        fail("'{}' failed (wait status {}): install bible-kjv-text, or give --text FILE", program.command,
             status);
    }
}
}  // namespace

std::uint64_t fnv1a(Bytes bytes) {
    std::uint64_t hash = 0xcbf29ce484222325;
    for (const std::uint8_t byte : bytes) {
        hash = (hash ^ byte) * 0x100000001b3;
    }
    return hash;
}

Text read_text(const std::string& path) {
    if (std::error_code error; std::filesystem::is_directory(path, error)) {
        fail("cannot read '{}': it is a directory", path);
    }
    const std::unique_ptr<std::FILE, int (*)(std::FILE*)> file(std::fopen(path.c_str(), "rb"), std::fclose);
    if (!file) {
        fail("cannot read '{}': {}", path, std::strerror(errno));
    }
    Text text{read_to_end(file.get())};
    if (std::ferror(file.get())) {
        fail("cannot read '{}' to its end", path);
    }
    if (text.bytes.empty()) {
        fail("the text '{}' is empty", path);
    }
    if (text.bytes.size() < smallest_text) {
        fail("the text '{}' is too short: {} bytes, at least {} are needed", path, text.bytes.size(),
             smallest_text);
    }
    return text;
}

Text run_text_program(const TextProgram& program) {
    std::FILE* pipe = popen((program.command + " 2>/dev/null").c_str(), "r");
    if (!pipe) {
        fail("cannot run '{}': {}", program.command, std::strerror(errno));
    }
    Text text{read_to_end(pipe)};
    check_status(program, pclose(pipe));
    if (const std::uint64_t sum = fnv1a(text.bytes);
        text.bytes.size() != program.size || sum != program.checksum) {
        fail("'{}' printed another text: {} bytes with checksum {:016x}, expected {} with {:016x}",
             program.command, text.bytes.size(), sum, program.size, program.checksum);
    }
    return text;
}

}  // namespace language_model
