//! The evidence record: what one observer saw of one step of the lock protocol.
//!
//! Nothing here reads a file or a clock. [`Record`] borrows from the line it was read
//! from; [`Field`] knows the names of the fields, [`token`] what a token may look like,
//! [`answer`] the words that real systems use.

pub mod answer;
pub(crate) mod field;
#[doc(hidden)]
pub(crate) mod glance;
pub(crate) mod record;
pub mod token;

pub use answer::{Answer, Event, UnknownWord};
pub use field::Field;
#[doc(hidden)]
pub use glance::{ActiveGlance, Glance, name_hash};
pub use record::{Active, Origin, Place, Record};
pub use token::{Token, TokenError};
