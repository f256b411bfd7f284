#pragma once

#include <filesystem>
#include <map>
#include <string>

#include <fulgurite/core/tensor.h>

namespace fulgurite::tests {

/// The tensors of a safetensors file by name. Throws std::runtime_error, with the file's name, for anything
/// that is not well-formed: a header past the end, an unknown dtype, bytes that do not fit the shape, that
/// overlap or leave holes.
std::map<std::string, Tensor> read_safetensors(const std::filesystem::path& file);

}  // namespace fulgurite::tests
