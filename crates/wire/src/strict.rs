//! Reading a request body strictly: each refusal names the field and says what would be right.

mod fields;
mod json_schema;
mod refusal;
mod spelling;
#[cfg(test)]
mod tests;

pub(crate) use fields::OPERATOR_ONLY;
pub use fields::{Fields, check_address};
pub(crate) use json_schema::{HOLD_LIST, HOLD_NAMED, HOLD_ONE, SCHEMA_TYPES};
pub use refusal::RequestRefusal;

use std::cell::RefCell;
use std::fmt;

use serde::de::{DeserializeSeed, Error as _, MapAccess, SeqAccess, Visitor};
use serde_json::{Map, Number, Value};

use crate::error::Code;
use refusal::shorten;

/// Largest body that is read.
pub const MAX_BYTES: usize = 4 * 1024 * 1024;
/// Deepest nesting that is read. A request is stored and sent on some levels deeper, and JSON is read back to 127 levels.
pub const MAX_DEPTH: usize = 100;

/// Reads a body that has to be one JSON object. A key that occurs twice is refused, at any depth: two readers
/// could disagree about which one counts.
///
/// # Errors
/// When the body is too large, no JSON, no object, nested deeper than [`MAX_DEPTH`], or repeats a key.
pub fn object(body: &[u8]) -> Result<Fields, RequestRefusal> {
    match value(body)? {
        Value::Object(map) => Ok(Fields::new(map)),
        _ => Err(RequestRefusal::body("the body must be a JSON object")),
    }
}

/// Reads any JSON value under the same rules.
///
/// # Errors
/// As [`object`], except that any value is taken.
pub fn value(body: &[u8]) -> Result<Value, RequestRefusal> {
    if body.len() > MAX_BYTES {
        let message = format!("the body is larger than {MAX_BYTES} bytes");
        return Err(RequestRefusal {
            code: Code::BodyTooLarge,
            field: None,
            message,
        });
    }
    if body.iter().all(u8::is_ascii_whitespace) {
        return Err(RequestRefusal::body("the body is empty; send a JSON object"));
    }
    let path = RefCell::new(Vec::new());
    let mut reader = serde_json::Deserializer::from_slice(body);
    let read = UniqueKeys { path: &path }
        .deserialize(&mut reader)
        .and_then(|value| reader.end().map(|()| value));
    read.map_err(|error| {
        let path = path.borrow();
        let field = if path.is_empty() { None } else { Some(spell(&path)) };
        let message = if error.is_data() {
            error.to_string()
        } else {
            format!("not JSON: {error}")
        };
        RequestRefusal {
            code: Code::InvalidRequest,
            field,
            message,
        }
    })
}

/// Refuses a list or an object that would be too deep.
fn check_depth<E: serde::de::Error>(path: &RefCell<Vec<FieldPathSegment>>) -> Result<(), E> {
    match path.borrow().len() < MAX_DEPTH {
        true => Ok(()),
        false => Err(E::custom(format_args!("nested deeper than {MAX_DEPTH} levels"))),
    }
}

/// A step on the way to the value being read.
enum FieldPathSegment {
    Key(String),
    Index(usize),
}

fn spell(path: &[FieldPathSegment]) -> String {
    path.iter()
        .take(SPELLED_SEGMENTS)
        .fold(String::new(), |mut text, place| {
            match place {
                FieldPathSegment::Key(key) if text.is_empty() => text.push_str(&shorten(key)),
                FieldPathSegment::Key(key) => text = format!("{text}.{}", shorten(key)),
                FieldPathSegment::Index(index) => text = format!("{text}[{index}]"),
            }
            text
        })
}

/// Most segments of a path in an error text.
const SPELLED_SEGMENTS: usize = 8;

/// Reads any value and remembers where it is.
struct UniqueKeys<'a> {
    path: &'a RefCell<Vec<FieldPathSegment>>,
}

impl<'de> DeserializeSeed<'de> for UniqueKeys<'_> {
    type Value = Value;

    fn deserialize<D: serde::Deserializer<'de>>(self, from: D) -> Result<Value, D::Error> {
        from.deserialize_any(self)
    }
}

impl<'de> Visitor<'de> for UniqueKeys<'_> {
    type Value = Value;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a JSON value")
    }

    fn visit_unit<E>(self) -> Result<Value, E> {
        Ok(Value::Null)
    }

    fn visit_bool<E>(self, value: bool) -> Result<Value, E> {
        Ok(Value::Bool(value))
    }

    fn visit_u64<E>(self, value: u64) -> Result<Value, E> {
        Ok(value.into())
    }

    fn visit_i64<E>(self, value: i64) -> Result<Value, E> {
        Ok(value.into())
    }

    fn visit_f64<E: serde::de::Error>(self, value: f64) -> Result<Value, E> {
        Number::from_f64(value)
            .map(Value::Number)
            .ok_or_else(|| E::custom("number out of range"))
    }

    fn visit_str<E>(self, value: &str) -> Result<Value, E> {
        Ok(Value::String(value.to_owned()))
    }

    fn visit_string<E>(self, value: String) -> Result<Value, E> {
        Ok(Value::String(value))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut from: A) -> Result<Value, A::Error> {
        check_depth(self.path)?;
        let mut list = Vec::new();
        loop {
            self.path.borrow_mut().push(FieldPathSegment::Index(list.len()));
            let next = from.next_element_seed(UniqueKeys { path: self.path })?;
            self.path.borrow_mut().pop();
            match next {
                Some(value) => list.push(value),
                None => return Ok(Value::Array(list)),
            }
        }
    }

    fn visit_map<A: MapAccess<'de>>(self, mut from: A) -> Result<Value, A::Error> {
        check_depth(self.path)?;
        let mut map = Map::new();
        while let Some(key) = from.next_key::<String>()? {
            self.path.borrow_mut().push(FieldPathSegment::Key(key.clone()));
            if map.contains_key(&key) {
                return Err(A::Error::custom("given twice"));
            }
            let value = from.next_value_seed(UniqueKeys { path: self.path })?;
            self.path.borrow_mut().pop();
            map.insert(key, value);
        }
        Ok(Value::Object(map))
    }
}
