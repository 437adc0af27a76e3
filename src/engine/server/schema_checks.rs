//! What goes into a tool and comes out of it, checked against its schemas (S-TL-06, S-TL-09). A build without schemas checks
//! nothing.

#[cfg(feature = "schema")]
pub(super) fn check_arguments<H>(tool: &super::registry::Tool<H>, arguments: &str) -> Result<(), String> {
    if tool.plain_input.as_ref().is_some_and(|plain| plain.fits(arguments)) {
        return Ok(());
    }
    let value = serde_json::from_str(arguments).map_err(|error| error.to_string())?;
    tool.input.check(&value).map_err(|failure| match failure {
        crate::schema::Failure::Mismatch(mismatch) => mismatch.to_string(),
        crate::schema::Failure::Bound(bound) => format!("the check reached its bound of {bound}"),
    })
}

#[cfg(not(feature = "schema"))]
pub(super) fn check_arguments<H>(_tool: &super::registry::Tool<H>, _arguments: &str) -> Result<(), String> {
    Ok(())
}

#[cfg(feature = "schema")]
pub(super) fn check_output(schema: &crate::schema::Schema, structured: Option<&str>) -> Result<(), String> {
    let Some(structured) = structured else {
        return Err("the tool has an output schema, and its result no 'structuredContent'".to_owned());
    };
    let value = serde_json::from_str(structured).map_err(|error| error.to_string())?;
    schema.check(&value).map_err(|failure| match failure {
        crate::schema::Failure::Mismatch(mismatch) => format!("'structuredContent': {mismatch}"),
        crate::schema::Failure::Bound(bound) => format!("the check reached its bound of {bound}"),
    })
}

#[cfg(not(feature = "schema"))]
pub(super) fn check_output(_nothing: &(), _structured: Option<&str>) -> Result<(), String> {
    Ok(())
}
