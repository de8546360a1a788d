//! Fixed regular expressions, each compiled once and checked by a test.

mod regex;

pub use self::regex::Regex;
pub use ::regex::Captures;

/// Declares fixed regular expressions as statics, and a test named `every_pattern_compiles` beside them.
///
/// Each static is a `LazyLock` of a [`Regex`]. An expression that does not compile fails that test, so
/// it never reaches a user. Use the macro at most once in a module.
///
/// ```
/// locale::patterns! {
///     /// A year of four digits.
///     static YEAR = r"\b\d{4}\b";
/// }
/// assert!(YEAR.is_match("in 1999"));
/// ```
#[macro_export]
macro_rules! patterns {
    ($($(#[$attribute:meta])* $visibility:vis static $name:ident = $pattern:expr;)+) => {
        $(
            $(#[$attribute])*
            $visibility static $name: ::std::sync::LazyLock<$crate::patterns::Regex> =
                ::std::sync::LazyLock::new(|| $crate::patterns::compile_pattern($pattern));
        )+

        #[cfg(test)]
        #[test]
        fn every_pattern_compiles() {
            $(::std::sync::LazyLock::force(&$name);)+
        }
    };
}

/// Compiles a pattern that is part of the program. For [`patterns!`](crate::patterns!), whose test compiles every one.
///
/// # Panics
/// When the pattern is no regular expression.
#[expect(clippy::panic, reason = "a pattern of the program is checked by a test")]
pub fn compile_pattern(pattern: impl AsRef<str>) -> Regex {
    let pattern = pattern.as_ref();
    Regex::new(pattern).unwrap_or_else(|error| panic!("the pattern {pattern:?} does not compile: {error}"))
}
