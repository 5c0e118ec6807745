#include <zlib.h>

// A macro with sizeof in it, which Swift does not see.
static inline int gzip_begin(z_streamp stream, int level) {
    // 15 bits of window; 16 more ask for gzip's own header and checksum.
    return deflateInit2(stream, level, Z_DEFLATED, 15 + 16, 8, Z_DEFAULT_STRATEGY);
}
