#include <fulgurite/tests/support/safetensors.h>

#include <algorithm>
#include <cstring>
#include <fstream>
#include <iterator>
#include <stdexcept>
#include <vector>

#include <nlohmann/json.hpp>

namespace fulgurite::tests {

namespace {

using Json = nlohmann::json;

[[noreturn]] void refuse(const std::filesystem::path& file, const std::string& what) {
    throw std::runtime_error(file.string() + ": " + what);
}

std::string contents_of(const std::filesystem::path& file) {
    std::ifstream in(file, std::ios::binary);
    if (!in) {
        refuse(file, "cannot be read");
    }
    return {std::istreambuf_iterator<char>(in), {}};
}

DType dtype_named(const std::filesystem::path& file, const std::string& name) {
    static const std::map<std::string, DType> dtypes{
        {"BOOL", DType::bool_},  {"U8", DType::uint8},   {"I8", DType::int8},     {"I16", DType::int16},
        {"I32", DType::int32},   {"I64", DType::int64},  {"F16", DType::float16}, {"BF16", DType::bfloat16},
        {"F32", DType::float32}, {"F64", DType::float64}};
    const auto found = dtypes.find(name);
    if (found == dtypes.end()) {
        refuse(file, "unknown dtype " + name);
    }
    return found->second;
}

struct Range {
    std::uint64_t begin, end;
    friend auto operator<=>(const Range&, const Range&) = default;
};

}  // namespace

std::map<std::string, Tensor> read_safetensors(const std::filesystem::path& file) {
    const std::string bytes = contents_of(file);
    std::uint64_t header_bytes = 0;
    if (bytes.size() < sizeof(header_bytes)) {
        refuse(file, "too short for a header");
    }
    std::memcpy(&header_bytes, bytes.data(), sizeof(header_bytes));
    if (header_bytes > bytes.size() - sizeof(header_bytes)) {
        refuse(file, "the header goes past the end");
    }
    const auto data = static_cast<std::size_t>(sizeof(header_bytes) + header_bytes);
    const Json header = Json::parse(bytes.begin() + sizeof(header_bytes),
                                    bytes.begin() + static_cast<std::ptrdiff_t>(data), nullptr, false);
    if (!header.is_object()) {
        refuse(file, "the header is no JSON object");
    }
    std::map<std::string, Tensor> out;
    std::vector<Range> ranges;
    try {
        for (const auto& [name, entry] : header.items()) {
            if (name == "__metadata__") {
                continue;
            }
            const auto shape = entry.at("shape").get<std::vector<std::int64_t>>();
            const auto offsets = entry.at("data_offsets").get<std::vector<std::uint64_t>>();
            const TensorSpec spec(Shape(shape), dtype_named(file, entry.at("dtype").get<std::string>()));
            const auto expected = static_cast<std::uint64_t>(spec.numel() * size_of(spec.dtype));
            const bool fits = offsets.size() == 2 && offsets[0] <= offsets[1] &&
                              offsets[1] <= bytes.size() - data && offsets[1] - offsets[0] == expected;
            if (!fits) {
                refuse(file, "the data of " + name + " does not fit its shape or the file");
            }
            auto storage = StoragePtr::adopt(Storage::allocate(expected, cpu));
            if (expected > 0) {
                std::memcpy(storage->data(), bytes.data() + data + offsets[0], expected);
            }
            out.emplace(name, Tensor::concrete(spec, std::move(storage)));
            ranges.push_back({offsets[0], offsets[1]});
        }
    } catch (const Json::exception& error) {
        refuse(file, error.what());
    }
    std::sort(ranges.begin(), ranges.end());
    std::uint64_t next = 0;
    for (const Range& range : ranges) {
        if (range.begin != next) {
            refuse(file, "the data overlaps or leaves holes");
        }
        next = range.end;
    }
    if (next != bytes.size() - data) {
        refuse(file, "there is more than the header tells of");
    }
    return out;
}

}  // namespace fulgurite::tests
