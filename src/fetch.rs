//! Fetching from memory what will be needed soon. The one module with `unsafe`.
//!
//! The state of many locks does not fit into the caches near a core, and a record needs
//! some ten places of it, each found by the one before. Who asks for them some records
//! ahead need not wait: with ten thousand locks that take turns, `classify` takes an eighth
//! less time (docs/performance.md). Reading the places ahead of time, which needs no
//! `unsafe`, gains a fiftieth: a read is waited for, a fetch is not.

#![cfg_attr(
    target_arch = "x86_64",
    expect(unsafe_code, reason = "the processor's hint takes a pointer")
)]

/// Bytes that come from memory at once.
const LINE: usize = 64;

/// Fetches the element at `index`, or the first bytes of it. It may be beyond the end; to
/// see that would cost more than to fetch in vain.
#[inline(always)]
pub(crate) fn element<T>(slice: &[T], index: usize) {
    line(slice.as_ptr().wrapping_add(index));
}

/// Fetches all of a value.
#[inline(always)]
pub(crate) fn whole<T>(value: &T) {
    let first = std::ptr::from_ref(value).cast::<u8>();
    let mut at = 0;
    while at < size_of::<T>() {
        line(first.wrapping_add(at));
        at += LINE;
    }
    // It need not begin where a line does.
    line(first.wrapping_add(size_of::<T>().saturating_sub(1)));
}

/// Fetches the bytes around a place; nothing, on processors of other kinds.
#[inline(always)]
fn line<T>(place: *const T) {
    #[cfg(target_arch = "x86_64")]
    {
        use std::arch::x86_64::{_MM_HINT_T0, _mm_prefetch};
        // SAFETY: a hint, which every processor of this kind has. It reads nothing, changes
        // nothing, and never faults, whatever the pointer.
        unsafe { _mm_prefetch::<_MM_HINT_T0>(place.cast()) }
    }
    #[cfg(not(target_arch = "x86_64"))]
    let _ = place;
}

#[cfg(test)]
mod tests {
    use super::{element, whole};

    #[test]
    fn nothing_changes_wherever_it_is() {
        let values = [[7u8; 200]; 3];
        for index in [0, 2, 3, usize::MAX] {
            element(&values, index);
        }
        element::<u8>(&[], 0);
        whole(&values);
        whole(&());
        assert_eq!(values, [[7; 200]; 3]);
    }
}
