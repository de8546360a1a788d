//! TextBlock: counts and shape of one run of text.

use super::super::vocabulary;
use super::element::{BlockTag, OutlineElement};
use page::dom::{Node, NodeId};

/// A run of siblings whose text is read as one piece.
#[derive(Clone, Copy, Debug)]
pub(crate) struct TextBlock {
    /// The element whose children the run is of, an index of the outline's elements.
    pub(crate) element: u32,
    /// The first and the last node of the run, children of that element.
    pub(crate) first: NodeId,
    pub(crate) last: NodeId,
    /// Where its text lies in the outline's text, in bytes.
    pub(crate) from: u32,
    pub(crate) to: u32,
    /// Words; two signs of Chinese, Japanese or Korean count as one.
    pub(crate) words: u32,
    /// Words inside links.
    pub(crate) link_words: u32,
    pub(crate) links: u32,
    /// Words inside bold text, code and buttons.
    pub(crate) bold_words: u32,
    pub(crate) code_words: u32,
    pub(crate) button_words: u32,
    /// Words of labels of form fields.
    pub(crate) label_words: u32,
    pub(crate) time_words: u32,
    pub(crate) hidden_words: u32,
    /// Images and videos between the block before and this one.
    pub(crate) images: u32,
    /// Marks of the inline elements inside.
    pub(crate) class_bits: u64,
    pub(crate) shape: TextShape,
}

/// Counts of the characters and words of a text.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct TextShape {
    pub(crate) chars: u32,
    /// Full stops, question and exclamation marks with white space or the end after them.
    pub(crate) stops: u32,
    pub(crate) commas: u32,
    /// Words with a digit in them.
    pub(crate) numbers: u32,
    /// Words that begin with a capital.
    pub(crate) capitals: u32,
    /// Letters, and those of them that are capitals.
    pub(crate) letters: u32,
    pub(crate) upper: u32,
    /// Signs that part items of a line: `|`, `•`, `/`, `»`.
    pub(crate) bars: u32,
    /// Currency signs.
    pub(crate) money: u32,
    pub(crate) ends_in_stop: bool,
    pub(crate) ends_in_colon: bool,
    pub(crate) begins_small: bool,
    pub(crate) is_question: bool,
    /// What the words say, bits of the phrase groups of the vocabulary.
    pub(crate) phrase_bits: u32,
    /// Letters alone, in lower case, as one number: equal texts agree in it.
    pub(crate) hash: u64,
}

/// Builds blocks while the outline walks over the page.
pub(super) struct BlockBuilder {
    names: bool,
    element: u32,
    container: Option<NodeId>,
    top: Option<NodeId>,
    run: Option<(NodeId, NodeId)>,
    from: usize,
    space: bool,
    breaks: u8,
    link: u32,
    bold: u32,
    code: u32,
    button: u32,
    label: u32,
    time: u32,
    hidden: u32,
    images: u32,
    block: Option<TextBlock>,
    class_bits: u64,
}

impl BlockBuilder {
    pub(super) fn new(names: bool) -> BlockBuilder {
        BlockBuilder {
            names,
            element: 0,
            container: None,
            top: None,
            run: None,
            from: 0,
            space: false,
            breaks: 0,
            link: 0,
            bold: 0,
            code: 0,
            button: 0,
            label: 0,
            time: 0,
            hidden: 0,
            images: 0,
            block: None,
            class_bits: 0,
        }
    }

    /// The next text lies directly in this element.
    pub(super) fn enter(&mut self, element: u32, node: Node<'_>) {
        self.element = element;
        self.container = Some(node.id());
        self.top = None;
        self.breaks = 0;
    }

    /// Whether the node is a child of the element the walk is in.
    pub(super) fn is_top(&self, node: Node<'_>) -> bool {
        node.parent().map(Node::id) == self.container
    }

    /// There is an image or a video here.
    pub(super) fn image(&mut self) {
        self.images += 1;
    }

    pub(super) fn top(&mut self, node: NodeId) {
        self.top = Some(node);
    }

    pub(super) fn open(&mut self, element: &OutlineElement<'_>) {
        self.count(element, 1);
        if element.tag == BlockTag::Link
            && let Some(block) = &mut self.block
        {
            block.links += 1;
        }
        if !element.breaks {
            self.class_bits |= element.class_bits;
        }
    }

    pub(super) fn close(&mut self, element: &OutlineElement<'_>) {
        self.count(element, u32::MAX);
        if element.tag == BlockTag::Break {
            self.space = true;
        }
    }

    /// Goes one deeper (`by` 1) or one up (`by` -1) in what the element is.
    fn count(&mut self, element: &OutlineElement<'_>, by: u32) {
        let counter = match element.tag {
            BlockTag::Link => &mut self.link,
            BlockTag::Bold => &mut self.bold,
            BlockTag::Code => &mut self.code,
            BlockTag::Button => &mut self.button,
            BlockTag::Label => &mut self.label,
            BlockTag::Time => &mut self.time,
            _ => &mut 0,
        };
        *counter = counter.wrapping_add(by);
        if element.hidden {
            self.hidden = self.hidden.wrapping_add(by);
        }
    }

    /// Whether this line break follows another one, directly in the block: then a new block begins.
    pub(super) fn second_break(&mut self) -> bool {
        self.breaks = self.breaks.saturating_add(1);
        self.breaks == 2 && self.link + self.bold + self.code == 0
    }

    /// Adds the text of a node, white space collapsed.
    pub(super) fn push(&mut self, text: &str, out: &mut String) {
        let text = &*page::text::without_break_marks(text);
        if text.starts_with(char::is_whitespace) {
            self.space = true;
        }
        let mut words = 0;
        for word in text.split_whitespace() {
            if self.block.is_none() {
                self.begin(out.len());
            } else if self.space || words > 0 {
                out.push(' ');
            }
            out.push_str(word);
            self.space = false;
            words += weight(word).max(1);
        }
        if words == 0 {
            return;
        }
        self.breaks = 0;
        self.space = text.ends_with(char::is_whitespace);
        if let (Some((_, last)), Some(top)) = (&mut self.run, self.top) {
            *last = top;
        }
        if let Some(block) = &mut self.block {
            block.words += words;
            for (depth, counter) in [
                (self.link, &mut block.link_words),
                (self.bold, &mut block.bold_words),
                (self.code, &mut block.code_words),
                (self.button, &mut block.button_words),
                (self.label, &mut block.label_words),
                (self.time, &mut block.time_words),
                (self.hidden, &mut block.hidden_words),
            ] {
                if depth > 0 {
                    *counter += words;
                }
            }
        }
    }

    fn begin(&mut self, at: usize) {
        self.from = at;
        self.run = self.top.map(|top| (top, top));
        let Some(first) = self.top.or(self.container) else {
            return;
        };
        self.block = Some(TextBlock {
            element: self.element,
            first,
            last: first,
            from: at as u32,
            to: at as u32,
            words: 0,
            link_words: 0,
            links: u32::from(self.link > 0),
            bold_words: 0,
            code_words: 0,
            button_words: 0,
            label_words: 0,
            time_words: 0,
            hidden_words: 0,
            images: std::mem::take(&mut self.images),
            class_bits: 0,
            shape: TextShape::default(),
        });
    }

    /// Ends the block, if one was begun.
    pub(super) fn finish(&mut self, out: &mut String) -> Option<TextBlock> {
        let block = self.block.take();
        let run = self.run.take();
        self.space = false;
        let class_bits = std::mem::take(&mut self.class_bits);
        let mut block = block?;
        if let Some((first, last)) = run {
            block.first = first;
            block.last = last;
        }
        block.class_bits = class_bits;
        block.to = out.len() as u32;
        block.shape = TextShape::of(out.get(self.from..).unwrap_or(""), self.names);
        out.push('\n');
        Some(block)
    }
}

/// How many words a piece between two spaces stands for.
fn weight(word: &str) -> u32 {
    if word.is_ascii() {
        return u32::from(word.bytes().any(|b| b.is_ascii_alphanumeric()));
    }
    let signs = word.chars().filter(|c| is_cjk(*c)).count() as u32;
    if signs > 1 {
        signs.div_ceil(2)
    } else {
        u32::from(word.chars().any(char::is_alphanumeric))
    }
}

fn is_cjk(c: char) -> bool {
    matches!(c, '\u{3040}'..='\u{30ff}' | '\u{3400}'..='\u{9fff}' | '\u{ac00}'..='\u{d7af}' | '\u{f900}'..='\u{faff}')
}

impl TextShape {
    /// Looks at a text once.
    pub(crate) fn of(text: &str, names: bool) -> TextShape {
        let mut shape = TextShape {
            hash: 0xcbf2_9ce4_8422_2325,
            ..TextShape::default()
        };
        let mut word = String::new();
        let mut pair = String::new();
        let total = text.bytes().filter(|b| *b == b' ').count() + 1;
        for (at, written) in text.split(' ').enumerate() {
            shape.count(written);
            if names && (at < 14 || at + 4 >= total) {
                shape.look_up(written, &mut word, &mut pair);
            }
        }
        let end = text.trim_end_matches(['"', '\'', '”', '’', ')', '»', '“']);
        shape.ends_in_stop = end.ends_with(['.', '!', '?', '…', '。', '！', '？']);
        shape.is_question = end.ends_with(['?', '？']);
        shape.ends_in_colon = end.ends_with([':', '：']);
        shape.begins_small = text.chars().next().is_some_and(char::is_lowercase);
        shape
    }

    /// Counts the characters of a word.
    fn count(&mut self, word: &str) {
        let mut number = false;
        let mut last = ' ';
        for (at, c) in word.chars().enumerate() {
            self.chars += 1;
            last = c;
            if c.is_ascii_digit() {
                number = true;
            } else if at == 0 && c.is_uppercase() {
                self.capitals += 1;
            }
            if c.is_alphanumeric() {
                self.letters += 1;
                self.upper += u32::from(c.is_uppercase());
                let small = if c.is_ascii() { c.to_ascii_lowercase() } else { c };
                self.hash = (self.hash ^ u64::from(u32::from(small))).wrapping_mul(0x0100_0000_01b3);
                continue;
            }
            match c {
                ',' | '、' | '，' | ';' => self.commas += 1,
                '。' | '！' | '？' => self.stops += 1,
                '|' | '•' | '·' | '/' | '»' | '>' | '›' => self.bars += 1,
                '$' | '€' | '£' | '¥' | '₹' | '₽' => self.money += 1,
                _ => {}
            }
        }
        if matches!(last, '.' | '!' | '?' | '…') || word.ends_with(".\"") || word.ends_with(".”") {
            self.stops += 1;
        }
        if number {
            self.numbers += 1;
        }
    }

    /// Looks a word up in the vocabulary, alone and with the word before it, which `word` holds. Then `word` holds this one in lower case.
    fn look_up(&mut self, written: &str, word: &mut String, pair: &mut String) {
        std::mem::swap(word, pair);
        pair.push('_');
        let joined = pair.len() > 1;
        word.clear();
        let plain = written.trim_matches(|c: char| !c.is_alphanumeric() && c != '©');
        word.extend(plain.chars().take(24).flat_map(char::to_lowercase));
        if joined {
            pair.push_str(word);
        } else {
            pair.clear();
        }
        self.phrase_bits |= vocabulary::phrase_bits(word, pair);
    }
}
