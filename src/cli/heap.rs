//! What the allocator does with memory that is given back.

/// So large a piece is given back once, in bytes.
const PIECE: usize = 4 << 20;
/// Where less memory than this was allowed, in bytes, all that is given back is returned.
const ENOUGH: u64 = 256 << 20;

/// Lets the allocator keep some of the memory that is given back, where enough was allowed.
///
/// Judging a lock takes some memory and gives it back, thousands of times. The allocator of
/// glibc returns all beyond 128 KiB to the system at once, which has to fill it with zeros
/// when it comes again. After a larger piece was given back it keeps twice as much as that
/// (mallopt(3), `M_MMAP_THRESHOLD`), so one is: nothing is ever written to it. It takes 2 to
/// 5 % less time (docs/performance.md); for other allocators it means nothing.
pub(super) fn keep_given_back(memory: u64) {
    if memory >= ENOUGH {
        drop(std::hint::black_box(Vec::<u8>::with_capacity(PIECE)));
    }
}
