#![no_main]

#[path = "../../tests/fuzz/bodies/mod.rs"]
#[allow(dead_code, unused_imports, reason = "each target runs one of them")]
mod bodies;

libfuzzer_sys::fuzz_target!(|data: &[u8]| bodies::layout(data));
