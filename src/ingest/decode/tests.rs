use super::{Decoder, InputError};
use std::io::{Read, Write};

fn gzip(bytes: &[u8]) -> Vec<u8> {
    let mut encoder = flate2::write::GzEncoder::new(Vec::new(), Default::default());
    encoder.write_all(bytes).unwrap();
    encoder.finish().unwrap()
}

fn all(bytes: &[u8], limit: u64) -> (Vec<u8>, Option<InputError>) {
    let mut decoder = match Decoder::new(bytes, limit, true) {
        Ok(decoder) => decoder,
        Err(error) => return (Vec::new(), Some(error)),
    };
    let mut out = Vec::new();
    let mut buf = [0; 1000];
    loop {
        match decoder.read(&mut buf) {
            Ok(0) => {
                assert_eq!(decoder.raw_bytes(), bytes.len() as u64);
                assert!(decoder.digest().is_some());
                return (out, None);
            }
            Ok(n) => out.extend_from_slice(&buf[..n]),
            Err(error) => return (out, Some(error)),
        }
    }
}

#[test]
fn the_first_bytes_say_what_it_is() {
    let text = b"{\"lockName\":\"a\"}\n".repeat(500);
    let zst = zstd::encode_all(&text[..], 3).unwrap();
    for packed in [text.clone(), gzip(&text), zst.clone()] {
        let (out, error) = all(&packed, 1 << 20);
        assert!(error.is_none(), "{error:?}");
        assert_eq!(out, text);
    }
    let twice: Vec<u8> = [gzip(b"one\n"), gzip(b"two\n")].concat();
    assert_eq!(all(&twice, 100).0, b"one\ntwo\n");
    let skippable = [&[0x50, 0x2a, 0x4d, 0x18, 1, 0, 0, 0, 9][..], &zst].concat();
    assert_eq!(all(&skippable, 1 << 20).0, text);
    for short in [&b""[..], b"\x1f", b"(", b"\x28\xb5", b"PQ"] {
        assert_eq!(all(short, 10).0, short);
    }
}

#[test]
fn what_follows_compressed_data_is_told_as_what_it_is() {
    let text = b"{\"lockName\":\"a\"}\n".repeat(500);
    let zst = zstd::encode_all(&text[..], 3).unwrap();
    let twice = text.repeat(2);
    for (packed, name) in [(gzip(&text), "gzip"), (zst, "zstd")] {
        for zeros in [0, 1, 3, 512, 1 << 19] {
            let zeros = vec![0; zeros];
            let padded = [&packed[..], &zeros].concat();
            let (out, error) = all(&padded, 1 << 20);
            assert!(error.is_none() && out == text, "{error:?}");
            // A tape goes on behind a block that was filled up.
            let (out, error) = all(&[&padded[..], &packed].concat(), 1 << 20);
            assert!(error.is_none() && out == twice, "{error:?}");
            for garbage in [&b"x"[..], b"garbage\n", b"\x1e\x8b", &[7; 5000]] {
                let (out, error) = all(&[&padded[..], garbage].concat(), 1 << 20);
                assert_eq!(out, text);
                let told = error.unwrap().to_string();
                let wanted = format!("what follows the compressed data is no {name}");
                assert_eq!(told, wanted);
            }
            let (out, error) = all(&[&padded[..], &packed[..1]].concat(), 1 << 20);
            assert!(matches!(error, Some(InputError::Truncated)), "{error:?}");
            assert_eq!(out, text);
        }
    }
}

#[test]
fn what_comes_before_the_damage_is_kept() {
    let mut random = 7u32;
    let text: Vec<u8> = std::iter::repeat_with(|| {
        random = random.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        b'a' + (random >> 24) as u8 % 26
    })
    .take(400_000)
    .collect();
    let mut zst = zstd::Encoder::new(Vec::new(), 3).unwrap();
    zst.include_checksum(true).unwrap();
    zst.write_all(&text).unwrap();
    for packed in [gzip(&text), zst.finish().unwrap()] {
        let cut = &packed[..packed.len() - 9];
        let (out, error) = all(cut, 1 << 20);
        assert!(matches!(error, Some(InputError::Truncated)), "{error:?}");
        assert!(out.len() > 100_000 && text.starts_with(&out));

        let mut damaged = packed.clone();
        let middle = damaged.len() * 3 / 4;
        damaged[middle..middle + 64].fill(0xff);
        let (out, error) = all(&damaged, 1 << 20);
        assert!(error.is_some());
        assert!(out.len() > 1000, "{}", out.len());

        let (out, error) = all(&packed, 5000);
        assert!(matches!(error, Some(InputError::TooMuch(5000))));
        assert!(out.len() <= 5000);
    }
    assert!(all(b"plain text has no limit", 3).1.is_none());
}

#[test]
fn a_digest_is_of_the_file_as_it_lies() {
    let mut decoder = Decoder::new(&b"abc"[..], 10, true).unwrap();
    let mut out = [0; 10];
    while decoder.read(&mut out).unwrap() > 0 {}
    assert_eq!(decoder.digest().unwrap()[..4], [0xba, 0x78, 0x16, 0xbf]);
    let mut silent = Decoder::new(std::io::empty().chain(&b"x"[..]), 10, false).unwrap();
    assert_eq!(silent.read(&mut out).unwrap(), 1);
    assert_eq!(silent.digest(), None);
}
