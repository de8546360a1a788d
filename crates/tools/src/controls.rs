//! Elements of a page that somebody uses: fields, buttons, calendars; how they are found and what is done with them.

pub(crate) mod calendar_widget;
pub(crate) mod element;
pub(crate) mod focus;
pub(crate) mod form_actions;
pub(crate) mod form_fields;
pub(crate) mod interaction;
pub(crate) mod next_page;
pub(crate) mod snapshot_search;
pub(crate) mod ui_words;
