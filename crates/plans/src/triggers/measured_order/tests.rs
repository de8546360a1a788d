use super::super::vocabulary::VOCABULARY;
use super::*;

#[test]
fn orders_go_by_any_field() {
    let order =
        |text: &str| order(text, &VOCABULARY, &ListLabels::of(None)).map(|(_, field, down)| (field, down));
    assert_eq!(
        order("electric cars by mileage, lowest first"),
        Some(("mileage".into(), false))
    );
    assert_eq!(
        order("fully remote jobs, highest salary first"),
        Some(("salary".into(), true))
    );
    assert_eq!(
        order("Autos, wenigste Meilen zuerst"),
        Some(("mileage".into(), false))
    );
    assert_eq!(order("od najwyższej pensji"), Some(("salary".into(), true)));
    assert_eq!(
        order("nicht unter 3 Zimmern, größte zuerst"),
        Some(("size in m² or kg or inch or people".into(), true))
    );
    assert_eq!(
        order("z największą liczbą opinii"),
        Some(("reviews".into(), true))
    );
    assert_eq!(
        order("every motor cruiser, newest build first"),
        Some(("year".into(), true))
    );
    assert_eq!(
        order("Flügel vom kürzesten zum längsten"),
        Some(("duration in minutes or hours or days or weeks".into(), false))
    );
    assert_eq!(
        order("3 najlepiej płatne ogłoszenia"),
        Some(("salary".into(), true))
    );
    assert_eq!(
        order("sorted by number of comments, most first"),
        Some(("comments".into(), true))
    );
    // What is named behind says by what, and the largest are not those of most square metres.
    for text in [
        "the 3 largest contracts by estimate",
        "3 największe przetargi wg wyceny",
        "vom größten zum kleinsten nach Schätzwert",
    ] {
        let (field, is_descending) = order(text).unwrap();
        assert!(!field.starts_with("size") && is_descending, "{text}: {field}");
    }
    assert_eq!(order("the cheapest kettles"), None);
    // A number of places is asked for, and not where things are.
    assert_eq!(order("z największą liczbą miejsc"), None);
    // A label of the list says what is large.
    let labels = ListLabels::named(&["Nabenhöhe", "PM2,5", "Liczba stanowisk"]);
    let by_label = |text: &'static str| {
        let (range, field, is_descending) = super::order(text, &VOCABULARY, &labels)?;
        Some((text.get(range)?, field, is_descending))
    };
    assert_eq!(
        by_label("Die drei Parks mit der größten Nabenhöhe"),
        Some(("mit der größten Nabenhöhe", "nabenhöhe".into(), true))
    );
    assert_eq!(
        by_label("5 stacji z najniższym PM2,5, pokaż miasto"),
        Some(("z najniższym PM2,5", "pm2_5".into(), false))
    );
    assert_eq!(
        by_label("trzy kempingi z największą liczbą stanowisk"),
        Some(("z największą liczbą stanowisk", "liczba_stanowisk".into(), true))
    );
    // A condition behind the label stays, and a thing is no label.
    let labels = ListLabels::named(&["Title", "Balcony", "Language", "Deposit", "Departure", "Priority"]);
    let place = |text: &'static str| {
        let (range, field, _) = super::order(text, &VOCABULARY, &labels)?;
        Some((text.get(range)?, field))
    };
    assert_eq!(
        place("earliest departure to Munich"),
        Some(("earliest departure", "departure".into()))
    );
    for text in [
        "the largest flat with a balcony",
        "the smallest flat with a deposit under 1500",
        "największe mieszkanie z balkonem",
    ] {
        let (_, field) = place(text).unwrap();
        assert!(field.starts_with("size"), "{text}: {field}");
    }
    for text in [
        "tasks with at least medium priority",
        "zadania co najmniej średni priorytet",
    ] {
        assert_eq!(place(text), None, "{text}");
        assert_eq!(order_by_count(text, &VOCABULARY, &labels), None, "{text}");
    }
    for text in ["longest English book", "najmniejsze mieszkanie"] {
        assert_eq!(order_by_count(text, &VOCABULARY, &labels), None, "{text}");
    }
    let direction = |text: &str| direction_alone(text).map(|(_, is_descending)| is_descending);
    assert_eq!(
        direction("at most 5 bids, the ones with the fewest first"),
        Some(false)
    );
    assert_eq!(direction("die mit den meisten zuerst"), Some(true));
    assert_eq!(direction("the most comments first"), None);
}
