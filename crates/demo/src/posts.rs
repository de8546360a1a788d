//! Posts of the news pages: made up, always the same.

/// One post.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DemoPost {
    /// Its number, from 1.
    pub id: usize,
    /// Its title.
    pub title: String,
    /// Its link; none for a text on the site itself.
    pub url: Option<String>,
    /// The site of its link.
    pub site: Option<String>,
    /// Points; none for a job advertisement.
    pub points: Option<u64>,
    /// Its author; none for a job advertisement.
    pub author: Option<String>,
    /// The number of comments.
    pub comments: u64,
    /// Its time, in seconds since 1970.
    pub at: u64,
    /// Whether it is marked as adult content.
    pub adult: bool,
    /// A label.
    pub flair: Option<&'static str>,
}

const SUBJECTS: [&str; 12] = [
    "A parser that never goes back",
    "Queues are always full or always empty",
    "What the cache did not tell",
    "Small databases & big promises",
    "Reading old maps with new lenses",
    "A clock for people who sleep late",
    "Counting birds with a microphone",
    "The compiler as a patient teacher",
    "Why our backups were empty",
    "Gardens under glass roofs",
    "Measuring tea by its colour",
    "Notes on writing fewer notes",
];

/// Seconds since 1970 of the newest post: 2026-03-01 12:00 UTC.
pub const NEWEST: u64 = 1_772_366_400;

/// All 70 posts, the newest first.
pub fn all() -> Vec<DemoPost> {
    (1..=70).map(post).collect()
}

fn post(id: usize) -> DemoPost {
    let number = id as u64;
    let job = id % 13 == 7;
    let own = id % 9 == 4 && !job;
    let subject = SUBJECTS.get(id * 5 % SUBJECTS.len()).copied().unwrap_or_default();
    let site = format!("site{}.example", id % 17);
    DemoPost {
        id,
        title: match (job, own) {
            (true, _) => format!("Firm {id} (B 24) is hiring engineers"),
            (_, true) => format!("Ask: {subject}, part {id}?"),
            _ => format!("{subject}, part {id}"),
        },
        url: (!own).then(|| format!("https://{site}/story/{id}?from=front&x=1")),
        site: (!own).then_some(site),
        points: (!job).then_some(3 + number * 53 % 417),
        author: (!job).then(|| format!("user_{}", id * 7 % 31)),
        comments: if job { 0 } else { number * 29 % 160 },
        at: NEWEST - number * 1_740,
        adult: id % 23 == 11,
        flair: [None, Some("Discussion"), Some("Project")]
            .get(id % 3)
            .copied()
            .flatten(),
    }
}

/// The time in ISO 8601, UTC (the inverse of Howard Hinnant's days-from-civil).
pub fn iso(at: u64) -> String {
    let (days, second) = (at / 86_400, at % 86_400);
    let shifted = days + 719_468;
    let era = shifted / 146_097;
    let day_of_era = shifted % 146_097;
    let year_of_era = (day_of_era - day_of_era / 1_460 + day_of_era / 36_524 - day_of_era / 146_096) / 365;
    let day_of_year = day_of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
    let shifted_month = (5 * day_of_year + 2) / 153;
    let day = day_of_year - (153 * shifted_month + 2) / 5 + 1;
    let month = if shifted_month < 10 {
        shifted_month + 3
    } else {
        shifted_month - 9
    };
    let year = year_of_era + era * 400 + u64::from(month <= 2);
    let (hour, minute, second) = (second / 3_600, second / 60 % 60, second % 60);
    format!("{year:04}-{month:02}-{day:02}T{hour:02}:{minute:02}:{second:02}")
}

/// The age at the time of the newest post, in words.
pub fn age(at: u64) -> String {
    let minutes = (NEWEST + 600 - at) / 60;
    match (minutes / 1_440, minutes / 60, minutes) {
        (0, 0, minutes) => format!("{minutes} minutes ago"),
        (0, 1, _) => "1 hour ago".to_owned(),
        (0, hours, _) => format!("{hours} hours ago"),
        (1, _, _) => "1 day ago".to_owned(),
        (days, _, _) => format!("{days} days ago"),
    }
}
