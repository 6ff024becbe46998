//! Microversions: only `X-OpenStack-Manila-API-Version` counts.

use serde_json::{Value, json};

use super::errors;
use crate::config::Config;
use crate::response::Response;
use crate::wire::Request;

/// What the root shows, without a token.
pub(super) fn root(config: &Config, root: &str) -> Value {
    let (min, max) = config.microversions;
    json!({"versions": [{
        "id": "v2.0", "status": "CURRENT", "version": format!("2.{max}"), "min_version": format!("2.{min}"), "updated": "2015-08-27T11:33:21Z",
        "links": [{"rel": "describedby", "type": "text/html", "href": "http://docs.openstack.org/"}, {"rel": "self", "href": format!("{root}/v2/")}],
        "media-types": [{"base": "application/json", "type": "application/vnd.openstack.share+json;version=1"}],
    }]})
}

/// The minor number that the request asks for; without a header the oldest.
pub(super) fn asked(config: &Config, request: &Request) -> Result<u32, Response> {
    let (min, max) = config.microversions;
    let Some(text) = request.header("x-openstack-manila-api-version") else {
        return Ok(min);
    };
    let numbers = text
        .split_once('.')
        .and_then(|(major, minor)| Some((major.parse::<u32>().ok()?, minor.parse::<u32>().ok()?)));
    match numbers {
        None => {
            let message = format!(
                "API Version String {text} is of invalid format. Must be of format MajorNum.MinorNum."
            );
            Err(errors::fault(400, &message).header("X-Compute-Request-Id", ""))
        }
        Some((2, minor)) if (min..=max).contains(&minor) => Ok(minor),
        Some(_) => {
            let message = format!(
                "Version {text} is not supported by the API. Minimum is 2.{min} and maximum is 2.{max}."
            );
            Err(dressed(errors::fault(406, &message), text))
        }
    }
}

/// The headers that name the version.
pub(super) fn dressed(reply: Response, version: &str) -> Response {
    reply
        .header("X-Compute-Request-Id", "")
        .header("Vary", "X-OpenStack-Manila-API-Version")
        .header("X-Openstack-Manila-Api-Version", version)
}
