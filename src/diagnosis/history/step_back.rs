//! A step that goes back into a history.

use crate::evidence::{ActiveGlance, Answer, Event, Glance, Origin, Token};
use crate::timeline::{ActiveLease, Step, Symbol, Symbols};

/// The record of a step, but for its lock and its key.
pub(super) struct StepBack<'s> {
    pub(super) step: &'s Step,
    pub(super) names: &'s Symbols,
}

impl StepBack<'_> {
    fn name(&self, symbol: Option<Symbol>) -> Option<&[u8]> {
        symbol.map(|symbol| self.names.of(symbol.kind()).bytes(symbol))
    }
}

impl Glance for StepBack<'_> {
    fn lock(&self) -> &[u8] {
        &[]
    }

    fn event(&self) -> Event {
        self.step.event
    }

    fn answer(&self) -> Answer {
        self.step.answer
    }

    fn owner(&self) -> Option<&[u8]> {
        self.name(self.step.handle.owner)
    }

    fn lease(&self) -> Option<&[u8]> {
        self.name(self.step.handle.lease)
    }

    fn token(&self) -> Option<Token> {
        self.step.handle.token
    }

    fn before(&self) -> Option<Token> {
        self.step.before
    }

    fn after(&self) -> Option<Token> {
        self.step.after
    }

    fn seq(&self) -> Option<u64> {
        self.step.seq
    }

    fn seq_by(&self) -> Option<Origin> {
        self.step.seq_by
    }

    fn key(&self) -> Option<&[u8]> {
        None
    }

    fn operation(&self) -> Option<&[u8]> {
        self.name(self.step.operation)
    }

    fn active(&self) -> ActiveGlance<'_> {
        match self.step.active {
            ActiveLease::Unrecorded => ActiveGlance::Unrecorded,
            ActiveLease::None => ActiveGlance::None,
            ActiveLease::Lease(handle) => ActiveGlance::Lease {
                owner: self.name(handle.owner),
                lease: self.name(handle.lease),
                token: handle.token,
            },
        }
    }
}
