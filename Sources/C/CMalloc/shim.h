#include <stdlib.h>

#ifdef __GLIBC__
#include <malloc.h>

// Few arenas, and large blocks on their own, so that what a burst took can be given back.
static inline void cmalloc_configure(void) {
    mallopt(M_ARENA_MAX, 2);
    mallopt(M_MMAP_THRESHOLD, 128 * 1024);
    mallopt(M_TRIM_THRESHOLD, 128 * 1024);
}

// Bytes that malloc holds and nobody uses.
static inline size_t cmalloc_free_bytes(void) { return mallinfo2().fordblks; }

static inline void cmalloc_give_back(void) { malloc_trim(0); }
#else
static inline void cmalloc_configure(void) {}
static inline size_t cmalloc_free_bytes(void) { return 0; }
static inline void cmalloc_give_back(void) {}
#endif
