//! What is recorded for OpenTelemetry: the options of the whole process, for clients and servers.

use crate::config::define::{Definition, settings};
use crate::config::fields::{Fields, parse_object};
use crate::config::kinds::{Flag, Share};
use crate::engine::Error;
use crate::runtime::telemetry::{SpanListener, TelemetrySettings};

settings! {
    /// The options of `mcp_telemetry_set`.
    TelemetryKeys {
        /// the share of requests without a parent that become spans. A request with a parent is recorded if that is
        sample_rate: f64 = Share, 1.0;
        /// counts how long every request took, recorded or not, for `mcp_telemetry_metrics`
        metrics: bool = Flag, false;
        /// hands over `{"span": …, "measurement": …}` in place of a span, each if there is one: of every request, recorded or not, its
        /// duration with the name of the histogram (`{"name": …, "value": 0.01, "attributes": […]}`). For programs with counters of their own
        measurements: bool = Flag, false;
    }
}

/// Reads the options.
///
/// # Errors
/// Which member is wrong.
pub fn read(options: &str, spans: SpanListener) -> Result<TelemetrySettings, Error> {
    let keys = || {
        let object = parse_object(options, "options")?;
        let mut fields = Fields::new("", &object);
        let keys = TelemetryKeys::read(&mut fields)?;
        fields.finish()?;
        Ok(keys)
    };
    let TelemetryKeys { sample_rate, metrics, measurements } = keys().map_err(|mut error: Error| {
        error.message = error.message.replacen("config key", "telemetry option", 1);
        error
    })?;
    Ok(TelemetrySettings { sample_rate, metrics, measurements, spans })
}

#[cfg(test)]
mod tests {
    use super::read;
    use std::sync::Arc;

    #[test]
    fn options_are_read_with_their_defaults_and_bounds() {
        let of = |options: &str| {
            read(options, Arc::new(|_| {}))
                .map(|it| (it.sample_rate, it.metrics, it.measurements))
                .map_err(|it| it.message)
        };
        assert_eq!(of("{}"), Ok((1.0, false, false)));
        assert_eq!(of(r#"{"sample_rate":0.01,"metrics":true}"#), Ok((0.01, true, false)));
        assert_eq!(of(r#"{"measurements":true}"#), Ok((1.0, false, true)));
        for (wrong, names) in [
            (r#"{"sample_rate":1.5}"#, "sample_rate"),
            (r#"{"metric":true}"#, "metric"),
            ("[]", "options"),
            ("{", "options"),
        ] {
            let message = of(wrong).expect_err("it is wrong");
            assert!(message.contains(names), "{wrong}: {message}");
        }
    }
}
