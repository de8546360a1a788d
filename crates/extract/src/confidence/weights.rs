//! Weights of the models of confidence: logistic regressions with a ridge penalty, one for each field.
//!
//! Written by `tools/train/confidence.py`, which learns them from labelled pages with folds by host and says how
//! well they are calibrated on hosts left out. A changed feature asks for new weights.

/// A field, its bias, and the weight of each measure.
type Model = (&'static str, f32, &'static [(&'static str, f32)]);

/// The models by field.
#[rustfmt::skip]
pub(super) const MODELS: &[Model] = &[
    ("title", -3.480, &[
        ("articles", -0.056), ("at_root", 0.421), ("attributes_agree", -0.016), ("attributes_differ", 0.374),
        ("capitals", 0.011), ("cents", -0.483), ("chars", 0.255), ("digits", -0.189), ("from_attributes", -0.863),
        ("from_json_ld", 0.377), ("from_meta", -0.130), ("from_visible", 0.575), ("has_price", 0.790),
        ("has_rating", -0.145), ("headed", -0.935), ("in_title_tag", 0.903), ("json_ld_agrees", 0.256),
        ("json_ld_differs", 0.241), ("links_per_line", 0.559), ("long", 0.042), ("meta_agrees", 0.333),
        ("meta_differs", -0.220), ("name_length", 0.279), ("near_heading", 1.241), ("none_differs", 0.562),
        ("of_subject", -0.893), ("on_article", 0.446), ("on_documentation", -0.269), ("on_forum", 0.349),
        ("on_listing", -0.703), ("on_other", 0.164), ("on_product", -0.421), ("on_recipe", -0.503),
        ("one_word", -0.685), ("other_values", -0.486), ("sells", -0.463), ("shown", 0.217), ("shown_often", 0.744),
        ("source_named", -0.159), ("three_agree", 0.206), ("two_agree", -0.351), ("typed_entity", 0.036),
        ("visible_agrees", -0.465), ("visible_differs", -0.411), ("words", 1.034), ("zero", 0.135),
    ]),
    ("author", -0.528, &[
        ("alone", 0.017), ("articles", -0.078), ("at_root", -1.510), ("attributes_agree", 0.344), ("capitals", 0.210),
        ("cents", 0.179), ("chars", 0.171), ("digits", -0.108), ("from_attributes", -0.648), ("from_json_ld", 0.052),
        ("from_meta", 0.589), ("from_visible", -0.020), ("has_price", 0.646), ("has_rating", 0.665),
        ("headed", 0.230), ("in_title_tag", -0.741), ("json_ld_agrees", 0.569), ("json_ld_differs", -1.178),
        ("links_per_line", -0.016), ("many_dates", -0.030), ("meta_agrees", 0.080), ("meta_differs", 0.118),
        ("name_length", 0.582), ("near_heading", 1.767), ("none_differs", 0.012), ("of_subject", 0.493),
        ("on_article", 1.278), ("on_documentation", -0.547), ("on_forum", 1.990), ("on_listing", -1.682),
        ("on_other", -0.880), ("on_product", 0.605), ("on_recipe", 0.741), ("one_word", 0.250),
        ("other_values", -1.026), ("sells", 0.343), ("shown", -0.231), ("shown_often", 0.049),
        ("source_named", 0.615), ("three_agree", -0.677), ("two_agree", 0.410), ("typed_entity", -0.004),
        ("visible_agrees", 1.178), ("visible_differs", 0.269), ("words", -0.710),
    ]),
    ("date_published", -1.822, &[
        ("alone", 0.275), ("articles", 0.012), ("at_root", -1.718), ("attributes_agree", 0.436),
        ("attributes_differ", 0.088), ("cents", -0.586), ("chars", 0.071), ("from_address", 0.952),
        ("from_attributes", -0.230), ("from_json_ld", -0.122), ("from_meta", -0.062), ("from_state", -0.461),
        ("from_visible", -0.113), ("has_price", 0.735), ("headed", 0.063), ("json_ld_agrees", -1.216),
        ("json_ld_differs", -0.503), ("links_per_line", 0.806), ("many_dates", 0.428), ("meta_agrees", 1.156),
        ("meta_differs", 0.219), ("name_length", 0.333), ("none_differs", 0.606), ("of_subject", 0.485),
        ("on_article", 1.385), ("on_forum", 0.948), ("on_listing", -2.135), ("on_other", 0.107),
        ("on_product", 0.400), ("other_values", -0.609), ("sells", -0.052), ("source_named", -0.037),
        ("three_agree", 0.411), ("two_agree", 0.802), ("typed_entity", 0.765), ("visible_agrees", 0.904),
        ("visible_differs", -0.287), ("words", 0.482),
    ]),
    ("price", -2.732, &[
        ("articles", -0.189), ("attributes_agree", 0.306), ("cents", 0.371), ("chars", 0.353),
        ("from_json_ld", 0.130), ("from_visible", -0.193), ("has_rating", 0.718), ("json_ld_agrees", -0.148),
        ("links_per_line", 1.266), ("name_length", 0.371), ("near_heading", 1.639), ("none_differs", -0.725),
        ("on_listing", 0.933), ("on_product", -0.050), ("one_word", -0.370), ("other_values", 0.873),
        ("sells", 1.229), ("shown", -0.506), ("shown_often", 0.879), ("source_named", 0.826), ("two_agree", 0.146),
        ("typed_entity", -0.187), ("words", 0.151),
    ]),
    ("currency", 0.373, &[
        ("alone", -0.474), ("articles", 0.294), ("attributes_agree", 0.448), ("from_json_ld", 0.351),
        ("from_visible", -0.349), ("has_rating", 0.640), ("json_ld_agrees", 0.028), ("links_per_line", -0.606),
        ("none_differs", 0.476), ("on_product", 0.028), ("sells", 2.741), ("source_named", 0.351),
        ("typed_entity", -0.286),
    ]),
    ("availability", 1.111, &[
        ("alone", -0.418), ("articles", -0.472), ("attributes_agree", 0.154), ("from_json_ld", 0.210),
        ("from_visible", -0.211), ("has_rating", -0.124), ("json_ld_agrees", 0.069), ("links_per_line", 0.222),
        ("none_differs", 0.294), ("sells", 1.152), ("source_named", 0.630), ("typed_entity", 0.620),
    ]),
    ("sku", -1.441, &[
        ("alone", -0.433), ("articles", 0.125), ("attributes_agree", -0.228), ("chars", 0.229),
        ("from_address", -0.941), ("from_json_ld", 0.450), ("from_visible", 0.941), ("has_rating", 0.859),
        ("json_ld_agrees", 0.630), ("json_ld_differs", -0.510), ("links_per_line", 0.674), ("name_length", -0.428),
        ("near_heading", -0.152), ("none_differs", 0.403), ("of_subject", 0.000), ("one_word", 0.428),
        ("other_values", 0.093), ("sells", 0.991), ("shown", 0.849), ("shown_often", -0.130),
        ("source_named", -0.379), ("typed_entity", 0.850), ("words", -0.041),
    ]),
    ("brand", 3.484, &[
        ("alone", 0.041), ("articles", 0.206), ("chars", -1.066), ("from_json_ld", -0.234), ("from_visible", 0.041),
        ("has_rating", 0.682), ("in_title", 0.361), ("in_title_tag", 0.821), ("json_ld_agrees", -0.234),
        ("links_per_line", 0.552), ("name_length", 0.252), ("near_heading", 0.936), ("none_differs", -0.042),
        ("of_subject", -0.042), ("one_word", 0.451), ("sells", 0.024), ("shown_often", -0.395),
        ("source_named", -0.034), ("typed_entity", 0.193), ("words", -0.403),
    ]),
    ("rating", 2.164, &[
        ("alone", -0.225), ("articles", 0.691), ("cents", -0.575), ("chars", -0.240), ("from_json_ld", 0.223),
        ("from_visible", -0.225), ("has_price", -1.097), ("json_ld_agrees", 0.223), ("links_per_line", 0.573),
        ("name_length", -0.575), ("near_heading", -0.013), ("none_differs", 0.223), ("of_subject", 0.169),
        ("on_product", -0.359), ("on_recipe", 1.096), ("one_word", 0.574), ("sells", -0.190), ("shown", 0.125),
        ("shown_often", 0.138), ("source_named", -0.479), ("typed_entity", 0.223), ("words", -0.234),
    ]),
    ("page_type", 2.423, &[
        ("article", -1.387), ("article_authored", 0.779), ("article_dated", 0.434), ("article_linked", -0.203),
        ("article_long", -0.196), ("article_many", -0.207), ("article_sure", 0.982), ("at_root", -0.946),
        ("content_agrees", -2.212), ("dated", -0.503), ("declared", -0.423), ("declared_other", 0.338),
        ("depth", -0.383), ("documentation", -0.059), ("forum", 0.252), ("kind_probability", 3.536),
        ("listing", 0.516), ("listing_linked", -1.529), ("listing_long", 0.431), ("listing_many", 0.806),
        ("listing_sure", 0.911), ("other", -2.182), ("other_long", 0.636), ("other_sure", 0.920), ("priced", -1.472),
        ("product", 0.677), ("product_linked", 0.594), ("product_long", -1.161), ("product_sells", 2.741),
        ("product_sure", 0.277), ("typed_entity", 0.872), ("very_sure", 1.375),
    ]),
];
