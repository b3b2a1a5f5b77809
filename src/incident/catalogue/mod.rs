//! All words that the tool says about incidents, one file a language.
