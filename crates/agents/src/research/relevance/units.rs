//! The unit that the answer to a question has: a weight answers how heavy something is, and the number of a year does not. Nor does a
//! length answer how deep it is.

use locale::Regex;

locale::patterns! {
    static ASKS_WEIGHT = r"(?i)\bhow\s+heavy\b|\bhow\s+much\b.*\bweigh|\bwhat\s+(?:do|does|did)\b.*\bweigh\b|\bwhat\s+(?:is|was|are|'s)\s+(?:the|its|their)\s+weight\b|\bwie\s+schwer\b|\bgewicht\b|\bile\s+waż|\bjak\s+ciężk";
    static WEIGHT = r"(?i)\d\s*(?:kg|kilos?|kilograms?|kilogramm|g|grams?|gramm|gramów|lbs?|pounds?|oz|ounces?|t|tons?|tonnes?|tonnen|ton)\b|(?i)\b\d{1,2}\s*stone\b";
    static ASKS_MONEY = r"(?i)\bhow\s+much\b.*\b(?:costs?|pay|paid|charged?|spend|spent|price|fee)\b|\bhow\s+much\s+(?:is|are|was|were)\s+(?:an?|one|each)\s+(?:\p{L}+\s+)?\p{L}+(?:\s+(?:at|for|to|from|of|on)\b|\s*\?|\s*$)|\bhow\s+(?:expensive|pricey)\b|\bwhat\s+(?:do|does|did|will|would)\b.*\bcost\b|\bwhat\s+(?:is|was|are|were)\b.{0,60}\b(?:costs?|prices?|fees?|tuition)\b|\bwas\s+kostet|\bwie\s+(?:viel|teuer)\b.*\b(?:koste[nt]?|preis)|\bile\s+kosztuj|\bjaka?\b.*\bcena\b";
    static MONEY = r"(?i)[$€£¥₹]\s*\d|\d[\d.,]*\s*(?:[$€£¥₹]|(?:(?:hundred|thousand|million|billion|k|m|mio\.?|mln|mld)\s+)?(?:dollars?|euros?|usd|eur|gbp|pounds?|zł|złot\p{L}+|pln|cents?|pence|francs?|franken|kron\p{L}+|yen|rupees?)\b)|\b(?:free|no charge|nothing|kostenlos|kostenfrei|gratis|bezpłatn\p{L}+|darmow\p{L}+)\b";
    static ASKS_LENGTH = r"(?i)\bhow\s+(?:tall|high|deep|wide|far|thick)\s+(?:is|are|was|were|does|do|did|can|may|should|must|will)\b|\bwie\s+(?:hoch|tief|breit|weit|dick)\b|\bjak\s+(?:wysok|głębok|szerok|daleko|grub)";
    static LENGTH = r"(?i)\d[\d.,]*\s*-?\s*(?:mm|cm|dm|m|km|millimet|centimet|met(?:re|er)|kilomet|met(?:r|ry|rów)\b|feet|foot|ft|inch|in\b|miles?|mi\b|yards?|yd\b|storeys?|stories|floors?|light|[\u{2032}\u{2033}\x22'])";
    static ASKS_LONG = r"(?i)\bhow\s+long\b|\bwie\s+lange?\b|\bjak\s+dług\p{L}*\b";
    static LONG = r"(?i)\b(?:\d[\d.,]*|an?|one|two|three|four|five|six|seven|eight|nine|ten|twelve|several|few|couple of|half)\s*-?\s*(?:seconds?|secs?|minutes?|mins?|hours?|hrs?|h|days?|weeks?|months?|years?|decades?|nights?|centur|sekund|minut|stunde|tag|woche|monat|jahr|godzin|dni|tygodni|miesi|lat|met(?:re|er)|kilomet|centimet|millimet|metr|feet|foot|ft|inch|yards?|km|cm|mm|m|miles?|pages?|words?|characters?)|\b(?:overnight|forever|indefinitely|ein(?:e|en)?\s+\p{L}+)\b";
    /// A length of time alone: what is measured beside one may be anything.
    static TIME = r"(?i)\b(?:seconds?|secs?|minutes?|mins?|hours?|hrs?|h|days?|weeks?|months?|years?|decades?|nights?|centur\p{L}+|overnight|sekund\p{L}*|minut\p{L}*|stunden?|tagen?|wochen?|monaten?|jahren?|godzin\p{L}*|dni|tygodni\p{L}*|miesi\p{L}+|lat)\b";
    static ASKS_AGE = r"(?i)\bhow\s+old\s+(?:is|are|was|were)\b|\bwhat\s+(?:is|was)\s+the\s+age\b|\bwie\s+alt\b|\bile\s+lat\s+(?:ma|mają|miał\p{L}*)\b|\bjak\s+star";
    static AGE = r"(?i)\b(?:years?|yrs?|months?|weeks?|days?|decades?|centur\p{L}+|aged?|old|born|jahren?|jahre|monate|alt|jahrhundert\p{L}*|geboren|lat|lata|roku?|wiek\p{L}*|urodz\p{L}+)\b|\b(?:1[0-9]|20)\d\d\b|,\s*\d{1,3}\s*[,;]";
    static ASKS_PLACE = r"(?i)^\s*(?:and\s+|und\s+|i\s+)?(?:where|wo|wohin|woher|gdzie|dokąd|skąd)\b|\b(?:in|on|at)\s+(?:what|which)\s+(?:place|country|city|town|village|street|river|island|county|state|region)\b";
    static PLACE = r"(?i)\b(?:in|at|on|near|by|beside|between|behind|opposite|along|within|outside|inside|from|into|to|through|under|below|above|off|around|via|across|over|im|am|auf|bei|beim|neben|zwischen|hinter|vor|unter|über|durch|aus|nach|w|we|na|nad|przy|koło|obok|pod|za|przed|między|z|ze)\s+['\x22“„‘(]?\p{L}|\b(?:north|south|east|west)\p{L}*\b|\b(?:next\s+to|located|situated|address|location|place|country|city|town|village|street|region|adresse|ort|stadt|land|straße|nördlich|südlich|östlich|westlich|adres|miasto|kraj|ulica|everywhere|nowhere|anywhere|online|überall|nirgends|wszędzie|nigdzie)\b|[>→]|https?:";
    static ASKS_HEIGHT = r"(?i)\bhow\s+(?:tall|high)\b|\bheight\b|\bwie\s+hoch\b|\bhöhe\b|\bjak\s+wysok|\bwysokoś";
    static HEIGHT = r"(?i)\b(?:tall(?:er|est)?|high(?:er|est)?|height|elevation|altitude|hoch|hohe\p{L}*|höhe|höchste\p{L}*|wysok\p{L}*)\b";
    static ASKS_DEPTH = r"(?i)\bhow\s+deep\b|\bdepth\b|\bwie\s+tief\b|\btiefe\b|\bjak\s+głębok|\bgłębokoś";
    static DEPTH = r"(?i)\b(?:deep(?:er|est)?|depth|tief\p{L}*|głębok\p{L}*)\b";
    static ASKS_WIDTH = r"(?i)\bhow\s+(?:wide|broad)\b|\bwidth\b|\bwie\s+breit\b|\bbreite\b|\bjak\s+szerok|\bszerokoś";
    static WIDTH = r"(?i)\b(?:wide(?:r|st)?|width|broad|across|diameter|breit\p{L}*|durchmesser|szerok\p{L}*|średnic\p{L}*)\b";
    static ASKS_EXTENT = r"(?i)\bhow\s+long\b|\blength\b|\bwie\s+lang\b|\blänge\b|\bjak\s+dług[^o]|\bdługoś";
    static EXTENT = r"(?i)\b(?:long(?:est)?|length|lang|lange\p{L}*|länge|längste\p{L}*|dług\p{L}*)\b";
    static ASKS_SHARE = r"(?i)\b(?:what|which)\s+(?:share|percentage|percent|proportion|fraction)\b|\bwie\s+viel\s+prozent\b|\bjaki\s+(?:procent|udział|odsetek)\b";
    static SHARE = r"(?i)\d\s*(?:%|percent|per\s+cent|prozent|procent)|\b(?:half|third|quarter|fifth|tenth|majority|\p{L}+\s+in\s+\p{L}+|\d+\s+(?:out\s+)?of\s+(?:the\s+)?\d+|hälfte|drittel|viertel|połow\p{L}+)\b";
    static ASKS_DAY = r"(?i)^\s*(?:and\s+)?(?:when\s+(?:did|was|were|is|are|will|does|do|has|have|can)|on\s+what\s+(?:day|date)|(?:in\s+)?(?:what|which)\s+(?:year|month|day|date)|wann\s|kiedy\s)";
    static DAY = r"(?i)\b(?:1[0-9]|20)\d\d\b|\b\d{1,2}[:.]\d{2}\b|\b\d{1,2}\s*(?:a\.?m|p\.?m|uhr|o'clock)\b|\b(?:january|february|march|april|may|june|july|august|september|october|november|december|jan|feb|mar|apr|jun|jul|aug|sept?|oct|nov|dec|januar|februar|märz|mai|juni|juli|oktober|dezember|styczni\p{L}*|lut\p{L}+|marc\p{L}+|kwie\p{L}+|maj\p{L}*|czerw\p{L}+|lip\p{L}+|sierp\p{L}+|wrze\p{L}+|październik\p{L}*|listopad\p{L}*|grud\p{L}+|mon|tues?|wednes|thurs?|fri|satur|sun)(?:day)?s?\b|\b(?:century|centuries|jahrhundert|wieku)\b|\b(?:after|before|within|every|each|once)\b.{0,40}\b(?:\d+|a|an|one|two|three|few|several)?\s*(?:hours?|days?|weeks?|months?|years?)\b|\b(?:today|tomorrow|yesterday|spring|summer|autumn|fall|winter|morning|evening|night|heute|gestern)\b";
}

/// The dimensions of a thing: what asks for each, and what tells it.
const DIMENSIONS: usize = 4;

fn dimensions() -> [(&'static Regex, &'static Regex); DIMENSIONS] {
    [
        (&ASKS_HEIGHT, &HEIGHT),
        (&ASKS_DEPTH, &DEPTH),
        (&ASKS_WIDTH, &WIDTH),
        (&ASKS_EXTENT, &EXTENT),
    ]
}

/// What the answer to a question has beside its number.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct AskedUnit {
    /// `None` where any number does, or none.
    unit: Option<&'static Regex>,
    /// The place of the dimension that is asked for.
    dimension: Option<usize>,
}

impl AskedUnit {
    /// Whether a sentence can tell what is asked for: it has the unit, and tells no other dimension alone.
    pub(super) fn fits(&self, sentence: &str) -> bool {
        self.unit.is_none_or(|unit| unit.is_match(sentence)) && !self.tells_other_dimension(sentence)
    }

    /// Whether the question asks for something with a unit.
    pub(super) fn is_asked(&self) -> bool {
        self.unit.is_some()
    }

    /// Whether a sentence has the unit that is asked for, which may be without a number: "free" is a price.
    pub(super) fn is_in(&self, sentence: &str) -> bool {
        self.unit.is_some_and(|unit| unit.is_match(sentence))
    }

    fn tells_other_dimension(&self, sentence: &str) -> bool {
        let Some(asked) = self.dimension else { return false };
        let told = dimensions().map(|(_, tells)| tells.is_match(sentence));
        let is_asked_told = told.get(asked) == Some(&true);
        let is_time = asked + 1 == DIMENSIONS && TIME.is_match(sentence);
        !is_asked_told && !is_time && told.contains(&true)
    }
}

/// What the answer to a question has beside its number.
pub(super) fn of(question: &str) -> AskedUnit {
    let kinds: [(&Regex, &'static Regex); 8] = [
        (&ASKS_WEIGHT, &WEIGHT),
        (&ASKS_MONEY, &MONEY),
        (&ASKS_LENGTH, &LENGTH),
        (&ASKS_LONG, &LONG),
        (&ASKS_SHARE, &SHARE),
        (&ASKS_DAY, &DAY),
        (&ASKS_AGE, &AGE),
        (&ASKS_PLACE, &PLACE),
    ];
    let asked = kinds.into_iter().filter(|(asks, _)| asks.is_match(question));
    let sizes = dimensions().into_iter().enumerate();
    let sizes = sizes.filter(|(_, (asks, _))| asks.is_match(question));
    AskedUnit {
        // What asks for two things at once may be answered by either.
        unit: only(asked).map(|(_, unit)| unit),
        dimension: only(sizes).map(|(at, _)| at),
    }
}

/// Whether a question asks what something costs.
pub(super) fn asks_money(question: &str) -> bool {
    ASKS_MONEY.is_match(question)
}

/// The one of an iterator that has one.
fn only<T>(mut found: impl Iterator<Item = T>) -> Option<T> {
    let first = found.next()?;
    found.next().is_none().then_some(first)
}

#[cfg(test)]
mod tests {
    use super::of;

    #[test]
    fn an_answer_has_the_unit_of_what_is_asked_for() {
        let fits = |question: &str, sentence: &str| of(question).fits(sentence);
        assert!(fits("How heavy is the Quern stone?", "It weighs 840 kg."));
        assert!(!fits(
            "How heavy is the 2023 Quern stone?",
            "The 2023 stone is the best of 12."
        ));
        assert!(fits(
            "How much does a ticket cost?",
            "Tickets are free for children."
        ));
        assert!(!fits(
            "How much is a boat trip at the mill?",
            "A boat leaves twice a day."
        ));
        assert!(fits("How much is a sack in kilograms?", "A sack is 50 kg."));
        assert!(fits("What is the price of a sack?", "A sack is 12 euros."));
        assert!(!fits(
            "What did the mill cost?",
            "It was tested by three of the owners in 2024."
        ));
        assert!(fits("How long does a visit take?", "Plan two hours."));
        assert!(!fits("How long does a visit take?", "There are 12 rooms."));
        assert!(fits(
            "When was the mill built?",
            "It was built by Anna Holt in 1822."
        ));
        assert!(!fits("When was the mill built?", "It has 4 floors."));
        assert!(fits("Wie hoch ist die Mühle?", "Die Mühle ist 22 Meter hoch."));
        assert!(fits("What share of the wheat is ground?", "About half of it."));
        assert!(fits("Why did the cost rise in the mill?", "Wages rose."));
        assert!(of("How deep learning works").unit.is_none());
        assert!(of("What helps with weight loss?").unit.is_none());
        assert!(of("How many sacks are there?").unit.is_none());
    }
    #[test]
    fn a_dimension_is_not_told_by_another_one() {
        let fits = |question: &str, sentence: &str| of(question).fits(sentence);
        assert!(fits("How deep is the river?", "The river is 4 metres deep."));
        assert!(!fits(
            "How deep is the river?",
            "The river is 212 kilometres long."
        ));
        assert!(fits(
            "How long is the river?",
            "The river is 212 kilometres long."
        ));
        assert!(!fits("How long is the river?", "The river is 30 metres wide."));
        assert!(fits(
            "How long is the tour?",
            "The tour of the high tower takes 2 hours."
        ));
        assert!(fits("How tall is the mill?", "The mill measures 22 metres."));
        assert!(!fits("Wie tief ist der See?", "Der See ist 4 Kilometer lang."));
        assert!(!fits(
            "Jak głęboka jest rzeka?",
            "Rzeka jest szeroka na 30 metrów."
        ));
    }

    #[test]
    fn an_age_and_a_place_are_no_height() {
        let fits = |question: &str, sentence: &str| of(question).fits(sentence);
        assert!(!fits("How old is the mill?", "The mill is 31 metres tall."));
        assert!(fits("How old is the mill?", "The mill was built in 1822."));
        assert!(!fits("Where is the mill?", "The mill is 31 metres tall."));
        assert!(fits("Where is the mill?", "The mill stands by the river Aln."));
        assert!(fits("Gdzie jest młyn?", "Młyn stoi nad rzeką."));
    }
}
