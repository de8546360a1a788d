//! Weights of the models of confidence: logistic regressions with a ridge penalty, one for each field.
//!
//! Written by `tools/train/confidence.py`, which learns them from labelled pages with folds by host and says how
//! well they are calibrated on hosts left out. A changed feature asks for new weights.

/// A field, its bias, and the weight of each measure.
type Model = (&'static str, f32, &'static [(&'static str, f32)]);

/// The models by field.
#[rustfmt::skip]
pub(super) const MODELS: &[Model] = &[
    ("title", -3.580, &[
        ("articles", -0.087), ("at_root", 0.578), ("attributes_agree", 0.016), ("attributes_differ", 0.604),
        ("capitals", 0.258), ("cents", -0.466), ("chars", 0.311), ("digits", -0.320), ("from_attributes", -0.836),
        ("from_json_ld", 0.359), ("from_meta", -0.202), ("from_visible", 0.636), ("has_price", 0.965),
        ("has_rating", -0.250), ("headed", -0.748), ("in_title_tag", 0.835), ("json_ld_agrees", 0.237),
        ("json_ld_differs", 0.527), ("links_per_line", 0.350), ("long", 0.150), ("meta_agrees", 0.340),
        ("meta_differs", -0.352), ("name_length", 0.340), ("near_heading", 1.097), ("none_differs", 0.678),
        ("of_subject", -0.855), ("on_article", 0.254), ("on_documentation", 0.245), ("on_forum", 0.638),
        ("on_listing", -0.947), ("on_other", -0.644), ("on_product", -0.228), ("on_recipe", -0.644),
        ("one_word", -0.625), ("other_values", -0.466), ("sells", -0.710), ("shown", 0.208), ("shown_often", 0.605),
        ("source_named", 0.002), ("three_agree", 0.272), ("two_agree", -0.482), ("typed_entity", -0.087),
        ("visible_agrees", -0.417), ("visible_differs", -0.234), ("words", 0.979), ("zero", -0.036),
    ]),
    ("author", 0.059, &[
        ("alone", 0.052), ("articles", -0.107), ("at_root", -0.918), ("attributes_agree", 0.223), ("capitals", 0.121),
        ("cents", 0.049), ("chars", 0.121), ("digits", 0.065), ("from_attributes", -0.655), ("from_json_ld", 0.094),
        ("from_meta", 0.595), ("from_visible", -0.059), ("has_price", 0.555), ("has_rating", 0.658),
        ("headed", 0.154), ("in_title_tag", -0.736), ("json_ld_agrees", 0.567), ("json_ld_differs", -1.176),
        ("links_per_line", 0.041), ("many_dates", -0.015), ("meta_agrees", 0.085), ("meta_differs", 0.092),
        ("name_length", 0.486), ("near_heading", 1.796), ("none_differs", 0.024), ("of_subject", 0.454),
        ("on_article", 1.167), ("on_documentation", -0.837), ("on_forum", 1.823), ("on_listing", -2.047),
        ("on_other", -0.679), ("on_product", 0.516), ("on_recipe", 0.679), ("one_word", 0.186),
        ("other_values", -0.983), ("sells", 0.514), ("shown", -0.107), ("shown_often", -0.007),
        ("source_named", 0.531), ("three_agree", -0.712), ("two_agree", 0.479), ("typed_entity", -0.050),
        ("visible_agrees", 1.166), ("visible_differs", 0.180), ("words", -0.696),
    ]),
    ("date_published", -0.047, &[
        ("alone", 0.029), ("articles", 0.204), ("at_root", -1.327), ("attributes_agree", 0.286),
        ("attributes_differ", -0.128), ("cents", -0.222), ("chars", -0.035), ("from_address", 0.870),
        ("from_attributes", -0.378), ("from_json_ld", -0.263), ("from_meta", 0.119), ("from_state", -0.568),
        ("from_visible", 0.160), ("has_price", 1.245), ("headed", 0.031), ("json_ld_agrees", -0.857),
        ("json_ld_differs", -0.500), ("links_per_line", 0.688), ("many_dates", 0.433), ("meta_agrees", 1.027),
        ("meta_differs", 0.264), ("name_length", 0.232), ("none_differs", 0.177), ("of_subject", 0.569),
        ("on_article", 0.842), ("on_forum", 0.568), ("on_listing", -2.249), ("on_other", 0.017),
        ("other_values", -0.601), ("sells", -0.006), ("source_named", -0.005), ("three_agree", 0.370),
        ("two_agree", 0.645), ("typed_entity", 0.648), ("visible_agrees", 1.201), ("visible_differs", -0.814),
        ("words", 0.172),
    ]),
    ("price", -2.714, &[
        ("articles", -0.242), ("attributes_agree", 0.291), ("cents", 0.332), ("chars", 0.272),
        ("from_json_ld", 0.104), ("from_visible", -0.158), ("has_rating", 1.011), ("json_ld_agrees", -0.167),
        ("links_per_line", 1.407), ("name_length", 0.332), ("near_heading", 1.555), ("none_differs", -0.713),
        ("on_listing", 0.914), ("on_product", 0.156), ("one_word", -0.334), ("other_values", 0.909), ("sells", 1.037),
        ("shown", -0.407), ("shown_often", 0.629), ("source_named", 0.995), ("two_agree", 0.140),
        ("typed_entity", -0.289), ("words", 0.133),
    ]),
    ("currency", 0.331, &[
        ("alone", -0.463), ("articles", 0.205), ("attributes_agree", 0.439), ("from_json_ld", 0.335),
        ("from_visible", -0.334), ("has_rating", 0.901), ("json_ld_agrees", 0.024), ("links_per_line", -0.582),
        ("none_differs", 0.464), ("on_product", 0.204), ("sells", 2.614), ("source_named", 0.335),
        ("typed_entity", -0.332),
    ]),
    ("availability", 1.111, &[
        ("alone", -0.418), ("articles", -0.472), ("attributes_agree", 0.154), ("from_json_ld", 0.210),
        ("from_visible", -0.211), ("has_rating", -0.124), ("json_ld_agrees", 0.069), ("links_per_line", 0.222),
        ("none_differs", 0.294), ("sells", 1.152), ("source_named", 0.630), ("typed_entity", 0.620),
    ]),
    ("sku", -1.012, &[
        ("alone", -0.595), ("articles", 0.116), ("attributes_agree", 0.221), ("chars", 0.120),
        ("from_address", -0.980), ("from_json_ld", 0.228), ("from_visible", 0.932), ("has_rating", 1.255),
        ("json_ld_agrees", 0.395), ("json_ld_differs", -0.506), ("links_per_line", 0.621), ("name_length", -0.463),
        ("near_heading", -0.054), ("none_differs", 0.616), ("of_subject", 0.330), ("one_word", 0.463),
        ("other_values", 0.051), ("sells", 1.323), ("shown", 0.679), ("shown_often", -0.316),
        ("source_named", -0.094), ("typed_entity", 0.746), ("words", -0.092),
    ]),
    ("brand", 3.484, &[
        ("alone", 0.041), ("articles", 0.206), ("chars", -1.066), ("from_json_ld", -0.234), ("from_visible", 0.041),
        ("has_rating", 0.682), ("in_title", 0.361), ("in_title_tag", 0.821), ("json_ld_agrees", -0.234),
        ("links_per_line", 0.552), ("name_length", 0.252), ("near_heading", 0.936), ("none_differs", -0.042),
        ("of_subject", -0.042), ("one_word", 0.451), ("sells", 0.024), ("shown_often", -0.395),
        ("source_named", -0.034), ("typed_entity", 0.193), ("words", -0.403),
    ]),
    ("rating", 2.348, &[
        ("alone", -0.189), ("articles", 0.555), ("cents", -0.503), ("chars", -0.207), ("from_json_ld", 0.188),
        ("from_visible", -0.189), ("has_price", -1.084), ("json_ld_agrees", 0.188), ("links_per_line", 0.587),
        ("name_length", -0.503), ("near_heading", -0.037), ("none_differs", 0.188), ("of_subject", 0.135),
        ("on_product", -0.096), ("on_recipe", 1.083), ("one_word", 0.503), ("sells", -0.147), ("shown", -0.037),
        ("shown_often", 0.019), ("source_named", -0.362), ("typed_entity", 0.188), ("words", -0.204),
    ]),
    ("page_type", 2.268, &[
        ("article", -1.227), ("article_authored", 0.803), ("article_dated", 0.398), ("article_linked", -0.148),
        ("article_long", -0.168), ("article_many", -0.212), ("article_sure", 0.595), ("at_root", 1.350),
        ("content_agrees", -1.640), ("content_differs", -1.292), ("dated", -0.747), ("declared", -0.358),
        ("declared_other", 0.537), ("depth", -0.268), ("documentation", -0.303), ("forum", 0.522),
        ("kind_probability", 3.185), ("listing", -0.443), ("listing_linked", -0.359), ("listing_long", -0.390),
        ("listing_many", 0.299), ("listing_sure", 0.609), ("other", -2.187), ("other_long", 0.514),
        ("other_sure", 0.812), ("priced", -1.670), ("product", 0.472), ("product_linked", 0.659),
        ("product_long", -0.736), ("product_sells", 2.298), ("product_sure", 0.112), ("typed_entity", 1.099),
        ("very_sure", 1.716),
    ]),
];
