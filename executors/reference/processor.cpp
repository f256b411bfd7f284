#include <fulgurite/executors/reference/processor.h>

namespace fulgurite::reference {

#if defined(__x86_64__)

bool have_avx512() {
    return have_avx2() && __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") &&
           __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512vl");
}

bool have_avx2() { return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma"); }

#else

bool have_avx512() { return false; }
bool have_avx2() { return false; }

#endif

}  // namespace fulgurite::reference
