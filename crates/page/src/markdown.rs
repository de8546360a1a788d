//! Rendering of a page as Markdown that keeps its structure and that its text cannot inject into.
//!
//! CommonMark with the tables and strikethrough of GitHub's dialect
//! (<https://github.github.com/gfm/>). One pass over the arena in document order, without
//! recursion; time and output are linear in the page.

mod code;
mod embedded;
mod escape;
mod image;
mod link;
mod list;
mod mark;
mod math;
mod options;
mod renderer;
mod table;
#[cfg(test)]
mod tests;
mod writer;

use crate::dom::Node;
use crate::page::Page;
pub use options::MarkdownOptions;
use renderer::MarkdownRenderer;

/// The Markdown of some parts of a page, one after the other.
pub fn render(page: &Page, roots: &[Node<'_>], options: &MarkdownOptions) -> String {
    let mut renderer = MarkdownRenderer::new(page, options);
    for root in roots {
        renderer.run_root(*root);
    }
    renderer.finish()
}

/// The Markdown of the whole body.
pub fn render_page(page: &Page) -> String {
    let root = page.dom().body().unwrap_or(page.dom().root());
    render(page, &[root], &MarkdownOptions::default())
}
