#include <stddef.h>
#include <stdint.h>

int32_t fuzz_envelope(const uint8_t *bytes, size_t count);

// libFuzzer brings main.
int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t count) { return fuzz_envelope(bytes, count); }
