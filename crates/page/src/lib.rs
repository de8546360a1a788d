//! What a page is, as a value: parsed once, read many ways, without IO.
