//! Blocks on their way: read, prepared on all threads, taken in order on one.
//!
//! The calling thread takes the blocks, and prepares some while it waits; other threads
//! only prepare. What decompresses, or may wait for its bytes, is read on a thread of its
//! own. The number of blocks on their way is bounded, so neither a fast input nor a slow
//! sink fills the memory.

use std::collections::{BTreeMap, VecDeque};
use std::io::Read;
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread;

use super::blocks::{Block, BlockReader};
use super::dialect::Dialect;
use super::frames::line_ends;
use super::order::InOrder;

type Fork = Box<dyn Dialect + Send>;

/// How an input is to be read.
#[derive(Debug, Clone, Copy)]
pub(super) struct Way {
    /// Threads that parse, the calling one among them.
    pub(super) threads: usize,
    /// The longest line.
    pub(super) max_line: usize,
    /// Whether reading costs next to nothing and never waits.
    pub(super) alone: bool,
    /// Whether it is over before another thread has begun.
    pub(super) small: bool,
}

/// Reads all of one input into `order`. `fork` reads lines apart from each other, where
/// that can be done.
pub(super) fn run<R: Read + Send + 'static>(
    way: Way,
    mut reader: BlockReader<R>,
    mut fork: Option<Fork>,
    order: &mut InOrder<'_, '_>,
) {
    let threads = if way.small || way.alone && fork.is_none() {
        1
    } else {
        way.threads
    };
    if threads == 1 {
        let mut block = Block::default();
        while reader.fill(&mut block) {
            prepare(&mut block, &mut fork, way.max_line);
            if !order.block(&block) {
                break;
            }
        }
        return;
    }
    let shared = Arc::new(Shared {
        state: Mutex::new(State {
            free: (0..2 * threads + 2).map(|_| Block::default()).collect(),
            ..State::default()
        }),
        changed: Condvar::new(),
        reader: Mutex::new(reader),
    });
    // Detached: it may wait for a pipe for long after the sink wants no more.
    let pumped = !way.alone && {
        let shared = Arc::clone(&shared);
        thread::Builder::new().spawn(move || shared.pump()).is_ok()
    };
    thread::scope(|scope| {
        for _ in 1..threads {
            let Some(mut worker) = fork.as_ref().and_then(|fork| fork.fork()) else {
                break;
            };
            let shared = &shared;
            let spawned = thread::Builder::new().spawn_scoped(scope, move || {
                shared.work(pumped, &mut worker, way.max_line)
            });
            if spawned.is_err() {
                // The calling thread gets everything done, however few help.
                break;
            }
        }
        shared.lead(pumped, &mut fork, way.max_line, order);
    });
}

/// Reads of a block what can be read before its turn.
fn prepare(block: &mut Block, fork: &mut Option<Fork>, max_line: usize) {
    match fork {
        Some(fork) => block.prepared.read(
            &mut block.text,
            block.at_line_start,
            max_line,
            fork.as_mut(),
        ),
        None => {
            block.prepared.clear();
            block.prepared.line_ends = line_ends(block.text.bytes());
        }
    }
}

struct Shared<R: Read> {
    state: Mutex<State>,
    changed: Condvar,
    reader: Mutex<BlockReader<R>>,
}

#[derive(Default)]
struct State {
    /// Blocks with nothing in them.
    free: Vec<Block>,
    /// Blocks that are read.
    read: VecDeque<Block>,
    /// Blocks that are prepared, by their number.
    ready: BTreeMap<u64, Block>,
    /// Nothing more can be read.
    ended: bool,
    /// Nothing more is wanted, or can be done.
    over: bool,
}

impl<R: Read> Shared<R> {
    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn wait<'g>(&self, state: MutexGuard<'g, State>) -> MutexGuard<'g, State> {
        self.changed
            .wait(state)
            .unwrap_or_else(PoisonError::into_inner)
    }

    /// Changes the state and wakes who waits for that.
    fn change(&self, change: impl FnOnce(&mut State)) {
        change(&mut self.lock());
        self.changed.notify_all();
    }

    /// Waits for a block with nothing in it. `None`: there is no more use for one.
    fn free(&self) -> Option<Block> {
        let mut state = self.lock();
        loop {
            if state.ended || state.over {
                return None;
            }
            match state.free.pop() {
                Some(block) => return Some(block),
                None => state = self.wait(state),
            }
        }
    }

    /// Reads the next block into an empty one.
    fn fill(&self, mut block: Block) -> Option<Block> {
        let more = self
            .reader
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .fill(&mut block);
        if more && block.end.is_none() {
            return Some(block);
        }
        // Nobody has to look again.
        self.change(|state| state.ended = true);
        more.then_some(block)
    }

    /// Reads all blocks, for others to prepare.
    fn pump(&self) {
        let _alarm = Alarm(self);
        while let Some(block) = self.free().and_then(|block| self.fill(block)) {
            self.change(|state| state.read.push_back(block));
        }
    }

    /// Prepares blocks until there are no more.
    fn work(&self, pumped: bool, fork: &mut Fork, max_line: usize) {
        let _alarm = Alarm(self);
        loop {
            let block = if pumped {
                self.pumped()
            } else {
                self.free().and_then(|block| self.fill(block))
            };
            let Some(mut block) = block else {
                return;
            };
            block.prepared.read(
                &mut block.text,
                block.at_line_start,
                max_line,
                fork.as_mut(),
            );
            self.change(|state| {
                state.ready.insert(block.number, block);
            });
        }
    }

    /// Waits for a block that somebody else read.
    fn pumped(&self) -> Option<Block> {
        let mut state = self.lock();
        loop {
            if state.over {
                return None;
            }
            match state.read.pop_front() {
                Some(block) => return Some(block),
                None if state.ended => return None,
                None => state = self.wait(state),
            }
        }
    }

    /// Takes the blocks in order, and helps with the others meanwhile.
    fn lead(
        &self,
        pumped: bool,
        fork: &mut Option<Fork>,
        max_line: usize,
        order: &mut InOrder<'_, '_>,
    ) {
        let _over = Over(self);
        let mut number = 0;
        while let Some(mut turn) = self.next(number, pumped) {
            if let Turn::Read(block) = &mut turn {
                prepare(block, fork, max_line);
            }
            let (Turn::Read(block) | Turn::Ready(block)) = turn;
            if block.number != number {
                self.change(|state| {
                    state.ready.insert(block.number, block);
                });
                continue;
            }
            number += 1;
            let last = block.end.is_some();
            if !order.block(&block) || last {
                return;
            }
            self.change(|state| state.free.push(block));
        }
        order.lost();
    }

    /// What the calling thread is to do next. `None`: somebody failed.
    fn next(&self, number: u64, pumped: bool) -> Option<Turn> {
        let mut state = self.lock();
        loop {
            if let Some(block) = state.ready.remove(&number) {
                return Some(Turn::Ready(block));
            }
            if state.over {
                return None;
            }
            if let Some(block) = state.read.pop_front() {
                return Some(Turn::Read(block));
            }
            if !pumped
                && !state.ended
                && let Some(block) = state.free.pop()
            {
                drop(state);
                if let Some(block) = self.fill(block) {
                    return Some(Turn::Read(block));
                }
                state = self.lock();
                continue;
            }
            state = self.wait(state);
        }
    }
}

enum Turn {
    /// The one that is next in order, prepared.
    Ready(Block),
    /// Another one, or the next, not prepared.
    Read(Block),
}

/// Ends the run for all when the calling thread leaves, however it does.
struct Over<'s, R: Read>(&'s Shared<R>);

impl<R: Read> Drop for Over<'_, R> {
    fn drop(&mut self) {
        self.0.change(|state| state.over = true);
    }
}

/// Ends the run for all if a thread panics: nobody may wait for its block.
struct Alarm<'s, R: Read>(&'s Shared<R>);

impl<R: Read> Drop for Alarm<'_, R> {
    fn drop(&mut self) {
        if thread::panicking() {
            self.0.change(|state| state.over = true);
        }
    }
}
