//! `PagePicture`: what a tab shows, for people, with the place of one element.

use bytes::Bytes;

/// A picture of a tab's viewport.
#[derive(Debug, Clone, PartialEq)]
pub struct PagePicture {
    /// The picture as JPEG.
    pub jpeg: Bytes,
    /// Width and height of the viewport in CSS pixels; the picture has as many pixels.
    pub size: (u32, u32),
    /// Where the element is that was asked for; none when it is gone or not visible.
    pub target: Option<Area>,
}

/// A rectangle of the viewport, in CSS pixels from its top left corner.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Area {
    /// From the left.
    pub x: f64,
    /// From the top.
    pub y: f64,
    /// Width.
    pub width: f64,
    /// Height.
    pub height: f64,
}
