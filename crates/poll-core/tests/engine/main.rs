//! The engine as its users see it, on a fake clock. Which test guards which property: `docs/design/engine.md`.

mod combinators;
mod days;
mod deadline;
mod many;
mod patience;
mod plain;
mod policy;
mod properties;
mod support;
mod throttling;
mod ticks;
