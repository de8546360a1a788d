//! ResearchEffort: what each mode does and how far it goes, as one table.

use wire::research::ResearchMode;

/// What a run of a mode does and how far it goes.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct ResearchEffort {
    /// The mode.
    pub mode: ResearchMode,
    /// Most loops of searching and reading.
    pub iterations: u32,
    /// Most queries of one loop.
    pub queries: usize,
    /// Hits taken of one query.
    pub hits: usize,
    /// Most pages read in one loop, links that are followed not counted.
    pub pages: usize,
    /// Searches, fetches or model calls at once.
    pub at_once: usize,
    /// Whether a model reads each page by itself.
    pub analyzes: bool,
    /// Most links followed in one loop.
    pub follows: usize,
    /// Whether the report is outlined before it is written.
    pub outlines: bool,
    /// Most drafts; more than one only where a judge reads them.
    pub drafts: u32,
    /// Whether a model is asked, too, if a source supports a sentence.
    pub asks: bool,
    /// Bytes of one page that a model reads.
    pub page_bytes: usize,
    /// Bytes of all sources together that the writer reads.
    pub writer_bytes: usize,
    /// Most sentences of the report.
    pub sentences: usize,
    /// Longest time for one page where the request sets none, in seconds.
    pub fetch_seconds: u64,
    /// Tokens that a run may use where the operator sets no number.
    pub tokens: u64,
    /// Seconds that a run may take where the operator sets no number.
    pub seconds: u64,
}

impl ResearchEffort {
    /// Whether a judge reads the drafts.
    pub fn judges(&self) -> bool {
        self.drafts > 1
    }

    /// The effort of a mode.
    pub fn of(mode: ResearchMode) -> ResearchEffort {
        match mode {
            ResearchMode::Fast => FAST,
            ResearchMode::Balanced => BALANCED,
            ResearchMode::Deep => DEEP,
            ResearchMode::Max => MAX,
            ResearchMode::Ultra => ULTRA,
        }
    }
}

const FAST: ResearchEffort = ResearchEffort {
    mode: ResearchMode::Fast,
    iterations: 1,
    queries: 3,
    hits: 8,
    pages: 8,
    at_once: 8,
    analyzes: false,
    follows: 0,
    outlines: false,
    drafts: 1,
    asks: false,
    page_bytes: 4_000,
    writer_bytes: 7_000,
    sentences: 12,
    fetch_seconds: 12,
    tokens: 60_000,
    seconds: 180,
};

const BALANCED: ResearchEffort = ResearchEffort {
    mode: ResearchMode::Balanced,
    iterations: 3,
    queries: 4,
    hits: 10,
    pages: 10,
    analyzes: true,
    follows: 3,
    outlines: true,
    asks: true,
    page_bytes: 6_000,
    writer_bytes: 18_000,
    sentences: 30,
    fetch_seconds: 20,
    tokens: 400_000,
    seconds: 900,
    ..FAST
};

const DEEP: ResearchEffort = ResearchEffort {
    mode: ResearchMode::Deep,
    iterations: 5,
    queries: 5,
    pages: 12,
    follows: 5,
    drafts: 2,
    page_bytes: 10_000,
    writer_bytes: 36_000,
    sentences: 60,
    tokens: 1_200_000,
    seconds: 1_800,
    ..BALANCED
};

const MAX: ResearchEffort = ResearchEffort {
    mode: ResearchMode::Max,
    queries: 6,
    hits: 15,
    pages: 20,
    follows: 8,
    drafts: 3,
    page_bytes: 16_000,
    writer_bytes: 60_000,
    sentences: 90,
    tokens: 2_500_000,
    seconds: 2_700,
    ..DEEP
};

const ULTRA: ResearchEffort = ResearchEffort {
    mode: ResearchMode::Ultra,
    iterations: 10,
    queries: 8,
    hits: 20,
    pages: 24,
    follows: 10,
    writer_bytes: 90_000,
    sentences: 120,
    tokens: 6_000_000,
    seconds: 3_400,
    ..MAX
};
