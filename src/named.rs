//! Enums whose values have one name each, the same in every output.

/// Makes an enum of named values. What must agree with it follows from one list: `ALL`, the
/// names, the way back from a name, and the form in JSON.
macro_rules! named {
    ($(#[$top:meta])* $name:ident, $all:literal { $($(#[$doc:meta])* $value:ident $word:literal,)* }) => {
        $(#[$top])*
        #[derive(
            Debug,
            Clone,
            Copy,
            PartialEq,
            Eq,
            Hash,
            PartialOrd,
            Ord,
            serde::Serialize,
            serde::Deserialize,
            schemars::JsonSchema,
        )]
        pub enum $name {
            $($(#[$doc])* #[serde(rename = $word)] $value,)*
        }

        impl $name {
            #[doc = $all]
            pub const ALL: [$name; [$($word),*].len()] = [$($name::$value,)*];

            /// The name in every output.
            pub const fn name(self) -> &'static str {
                match self { $($name::$value => $word,)* }
            }

            /// The one of that name.
            pub fn from_name(name: &str) -> Option<$name> {
                $name::ALL.into_iter().find(|one| one.name() == name)
            }
        }

        impl std::fmt::Display for $name {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                f.pad(self.name())
            }
        }
    };
}

pub(crate) use named;
