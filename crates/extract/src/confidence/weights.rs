//! Weights of the models of confidence: logistic regressions with a ridge penalty, one for each field.
//!
//! Written by `tools/train/confidence.py`, which learns them from labelled pages with folds by host and says how
//! well they are calibrated on hosts left out. A changed feature asks for new weights.

/// A field, its bias, and the weight of each measure.
type Model = (&'static str, f32, &'static [(&'static str, f32)]);

/// The models by field.
#[rustfmt::skip]
pub(super) const MODELS: &[Model] = &[
    ("title", -3.716, &[
        ("articles", -0.092), ("at_root", 0.584), ("attributes_agree", 0.013), ("attributes_differ", 0.606),
        ("capitals", 0.263), ("cents", -0.470), ("chars", 0.330), ("digits", -0.322), ("from_attributes", -0.835),
        ("from_json_ld", 0.358), ("from_meta", -0.211), ("from_visible", 0.619), ("has_price", 0.951),
        ("has_rating", -0.249), ("headed", -0.745), ("in_title_tag", 0.848), ("json_ld_agrees", 0.233),
        ("json_ld_differs", 0.535), ("links_per_line", 0.361), ("long", 0.151), ("meta_agrees", 0.357),
        ("meta_differs", -0.329), ("name_length", 0.348), ("near_heading", 1.107), ("none_differs", 0.686),
        ("of_subject", -0.864), ("on_article", 0.245), ("on_documentation", 0.249), ("on_forum", 0.631),
        ("on_listing", -0.906), ("on_other", -0.722), ("on_product", -0.215), ("on_recipe", -0.644),
        ("one_word", -0.591), ("other_values", -0.463), ("sells", -0.717), ("shown", 0.196), ("shown_often", 0.615),
        ("source_named", 0.000), ("three_agree", 0.276), ("two_agree", -0.489), ("typed_entity", -0.087),
        ("visible_agrees", -0.422), ("visible_differs", -0.209), ("words", 0.999), ("zero", -0.018),
    ]),
    ("author", 0.026, &[
        ("alone", 0.047), ("articles", -0.102), ("at_root", -0.891), ("attributes_agree", 0.234), ("capitals", 0.055),
        ("cents", 0.066), ("chars", 0.131), ("digits", 0.062), ("from_attributes", -0.668), ("from_json_ld", 0.077),
        ("from_meta", 0.604), ("from_visible", -0.058), ("has_price", 0.576), ("has_rating", 0.652),
        ("headed", 0.156), ("in_title_tag", -0.729), ("json_ld_agrees", 0.582), ("json_ld_differs", -1.175),
        ("links_per_line", 0.055), ("many_dates", -0.021), ("meta_agrees", 0.105), ("meta_differs", 0.084),
        ("name_length", 0.474), ("near_heading", 1.728), ("none_differs", 0.023), ("of_subject", 0.459),
        ("on_article", 1.224), ("on_documentation", -0.819), ("on_forum", 1.819), ("on_listing", -2.053),
        ("on_other", -0.710), ("on_product", 0.535), ("on_recipe", 0.705), ("one_word", 0.227),
        ("other_values", -0.980), ("sells", 0.542), ("shown", -0.116), ("shown_often", 0.024),
        ("source_named", 0.538), ("three_agree", -0.716), ("two_agree", 0.437), ("typed_entity", -0.032),
        ("visible_agrees", 1.194), ("visible_differs", 0.169), ("words", -0.686),
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
    ("page_type", 2.275, &[
        ("article", -1.186), ("article_authored", 0.821), ("article_dated", 0.383), ("article_linked", -0.153),
        ("article_long", -0.155), ("article_many", -0.207), ("article_sure", 0.653), ("at_root", 1.385),
        ("content_agrees", -1.810), ("content_differs", -1.063), ("dated", -0.729), ("declared", -0.352),
        ("declared_other", 0.506), ("depth", -0.156), ("documentation", -0.226), ("forum", 0.586),
        ("kind_probability", 3.198), ("listing", -0.947), ("listing_linked", -0.890), ("listing_long", -0.507),
        ("listing_many", 0.609), ("listing_sure", 0.824), ("other", -1.782), ("other_long", 0.479),
        ("other_sure", 0.427), ("priced", -1.676), ("product", 0.468), ("product_linked", 0.660),
        ("product_long", -0.759), ("product_sells", 2.302), ("product_sure", 0.147), ("typed_entity", 1.055),
        ("very_sure", 1.686),
    ]),
];
