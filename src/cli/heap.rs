//! What the allocator does with memory that is given back.

/// No more than this is kept in one piece.
const MOST: u64 = 4 << 20;
/// Of the memory that was allowed, so many parts are one piece.
const PARTS: u64 = 64;

/// Lets the allocator keep some of the memory that is given back, by what a run may take.
///
/// Judging a lock takes some memory and gives it back, thousands of times. The allocator of
/// glibc returns all beyond 128 KiB to the system at once, which has to fill it with zeros
/// when it comes again. After a larger piece was given back it keeps twice as much as that
/// (mallopt(3), `M_MMAP_THRESHOLD`), so one is: nothing is ever written to it. It takes 2 to
/// 5 % less time (docs/performance.md); for other allocators it means nothing.
pub(super) fn keep_given_back(memory: u64) {
    let piece = usize::try_from(MOST.min(memory / PARTS)).unwrap_or_default();
    drop(std::hint::black_box(Vec::<u8>::with_capacity(piece)));
}
