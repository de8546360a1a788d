use super::addresses;

#[test]
fn a_link_may_name_several_people_and_a_picture_is_none() {
    assert_eq!(
        addresses("Ann Berg <ann@a.example>,Bo@b.example"),
        ["ann@a.example", "bo@b.example"]
    );
    assert!(addresses("logo@2x.png icon@3x.webp").is_empty());
}

#[test]
fn an_apostrophe_between_letters_belongs_to_the_address() {
    assert_eq!(addresses("Write to jo.o'brien@a.ie."), ["jo.o'brien@a.ie"]);
    assert_eq!(
        addresses("href='bo@b.example' or 'al@a.example'"),
        ["bo@b.example", "al@a.example"]
    );
}
