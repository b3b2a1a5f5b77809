//! docs/mapping.md is true: each of its examples is a mapping, a log, and the records.

use crate::support::{mapped, read};

struct Block<'t> {
    kind: &'t str,
    text: String,
    line: usize,
}

fn blocks(page: &str) -> Vec<Block<'_>> {
    let mut blocks: Vec<Block<'_>> = Vec::new();
    let mut inside = false;
    for (number, line) in page.lines().enumerate() {
        match line.strip_prefix("```") {
            Some(_) if inside => inside = false,
            Some(kind) => {
                inside = true;
                blocks.push(Block {
                    kind: kind.split(' ').next_back().unwrap_or_default(),
                    text: String::new(),
                    line: number + 1,
                });
            }
            None if inside => {
                if let Some(block) = blocks.last_mut() {
                    block.text.push_str(line);
                    block.text.push('\n');
                }
            }
            None => {}
        }
    }
    blocks
}

#[test]
fn the_examples_of_the_mapping_page() {
    let path = format!("{}/docs/mapping.md", env!("CARGO_MANIFEST_DIR"));
    let page = std::fs::read_to_string(path).unwrap();
    let blocks = blocks(&page);
    let mut run = 0;
    for at in 0..blocks.len() {
        if blocks[at].kind != "mapping" {
            continue;
        }
        let place = format!("docs/mapping.md:{}", blocks[at].line);
        let (log, records) = (&blocks[at + 1], &blocks[at + 2]);
        assert_eq!((log.kind, records.kind), ("log", "records"), "{place}");
        let seen = read(&mut mapped(&place, &blocks[at].text), log.text.as_bytes());
        let expected: Vec<&str> = records.text.lines().collect();
        assert_eq!(seen.records, expected, "{place}");
        assert_eq!(seen.rejects, [""; 0], "{place}");
        run += 1;
    }
    assert!(run >= 9, "{run}");
}
