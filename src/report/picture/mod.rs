//! The picture of a timeline: who held a lease, what the resource did, what met what.
//!
//! Three steps, each pure: [`story`] reads leases, highest tokens and meetings out of the
//! columns; [`layout`] gives them places in whole pixels, part by part; [`svg`] writes
//! them down. Order is on the x axis, and no clock.

pub mod layout;
pub mod story;
pub mod svg;

pub use layout::lay_out;
