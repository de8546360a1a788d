//! Noise of a page: what is different each time that a server gives it, or as time passes, and says nothing.

use fastrand::Rng;

use crate::tokens::Token;

const WEEKDAYS: [&str; 7] = [
    "Monday",
    "Tuesday",
    "Wednesday",
    "Thursday",
    "Friday",
    "Saturday",
    "Sunday",
];
const ADS: [&str; 6] = [
    "Sleep better on a mattress made in Norway. Try one for a hundred nights.",
    "Switch your broadband today and pay nothing until spring.",
    "Learn Spanish in three weeks with an app that linguists have built.",
    "Winter tyres from 49 EUR, fitted at a workshop near you.",
    "The only pan that you will ever need is half price this weekend.",
    "Invest from one euro. Capital at risk.",
];
const OTHERS: [&str; 6] = [
    "Ten harbours that are worth a detour",
    "Why the old mill was never torn down",
    "What the new timetable means for you",
    "A carpenter explains her favourite joint",
    "The long way home through the valley",
    "Recipes for the first cold days",
];

/// A time at which a page is fetched.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Visit {
    /// Which fetch of this page: each has other tokens and advertisements.
    pub(crate) number: u64,
    /// Minutes since the first one.
    pub(crate) minutes: u64,
}

/// The page as it is given at a visit. Which kinds of noise it has, and where, is the page's own. `paragraph` is the end of an
/// element of the main content, behind which an advertisement may stand.
pub(crate) fn noisy(tokens: &[Token], paragraph: Option<usize>, page: u64, visit: Visit) -> Vec<Token> {
    let (mut place, mut chance) = (
        Rng::with_seed(page),
        Rng::with_seed(page ^ (visit.number + 1).wrapping_mul(0x9e37_79b9)),
    );
    let mut tokens = tokens.to_vec();
    let kinds: [fn(&mut Scene<'_>); 12] = [
        clock,
        stamp,
        age,
        counter,
        advertisement,
        related,
        addresses,
        form,
        scripts,
        attributes,
        space,
        footer,
    ];
    let mut scene = Scene {
        tokens: &mut tokens,
        paragraph,
        visit,
        place: &mut place,
        chance: &mut chance,
    };
    // What is inserted behind others first, so that the place of the paragraph holds.
    for kind in kinds {
        if scene.place.bool() {
            kind(&mut scene);
        }
    }
    tokens
}

struct Scene<'a> {
    tokens: &'a mut Vec<Token>,
    /// The end of an element of the main content.
    paragraph: Option<usize>,
    visit: Visit,
    /// The same at each visit.
    place: &'a mut Rng,
    /// Another one at each visit.
    chance: &'a mut Rng,
}

impl Scene<'_> {
    fn insert(&mut self, at: usize, html: String) {
        self.tokens.insert(at, Token::Raw(html));
        if let Some(paragraph) = self.paragraph.as_mut().filter(|paragraph| **paragraph >= at) {
            *paragraph += 1;
        }
    }

    fn after_start(&self, name: &str) -> usize {
        let at = self
            .tokens
            .iter()
            .position(|token| token.start().is_some_and(|it| it == name));
        at.map_or(0, |at| at + 1)
    }

    fn after_heading(&self) -> usize {
        let at = self.tokens.iter().position(|token| token.ends("h1"));
        at.map_or_else(|| self.after_start("body"), |at| at + 1)
    }

    fn before_end(&self) -> usize {
        let at = self.tokens.iter().rposition(|token| token.ends("body"));
        at.unwrap_or(self.tokens.len())
    }

    fn hex(&mut self) -> String {
        format!("{:016x}{:016x}", self.chance.u64(..), self.chance.u64(..))
    }

    /// Hour, minute and second of the visit.
    fn time(&mut self) -> (u64, u64, u64) {
        let minutes = 521 + self.visit.minutes;
        (minutes / 60 % 24, minutes % 60, self.chance.u64(0..60))
    }
}

fn clock(scene: &mut Scene<'_>) {
    let (hour, minute, second) = scene.time();
    let day = 1 + (521 + scene.visit.minutes) / 1440;
    let weekday = WEEKDAYS[usize::try_from(day % 7).unwrap_or_default()];
    let text = match scene.place.u8(0..3) {
        0 => format!(
            "<div class=\"clock\">{weekday}, {day} November 2026 {hour:02}:{minute:02}:{second:02}</div>"
        ),
        1 => format!("<div id=\"date\">Today is {weekday}, November {day}, 2026</div>"),
        _ => format!(
            "<header><span>Local time {hour:02}:{minute:02}</span> <span>Oslo {} °C</span></header>",
            scene.chance.u8(0..9)
        ),
    };
    scene.insert(scene.after_start("body"), text);
}

fn stamp(scene: &mut Scene<'_>) {
    let (hour, minute, second) = scene.time();
    let text = match scene.place.u8(0..4) {
        0 => format!("<p class=\"meta\">Last updated: {hour:02}:{minute:02}</p>"),
        1 => format!("<p>Data as of {hour:02}:{minute:02}:{second:02} UTC</p>"),
        2 => format!("<div class=\"stamp\">Updated {hour:02}:{minute:02} CET</div>"),
        _ => format!(
            "<p>Page refreshed at {}:{minute:02} {}</p>",
            hour % 12 + 1,
            if hour < 12 { "AM" } else { "PM" }
        ),
    };
    scene.insert(scene.after_heading(), text);
}

fn age(scene: &mut Scene<'_>) {
    let minutes = 3 + scene.visit.minutes;
    let age = match minutes {
        0..60 => format!("{minutes} minutes ago"),
        60..120 => "1 hour ago".to_owned(),
        120..1440 => format!("{} hours ago", minutes / 60),
        1440..2880 => "yesterday".to_owned(),
        _ => format!("{} days ago", minutes / 1440),
    };
    let text = match scene.place.u8(0..3) {
        0 => format!("<span class=\"age\">{age}</span>"),
        1 => format!("<p class=\"byline\">Posted {age}</p>"),
        _ => format!("<div><time>Published {age}</time></div>"),
    };
    scene.insert(scene.after_heading(), text);
}

fn counter(scene: &mut Scene<'_>) {
    let many = 1_200 + scene.visit.number * 37 + scene.chance.u64(0..30);
    let few = 5 + scene.chance.u64(0..40);
    let text = match scene.place.u8(0..7) {
        0 => format!(
            "<div class=\"stats\">{},{:03} views</div>",
            many / 1000,
            many % 1000
        ),
        1 => format!("<p>{few} people are viewing this right now</p>"),
        2 => format!(
            "<div><span>{few}</span> <span>likes</span> · <span>{many}</span> <span>shares</span></div>"
        ),
        3 => format!("<p class=\"views\">Views: {many}</p>"),
        4 => format!("<span>👁 {many}</span>"),
        5 => format!("<p>Read {many} times</p>"),
        _ => format!("<div>{few} users online, {many} visitors today</div>"),
    };
    scene.insert(scene.after_heading(), text);
}

fn advertisement(scene: &mut Scene<'_>) {
    let Some(at) = scene.paragraph else { return };
    let text = scene.chance.choice(ADS).unwrap_or_default();
    let click = scene.hex();
    let text = match scene.place.u8(0..3) {
        0 => format!(
            "<div class=\"ad-slot\" id=\"ad-{click}\"><a href=\"https://ads.example/click?cid={click}\" rel=\"sponsored\">{text}</a></div>"
        ),
        1 => format!("<aside class=\"advertisement\"><span>Advertisement</span><p>{text}</p></aside>"),
        _ => format!(
            "<div class=\"promo-banner\"><p>{text} <a href=\"https://ads.example/{click}\">Read more</a></p></div>"
        ),
    };
    scene.insert(at + 1, text);
}

fn related(scene: &mut Scene<'_>) {
    let from = scene.chance.usize(0..OTHERS.len());
    let links: String = (0..3)
        .map(|step| {
            let at = (from + step) % OTHERS.len();
            format!("<li><a href=\"/story/{at}\">{}</a></li>", OTHERS[at])
        })
        .collect();
    let text = match scene.place.bool() {
        true => format!("<aside class=\"related\"><h3>You may also like</h3><ul>{links}</ul></aside>"),
        false => format!("<div class=\"recommended\"><h4>Recommended for you</h4><ul>{links}</ul></div>"),
    };
    scene.insert(scene.before_end(), text);
}

/// Tokens in the addresses of links and files.
fn addresses(scene: &mut Scene<'_>) {
    let name = scene
        .place
        .choice(["sid", "_t", "session_id", "token", "v"])
        .unwrap_or_default();
    let is_files = scene.place.bool();
    let value = scene.hex();
    for token in scene.tokens.iter_mut() {
        let Token::Tag(tag) = token else { continue };
        for attribute in ["href=\"", "src=\""] {
            if attribute.starts_with('s') && !is_files {
                continue;
            }
            let Some(from) = tag.find(attribute).map(|at| at + attribute.len()) else {
                continue;
            };
            let Some(length) = tag[from..].find('"') else {
                continue;
            };
            let address = &tag[from..from + length];
            let is_own = address.starts_with('/') || address.starts_with("http");
            if !is_own || address.contains('#') {
                continue;
            }
            let mark = if address.contains('?') { "&amp;" } else { "?" };
            tag.insert_str(from + length, &format!("{mark}{name}={value}"));
        }
    }
}

fn form(scene: &mut Scene<'_>) {
    let (one, other) = (scene.hex(), scene.hex());
    let field = format!(
        "<form action=\"/subscribe\" method=\"post\"><input type=\"hidden\" name=\"csrf_token\" value=\"{one}\">\
         <input type=\"email\" name=\"email\"><button>Subscribe</button></form>"
    );
    scene.insert(scene.before_end(), field);
    scene.insert(
        scene.after_start("head"),
        format!("<meta name=\"csrf-token\" content=\"{other}\">"),
    );
}

fn scripts(scene: &mut Scene<'_>) {
    let nonce = scene.hex();
    for token in scene.tokens.iter_mut() {
        if let Token::Tag(tag) = token
            && tag.starts_with("<script")
            && let Some(end) = tag.strip_suffix('>')
        {
            *tag = format!("{end} nonce=\"{nonce}\">");
        }
    }
    let state = format!(
        "<script nonce=\"{nonce}\">window.__STATE__={{\"visit\":\"{nonce}\",\"now\":{}}}</script>",
        scene.visit.minutes * 60
    );
    scene.insert(scene.before_end(), state);
}

/// Attributes in another order, and names that a build makes.
fn attributes(scene: &mut Scene<'_>) {
    let class = format!("css-{}", &scene.hex()[..7]);
    let turned = scene.chance.bool();
    for token in scene.tokens.iter_mut() {
        let Token::Tag(tag) = token else { continue };
        let Some(inner) = tag.strip_prefix('<').and_then(|tag| tag.strip_suffix('>')) else {
            continue;
        };
        // Only tags whose attributes are all in double quotes and without spaces are taken apart.
        let words: Vec<&str> = inner.split(' ').collect();
        let is_simple = words.len() > 2
            && words[1..]
                .iter()
                .all(|word| word.matches('"').count() == 2 && word.ends_with('"'));
        if is_simple && turned {
            let rest: Vec<&str> = words[1..].iter().rev().copied().collect();
            *tag = format!("<{} {}>", words[0], rest.join(" "));
        } else if inner == "p" || inner == "div" || inner == "span" {
            *tag = format!("<{inner} class=\"{class}\">");
        }
    }
}

fn space(scene: &mut Scene<'_>) {
    let every = scene.chance.usize(2..5);
    // White space is content in there.
    let mut open = 0_usize;
    for (at, token) in scene.tokens.iter_mut().enumerate() {
        if token.start().is_some_and(|name| name == "pre") {
            open += 1;
        } else if token.ends("pre") {
            open = open.saturating_sub(1);
        }
        if let Token::Text(text) = token
            && open == 0
            && at % every == 0
            && text.trim().is_empty()
            && !text.is_empty()
        {
            *text = " \n  ".to_owned();
        }
    }
}

fn footer(scene: &mut Scene<'_>) {
    let (hour, minute, second) = scene.time();
    let (server, took) = (scene.chance.u8(1..40), scene.chance.u16(50..900));
    let text = match scene.place.bool() {
        true => format!("<footer>Page generated in 0.{took:03} seconds by web{server}.</footer>"),
        false => format!(
            "<!-- web{server} {hour:02}:{minute:02}:{second:02} --><div id=\"footer-time\">Server time: 2026-11-23T{hour:02}:{minute:02}:{second:02}Z</div>"
        ),
    };
    scene.insert(scene.before_end(), text);
}
