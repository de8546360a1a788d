//! The unit that the answer to a question has: a weight answers how heavy something is, and the number of a year does not.

use locale::Regex;

locale::patterns! {
    static ASKS_WEIGHT = r"(?i)\bhow\s+heavy\b|\bhow\s+much\b.*\bweigh|\bwhat\s+(?:do|does|did)\b.*\bweigh\b|\bwhat\s+(?:is|was|are|'s)\s+(?:the|its|their)\s+weight\b|\bwie\s+schwer\b|\bgewicht\b|\bile\s+waż|\bjak\s+ciężk";
    static WEIGHT = r"(?i)\d\s*(?:kg|kilos?|kilograms?|kilogramm|g|grams?|gramm|gramów|lbs?|pounds?|oz|ounces?|t|tons?|tonnes?|tonnen|ton)\b|(?i)\b\d{1,2}\s*stone\b";
    static ASKS_MONEY = r"(?i)\bhow\s+much\b.*\b(?:costs?|pay|paid|charged?|spend|spent|price|fee)\b|\bhow\s+much\s+(?:is|are|was|were)\s+(?:an?|one|each)\s+(?:\p{L}+\s+)?\p{L}+(?:\s+(?:at|for|to|from|of|on)\b|\s*\?|\s*$)|\bhow\s+(?:expensive|pricey)\b|\bwhat\s+(?:do|does|did|will|would)\b.*\bcost\b|\bwhat\s+(?:is|was|are|were)\b.{0,60}\b(?:costs?|prices?|fees?|tuition)\b|\bwas\s+kostet|\bwie\s+(?:viel|teuer)\b.*\b(?:koste[nt]?|preis)|\bile\s+kosztuj|\bjaka?\b.*\bcena\b";
    static MONEY = r"(?i)[$€£¥₹]\s*\d|\d[\d.,]*\s*(?:[$€£¥₹]|(?:(?:hundred|thousand|million|billion|k|m|mio\.?|mln|mld)\s+)?(?:dollars?|euros?|usd|eur|gbp|pounds?|zł|złot\p{L}+|pln|cents?|pence|francs?|franken|kron\p{L}+|yen|rupees?)\b)|\b(?:free|no charge|nothing|kostenlos|kostenfrei|gratis|bezpłatn\p{L}+|darmow\p{L}+)\b";
    static ASKS_LENGTH = r"(?i)\bhow\s+(?:tall|high|deep|wide|far|thick)\s+(?:is|are|was|were|does|do|did|can|may|should|must|will)\b|\bwie\s+(?:hoch|tief|breit|weit|dick)\b|\bjak\s+(?:wysok|głębok|szerok|daleko|grub)";
    static LENGTH = r"(?i)\d[\d.,]*\s*-?\s*(?:mm|cm|dm|m|km|millimet|centimet|met(?:re|er)|kilomet|met(?:r|ry|rów)\b|feet|foot|ft|inch|in\b|miles?|mi\b|yards?|yd\b|storeys?|stories|floors?|light|[\u{2032}\u{2033}\x22'])";
    static ASKS_LONG = r"(?i)\bhow\s+long\b|\bwie\s+lange?\b|\bjak\s+długo\b";
    static LONG = r"(?i)\b(?:\d[\d.,]*|an?|one|two|three|four|five|six|seven|eight|nine|ten|twelve|several|few|couple of|half)\s*-?\s*(?:seconds?|secs?|minutes?|mins?|hours?|hrs?|h|days?|weeks?|months?|years?|decades?|nights?|centur|sekund|minut|stunde|tag|woche|monat|jahr|godzin|dni|tygodni|miesi|lat|met(?:re|er)|feet|ft|inch|km|cm|mm|m|miles?|pages?|words?|characters?)|\b(?:overnight|forever|indefinitely|ein(?:e|en)?\s+\p{L}+)\b";
    static ASKS_SHARE = r"(?i)\b(?:what|which)\s+(?:share|percentage|percent|proportion|fraction)\b|\bwie\s+viel\s+prozent\b|\bjaki\s+(?:procent|udział|odsetek)\b";
    static SHARE = r"(?i)\d\s*(?:%|percent|per\s+cent|prozent|procent)|\b(?:half|third|quarter|fifth|tenth|majority|\p{L}+\s+in\s+\p{L}+|\d+\s+(?:out\s+)?of\s+(?:the\s+)?\d+|hälfte|drittel|viertel|połow\p{L}+)\b";
    static ASKS_DAY = r"(?i)^\s*(?:and\s+)?(?:when\s+(?:did|was|were|is|are|will|does|do|has|have|can)|on\s+what\s+(?:day|date)|(?:in\s+)?(?:what|which)\s+(?:year|month|day|date)|wann\s|kiedy\s)";
    static DAY = r"(?i)\b(?:1[0-9]|20)\d\d\b|\b\d{1,2}[:.]\d{2}\b|\b\d{1,2}\s*(?:a\.?m|p\.?m|uhr|o'clock)\b|\b(?:january|february|march|april|may|june|july|august|september|october|november|december|jan|feb|mar|apr|jun|jul|aug|sept?|oct|nov|dec|januar|februar|märz|mai|juni|juli|oktober|dezember|styczni\p{L}*|lut\p{L}+|marc\p{L}+|kwie\p{L}+|maj\p{L}*|czerw\p{L}+|lip\p{L}+|sierp\p{L}+|wrze\p{L}+|październik\p{L}*|listopad\p{L}*|grud\p{L}+|mon|tues?|wednes|thurs?|fri|satur|sun)(?:day)?s?\b|\b(?:century|centuries|jahrhundert|wieku)\b|\b(?:after|before|within|every|each|once)\b.{0,40}\b(?:\d+|a|an|one|two|three|few|several)?\s*(?:hours?|days?|weeks?|months?|years?)\b|\b(?:today|tomorrow|yesterday|spring|summer|autumn|fall|winter|morning|evening|night|heute|gestern)\b";
}

/// What the answer to a question has beside its number; `None` where any number does, or none.
pub(super) fn of(question: &str) -> Option<&'static Regex> {
    let kinds: [(&Regex, &'static Regex); 6] = [
        (&ASKS_WEIGHT, &WEIGHT),
        (&ASKS_MONEY, &MONEY),
        (&ASKS_LENGTH, &LENGTH),
        (&ASKS_LONG, &LONG),
        (&ASKS_SHARE, &SHARE),
        (&ASKS_DAY, &DAY),
    ];
    let mut asked = kinds.into_iter().filter(|(asks, _)| asks.is_match(question));
    let (_, unit) = asked.next()?;
    // What asks for two things at once may be answered by either.
    asked.next().is_none().then_some(unit)
}

#[cfg(test)]
mod tests {
    use super::of;

    #[test]
    fn an_answer_has_the_unit_of_what_is_asked_for() {
        let fits = |question: &str, sentence: &str| of(question).is_none_or(|unit| unit.is_match(sentence));
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
        assert!(of("How deep learning works").is_none());
        assert!(of("What helps with weight loss?").is_none());
        assert!(of("How many sacks are there?").is_none());
    }
}
