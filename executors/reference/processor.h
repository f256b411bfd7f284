#pragma once

namespace fulgurite::reference {

/// Whether this processor has what files named *_avx512.cpp and *_avx2.cpp are compiled for.
bool have_avx512();
bool have_avx2();

}  // namespace fulgurite::reference
