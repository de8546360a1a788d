use super::*;
use crate::dom::NodeSet;
use crate::page::Page;
use proptest::prelude::*;
use url::Url;

fn markdown(html: &str) -> String {
    render_page(&Page::new(html, Url::parse("https://site.example/dir/page").ok()))
}

fn check(html: &str, expect: &str) {
    assert_eq!(markdown(html), expect, "{html}");
}

mod blocks {
    use super::*;

    #[test]
    fn headings_have_their_level_and_one_line() {
        check("<h1>One</h1><h3>Th\n ree</h3>text", "# One\n\n### Th ree\n\ntext");
        check("<h2><div>In <b>a</b></div><div>box</div></h2>", "## In **a** box");
        check("<h2>a<br>b</h2>", "## a b");
        check("<h2>C#</h2>", "## C\\#");
        check("<h2> <span></span> </h2>after", "after");
    }

    #[test]
    fn a_table_of_data_within_preformatted_text_is_a_table() {
        check(
            "<pre><span>\n<table><tr><th>Club<th>Won<th>Lost<tr><td>Oaks<td>3<td>1</table>\n</span></pre>",
            "| Club | Won | Lost |\n| --- | --- | --- |\n| Oaks | 3 | 1 |",
        );
        // Lines of code stand beside their numbers.
        let code = markdown("<pre><table><tr><td>1<td>let a = 1;<tr><td>2<td>let b = 2;</table></pre>");
        assert!(code.starts_with("```") && code.contains("let a = 1;"), "{code}");
    }

    #[test]
    fn an_element_with_the_role_of_a_heading_is_one() {
        check(
            "<div role=heading aria-level=3>a <b>b</b></div>c<p role=heading>d",
            "### a **b**\n\nc\n\n## d",
        );
        check("<div role=heading><p>a post</div>", "a post");
    }

    #[test]
    fn a_heading_in_a_link_stays_a_heading_and_carries_the_link() {
        check(
            "<a href=/x><h2>Title</h2></a>",
            "## [Title](https://site.example/x)",
        );
        check(
            "<a href=/x><img src=i.png alt=I><h2><span>Ti</span>tle</h2><p>More</p></a>after",
            "![I](https://site.example/dir/i.png)\n\n## [Title](https://site.example/x)\n\nMore\n\nafter",
        );
    }

    #[test]
    fn marks_of_a_place_and_buttons_are_no_part_of_a_heading() {
        check(
            "<h2>Title<a href=#t aria-label='Link to Title'>¶</a></h2>",
            "## Title",
        );
        check(
            "<h2><a href=#t title=Copy><svg></svg></a>Title <button>Copy</button></h2>",
            "## Title",
        );
        check("<h2><button>Question?</button></h2>", "## Question?");
    }

    #[test]
    fn paragraphs_and_boxes_are_apart() {
        check("a<p>b<div>c<div>d</div></div>e", "a\n\nb\n\nc\n\nd\n\ne");
        check("<section>a</section><section>b</section>", "a\n\nb");
        check("a<div> </div>b", "a\n\nb");
    }

    #[test]
    fn a_line_break_stays_and_two_make_a_paragraph() {
        check("a<br>b<br><br>c<br>", "a  \nb\n\nc");
    }

    #[test]
    fn quotes_nest_and_hold_lists() {
        check(
            "<blockquote><p>a<p>b<blockquote>c</blockquote><ul><li>d<li>e</ul></blockquote>f",
            "> a\n>\n> b\n>\n> > c\n>\n> - d\n> - e\n\nf",
        );
        check(
            "<blockquote>a</blockquote><blockquote>b</blockquote>",
            "> a\n\n> b",
        );
    }

    #[test]
    fn a_rule_is_a_rule() {
        check("a<hr>b", "a\n\n---\n\nb");
        check("<ul><li>a<li><hr></ul>", "- a\n- ___");
    }

    #[test]
    fn definitions_stand_under_their_terms() {
        check(
            "<dl><dt>a<dt>b<dd>c<dd><p>d<p>e<dt>f<dd>g</dl>",
            "a\nb\n:   c\n:   d\n\n    e\n\nf\n:   g",
        );
    }

    #[test]
    fn captions_summaries_and_labels_are_paragraphs() {
        check(
            "<figure><img src=a.png alt=A><figcaption>cap</figcaption></figure><details><summary>s</summary>d</details>",
            "![A](https://site.example/dir/a.png)\n\ncap\n\ns\n\nd",
        );
    }

    #[test]
    fn what_is_not_shown_is_not_written() {
        check(
            "<script>x</script><style>y</style><template>z</template><title>t</title><svg><text>u</text></svg>a",
            "a",
        );
        check(
            "<select><option>x</select><textarea>y</textarea><noscript>z</noscript>a",
            "a",
        );
    }
}

mod lists {
    use super::*;

    #[test]
    fn a_list_right_after_another_is_a_list_of_its_own() {
        check("<ul><li>a<li>b</ul><ul><li>c</ul>", "- a\n- b\n\n* c");
        check(
            "<ol><li>a</ol><ol><li>b</ol><ol><li>c</ol>",
            "1. a\n\n1) b\n\n1. c",
        );
        check("<ul><li>a</ul><ol><li>b</ol><ul><li>c</ul>", "- a\n\n1. b\n\n- c");
        check("<ul><li>a<ul><li>b</ul><ul><li>c</ul></ul>", "- a\n  - b\n  * c");
    }

    #[test]
    fn lists_nest_mix_and_count() {
        check(
            "<ul><li>a<ol><li>b<li value=20>c<li>d</ol><li>e<ul><li>f</ul></ul>g",
            "- a\n  1. b\n  20. c\n  21. d\n- e\n  - f\n\ng",
        );
    }

    #[test]
    fn a_reversed_list_counts_down() {
        check("<ol reversed><li>c<li>b<li>a</ol>", "3. c\n2. b\n1. a");
        check(
            "<ol reversed start=9><li>c<li value=5>b<li>a</ol>",
            "9. c\n5. b\n4. a",
        );
        check("<ol reversed start=1><li>b<li>a<li>z</ol>", "1. b\n0. a\n0. z");
    }

    #[test]
    fn a_list_that_begins_with_another_number_than_one_stands_apart_from_the_text_before_it() {
        check("<ul><li>a<ol start=9><li>b</ol></ul>", "- a\n\n  9. b");
    }

    #[test]
    fn text_after_a_list_in_an_item_is_no_part_of_that_list() {
        check("<ul><li>a<ul><li>b</ul>c<li>d</ul>", "- a\n  - b\n\n  c\n\n- d");
    }

    #[test]
    fn paragraphs_of_an_inner_item_do_not_part_the_outer_items() {
        check(
            "<ul><li>a<ul><li><p>b<p>c</ul><li>d</ul>",
            "- a\n  - b\n\n    c\n- d",
        );
    }

    #[test]
    fn a_list_directly_in_a_list_belongs_to_the_item_before() {
        check(
            "<ul><li>a</li><ul><li>b</li></ul><li>c</li></ul>",
            "- a\n  - b\n- c",
        );
        check("<ol><li>a</li><ol><li>b</li></ol></ol>", "1. a\n   1. b");
    }

    #[test]
    fn nested_menus_do_not_become_code() {
        let html = format!("{}<li>deep", "<ul><div>".repeat(9));
        check(&html, "- deep");
        let html = format!("{}deep", "<ul><li>".repeat(60));
        assert!(markdown(&html).ends_with("- deep"));
    }

    #[test]
    fn items_with_paragraphs_are_apart_from_each_other() {
        check("<ul><li><p>a<p>b<li>c</ul>", "- a\n\n  b\n\n- c");
        check("<ul><li><p>a</p></li><li><p>b</p></li></ul>", "- a\n\n- b");
        check("<ul><li><p>a</p></li><li>b</li></ul>", "- a\n- b");
    }

    #[test]
    fn items_hold_blocks_of_all_kinds() {
        check(
            "<ol><li>a<pre>x\n y</pre>b<li><h3>c</h3><table><tr><th>d<th>e<tr><td>1<td>2</table></ol>",
            "1. a\n   ```\n   x\n    y\n   ```\n   b\n2. ### c\n\n   | d | e |\n   | --- | --- |\n   | 1 | 2 |",
        );
    }

    #[test]
    fn tasks_have_their_boxes() {
        check(
            "<ul><li><input type=checkbox checked disabled> a<li class=task-list-item><label><input type=checkbox>b</label><li><input type=checkbox>c</ul>",
            "- [x] a\n- [ ] b\n- c",
        );
    }

    #[test]
    fn items_wrapped_in_other_elements_are_items() {
        check(
            "<ul><li><span>a</span></li><span><li>b</li></span></ul>",
            "- a\n- b",
        );
        check(
            "<ul><li><div><div>a</div></div></li><li> </li><li></li><li>b</li></ul>",
            "- a\n-\n- b",
        );
        check("<ol><li></li><li>b</li><li></li></ol>", "2. b");
        check("<li>alone", "- alone");
    }

    #[test]
    fn blocks_between_the_words_of_an_item_stand_on_the_lines_beside_them() {
        check(
            "<ul><li>a<blockquote>b</blockquote><hr>c<h4>d</h4><ul><li>e</li></ul></li><li>f</li></ul>",
            "- a\n  > b\n  ___\n  c\n  #### d\n  - e\n- f",
        );
        check(
            "<ul><li>a<blockquote>b</blockquote><blockquote>c</blockquote></li></ul>",
            "- a\n  > b\n\n  > c",
        );
        check(
            "<ul><li>a<div>b</div><pre>c</pre></li></ul>",
            "- a\n\n  b\n\n  ```\n  c\n  ```",
        );
    }
}

mod words {
    use super::*;

    #[test]
    fn emphasis_within_emphasis_of_the_same_name_has_the_other_sign() {
        check("<em>a <em>b</em> c</em>", "*a _b_ c*");
        check("<strong>a (<strong>b</strong>)</strong>", "**a (__b__)**");
        check("<em>a<em>b</em> <em><em>c</em></em></em>", "*ab _c_*");
        check("x<strong><strong>a</strong></strong>", "x**a**");
        check(
            "<strong><strong>a</strong></strong> <b><b>b</b></b>",
            "**__a__** **b**",
        );
        check("<em>a <em>b</em><em>c</em></em>", "*a _bc_*");
        check("<strong>a <b>b</b></strong>", "**a b**");
    }

    #[test]
    fn an_exclamation_mark_before_a_link_makes_no_image_of_it() {
        check("Go!<a href=/x>there</a>", "Go\\![there](https://site.example/x)");
    }

    #[test]
    fn emphasis_is_written_around_words_only() {
        check("a<b> b </b>c <i>d</i><em> e</em>", "a **b** c *d* *e*");
        check("<del>x</del> <s>y</s> <b> </b><i></i>z", "~~x~~ ~~y~~ z");
        check("<b>a</b><b>b</b> <strong><b>c</b></strong>", "**ab** **c**");
        check("<b>a<p>b</p>c</b>", "**a**\n\n**b**\n\n**c**");
        check("<i>a&nbsp;</i>b", "*a*\u{a0}b");
    }

    #[test]
    fn links_are_absolute_and_end_where_they_should() {
        check(
            "<a href='b c.html?q=(1)'>x</a>",
            "[x](https://site.example/dir/b%20c.html?q=(1))",
        );
        check("<a href='/a)b'>x</a>", "[x](<https://site.example/a)b>)");
        check("<a href='/`'>x</a> y `", "[x](https://site.example/%60) y \\`");
        check("<a href=''>x</a> <a href='' title=y>z</a>", "[x]() [z](<> \"y\")");
        check(
            "<a href='' aria-label=Menu></a><a href='mailto:A@b.example'>c</a>",
            "[c](mailto:A@b.example)",
        );
        check(
            "<a href='https://b.example?c=*'>d</a>",
            "[d](https://b.example?c=*)",
        );
        check(
            "<a href='HTTPS://Other.example/ü'>x</a>",
            "[x](https://other.example/%C3%BC)",
        );
        check(
            "<a href=#top>x</a> <a>y</a> <a href='java\nscript:z()'>z</a>",
            "[x](#top) y z",
        );
        check(
            "<base href=https://cdn.example/q/><a href=r>x</a>",
            "[x](https://cdn.example/q/r)",
        );
        check(
            "<a href=/x title='T \"q\"'>x</a>",
            "[x](https://site.example/x \"T \\\"q\\\"\")",
        );
    }

    #[test]
    fn a_title_that_says_nothing_new_is_left_out() {
        check(
            "<a href=/wiki/New_York title='New York'>the city</a>",
            "[the city](https://site.example/wiki/New_York)",
        );
        check(
            "<a href=/x title='the City'>the city</a>",
            "[the city](https://site.example/x)",
        );
    }

    #[test]
    fn a_link_keeps_its_words_together() {
        check(
            "<a href=/x> a <b>b</b> </a>c",
            "[a **b**](https://site.example/x) c",
        );
        check(
            "<a href=/x><div>a</div><div>b</div></a>",
            "[a b](https://site.example/x)",
        );
        check(
            "<a href=/x>a [1] ]</a>",
            "[a \\[1\\] \\]](https://site.example/x)",
        );
        check(
            "<a href=/x><img src=/i.png alt=I></a>",
            "[![I](https://site.example/i.png)](https://site.example/x)",
        );
        check(
            "<a href=/x aria-label=Menu><svg></svg></a><a href=/y></a>z",
            "[Menu](https://site.example/x)z",
        );
    }

    #[test]
    fn a_lazy_image_shows_the_picture_it_will_load() {
        for html in [
            "<img src='data:image/gif;base64,R0' data-src=/big.jpg alt=A>",
            "<img src=/img/placeholder.png data-lazy-src=/big.jpg alt=A>",
            "<img class=lazyload src=/tiny.jpg data-src=/big.jpg alt=A>",
            "<img srcset='/s.jpg 100w, /big.jpg 900w, /m.jpg 300w' alt=A>",
            "<picture><source srcset='/big.jpg 2x, /s.jpg'><img alt=A></picture>",
            "<img data-x alt=A><noscript><img src=/big.jpg alt=A></noscript>",
        ] {
            check(html, "![A](https://site.example/big.jpg)");
        }
        check(
            "<img src=/a.jpg alt=A><noscript><img src=/a.jpg alt=A></noscript>",
            "![A](https://site.example/a.jpg)",
        );
        check("<img alt=A><img src=data:x alt=B>c", "c");
    }

    #[test]
    fn an_image_stands_apart_from_words() {
        check("a<img src=/i alt=I>b", "a ![I](https://site.example/i) b");
        check(
            "<a href=/x><img src=/i alt=I></a>b",
            "[![I](https://site.example/i)](https://site.example/x) b",
        );
        check("<p><img src=/i alt=I></p>b", "![I](https://site.example/i)\n\nb");
    }

    #[test]
    fn alternative_text_cannot_break_out_of_its_image() {
        check(
            "<img src=/i alt='a](b) ![c'>",
            "![a\\](b) !\\[c](https://site.example/i)",
        );
    }

    #[test]
    fn quoted_words_have_quotes() {
        check("a <q>b</q> c", "a \"b\" c");
    }

    #[test]
    fn an_image_stands_right_after_a_sign() {
        check(
            "*<img src=/a> (<img src=/a>",
            "\\*![](https://site.example/a) (![](https://site.example/a)",
        );
        check(
            "<b>x</b><img src=/a>”<img src=/a>",
            "**x** ![](https://site.example/a) ” ![](https://site.example/a)",
        );
    }

    #[test]
    fn a_picture_of_a_formula_is_left_out_beside_the_formula() {
        check(
            "<span><span><math><annotation encoding=tex>a</annotation></math></span><img class=mwe-math-fallback-image-inline src=x></span>",
            "$a$",
        );
    }

    #[test]
    fn formulas_keep_their_source() {
        check(
            "x<math><semantics><mi>a</mi><annotation encoding=application/x-tex>a_1*b</annotation></semantics></math>y",
            "x$a_1*b$y",
        );
        check(
            "<span class=katex><span class=katex-mathml><math display=block><annotation encoding=application/x-tex>\\frac{1}{2}</annotation></math></span><span class=katex-html>12</span></span>",
            "$$\\frac{1}{2}$$",
        );
        check(
            "<span class=MathJax_Preview>p</span><script type='math/tex; mode=display'>x^2</script>",
            "$$x^2$$",
        );
    }
}

mod code {
    use super::*;

    #[test]
    fn white_space_in_code_is_exact() {
        check("<pre>\n  a\n\n\tb  c\n</pre>", "```\n  a\n\n\tb  c\n```");
        check(
            "<pre><code><span>if</span> x:\n    <span>y</span></code></pre>",
            "```\nif x:\n    y\n```",
        );
    }

    #[test]
    fn the_language_of_code_is_read_from_where_pages_put_it() {
        for html in [
            "<pre><code class='language-rust'>x</code></pre>",
            "<pre class='lang-rust prettyprint'>x</pre>",
            "<div class='highlight highlight-source-rust'><pre>x</pre></div>",
            "<pre data-lang=rust>x</pre>",
            "<figure data-language=Rust><pre>x</pre></figure>",
            "<pre class='brush: rust; toolbar: false'>x</pre>",
            "<pre class='sourceCode rust'><code>x</code></pre>",
        ] {
            check(html, "```rust\nx\n```");
        }
        check("<pre class='language-x`y'>x</pre>", "```\nx\n```");
    }

    #[test]
    fn a_fence_is_longer_than_any_inside() {
        check("<pre>```\nx\n````</pre>", "`````\n```\nx\n````\n`````");
        check("<code>a`b``c</code> <code>`</code>", "```a`b``c``` `` ` ``");
    }

    #[test]
    fn lines_in_boxes_of_their_own_are_lines() {
        check("<pre><div>a</div><div>b</div></pre>", "```\na\nb\n```");
        check(
            "<pre><span class=line>a</span><span class=line>b</span></pre>",
            "```\na\nb\n```",
        );
        check(
            "<pre><span class=line>a</span>\n<span class=line>b</span></pre>",
            "```\na\nb\n```",
        );
        check("<pre>a<br>b</pre>", "```\na\nb\n```");
        check("<pre> <code>\n a \n\n</code>\n</pre>", "```\n\n a \n\n```");
        check("<pre>a\n  </pre>", "```\na\n```");
        check("<pre><code></code></pre><pre><span></span></pre>", "```\n```");
    }

    #[test]
    fn line_numbers_are_no_code() {
        check(
            "<pre><span class=lineno>1 </span>a\n<span class=lineno>2 </span>b</pre>",
            "```\na\nb\n```",
        );
        let line =
            |n: u32, code: &str| format!("<div><style>x</style><span>{n}</span><div>{code}\n</div></div>");
        check(
            &format!(
                "<pre><div>{}{}{}</div></pre>",
                line(1, "a"),
                line(2, ""),
                line(3, "b")
            ),
            "```\na\n\nb\n```",
        );
        check(&format!("<pre>{}</pre>", line(1, "a")), "```\na\n```");
        check(
            "<pre><div><b>1</b> <i>x</i></div><div><b>7</b> <i>y</i></div></pre>",
            "```\n1 x\n7 y\n```",
        );
        check(
            "<table><tr><td class=gutter><pre>1\n2</pre><td class=code><pre>a\nb</pre></table>",
            "```\na\nb\n```",
        );
    }

    #[test]
    fn code_in_a_line_is_between_ticks() {
        check(
            "a <code> b\n c</code> <kbd>d</kbd> <tt><b>e*</b></tt>",
            "a `b c` `d` `e*`",
        );
        check(
            "<a href=/x><code>f()</code></a> <code><a href=/x>f()</a></code>",
            "[`f()`](https://site.example/x) [`f()`](https://site.example/x)",
        );
    }

    #[test]
    fn a_quote_of_code_stays_a_quote() {
        check("<blockquote><pre>a</pre></blockquote>", "> ```\n> a\n> ```");
    }
}

mod tables {
    use super::*;

    #[test]
    fn what_style_hides_in_cells_is_not_written() {
        check(
            "<table><tr><th>Name<th>Size<tr><td><b style='display:none'>Name</b>Bolt<td><i style='display: none'>008</i>8 mm</table>",
            "| Name | Size |\n| --- | --- |\n| Bolt | 8 mm |",
        );
    }

    #[test]
    fn a_table_of_data_has_rows() {
        check(
            "<table><caption>C</caption><thead><tr><th>a<th>b</thead><tr><td>1<td><a href=/x>2</a></table>",
            "C\n\n| a | b |\n| --- | --- |\n| 1 | [2](https://site.example/x) |",
        );
    }

    #[test]
    fn a_table_without_headings_still_has_a_delimiter_row() {
        check(
            "<table><tr><td>1<td>2</table>",
            "|  |  |\n| --- | --- |\n| 1 | 2 |",
        );
    }

    #[test]
    fn what_would_break_a_row_is_escaped_or_put_on_the_line() {
        check(
            "<table><tr><th>a|b<th>c<tr><td><p>d</p><p>e</p><td>f<br>g<tr><td><code>h|i</code><td><ul><li>j<li>k</ul></table>",
            "| a\\|b | c |\n| --- | --- |\n| d e | f g |\n| `h\\|i` | • j • k |",
        );
    }

    #[test]
    fn spans_are_expanded() {
        check(
            "<table><tr><th colspan=2>a<th>b<tr><td rowspan=2>c<td>d<td>e<tr><td>f<td>g</table>",
            "| a | a | b |\n| --- | --- | --- |\n| c | d | e |\n| c | f | g |",
        );
        check(
            "<table><tr><th>a<th>b<tr><td colspan=2>c<tr><td>d<td>e</table>",
            "| a | b |\n| --- | --- |\n| c |  |\n| d | e |",
        );
        check(
            "<table><tr><th>a<th>b<tr><td rowspan=2>c<td rowspan=2>d<tr></tr><tr><td>e<td>f</table>",
            "| a | b |\n| --- | --- |\n| c | d |\n| c | d |\n| e | f |",
        );
        let huge = "<table><tr><td colspan=99999>a<td rowspan=99999>b<tr><td>c</table>";
        assert!(markdown(huge).len() < 10_000);
        let long = format!(
            "<table><tr><td rowspan=999>{}<td>b{}",
            "a".repeat(500),
            "<tr><td>c".repeat(998)
        );
        assert!(markdown(&long).len() < 12_000);
    }

    #[test]
    fn a_table_that_lays_out_the_page_is_blocks() {
        check("<table><tr><td><h2>a</h2>b</table>", "## a\n\nb");
        check("<table role=presentation><tr><td>a<td>b</table>", "a\n\nb");
        check(
            "<table><tr><td>menu<td>text <b>one</b> and <i>two</i> end<table><tr><th>x<th>y<tr><td>1<td>2</table></table>",
            "menu\n\ntext **one** and *two* end\n\n| x | y |\n| --- | --- |\n| 1 | 2 |",
        );
    }

    #[test]
    fn rows_and_cells_can_be_left_out() {
        let page = Page::new(
            "<table><tr><th>a<th>b<tr class=x><td>1<td>2<tr><td class=x>3<td>4</table>",
            None,
        );
        let mut skip = NodeSet::new(page.dom());
        page.dom()
            .nodes()
            .filter(|node| node.has_class("x"))
            .for_each(|node| _ = skip.insert(node.id()));
        let options = MarkdownOptions {
            skip,
            ..MarkdownOptions::default()
        };
        let body = page.dom().body().expect("a body");
        assert_eq!(
            render(&page, &[body], &options),
            "| a | b |\n| --- | --- |\n|  | 4 |"
        );
    }

    #[test]
    fn cells_of_one_row_do_not_leak_marks() {
        check(
            "<table><tr><th>a<th>b<tr><td><b>c<td>d</table>",
            "| a | b |\n| --- | --- |\n| **c** | d |",
        );
        check(
            "<b><table><tr><td>a<td>b</table></b>",
            "|  |  |\n| --- | --- |\n| **a** | **b** |",
        );
    }
}

mod escapes {
    use super::*;

    #[test]
    fn text_cannot_pass_for_markup() {
        for (text, expect) in [
            ("# a", "\\# a"),
            ("#a", "#a"),
            ("&gt; a", "\\> a"),
            ("- a", "\\- a"),
            ("-a", "-a"),
            ("+ a", "\\+ a"),
            ("* a", "\\* a"),
            ("---", "\\---"),
            ("===", "\\==="),
            ("1. a", "1\\. a"),
            ("12) a", "12\\) a"),
            ("1.5 a", "1.5 a"),
            ("```a", "\\`\\`\\`a"),
            ("~~~", "\\~\\~\\~"),
            (
                "a *b* _c_ snake_case_name 2 * 3",
                "a \\*b\\* \\_c\\_ snake_case_name 2 * 3",
            ),
            ("[a](b) ![c](d)", "\\[a](b) !\\[c](d)"),
            ("&lt;b>x&lt;/b> 1 &lt; 2 &lt;3", "\\<b>x\\</b> 1 < 2 <3"),
            ("&amp;amp; AT&amp;T a &amp; b", "\\&amp; AT&T a & b"),
            ("C:\\dir \\*", "C:\\dir \\\\\\*"),
            ("| a | b |", "\\| a | b |"),
            ("a ~~b~~ ~5", "a \\~\\~b\\~\\~ ~5"),
        ] {
            check(&format!("<p>{text}"), expect);
        }
        check("a<br># b<br>- c", "a  \n\\# b  \n\\- c");
        check("<p>a &lt;<span>script></span>", "a \\<script>");
        check("<p>1<span>. a</span>", "1\\. a");
        check("a | b<br>--- | :-:", "a | b  \n\\--- | :-:");
        check(
            "<math><annotation encoding=tex>[a](b) $</annotation></math>",
            "$[a] (b) \\$$",
        );
        check(
            "x<script type=math/tex>[a](b) <c $ \\$</script>",
            "x$[a] (b) < c \\$ \\$$",
        );
    }

    #[test]
    fn odd_line_ends_are_spaces() {
        check("a\u{2028}# b\u{85}c\u{b}d", "a # b c d");
    }
}

#[test]
fn what_is_skipped_is_left_out_of_text_and_markdown_alike() {
    let page = Page::new("<p>a</p><div id=x>b<p>c</div><p>d", None);
    let mut skip = NodeSet::new(page.dom());
    let out = page
        .dom()
        .nodes()
        .find(|node| node.id_attr() == "x")
        .expect("a node");
    skip.insert(out.id());
    let body = page.dom().body().expect("a body");
    assert_eq!(crate::text::render(body, &skip), "a\n\nd");
    assert_eq!(
        render(
            &page,
            &[body],
            &MarkdownOptions {
                skip,
                ..MarkdownOptions::default()
            }
        ),
        "a\n\nd"
    );
}

#[test]
fn several_roots_follow_each_other() {
    let page = Page::new("<p>a</p><p>b</p><p><b>c", None);
    let roots: Vec<_> = page.dom().by_tag("p").collect();
    assert_eq!(
        render(&page, &[roots[2], roots[0]], &MarkdownOptions::default()),
        "**c**\n\na"
    );
}

#[test]
fn links_and_images_can_be_left_out_or_as_written() {
    let page = Page::new(
        "<a href=x>a</a> <img src=y alt=b>",
        Url::parse("https://site.example/").ok(),
    );
    let body = page.dom().body().expect("a body");
    let plain = MarkdownOptions {
        links: false,
        images: false,
        ..MarkdownOptions::default()
    };
    assert_eq!(render(&page, &[body], &plain), "a");
    let written = MarkdownOptions {
        absolute: false,
        ..MarkdownOptions::default()
    };
    assert_eq!(render(&page, &[body], &written), "[a](x) ![b](y)");
}

/// Pieces that pages are made of, to be put together in any order.
const PIECES: [&str; 40] = [
    "<p>",
    "</p>",
    "<b>",
    "</b>",
    "<i>",
    "<a href=/x>",
    "</a>",
    "<ul>",
    "<li>",
    "</ul>",
    "<ol start=7>",
    "<table>",
    "<tr>",
    "<td colspan=3>",
    "<th rowspan=2>",
    "</table>",
    "<pre>",
    "</pre>",
    "<code>",
    "</code>",
    "<h2>",
    "</h2>",
    "<blockquote>",
    "</blockquote>",
    "<br>",
    "<img src=i alt=a>",
    "<dl><dt>",
    "<dd>",
    "<svg>",
    "</svg>",
    "<template>",
    "</template>",
    "<noscript>",
    "</noscript>",
    "word ",
    " *x* ",
    "`",
    "&nbsp;",
    "\n",
    "<math><annotation encoding=tex>a",
];

proptest! {
    #[test]
    fn any_page_has_the_same_markdown_each_time(pieces in prop::collection::vec(prop::sample::select(&PIECES[..]), 0..60)) {
        let html = pieces.concat();
        let markdown = markdown(&html);
        prop_assert_eq!(&markdown, &super::tests::markdown(&html));
        prop_assert!(markdown.len() <= html.len() * 80 + 100);
        prop_assert!(!markdown.ends_with(['\n', ' ']));
        // No word is lost: outside of what is not shown, each stands in the Markdown.
        let shown = Page::new(html.as_str(), None).dom().root().text().matches("word").count();
        prop_assert!(markdown.matches("word").count() >= shown, "{}\n{}", html, markdown);
    }

    #[test]
    fn any_text_is_a_page(html in "\\PC{0,200}", cut in 0usize..200) {
        markdown(&html);
        markdown(&html[html.floor_char_boundary(cut.min(html.len()))..]);
    }

    #[test]
    fn no_text_makes_a_block_or_a_link(text in "[-#>*+=~|`_\\[\\]()<>!&;.0-9 \\\\a\n]{0,40}", cut in 0usize..40) {
        // Whatever the words of a paragraph are, and whatever elements they are cut into, it reads
        // as one paragraph without markup.
        let escape = |text: &str| text.replace('&', "&amp;").replace('<', "&lt;");
        let (head, tail) = text.split_at(text.floor_char_boundary(cut.min(text.len())));
        let markdown = markdown(&format!("<p>{}<span>{}</span></p>", escape(head), escape(tail)));
        prop_assert!(!markdown.contains('\n'), "{}", markdown);
        let line = regex::Regex::new(r"^(#{1,6}(\s|$)|>|[-+*](\s|$)|\d{1,9}[.)](\s|$)|=+\s*$|[-:|\s]+$|```|~~~|\|)").expect("a pattern");
        prop_assert!(!line.is_match(&markdown), "{}", markdown);
        let link = regex::Regex::new(r"(^|[^\\])(\\\\)*\[").expect("a pattern");
        prop_assert!(!link.is_match(&markdown), "{}", markdown);
        let tag = regex::Regex::new(r"(^|[^\\])(\\\\)*(<[a-z/!?]|&#?[a-z0-9]+;)").expect("a pattern");
        prop_assert!(!tag.is_match(&markdown), "{}", markdown);
    }
}
