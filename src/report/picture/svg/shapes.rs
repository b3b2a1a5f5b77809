//! A shape for every answer.

use std::fmt::Write as _;

use crate::report::picture::layout::{MARK, Shape};

/// A mark. Accepted things are filled, refused ones are not.
pub(super) fn mark_shape(shape: Shape, x: i32, y: i32, out: &mut String) {
    let r = MARK;
    let class = match shape {
        Shape::Acquired | Shape::Renewed | Shape::Released => "mark lease-mark",
        Shape::Expired | Shape::Nothing => "mark hollow",
        Shape::RefusedByAuthority => "mark hollow bad",
        Shape::Sent => "mark dot",
        Shape::Accepted => "mark good",
        Shape::RefusedAsStale | Shape::RefusedAsDuplicate | Shape::RefusedOtherwise => {
            "mark hollow bad"
        }
        Shape::InDoubt => "mark hollow doubt",
    };
    put!(out, "<g class=\"{class}\">");
    match shape {
        Shape::Acquired => {
            put!(
                out,
                "<path d=\"M{} {}L{} {y}L{} {}Z\"/>",
                x - 6,
                y - r,
                x + r,
                x - 6,
                y + r
            );
        }
        Shape::Renewed => {
            put!(
                out,
                "<rect x=\"{}\" y=\"{}\" width=\"4\" height=\"{}\"/>",
                x - 2,
                y - r,
                r * 2
            );
        }
        Shape::Released => {
            put!(
                out,
                "<rect x=\"{}\" y=\"{}\" width=\"12\" height=\"12\"/>",
                x - 6,
                y - 6
            );
        }
        Shape::Expired => {
            put!(
                out,
                "<path d=\"M{x} {}L{} {y}L{x} {}L{} {y}Z\"/>",
                y - r,
                x + r,
                y + r,
                x - r
            );
        }
        Shape::Nothing => {
            put!(
                out,
                "<rect x=\"{}\" y=\"{}\" width=\"12\" height=\"12\"/>",
                x - 6,
                y - 6
            );
        }
        Shape::RefusedByAuthority => {
            put!(
                out,
                "<rect x=\"{l}\" y=\"{t}\" width=\"12\" height=\"12\"/><path d=\"M{l} {t}L{r} {b}M{r} {t}L{l} {b}\"/>",
                l = x - 6,
                t = y - 6,
                r = x + 6,
                b = y + 6
            );
        }
        Shape::Sent => put!(out, "<circle cx=\"{x}\" cy=\"{y}\" r=\"4\"/>"),
        Shape::Accepted => put!(out, "<circle cx=\"{x}\" cy=\"{y}\" r=\"{}\"/>", r - 1),
        Shape::RefusedAsStale => put!(
            out,
            "<circle cx=\"{x}\" cy=\"{y}\" r=\"{r}\"/><path d=\"M{l} {t}L{e} {b}M{e} {t}L{l} {b}\"/>",
            l = x - 4,
            t = y - 4,
            e = x + 4,
            b = y + 4
        ),
        Shape::RefusedAsDuplicate => put!(
            out,
            "<circle cx=\"{x}\" cy=\"{y}\" r=\"{r}\"/><path d=\"M{l} {}H{e}M{l} {}H{e}\"/>",
            y - 2,
            y + 2,
            l = x - 4,
            e = x + 4
        ),
        Shape::RefusedOtherwise => put!(
            out,
            "<circle cx=\"{x}\" cy=\"{y}\" r=\"{r}\"/><path d=\"M{} {y}H{}\"/>",
            x - 4,
            x + 4
        ),
        Shape::InDoubt => put!(
            out,
            "<circle cx=\"{x}\" cy=\"{y}\" r=\"{r}\"/><text x=\"{x}\" y=\"{}\">?</text>",
            y + 4
        ),
    }
    out.push_str("</g>");
}
