use super::addresses;

#[test]
fn a_link_may_name_several_people_and_a_picture_is_none() {
    assert_eq!(
        addresses("Ann Berg <ann@a.example>,Bo@b.example"),
        ["ann@a.example", "bo@b.example"]
    );
    assert!(addresses("logo@2x.png icon@3x.webp").is_empty());
}
