//! Days, years and numbers of rooms of an instruction.

use std::ops::Range;

use jiff::civil::Date;
use locale::dates;
use page::Page;
use tools::PageList;
use tools::rows::condition::RowCondition;
use tools::rows::measure_name::{DISTANCE, DISTANCE_UNITS, DURATION, MeasureName};

use super::super::limits::LimitField;
use super::super::list_labels::ListLabels;
use super::super::periods::AskedPeriod;
use super::super::{ages, clock, day_spans, durations, measures, on_days, periods, sizes, weekday_bounds};
use super::{InstructionReader, Marked};

locale::patterns! {
    static DAY = r"\d{4}-\d{2}-\d{2}|\d{1,2}[./]\d{1,2}[./]\d{4}|\d{1,2}\.?\s+\p{Latin}{3,}\s+\d{4}|\p{Latin}{3,}\s+\d{1,2}(?:st|nd|rd|th)?,?\s+\d{4}";
}

impl InstructionReader<'_> {
    /// Comparisons with years and days, which rows state in their own ways.
    pub(super) fn times(
        &mut self,
        text: &mut String,
        page: Option<&Page>,
        list: Option<&PageList<'_>>,
        labels: &[String],
    ) {
        // A day may be one to fill in where the page has a field for it.
        let may_be_filled_in = page.is_none_or(on_days::has_field);
        while let Some((range, spans)) = day_spans::span(text, may_be_filled_in) {
            self.either(text, range, spans, labels);
        }
        while let Some((range, mut conditions)) = measures::time(text) {
            if conditions.iter().any(periods::is_seen_from_now)
                && let Some(own_day) = page.and_then(periods::own_day)
            {
                conditions
                    .iter_mut()
                    .for_each(|condition| periods::on_calendar(condition, own_day));
            }
            self.label_days(text, &range, labels, &mut conditions);
            let mark = self.mark(conditions);
            text.replace_range(range, &mark);
        }
        self.periods(text, page, list, labels);
        if may_be_filled_in {
            return;
        }
        while let Some((range, days)) = on_days::days(text) {
            self.either(text, range, days, labels);
        }
    }

    /// Puts lists of conditions on days, of which one has to hold, in the place of a text that says so.
    fn either(
        &mut self,
        text: &mut String,
        place: Range<usize>,
        mut days: Vec<Vec<RowCondition>>,
        labels: &[String],
    ) {
        for day in &mut days {
            self.label_days(text, &place, labels, day);
        }
        let marks: Vec<String> = days.into_iter().map(|day| self.mark(day)).collect();
        text.replace_range(place, &marks.join(" or "));
    }

    /// Periods that are seen from the present day, and the entries that are still to come.
    fn periods(
        &mut self,
        text: &mut String,
        page: Option<&Page>,
        list: Option<&PageList<'_>>,
        labels: &[String],
    ) {
        let is_asked = |text: &str| {
            periods::period(text, None).is_some()
                || periods::upcoming(text, None).is_some()
                || weekday_bounds::bound(text, None).is_some()
        };
        if !is_asked(text) {
            return;
        }
        let own_day = page.and_then(periods::own_day);
        // "New this week" is what entries say.
        let is_said = |text: &str, asked: &AskedPeriod| {
            let words = text.get(asked.place.clone()).unwrap_or_default().trim();
            list.is_some_and(|list| list.says_anywhere(words))
        };
        let label_days = |text: &str, asked: &mut AskedPeriod| {
            if let Some(label) = measures::day_label(text, &asked.place, labels) {
                let field = MeasureName::day_of(&label).to_string();
                asked.days.iter_mut().for_each(|day| day.field.clone_from(&field));
            }
        };
        while let Some(mut asked) = periods::period(text, own_day).filter(|asked| !is_said(text, asked)) {
            label_days(text, &mut asked);
            let mark = self.mark(asked.days);
            text.replace_range(asked.place, &mark);
        }
        while let Some((place, day)) = weekday_bounds::bound(text, own_day) {
            let mut days = [day];
            self.label_days(text, &place, labels, &mut days);
            let mark = self.mark(days.to_vec());
            text.replace_range(place, &format!(" {mark}"));
        }
        let tells_days = list.is_some_and(PageList::tells_days);
        let upcoming = periods::upcoming(text, own_day).filter(|asked| tells_days && !is_said(text, asked));
        if let Some(mut asked) = upcoming {
            label_days(text, &mut asked);
            if asked.count.is_some() {
                let field = asked.days.first().map(|day| day.field.clone());
                self.facts.count = asked.count;
                self.facts.sort = field.map(|field| (field, false));
            }
            let mark = self.mark(asked.days);
            text.replace_range(asked.place, &format!("{mark} "));
        }
    }

    /// Names what the days of conditions are the days of, where the words around their place of a text say it.
    fn label_days(
        &self,
        text: &str,
        place: &Range<usize>,
        labels: &[String],
        conditions: &mut [RowCondition],
    ) {
        let dates = conditions
            .iter_mut()
            .filter(|condition| condition.field == "date");
        if let Some(label) = measures::label(text, place, self.words, labels) {
            dates.for_each(|condition| condition.field = MeasureName::day_of(&label).to_string());
        }
    }

    /// Comparisons with a length of time without units, and with a time of day.
    pub(super) fn clock(&mut self, text: &mut String) {
        while let Some(said) = durations::take_unclear(text) {
            self.facts.not_understood.push(said);
        }
        while let Some((range, conditions)) = clock::span(text) {
            let marks: Vec<String> = conditions.into_iter().map(|span| self.mark(span)).collect();
            if marks.is_empty() {
                let said = text.get(range.clone()).unwrap_or_default().trim();
                self.facts.not_understood.push(said.to_owned());
            }
            text.replace_range(range, &format!("{} ", marks.join(" or ")));
        }
        while let Some((range, condition)) = clock::time(text) {
            let mark = match condition {
                Some(condition) => self.mark(vec![condition]),
                None => {
                    let said = text.get(range.clone()).unwrap_or_default().trim();
                    self.facts.not_understood.push(said.to_owned());
                    " ".to_owned()
                }
            };
            text.replace_range(range, &mark);
        }
    }

    /// The age of whom something is for.
    pub(super) fn ages(&mut self, text: &mut String, labels: &ListLabels<'_>) {
        while let Some((range, condition)) = ages::limit_in_units(text, labels) {
            let mark = self.mark(vec![condition]);
            text.replace_range(range, &mark);
        }
        while let Some(place) = ages::unclear_limit(text, &labels.names) {
            let said = text.get(place.clone()).unwrap_or_default().trim();
            self.facts.not_understood.push(said.to_owned());
            text.replace_range(place, " , ");
        }
        if let Some((range, label, is_oldest_first, count)) = ages::order(text, &labels.names) {
            self.facts.sort = Some((locale::snake_case(&label), is_oldest_first));
            self.facts.count = count;
            text.replace_range(range, " , ");
        }
        if let Some((range, condition)) = ages::group(text, labels) {
            let mark = self.mark(vec![condition]);
            text.replace_range(range, &format!("{mark} "));
        }
        let labels = labels.names.as_slice();
        while let Some((range, condition)) = ages::limit(text, labels) {
            let mark = self.mark(vec![condition]);
            text.replace_range(range, &mark);
        }
        while let Some((range, conditions)) = ages::age(text, labels) {
            let mark = self.mark(conditions);
            text.replace_range(range, &mark);
        }
    }

    /// Sizes of clothes and shoes.
    pub(super) fn sizes(&mut self, text: &mut String) {
        while let Some((range, sizes)) = sizes::sizes(text) {
            let marks: Vec<String> = sizes.into_iter().map(|size| self.mark(vec![size])).collect();
            text.replace_range(range, &marks.join(" or "));
        }
    }

    /// Numbers of rooms that are a part of a word: "3-room flats", "dwupokojowe".
    pub(super) fn rooms(&mut self, text: &mut String) {
        while let Some((range, condition)) = measures::rooms(text) {
            let mark = self.mark(vec![condition]);
            text.replace_range(range, &mark);
        }
    }

    /// Numbers of rooms before their name: "two bedrooms".
    pub(super) fn counted_rooms(&mut self, text: &mut String) {
        while let Some((range, condition)) = measures::counted_rooms(text, self.words) {
            let mark = self.mark(vec![condition]);
            text.replace_range(range, &mark);
        }
    }

    pub(super) fn days(&mut self, text: &mut String) {
        // Every match has its year, so that the present day does not count.
        let now = jiff::civil::date(2026, 1, 1).at(0, 0, 0, 0);
        let read = |day: &str| Some(dates::parse(day, now, &dates::DateHints::default())?.date);
        let days: Vec<(Range<usize>, Date)> = DAY
            .find_iter(text)
            .filter_map(|day| Some((day.range(), read(day.as_str())?)))
            .collect();
        let mut dates = days.iter().map(|(_, date)| date.to_string());
        if let Some(first) = dates.next()
            && self.words.dates.is_match(text)
        {
            self.facts.dates = Some((first, dates.next()));
        }
        for (range, _) in days.into_iter().rev() {
            text.replace_range(range, " ");
        }
    }

    /// The day that the conditions are about, where an order by day names none.
    pub(super) fn day_of(&self, field: String) -> String {
        let conditions = self.marked.iter().filter_map(|marked| match marked {
            Marked::Conditions(conditions) => conditions.first(),
            Marked::Limit(_) => None,
        });
        let mut days = conditions.filter(|condition| MeasureName::parse(&condition.field).event().is_some());
        match (field.as_str(), days.next(), days.next()) {
            ("date", Some(day), None) => day.field.clone(),
            _ => field,
        }
    }

    /// The length, where an order by what is longest stands beside a condition on a length or asks for one as a column.
    pub(super) fn extent_of(&self, field: String) -> String {
        const LENGTHS: [&str; 2] = ["length", DISTANCE];
        if !MeasureName::parse(&field).is_amount_of(DURATION) {
            return field;
        }
        let is_length = |name: &str| LENGTHS.iter().any(|length| name.starts_with(length));
        let marked = self.marked.iter().filter_map(|marked| match marked {
            Marked::Conditions(conditions) => conditions.first().map(|condition| condition.field.as_str()),
            Marked::Limit(at) => match &self.limits.get(*at)?.field {
                LimitField::Named(name) => Some(name.as_str()),
                LimitField::Count | LimitField::Unnamed | LimitField::Unknown => None,
            },
        });
        let mut named = marked.filter(|name| is_length(name));
        let columns = &self.facts.columns;
        match named.next() {
            Some(name) => name.to_owned(),
            None if columns.iter().any(|column| column == DURATION) => field,
            None if columns.iter().any(|column| is_length(column)) => {
                MeasureName::in_units(DISTANCE, &DISTANCE_UNITS).to_string()
            }
            None => field,
        }
    }
}
