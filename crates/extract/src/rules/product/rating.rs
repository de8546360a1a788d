//! Average rating and count of reviews, as the page shows them.

use page::dom::Node;

use super::super::class_flags;
use super::super::element_source::element_source;
use super::super::entities::TypedEntity;
use super::super::visible_page::VisiblePage;
use super::availability::section_end;
use super::star_icons::is_behind_icons;
use crate::provenance::Sourced;
use locale::price::{self, PriceHints};

/// What a score is called in a word.
pub(crate) const VERDICTS: &str = r"excellent|superb|very good|good|fabulous|wonderful|exceptional|pleasant|hervorragend|fabelhaft|ausgezeichnet|sehr gut|gut|außergewöhnlich|wspaniały|znakomity|bardzo dobry|dobry|fantastyczny|wyjątkowy";
/// What buyers' opinions are called.
pub(crate) const OPINIONS: &str = r"reviews?|ratings?|bewertung(?:en)?|rezension(?:en)?|avis|évaluations?|commentaires|reseñas?|opiniones|valoraciones|calificaciones|avaliaç(?:ão|ões)|opiniões|recensioni?|valutazioni|beoordeling(?:en)?|recensies?|opini[ei]|recenz[eií]|hodnocení|hodnotení|отзыв(?:ов|а)?|оцен(?:ок|ки)|відгук(?:ів|и)?|omdömen|recensioner|anmeldelser|arvostelu[at]?|arvostelua|arvio(?:ta|t)?|değerlendirme|yorum|értékelés|recenzii|mnenj|ocen|تقييم(?:ات)?|مراجعة|مراجعات|件のレビュー|条评论|則評論|개의? ?리뷰|đánh giá|レビュー";

locale::patterns! {
    /// "4.5 out of 5", "4 out of 10", "4,5 stars".
    static RATING = r"(?i)(?:^|[^0-9.,/])([0-5](?:[.,][0-9]{1,2})?)\s*(?:/|out of|von|sur|de|su|van|av|af|na|z|из|من|of|/\s)\s*(?P<scale>5|five|10)(?:[^0-9]|$)|★\s?([0-5][.,][0-9]{1,2})(?:[^0-9]|$)|(?:^|[^0-9.,])([0-5](?:[.,][0-9]{1,2})?)\s*(?:stars?|sterne|étoiles|estrellas|stelle|звезд|★)";
    /// A count of opinions, as "1,204 reviews".
    static COUNT = format!(
        r"(?i)(?:^|[^0-9.,/])([0-9]{{1,3}}(?:[.,\s][0-9]{{3}})+|[0-9]+)\s*(?:customer |verified |product |global |user )?(?:{OPINIONS})"
    );
    /// A count behind what it counts, as "Reviews (12)".
    static COUNT_BEHIND = format!(
        r"(?i)(?:{OPINIONS})\s*[(\[]\s*([0-9]{{1,3}}(?:[.,\s][0-9]{{3}})+|[0-9]{{1,6}})\s*[)\]]"
    );
    static CLASS_RATING = r"(?i)(?:^|[\sA-Za-z0-9_-])(?:rating|stars?)[-_]([0-5])[-_]([05])(?:\s|$)";
    /// The scale of a rating.
    static SCALE_END = r"(?i)(?:\b(?:out\s+of|of|von|sur|de|su|van|av|af|na|z|из)|/)\s*(?:5|five|10)(?:[^0-9.,]|$)";
    /// The same of ten and more, behind which other words or numbers follow.
    static SCALE_ALONE = r"(?i)[0-9]\s*(?:\bout\s+of|\b(?:of|von|sur|de|su|van|av|af|na|z|из)|/)\s*(?:5|10|20|100)(?:\s|$)";
    static HOTEL_CLASS = r"(?i)^\s*[1-7]\s*[-\x{a0} ]?\s*(?:stars?|sterne?|gwiazdk\p{L}*)[- ]+(?:hotel|resort|hostel|guest|apart|inn|property|accommodation|lodg|unterkunft|obiekt|pensjonat)";
    static BARE_FRACTION = r"(?:^|[^0-9.,/])[0-5]\s*/\s*(?:5|10)(?:[^0-9]|$)";
    static NAMED_FRACTION = format!(r"(?i)(?:{OPINIONS}|★|\bstars?|\brated|\bscore|\bnote|\bocena)\W{{0,3}}[0-5]\s*/\s*(?:5|10)(?:[^0-9]|$)");
    /// A count of opinions and nothing else, with a word or two between: "(9,786 English Reviews)".
    static COUNT_ALONE = format!(r"(?i)^\W*([0-9]{{1,3}}(?:[.,\s][0-9]{{3}})+|[0-9]+)\s+(?:\p{{L}}+\s+){{0,2}}(?:{OPINIONS})\W*$");
    /// "9,1/10", with a fraction: other numbers of ten may be anything.
    static OF_TEN = r"(?:^|\s)([0-9][.,][0-9])\s?/\s?10(?:\s|$)";
    /// "4,4/5", with a fraction: stars alone are whole.
    static PART_OF_FIVE = r"(?:^|[^0-9.,])([0-4][.,][0-9]{1,2}|5[.,]0)\s?/\s?5(?:\s|$)";
    /// "5/5", "8 out of 10", "4 von 5".
    static SCALED = r"(?i)(?:^|[^0-9.,/])(?:[0-9](?:[.,][0-9]{1,2})?|10)\s?(?:/|out of|of|von|z|na|sur|de)\s?(?:5|10)(?:[^0-9.,]|$)";
    /// "4,7 na podstawie 963 opinii", "4.7 based on 963 reviews".
    static BASED_ON = format!(
        r"(?i)(?:^|\s)([0-5][.,][0-9]{{1,2}})\s+(?:na podstawie|based on|from|aus|basierend auf|bei)\s+[0-9][0-9.,\s]*(?:{OPINIONS})"
    );
    /// "8.9 1,284 reviews", "8,7 Fabelhaft 214 Bewertungen": a score with a fraction right before the number of opinions.
    static SCORED = format!(r"(?i)(?:^|\s)([0-9][.,][0-9]|10[.,]0)\s+(?:(?:{VERDICTS})\s+)?[(·|–-]?\s*[0-9][0-9.,\s]*(?:{OPINIONS})");
    /// A count of opinions behind what it counts, in scripts without blanks: "レビュー38件".
    static COUNT_OF_PIECES = r"レビュー(?:数)?\s*[:：]?\s*([0-9]{1,3}(?:,[0-9]{3})+|[0-9]{1,6})\s*件";
    /// A count of those who rated, behind the average: "4.8/5 (215 votes)".
    static VOTES = r"(?i)^\W{0,4}([0-9]{1,3}(?:[.,\s][0-9]{3})+|[0-9]+)\s+(?:votes?|stimmen|votos|voti|stemmen|głosów|głosy|röster|hlasů)\b";
    /// What an average is called before it: "Valutazione media: 3,8 su 5".
    static AVERAGE_NAME = r"(?i)rating|score|average|bewertung|note|évaluation|valutazione|voto|calificación|valoración|puntuación|avaliação|nota|beoordeling|waardering|ocena|betyg|bedömning|評価|التقييم";
    /// The label of a number of reviews, ratings or votes.
    static OF_OPINIONS = format!(r"(?i){OPINIONS}|\b(?:votes?|stimmen|głos(?:y|ów)|votos|voti|stemmen)\b");
    /// The heading of a section of opinions.
    static OPINIONS_HEADING = format!(r"(?i)^\W*(?:[\p{{L}}-]+\s+)?(?:{OPINIONS})\W*$");
    static OPINION = format!("(?i){OPINIONS}|★|\\bstars?\\b|\\brated\\b|sterne|étoiles|estrellas|stelle");
}

/// Whether a short text speaks of buyers' opinions: only there is a bare number a rating or a count of reviews.
pub(crate) fn mentions_opinions(text: &str) -> bool {
    OPINION.is_match(text) || stated(text).is_some()
}

/// Whether a label is that of a number of reviews, ratings or votes: "Google reviews".
pub(crate) fn is_of_opinions(label: &str) -> bool {
    OF_OPINIONS.is_match(label)
}

/// What pages count through as "1 of 5", in the languages of shops.
#[rustfmt::skip]
const COUNTED: &[&str] = &[
    "image", "picture", "photo", "slide", "page", "step", "video", "thumbnail", "bild", "bilder", "seite", "folie", "foto", "schritt",
    "diapositive", "étape", "imagen", "imágene", "página", "diapositiva", "paso", "imagem", "imagen", "immagine", "pagina",
    "afbeelding", "zdjęcie", "zdjęć", "obraz", "strona", "slajd", "krok", "изображение", "фото", "слайд", "страница", "obrázek",
    "strana", "snímek", "bilde", "billede", "side", "sida", "kuva", "sivu", "görsel", "sayfa", "kép", "oldal",
];

/// Floors of a house, of which some words name goods and what is rated in other languages: "Piano", "Story".
#[rustfmt::skip]
const FLOORS: &[&str] = &[
    "floor", "storey", "storie", "story", "etage", "stock", "stockwerk", "geschoss", "obergeschoss", "étage", "piso", "planta", "andar",
    "piano", "verdieping", "piętro", "piętra", "piętrze", "этаж", "поверх", "patro", "poschodí", "podlaží", "våning", "etasje", "etaje",
    "kerros", "emelet", "kat",
];

/// Whether a word is one of these, in whatever case, or its plural.
fn is_one_of(word: Option<&str>, all: &[&str]) -> bool {
    let word = word.unwrap_or_default();
    let word = word.trim_matches(|c: char| !c.is_alphanumeric()).to_lowercase();
    all.contains(&word.as_str()) || all.contains(&word.trim_end_matches('s'))
}

/// Whether an element is a cell of a table beside one that names what pages count through: "Floor" and "3/5".
fn is_counted_in_cell(view: &VisiblePage<'_>, node: Node<'_>) -> bool {
    let mut pairs = view.pairs.iter();
    pairs.any(|pair| {
        let is_beside = pair.node == node.id() || node.is_inside(pair.node);
        let word = pair.key.split(' ').next_back();
        is_beside && (is_one_of(word, COUNTED) || is_one_of(word, FLOORS))
    })
}

/// A rating that a text states.
struct StatedRating<'t> {
    number: regex::Match<'t>,
    /// Whether it is out of ten, and not out of five.
    is_of_ten: bool,
}

impl StatedRating<'_> {
    fn as_str(&self) -> &str {
        self.number.as_str()
    }

    /// A decimal with a point.
    fn decimal(&self) -> String {
        self.as_str().replace(',', ".")
    }
}

/// The first number of a text that is a rating: "Image 1 of 5" tells a place in a gallery.
fn stated(text: &str) -> Option<StatedRating<'_>> {
    RATING.captures_iter(text).find_map(|found| {
        let number = found.iter().skip(1).flatten().next()?;
        let before = text.get(..number.start()).unwrap_or_default();
        let behind = text.get(found.get(0)?.end()..).unwrap_or_default();
        let is_beside = |all: &[&str]| {
            is_one_of(before.split_whitespace().next_back(), all)
                || is_one_of(behind.split_whitespace().next(), all)
        };
        let is_in_stock = || before.trim_end().to_lowercase().ends_with("in stock");
        let is_floor = || is_beside(FLOORS) && review_count_in(text).is_none() && !is_in_stock();
        let is_beside_counted = || is_beside(COUNTED) || is_floor();
        let is_place = found.get(1).is_some() && number.len() == 1 && is_beside_counted();
        (!is_place).then(|| StatedRating {
            number,
            is_of_ten: found.name("scale").is_some_and(|scale| scale.as_str() == "10"),
        })
    })
}

/// The average rating that the text of an entry spells out with its scale, or the number of opinions behind it, as a decimal
/// with a point.
pub(crate) fn spelled(text: &str) -> Option<String> {
    let spelled = [&OF_TEN, &BASED_ON, &PART_OF_FIVE, &SCORED].into_iter();
    let found = spelled.filter_map(|pattern| pattern.captures(text)).next()?;
    Some(found.get(1)?.as_str().replace(',', "."))
}

/// The average with a fraction in a text, of ten or right before the count of opinions, and whether it is out of ten.
fn scored(text: &str) -> Option<(String, bool)> {
    let found = OF_TEN.captures(text).or_else(|| SCORED.captures(text))?;
    let number = found.get(1)?.as_str().replace(',', ".");
    let is_of_ten = OF_TEN.is_match(text) || number.parse::<f32>().is_ok_and(|number| number > 5.0);
    Some((number, is_of_ten))
}

/// Whether a text says a rating with its scale, or what it is based on.
pub(crate) fn has_scale(text: &str) -> bool {
    SCALED.is_match(text) || BASED_ON.is_match(text)
}

/// Whether a text is a count of opinions and nothing else.
pub(crate) fn is_review_count(text: &str) -> bool {
    COUNT_ALONE.is_match(text)
}

/// The average rating out of five in a short text, as a decimal with a point: `4.5` in "4,5 von 5".
pub fn rating_in(text: &str) -> Option<String> {
    Some(stated(text)?.decimal())
}

/// As [`rating_in`], for a text of which nothing says that it is about opinions: "3/5" may be a floor, "3.5/5" and "3 out of 5"
/// are ratings.
pub fn plain_rating_in(text: &str) -> Option<String> {
    let is_fraction = BARE_FRACTION.is_match(text) && !NAMED_FRACTION.is_match(text);
    rating_in(text).filter(|number| !is_fraction || number.contains('.'))
}

/// The count of reviews in a short text, as digits: `1204` in "1,204 reviews", `12` in "Reviews (12)".
///
/// The scale of a rating is no part of the count: "4.5 out of 5 370 reviews" counts 370.
pub fn review_count_in(text: &str) -> Option<String> {
    let count = |text: &str| {
        let found = COUNT.captures(text).or_else(|| COUNT_BEHIND.captures(text));
        let found = found.or_else(|| COUNT_OF_PIECES.captures(text));
        let found = found.or_else(|| COUNT_ALONE.captures(text))?;
        let (whole, number) = (found.get(0)?.as_str().to_lowercase(), found.get(1)?);
        let before = text.get(..number.start()).unwrap_or_default();
        let has_plain_thousands = PLAIN_THOUSANDS.iter().any(|word| whole.contains(word));
        let apart = has_plain_thousands.then(|| without_stars(before, number.as_str()));
        Some(digits(apart.unwrap_or(number.as_str())))
    };
    // "9,3 / 10 318 reviews": what follows the scale is a number of its own.
    let Some(rating) = RATING.find(text).or_else(|| SCALE_ALONE.find(text)) else {
        return count(text);
    };
    let (before, behind) = (text.get(..rating.start()), text.get(rating.end()..));
    let votes = |text: &str| Some(digits(VOTES.captures(text)?.get(1)?.as_str()));
    behind
        .and_then(count)
        .or_else(|| behind.and_then(votes))
        .or_else(|| before.and_then(count))
}

/// What opinions are called in languages that part thousands with a mark or not at all, and not with a blank: English and German.
const PLAIN_THOUSANDS: [&str; 4] = ["review", "rating", "bewertung", "rezension"];

/// A count without the number of the stars that are drawn before it: "★★★★★ 5 128 reviews" are 128.
fn without_stars<'t>(before: &str, count: &'t str) -> &'t str {
    let drawn = before.trim_end_matches(|c: char| c == '☆' || c.is_whitespace());
    let stars = drawn
        .chars()
        .rev()
        .take_while(|c| matches!(c, '★' | '⭐'))
        .count();
    let parts = count.split_once(char::is_whitespace);
    let rest = parts.filter(|(first, _)| stars > 0 && first.parse() == Ok(stars));
    rest.map_or(count, |(_, rest)| rest)
}

/// What a page shows of the opinions of buyers.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct ShownRating {
    /// The average, a decimal with a point.
    pub average: Option<Sourced<String>>,
    /// Whether the average is out of ten, and not out of five.
    pub is_of_ten: bool,
    /// The count of reviews.
    pub count: Option<Sourced<String>>,
}

/// Average rating and count of reviews.
pub fn shown(view: &VisiblePage<'_>) -> ShownRating {
    let from = view
        .heading
        .as_ref()
        .map_or(0, |heading| heading.line.saturating_sub(8));
    let end = view
        .heading
        .as_ref()
        .map_or(view.lines.len().min(200), |heading| {
            section_end(view, heading.line)
        });
    let mut best = ShownRating::default();
    let single = SingleOpinions::of(view, from, end);
    for (at, line) in view.lines.iter().enumerate().take(end).skip(from) {
        let text = view.lines.line_text(line);
        if text.len() > 160 || !text.contains(|c: char| c.is_numeric()) {
            continue;
        }
        let block = view.dom().node(line.block);
        let source = || element_source(block);
        if best.count.is_none()
            && let Some(count) = bare_count(text).filter(|_| is_behind_icons(block))
        {
            best.count = Some(Sourced::new(count, source()));
        }
        if best.average.is_none()
            && OPINION.is_match(text)
            && let Some((number, is_of_ten)) = scored(text)
        {
            best.average = Some(Sourced::new(number, source()));
            best.is_of_ten = is_of_ten;
        }
        if best.average.is_none()
            && let Some(hit) = stated(text)
            && !is_of_else(text.get(..hit.number.start()).unwrap_or_default())
            && !single.has(view, at, hit.as_str())
            && !(hit.as_str().len() == 1 && is_counted_in_cell(view, block))
        {
            best.average = Some(Sourced::new(hit.decimal(), source()));
            best.is_of_ten = hit.is_of_ten;
        }
        if best.count.is_none()
            && let Some(count) = review_count_in(text)
        {
            best.count = Some(Sourced::new(count, source()));
        }
        if best.average.is_some() && best.count.is_some() {
            break;
        }
    }
    if best.average.is_none() || best.count.is_none() {
        from_attributes(view, &single, &mut best);
    }
    best
}

/// The section of a page with single opinions, each of which has stars of its own: these are no average.
struct SingleOpinions {
    /// The line of its heading.
    heading: Option<usize>,
    /// Whether several of its lines have whole ratings.
    are_several: bool,
}

impl SingleOpinions {
    /// Of the lines of a page in a range.
    fn of(view: &VisiblePage<'_>, from: usize, end: usize) -> Self {
        let mut lines = view.lines.iter().enumerate().take(end).skip(from);
        let heading = lines.find(|(_, line)| {
            let is_heading = matches!(
                view.dom().node(line.block).tag(),
                "h2" | "h3" | "h4" | "h5" | "h6"
            );
            is_heading && OPINIONS_HEADING.is_match(view.lines.line_text(line))
        });
        let heading = heading.map(|(at, _)| at);
        let is_whole = |at: &usize| {
            let text = view.lines.get(*at).map(|line| view.lines.line_text(line));
            text.and_then(stated)
                .is_some_and(|number| is_whole(number.as_str()))
        };
        let rated = heading.map_or(0, |heading| (heading..end).filter(is_whole).take(2).count());
        Self {
            heading,
            are_several: rated > 1,
        }
    }

    /// Whether a rating in a line is that of one opinion: whole, behind the heading of the section, without a count of opinions beside, and
    /// one of several or not called an average.
    fn has(&self, view: &VisiblePage<'_>, at: usize, rating: &str) -> bool {
        let mut beside = view.lines.iter().skip(at).take(BESIDE_AVERAGE);
        let text = view.lines.get(at).map(|line| view.lines.line_text(line));
        self.heading.is_some_and(|heading| at > heading)
            && is_whole(rating)
            && beside.all(|line| review_count_in(view.lines.line_text(line)).is_none())
            && (self.are_several || text.is_none_or(|text| !AVERAGE_NAME.is_match(text)))
    }
}

/// Whether a rating has no fraction.
fn is_whole(rating: &str) -> bool {
    rating.bytes().all(|byte| byte.is_ascii_digit())
}

/// Lines below the heading of a recipe in which its average rating stands.
const BELOW_HEADING: usize = 10;

/// The average with its scale, and the count of those who rated, in one short line right below the heading.
pub(crate) fn beside_heading(view: &VisiblePage<'_>) -> (Option<Sourced<String>>, Option<Sourced<String>>) {
    let Some(heading) = view.heading.as_ref() else {
        return (None, None);
    };
    let lines = view.lines.iter().skip(heading.line).take(BELOW_HEADING);
    let found = lines
        .filter(|line| line.range.len() <= LONGEST_AVERAGE)
        .find_map(|line| {
            let text = view.lines.line_text(line);
            let count = review_count_in(text)?;
            let source = element_source(view.dom().node(line.block));
            Some((
                Sourced::new(rating_in(text)?, source.clone()),
                Sourced::new(count, source),
            ))
        });
    found.unzip()
}

/// Lines within which the count of reviews stands behind the average.
const BESIDE_AVERAGE: usize = 3;
/// Longest text that states an average and its count, in bytes.
const LONGEST_AVERAGE: usize = 160;

/// The average of which the markup gives the rounding, a whole number: in another place of the markup, or shown with the same count
/// of reviews.
pub(super) fn exact(
    view: &VisiblePage<'_>,
    entities: &[TypedEntity<'_>],
    rounded: &str,
    count: &str,
) -> Option<Sourced<String>> {
    let whole: f32 = rounded
        .trim()
        .parse()
        .ok()
        .filter(|value: &f32| value.fract() == 0.0)?;
    let fits = |number: &String| {
        let value: Option<f32> = number.parse().ok();
        value.is_some_and(|value| value.fract() != 0.0 && value.round() == whole)
    };
    let is_same_count = |found: Option<String>| found.is_some_and(|found| found == digits(count));
    let averages = entities
        .iter()
        .filter(|entity| entity.is(&["aggregaterating"]) && !entity.within(OF_OTHERS));
    let described = averages
        .filter(|entity| {
            is_same_count(
                entity
                    .text(&["reviewCount", "ratingCount"])
                    .map(|text| digits(&text)),
            )
        })
        .find_map(|entity| {
            let number = entity.text(&["ratingValue"]).filter(fits)?;
            Some(Sourced::new(number, entity.source("ratingValue")))
        });
    described
        .or_else(|| exact_in_lines(view, &fits, &is_same_count))
        .or_else(|| {
            let mut nodes = view.dom().nodes().filter(|node| node.is_element());
            nodes.find_map(|node| {
                let label = node
                    .attr("aria-label")
                    .filter(|label| label.len() <= LONGEST_AVERAGE)?;
                let number = rating_in(label).filter(fits)?;
                is_same_count(review_count_in(label)).then(|| Sourced::new(number, element_source(node)))
            })
        })
}

/// An average in the lines of the page, in one with its count or shortly before it ("4.9", "18 Reviews").
fn exact_in_lines(
    view: &VisiblePage<'_>,
    fits: &dyn Fn(&String) -> bool,
    is_same_count: &dyn Fn(Option<String>) -> bool,
) -> Option<Sourced<String>> {
    view.lines.iter().enumerate().find_map(|(at, line)| {
        let text = view.lines.line_text(line);
        if text.len() > LONGEST_AVERAGE || !text.contains(|c: char| c.is_ascii_digit()) {
            return None;
        }
        let bare = || Some(text.trim().replace(',', ".")).filter(|number| number.len() <= 4);
        let number = rating_in(text).or_else(bare).filter(fits)?;
        let mut beside = view.lines.iter().skip(at).take(BESIDE_AVERAGE);
        let is_counted = beside.any(|line| is_same_count(review_count_in(view.lines.line_text(line))));
        is_counted.then(|| Sourced::new(number, element_source(view.dom().node(line.block))))
    })
}

/// Properties (lower case) behind which the ratings of single opinions and of other products stand.
const OF_OTHERS: &[&str] = &[
    "review",
    "reviews",
    "isrelatedto",
    "issimilarto",
    "itemlistelement",
];

/// Whether the words before stars say that they are of something else than the buyers' opinion: "Energy: 4 stars".
fn is_of_else(before: &str) -> bool {
    let words = before
        .split_whitespace()
        .filter(|word| word.contains(char::is_alphabetic))
        .count();
    words > 1
        && before.trim_end().ends_with(':')
        && !OPINION.is_match(before)
        && !AVERAGE_NAME.is_match(before)
}

/// The average rating and the count of reviews that a short text states in words, as decimals. `is_rated` where its element is
/// named as one of opinions.
pub(crate) fn in_text(text: &str, is_rated: bool) -> (Option<String>, Option<String>) {
    let rating = if is_rated {
        rating_in(text)
    } else {
        plain_rating_in(text)
    };
    (rating, review_count_in(text))
}

/// A bare number right behind the stars ("4.5 (25)").
fn count_behind(view: &VisiblePage<'_>, stars: Node<'_>) -> Option<String> {
    let index = view.lines.first_from(stars.id());
    let mut lines = view.lines.iter().skip(index).take(3);
    lines.find_map(|line| bare_count(view.lines.line_text(line)))
}

/// The digits of a text that is a number alone, in brackets or not.
fn bare_count(text: &str) -> Option<String> {
    let text = text.trim_matches(['(', ')', ' ', '[', ']']);
    let bare = !text.is_empty() && text.len() < 7 && text.bytes().all(|b| b.is_ascii_digit() || b == b',');
    bare.then(|| digits(text))
}

fn digits(text: &str) -> String {
    text.chars().filter(char::is_ascii_digit).collect()
}

/// Widgets of stars: their title, label or a text in an element classed as a rating.
fn from_attributes(view: &VisiblePage<'_>, single: &SingleOpinions, best: &mut ShownRating) {
    let Some(heading) = view.heading.as_ref() else {
        return;
    };
    let end = section_end(view, heading.line);
    let last = end
        .checked_sub(1)
        .and_then(|index| view.lines.get(index))
        .map(|line| line.block);
    let first = view
        .lines
        .get(heading.line.saturating_sub(8))
        .map_or(heading.node, |line| line.block);
    for node in view.dom().nodes() {
        if node.id() < first || !node.is_element() {
            continue;
        }
        if last.is_some_and(|last| node.id() > last) || (best.average.is_some() && best.count.is_some()) {
            break;
        }
        if !view.class_flags.has(node, class_flags::RATED) {
            continue;
        }
        let source = || element_source(node);
        if best.average.is_none()
            && let Some((value, is_of_ten)) = carried(node)
            && !single.has(view, view.lines.first_from(node.id()), &value)
        {
            best.average = Some(Sourced::new(value, source()));
            best.is_of_ten = is_of_ten;
            if best.count.is_none()
                && let Some(count) = count_behind(view, node)
            {
                best.count = Some(Sourced::new(count, source()));
            }
        }
        if best.count.is_none() && view.class_flags.has(node, class_flags::COUNT) {
            best.count = bare_count(&node.text()).map(|count| Sourced::new(count, source()));
        }
    }
}

/// The rating that a class name states, as style sheets draw it: `3.5` of `rating-3-5`, `stars_4_5` or `star-rating Three`.
pub(crate) fn rating_in_class(node: Node<'_>) -> Option<String> {
    let class = node.class();
    let parts = CLASS_RATING.captures(class);
    let decimal =
        parts.and_then(|found| Some(format!("{}.{}", found.get(1)?.as_str(), found.get(2)?.as_str())));
    decimal.or_else(|| {
        let is_scale = node
            .classes()
            .any(|class| matches!(class, "star-rating" | "stars" | "rating"));
        let number = node
            .classes()
            .find_map(|class| WORDS.iter().position(|word| *word == class))?;
        is_scale.then(|| (number + 1).to_string())
    })
}

/// Counts of stars as words in class names.
const WORDS: [&str; 5] = ["One", "Two", "Three", "Four", "Five"];

/// Attributes that carry a rating.
#[rustfmt::skip]
const RATING_ATTRIBUTES: &[&str] = &[
    "data-rating", "data-score", "data-rate", "data-average", "data-rating-value", "data-stars", "data-value",
    "aria-label", "title", "content",
];

/// The rating that an element of stars carries in its attributes or short text.
pub(crate) fn rating_of(node: Node<'_>) -> Option<String> {
    carried(node).map(|(number, _)| number)
}

/// As [`rating_of`], and whether it is out of ten.
fn carried(node: Node<'_>) -> Option<(String, bool)> {
    for name in RATING_ATTRIBUTES {
        let Some(text) = node.attr(name).filter(|text| text.len() < 60) else {
            continue;
        };
        let (number, is_of_ten) = match stated(text) {
            Some(hit) => (hit.decimal(), hit.is_of_ten),
            None if text.len() <= 4 => (text.replace(',', "."), false),
            // "Average rating undefined of 5" states the scale alone, and "4 reviews" a count.
            None if SCALE_END.is_match(text) || HOTEL_CLASS.is_match(text) => continue,
            None => match price::parse(text, &PriceHints::default()) {
                Some(number) if review_count_in(text).as_ref() != Some(&number.amount) => {
                    (number.amount, false)
                }
                _ => continue,
            },
        };
        if number
            .parse::<f32>()
            .is_ok_and(|value| value > 0.0 && value <= 5.0)
        {
            return Some((number, is_of_ten));
        }
    }
    let text = node.text();
    let bare = text.trim_matches(['(', ')', ' ']).replace(',', ".");
    let decimal = bare.len() <= 4
        && bare.contains('.')
        && bare.parse::<f32>().is_ok_and(|value| value > 0.0 && value <= 5.0);
    decimal.then_some((bare, false))
}
