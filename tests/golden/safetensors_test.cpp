#include <fulgurite/tests/support/safetensors.h>

#include <cstring>
#include <fstream>
#include <functional>

#include <fulgurite/tests/samples/values.h>
#include <fulgurite/tests/support/catch.h>
#include <fulgurite/tests/support/paths.h>

namespace fulgurite::tests {

namespace {

std::filesystem::path write_file(const std::string& header, const std::string& data) {
    const auto file = build_root() / "safetensors_test.safetensors";
    std::ofstream out(file, std::ios::binary);
    const std::uint64_t size = header.size();
    char bytes[sizeof(size)];
    std::memcpy(bytes, &size, sizeof(size));
    out.write(bytes, sizeof(bytes));
    out << header << data;
    return file;
}

std::string message_for(const std::string& header, const std::string& data) {
    try {
        read_safetensors(write_file(header, data));
    } catch (const std::runtime_error& error) {
        return error.what();
    }
    return "nothing was thrown";
}

}  // namespace

TEST_CASE("a safetensors file gives its tensors", "[safetensors]") {
    const auto file = write_file(
        R"({"__metadata__":{"by":"test"},"a":{"dtype":"U8","shape":[2,1],"data_offsets":[0,2]},)"
        R"("b":{"dtype":"BF16","shape":[],"data_offsets":[2,4]},"c":{"dtype":"F32","shape":[0],"data_offsets":[4,4]}})",
        std::string("\x05\x06\x80\x3f", 4));
    const auto tensors = read_safetensors(file);
    REQUIRE(tensors.size() == 3);
    CHECK(elements_of(tensors.at("a")) == std::vector<double>{5, 6});
    CHECK(tensors.at("a").shape() == Shape{2, 1});
    CHECK(elements_of(tensors.at("b")) == std::vector<double>{1});
    CHECK(tensors.at("c").dtype() == float32);
}

TEST_CASE("a malformed safetensors file is refused", "[safetensors]") {
    const auto one = [](const std::string& entry, const std::string& data) {
        return message_for(R"({"a":)" + entry + "}", data);
    };
    CHECK_THAT(one(R"({"dtype":"U8","shape":[2],"data_offsets":[0,2]})", "x"),
               ContainsSubstring("does not fit"));
    CHECK_THAT(one(R"({"dtype":"U8","shape":[2],"data_offsets":[0,1]})", "x"),
               ContainsSubstring("does not fit"));
    CHECK_THAT(one(R"({"dtype":"U8","shape":[1],"data_offsets":[2,1]})", "xx"),
               ContainsSubstring("does not fit"));
    CHECK_THAT(one(R"({"dtype":"U8","shape":[1],"data_offsets":[1,2]})", "xx"), ContainsSubstring("holes"));
    CHECK_THAT(one(R"({"dtype":"U8","shape":[1],"data_offsets":[0,1]})", "xx"),
               ContainsSubstring("more than"));
    CHECK_THAT(one(R"({"dtype":"Q8","shape":[1],"data_offsets":[0,1]})", "x"),
               ContainsSubstring("unknown dtype Q8"));
    CHECK_THAT(one(R"({"dtype":"U8","data_offsets":[0,1]})", "x"), ContainsSubstring("shape"));
    CHECK_THAT(one("7", "x"), ContainsSubstring("safetensors_test"));
    CHECK_THAT(message_for("[1]", ""), ContainsSubstring("no JSON object"));
    CHECK_THAT(message_for("{", ""), ContainsSubstring("no JSON object"));
    CHECK_THROWS_AS(read_safetensors(build_root() / "no such file"), std::runtime_error);
}

}  // namespace fulgurite::tests
