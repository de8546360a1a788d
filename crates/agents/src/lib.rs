//! What runs do. An agent gets a request and a [`run::Run`]; it says events, may ask a person, and stops when told.
//! It knows no store and no server.

mod asking;
pub mod automate;
pub mod cancel;
pub mod error_codes;
pub mod human_input;
pub mod plan;
pub mod reading;
pub mod research;
pub mod run;
pub mod run_error;
pub mod scrape;
pub mod services;
pub mod tooling;
