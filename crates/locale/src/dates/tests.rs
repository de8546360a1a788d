use super::*;

fn now() -> DateTime {
    // A Wednesday.
    "2020-06-17T12:00:00".parse().unwrap()
}

fn read_with(text: &str, hints: &DateHints) -> Option<String> {
    parse(text, now(), hints).map(|moment| moment.to_string())
}

fn check(cases: &[(&str, &str)]) {
    for (text, expected) in cases {
        let got = read_with(text, &DateHints::default());
        let wanted = if expected.contains('T') {
            (*expected).to_owned()
        } else {
            format!("{expected}T00:00:00")
        };
        assert_eq!(got, Some(wanted), "{text}");
    }
}

#[test]
fn a_machine_date_keeps_its_zone() {
    check(&[
        ("2019-12-31", "2019-12-31"),
        ("2019-12-31T23:59:58Z", "2019-12-31T23:59:58Z"),
        ("2019-12-31T23:59:58.25+05:30", "2019-12-31T23:59:58.250000+05:30"),
        ("20191231T2359-0800", "2019-12-31T23:59:00-08:00"),
        ("2019-12-31 24:00", "2020-01-01"),
        ("04.03.2026 24:00", "2026-03-05T00:00:00"),
        ("31. Dezember 2019, 24 Uhr", "2020-01-01"),
        ("4 March 2026, open 24 h", "2026-03-04"),
        ("Tue, 31 Dec 2019 23:59:58 GMT", "2019-12-31T23:59:58Z"),
        ("Tue Dec 31 23:59:58 EST 2019", "2019-12-31T23:59:58-05:00"),
        (
            "Tue Dec 31 2019 23:59:58 GMT+0100 (CET)",
            "2019-12-31T23:59:58+01:00",
        ),
    ]);
}

#[test]
fn a_month_may_be_named_in_any_language() {
    check(&[
        ("5 March 2019", "2019-03-05"),
        ("March 5th, 2019", "2019-03-05"),
        ("5. März 2019", "2019-03-05"),
        ("le 1er août 2019", "2019-08-01"),
        ("5 de marzo del 2019", "2019-03-05"),
        ("sexta-feira, 5 de julho de 2019", "2019-07-05"),
        ("5 września 2019", "2019-09-05"),
        ("5. září 2019", "2019-09-05"),
        ("28. u studenom 2017.", "2017-11-28"),
        ("5 февраля 2019 г.", "2019-02-05"),
        ("5 травня 2019", "2019-05-05"),
        ("2019. május 5.", "2019-05-05"),
        ("5 Mayıs 2019 Pazar", "2019-05-05"),
        ("5 Ιουνίου 2019", "2019-06-05"),
        ("5 בינואר 2019", "2019-01-05"),
        ("٥ يناير ٢٠١٩", "2019-01-05"),
        ("۵ ژانویه ۲۰۱۹", "2019-01-05"),
        ("५ जनवरी २०१९", "2019-01-05"),
        ("5 มกราคม 2562", "2019-01-05"),
        ("5 tháng một 2019", "2019-01-05"),
        ("ngày 5 tháng 1 năm 2019", "2019-01-05"),
        ("2019년 1월 5일", "2019-01-05"),
        ("2019年1月5日(土)", "2019-01-05"),
        ("二〇一九年一月二十五日", "2019-01-25"),
        ("令和元年5月5日", "2019-05-05"),
        ("平成31年1月5日", "2019-01-05"),
    ]);
}

#[test]
fn a_year_that_no_era_has_is_no_date() {
    for text in ["令和32000年3月5日", "平成9999年3月5日", "123456年3月5日"] {
        assert_eq!(read_with(text, &DateHints::default()), None, "{text}");
    }
}

#[test]
fn numbers_are_ordered_by_what_is_possible() {
    check(&[
        ("31/12/2019", "2019-12-31"),
        ("12/31/2019", "2019-12-31"),
        ("03/04/2019", "2019-04-03"),
        ("3/4/2019 5:00 pm", "2019-03-04T17:00:00"),
        ("3.4.2019 5:00 pm", "2019-04-03T17:00:00"),
        ("27. 05. 19", "2019-05-27"),
        ("2019/3/4", "2019-03-04"),
        ("20190304", "2019-03-04"),
    ]);
    let american = DateHints {
        language: Some("en-US"),
        ..DateHints::default()
    };
    assert_eq!(
        read_with("03/04/2019", &american).as_deref(),
        Some("2019-03-04T00:00:00")
    );
    let told = DateHints {
        order: Some(DateOrder::MonthFirst),
        ..DateHints::default()
    };
    assert_eq!(
        read_with("03/04/2019", &told).as_deref(),
        Some("2019-03-04T00:00:00")
    );
}

#[test]
fn a_time_of_day_is_read_in_the_ways_it_is_written() {
    check(&[
        ("5 March 2019, 3 pm", "2019-03-05T15:00:00"),
        ("12:05 a.m. March 5, 2019", "2019-03-05T00:05:00"),
        ("5. März 2019 um 18.37 Uhr", "2019-03-05T18:37:00"),
        ("5 mars 2019 à 14h40", "2019-03-05T14:40:00"),
        ("5. marts 2019 kl. 14.07", "2019-03-05T14:07:00"),
        ("5.3.2019 14.07.09", "2019-03-05T14:07:09"),
        ("2019年3月5日 下午3点20分", "2019-03-05T15:20:00"),
        ("2019년 3월 5일 오후 3:20", "2019-03-05T15:20:00"),
        ("Mar 5, 2019 10:00 PM PST", "2019-03-05T22:00:00-08:00"),
    ]);
}

#[test]
fn relative_dates_count_from_now() {
    check(&[
        ("3 days ago", "2020-06-14"),
        ("1 year, 2 months ago", "2019-04-17"),
        ("an hour ago", "2020-06-17T11:00:00"),
        ("vor 2 Stunden", "2020-06-17T10:00:00"),
        ("il y a 3 jours", "2020-06-14"),
        ("hace 2 semanas", "2020-06-03"),
        ("3 giorni fa", "2020-06-14"),
        ("2 дня назад", "2020-06-15"),
        ("2 godz. temu", "2020-06-17T10:00:00"),
        ("wczoraj", "2020-06-16"),
        ("vorgestern", "2020-06-15"),
        ("yesterday at 14:30", "2020-06-16T14:30:00"),
        ("3天前", "2020-06-14"),
        ("2 時間前", "2020-06-17T10:00:00"),
        ("2시간 전", "2020-06-17T10:00:00"),
        ("Friday", "2020-06-12"),
    ]);
}

#[test]
fn what_was_hours_ago_is_told_to_the_minute() {
    let now: DateTime = "2020-06-17T12:00:36.262".parse().unwrap();
    let moment = parse("2 hours ago", now, &DateHints::default()).unwrap();
    assert_eq!(moment.to_string(), "2020-06-17T10:00:00");
}

#[test]
fn a_date_without_a_year_lies_in_this_year_or_in_the_past() {
    check(&[("5 December", "2020-12-05"), ("25.12.", "2020-12-25")]);
    let past = DateHints {
        past: true,
        ..DateHints::default()
    };
    assert_eq!(
        read_with("5 December", &past).as_deref(),
        Some("2019-12-05T00:00:00")
    );
    assert_eq!(read_with("5 May", &past).as_deref(), Some("2020-05-05T00:00:00"));
}

#[test]
fn a_month_alone_says_so() {
    let moment = parse("March 2019", now(), &DateHints::default()).unwrap();
    assert_eq!(
        (moment.to_string().as_str(), moment.precision),
        ("2019-03-01T00:00:00", DatePrecision::Month)
    );
}

#[test]
fn what_names_no_day_is_no_date() {
    let texts = [
        "",
        "Contact us",
        "may",
        "12",
        "1.2.3.4",
        "version 2.10.3",
        "31 February 2019",
        "555-12-1234",
        "14:30",
        "Read more in 5 minutes",
        "99/99/9999",
        "the march of 1000 men",
        "Do it",
        "v1.12.2019.5",
    ];
    for text in texts {
        let day = parse(text, now(), &DateHints::default()).filter(|it| it.precision == DatePrecision::Day);
        assert_eq!(day, None, "{text}");
    }
}

proptest::proptest! {
    /// Any text is read without a panic, and what is read again reads the same.
    #[test]
    fn reading_is_total_and_stable(text in "[0-9a-zäй日月年前. :/,+T-]{0,40}") {
        if let Some(moment) = parse(&text, now(), &DateHints::default()) {
            let again = parse(&moment.to_string(), now(), &DateHints::default());
            proptest::prop_assert_eq!(again.map(|it| it.to_string()), Some(moment.to_string()));
        }
    }
}

#[test]
fn a_day_that_does_not_exist_is_no_date() {
    for text in [
        "31 February",
        "31 February 2024",
        "Feb 30, 2024",
        "30 lutego 2024",
        "2024-02-31",
        "31.4.2024",
        "前2021年",
        "2021 years ago",
    ] {
        assert_eq!(read_with(text, &DateHints::default()), None, "{text}");
    }
}

#[test]
fn a_day_ahead_is_seen_from_now() {
    check(&[
        ("in 2 weeks", "2020-07-01"),
        ("in a month", "2020-07-17"),
        ("za 3 dni", "2020-06-20"),
        ("in 3 Tagen", "2020-06-20"),
        ("dans 2 jours", "2020-06-19"),
        ("next Friday", "2020-06-19"),
        ("next Wednesday", "2020-06-24"),
        ("last Monday", "2020-06-15"),
        ("nächsten Freitag", "2020-06-19"),
        ("w przyszły piątek", "2020-06-19"),
        ("vendredi prochain", "2020-06-19"),
        ("next week", "2020-06-24"),
        ("last month", "2020-05-17"),
        ("in 2 hours", "2020-06-17T14:00:00"),
    ]);
    let past = DateHints {
        past: true,
        ..DateHints::default()
    };
    assert_eq!(read_with("in 2 weeks", &past), None);
    for text in ["in stock", "in 2 colours", "next page", "last 5 items"] {
        assert_eq!(read_with(text, &DateHints::default()), None, "{text}");
    }
}

#[test]
fn a_week_date_is_read() {
    check(&[
        ("2024-W05-2", "2024-01-30"),
        ("2024W052", "2024-01-30"),
        ("2024-W05", "2024-01-29"),
        ("2020-W53-7", "2021-01-03"),
    ]);
    assert_eq!(read_with("2024-W54-1", &DateHints::default()), None);
    assert_eq!(read_with("2024-W05-8", &DateHints::default()), None);
}

#[test]
fn three_numbers_may_stand_apart_when_the_year_is_whole() {
    check(&[
        ("26 | 01 | 2019", "2019-01-26"),
        ("26 - 01 - 2019", "2019-01-26"),
        ("26 · 1 · 2019", "2019-01-26"),
    ]);
    for text in ["1 | 2 | 3", "26 | 01 - 2019", "26|01|2019"] {
        assert_eq!(read_with(text, &DateHints::default()), None, "{text}");
    }
}

#[test]
fn what_buttons_say_is_no_date() {
    let now = jiff::civil::date(2020, 6, 17).at(12, 0, 0, 0);
    for text in ["Read more", "Buy now", "Shop now", "Learn more", "12.5%", "€4.7"] {
        assert_eq!(parse(text, now, &DateHints::default()), None, "{text}");
    }
    for text in ["now", "Updated yesterday", "posted today"] {
        assert!(parse(text, now, &DateHints::default()).is_some(), "{text}");
    }
}

#[test]
fn the_first_day_of_a_span_has_no_number_of_the_last() {
    check(&[
        ("20. Juni – 27. September", "2020-06-20"),
        ("13 June - 20 September 2026", "2026-06-13"),
        ("June 20 – September 27", "2020-06-20"),
        ("1. Mai – 31. Oktober", "2020-05-01"),
        ("20 June 27", "2027-06-20"),
        ("2 Dec 95", "1995-12-02"),
    ]);
}

#[test]
fn of_a_span_of_days_the_first_is_read() {
    check(&[
        ("5-7 March 2025", "2025-03-05"),
        ("5 – 7 March 2025", "2025-03-05"),
        ("from 5 to 7 March 2025", "2025-03-05"),
        ("5., 6. und 7. März 2025", "2025-03-05"),
        ("5. – 7. März 2025", "2025-03-05"),
        ("March 5-7, 2025", "2025-03-05"),
        ("5 March - 7 April 2025", "2025-03-05"),
        ("05.–07.03.2025", "2025-03-05"),
        ("5-7.3.2025", "2025-03-05"),
        ("28.02.–02.03.2025", "2025-02-28"),
        ("28 Dec – 3 Jan 2026", "2025-12-28"),
        ("28. Dezember bis 3. Januar 2026", "2025-12-28"),
        ("Dec 30 - Jan 2, 2026", "2025-12-30"),
        ("du 28 décembre au 3 janvier 2026", "2025-12-28"),
        ("28.12.–3.1.2026", "2025-12-28"),
        ("28 Dec 2025 – 3 Jan 2026", "2025-12-28"),
        ("30 Nov – 3 Dec 2026", "2026-11-30"),
        ("vrijdag 13 t/m zondag 15 juni 2025", "2025-06-13"),
        ("13 t/m 15 juni 2025", "2025-06-13"),
        ("28 februari t/m 2 maart 2025", "2025-02-28"),
        ("Freitag, 13. bis Sonntag, 15. Juni 2025", "2025-06-13"),
        ("du vendredi 13 au dimanche 15 juin 2025", "2025-06-13"),
        ("Fri 13 to Sun 15 June 2025", "2025-06-13"),
        ("Sat 14 – Sun 15 Jun 2025", "2025-06-14"),
        ("Fr. 28.02. – So. 2.03.2025", "2025-02-28"),
        // No span: a title, a later number, a time.
        ("Episode 12 - 14 March 2025", "2025-03-14"),
        ("Week 2 – Sunday 15 March 2025", "2025-03-15"),
        ("24-7 March 2025", "2025-03-07"),
        ("10:05-7 March 2025", "2025-03-07T10:05:00"),
    ]);
}

#[test]
fn a_name_that_is_a_month_too_has_no_day_of_another_month() {
    check(&[
        ("By April May, 5 February 2024", "2024-02-05"),
        ("By April May, February 5, 2024", "2024-02-05"),
        ("By Dec Murphy, 5 February 2024", "2024-02-05"),
        ("Von Mai Nguyen, 5. Februar 2024", "2024-02-05"),
        ("Von Mai Nguyen, 05.02.2024", "2024-02-05"),
        ("Par Marc Mars, 5 février 2024", "2024-02-05"),
        ("Autor: Maj Kowal, 5 lutego 2024", "2024-02-05"),
        ("Autor: Ewa Lis, dnia 1 lutego 2024", "2024-02-01"),
        ("By April May, 5 hours ago", "2020-06-17T07:00:00"),
        // A verb is no month.
        ("Since March 5 may be too late", "2020-03-05"),
        ("May 5, 2024", "2024-05-05"),
    ]);
}

#[test]
fn a_date_with_an_impossible_part_is_none() {
    for text in [
        "32 May 2025",
        "Monday, 32. May 2025",
        "May 32, 2025",
        "00 May 2025",
        "2025-13-01",
        "2025.13.01",
        "2025-03-05T25:00:00",
        "2025-03-05T10:61:00",
        "2025-03-05T10:00:00+99:00",
        "2025-03-05 25:00",
    ] {
        assert_eq!(read_with(text, &DateHints::default()), None, "{text}");
    }
    check(&[
        ("Issue 45 May 2025", "2025-05-01"),
        ("2025-03-05 10:00-18:00", "2025-03-05T10:00:00"),
        ("2025-03-05T10:00:00+14:00", "2025-03-05T10:00:00+14:00"),
        ("2025-03-05T10:00:00.25Z+00:00", "2025-03-05T10:00:00"),
    ]);
}

#[test]
fn noon_is_a_time_of_day() {
    check(&[
        ("noon 5 May 2025", "2025-05-05T12:00:00"),
        ("5 May 2025, 12 noon", "2025-05-05T12:00:00"),
        ("5 mai 2025 à midi", "2025-05-05T12:00:00"),
        ("yesterday at noon", "2020-06-16T12:00:00"),
        ("5 May 2025, 9:30 to noon", "2025-05-05T09:30:00"),
        ("noon on 5 May 2025", "2025-05-05T12:00:00"),
        ("5 maja 2025 w południe", "2025-05-05T12:00:00"),
        ("Canal du Midi, 12 mai 2024", "2024-05-12"),
        ("Midi skirt, 5 March 2025", "2025-03-05"),
        ("Południe Warszawy, 5 marca 2025", "2025-03-05"),
    ]);
    assert_eq!(read_with("noon", &DateHints::default()), None);
}

#[test]
fn a_part_of_a_unit_of_time_is_not_a_whole_one() {
    for text in ["1.5 hours ago", "half an hour ago", "half a year ago"] {
        assert_eq!(read_with(text, &DateHints::default()), None, "{text}");
    }
    check(&[("Updated 9 days ago • 1.14M", "2020-06-08")]);
}

#[test]
fn the_end_of_a_span_of_time_is_no_zone() {
    check(&[
        ("5 March 2026, 10:00–12:00", "2026-03-05T10:00:00"),
        ("5 March 2026, 9:00–11:00", "2026-03-05T09:00:00"),
        ("5 March 2026, 4:30–6:30 pm", "2026-03-05T16:30:00"),
        ("5 March 2026, 11:00–1:30 pm", "2026-03-05T11:00:00"),
        ("5 March 2026, 4:30 pm–6:30 pm", "2026-03-05T16:30:00"),
        ("5 March 2026, 10:00–12:00 CET", "2026-03-05T10:00:00+01:00"),
        ("2025-03-05 10:00-12:00", "2025-03-05T10:00:00"),
        ("5. März 2025, 10-12 Uhr", "2025-03-05T10:00:00"),
        ("5. März 2025, 10 bis 12 Uhr", "2025-03-05T10:00:00"),
        ("5. März 2025, 18.00–20.30 Uhr", "2025-03-05T18:00:00"),
        ("March 5, 2025, 4-6 pm", "2025-03-05T16:00:00"),
        // A zone: behind seconds, or in a time of a machine.
        ("2025-03-05T10:00-05:00", "2025-03-05T10:00:00-05:00"),
        ("2025-03-05 10:00:00-05:00", "2025-03-05T10:00:00-05:00"),
        ("5 March 2026 10:00 GMT-05:00", "2026-03-05T10:00:00-05:00"),
        ("5 March 2026 10:00 +02:00", "2026-03-05T10:00:00+02:00"),
    ]);
}

#[test]
fn the_day_of_programs_that_know_none_is_no_date() {
    for text in ["0001-01-01T00:00:00Z", "0001-01-01 00:00:00", "2025-03-05T24:30"] {
        assert_eq!(read_with(text, &DateHints::default()), None, "{text}");
    }
    check(&[("2025-03-05T24:00", "2025-03-06")]);
}

#[test]
fn an_apostrophe_before_two_digits_makes_them_a_year() {
    let month = |text| {
        let moment = parse(text, now(), &DateHints::default()).unwrap();
        (moment.to_string(), moment.precision)
    };
    assert_eq!(
        month("Dec '24"),
        ("2024-12-01T00:00:00".into(), DatePrecision::Month)
    );
    assert_eq!(
        month("Mar ’23"),
        ("2023-03-01T00:00:00".into(), DatePrecision::Month)
    );
    check(&[
        ("5 Dec '24", "2024-12-05"),
        ("'5 March 2025'", "2025-03-05"),
        ("'25 March'", "2020-03-25"),
    ]);
}

#[test]
fn only_the_amount_beside_the_word_is_how_long_ago_it_was() {
    check(&[
        ("Posted 3 days ago, 5 years experience", "2020-06-14"),
        ("2 days ago · 5 min read", "2020-06-15"),
        ("1 year and 2 months ago", "2019-04-17"),
        ("5 min · vor 2 Tagen", "2020-06-15"),
        ("vor 1 Jahr und 2 Monaten", "2019-04-17"),
        ("2 h 5 min ago", "2020-06-17T09:55:00"),
    ]);
}

#[test]
fn of_a_span_with_ordinal_numbers_the_first_day_is_read() {
    check(&[
        ("5th–7th March 2025", "2025-03-05"),
        ("5th to 7th March 2025", "2025-03-05"),
        ("5/6 March 2025", "2025-03-05"),
        ("Chapter 3/12 March 2025", "2025-03-12"),
    ]);
}

#[test]
fn a_named_language_orders_day_and_month_before_a_word_for_the_half_of_the_day() {
    let read = |text, language| {
        let hints = DateHints {
            language: Some(language),
            ..DateHints::default()
        };
        read_with(text, &hints)
    };
    for language in ["en-GB", "es-MX", "de"] {
        assert_eq!(
            read("03/04/2025 3:30 pm", language).as_deref(),
            Some("2025-04-03T15:30:00"),
            "{language}"
        );
    }
    assert_eq!(
        read_with("Veröffentlicht am 03/04/2025", &DateHints::default()).as_deref(),
        Some("2025-04-03T00:00:00")
    );
}
