use super::with_numbers_apart;

#[test]
fn the_number_of_a_group_ends_where_a_letter_follows() {
    for (written, meant) in [
        ("$1kg", "${1}kg"),
        ("<$1x>", "<${1}x>"),
        ("$12_", "${12}_"),
        ("${1}a $name $$1", "${1}a $name $$1"),
        ("costs 5$", "costs 5$"),
    ] {
        assert_eq!(with_numbers_apart(written), meant, "{written}");
    }
}
