//! `${NAME}` in manifests and configuration: a variable of the environment, so that keys need not stand in files.

use serde_json::Value;

/// Replaces every `${NAME}` of a text by its variable.
///
/// # Errors
/// Naming the variable that is not set, or a `${` without `}`. No value is in the text.
pub fn expand(text: &str, variable: &dyn Fn(&str) -> Option<String>) -> Result<String, String> {
    let mut out = String::new();
    let mut rest = text;
    while let Some((before, after)) = rest.split_once("${") {
        out.push_str(before);
        let (name, behind) = after.split_once('}').ok_or("a `${` is not closed")?;
        out.push_str(&variable(name).ok_or_else(|| format!("the variable {name} is not set"))?);
        rest = behind;
    }
    out.push_str(rest);
    Ok(out)
}

/// The same for every text of a value; names of fields stay as they are.
///
/// # Errors
/// As for [`expand`].
pub fn expand_json(value: &mut Value, variable: &dyn Fn(&str) -> Option<String>) -> Result<(), String> {
    match value {
        Value::String(text) => {
            *text = expand(text, variable)?;
            Ok(())
        }
        Value::Array(items) => items.iter_mut().try_for_each(|item| expand_json(item, variable)),
        Value::Object(map) => map
            .values_mut()
            .try_for_each(|value| expand_json(value, variable)),
        Value::Null | Value::Bool(_) | Value::Number(_) => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn variables_are_replaced_once_and_a_missing_one_is_named() {
        let variable = |name: &str| (name == "KEY").then(|| "${OTHER}".to_owned());
        let mut value = json!({"${KEY}": ["a ${KEY} b ${KEY}", 1, null]});
        expand_json(&mut value, &variable).unwrap();
        assert_eq!(value, json!({"${KEY}": ["a ${OTHER} b ${OTHER}", 1, null]}));
        assert_eq!(
            expand("x ${NO_KEY}", &variable),
            Err("the variable NO_KEY is not set".into())
        );
        assert_eq!(expand("x ${KEY", &variable), Err("a `${` is not closed".into()));
    }
}
