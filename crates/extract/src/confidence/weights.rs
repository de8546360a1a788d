//! Weights of the models of confidence: logistic regressions with a ridge penalty, one for each field.
//!
//! Written by `tools/train/confidence.py`, which learns them from labelled pages with folds by host and says how
//! well they are calibrated on hosts left out. A changed feature asks for new weights.

/// A field, its bias, and the weight of each measure.
type Model = (&'static str, f32, &'static [(&'static str, f32)]);

/// The models by field.
#[rustfmt::skip]
pub(super) const MODELS: &[Model] = &[
    ("title", -2.320, &[
        ("articles", -0.140), ("at_root", 0.284), ("attributes_agree", 0.194), ("attributes_differ", 0.392),
        ("capitals", -0.025), ("cents", -0.446), ("chars", -0.027), ("digits", -0.475), ("from_attributes", -0.994),
        ("from_json_ld", 0.099), ("from_meta", -0.166), ("from_visible", 0.980), ("has_price", 0.408),
        ("has_rating", -0.166), ("headed", -0.818), ("in_title_tag", 0.794), ("json_ld_agrees", 0.366),
        ("json_ld_differs", 0.342), ("links_per_line", 0.150), ("long", -0.293), ("meta_agrees", 0.377),
        ("meta_differs", -0.070), ("name_length", 0.125), ("near_heading", 1.275), ("none_differs", 0.432),
        ("on_article", 0.507), ("on_documentation", 0.005), ("on_forum", 0.480), ("on_listing", -0.576),
        ("on_other", -0.026), ("on_product", -0.410), ("on_recipe", -0.637), ("one_word", -1.342),
        ("other_values", -0.468), ("sells", -0.664), ("shown", 0.117), ("shown_often", 0.872), ("three_agree", 0.448),
        ("two_agree", -0.338), ("typed_entity", -0.337), ("visible_agrees", -0.524), ("visible_differs", -0.574),
        ("words", 1.253), ("zero", 0.158),
    ]),
    ("author", 0.368, &[
        ("alone", -0.282), ("articles", 0.118), ("at_root", -1.852), ("attributes_agree", 0.557), ("capitals", 0.777),
        ("cents", 0.363), ("chars", -0.145), ("digits", 0.021), ("from_attributes", -0.361), ("from_json_ld", 0.419),
        ("from_meta", 0.533), ("from_visible", -0.482), ("has_price", -0.220), ("has_rating", 0.290),
        ("headed", 0.194), ("in_title_tag", -0.681), ("json_ld_agrees", 1.029), ("json_ld_differs", -0.570),
        ("links_per_line", 0.031), ("meta_agrees", 0.160), ("meta_differs", -0.033), ("name_length", 0.424),
        ("near_heading", 2.032), ("none_differs", -0.097), ("on_article", 1.250), ("on_documentation", -0.666),
        ("on_forum", 2.026), ("on_listing", -1.791), ("on_other", -0.432), ("on_recipe", 0.643), ("one_word", 0.307),
        ("other_values", -0.933), ("sells", -0.160), ("shown", -0.790), ("shown_often", 0.004),
        ("three_agree", -0.443), ("two_agree", 0.686), ("typed_entity", -0.328), ("visible_agrees", 0.627),
        ("visible_differs", 0.054), ("words", -0.639),
    ]),
    ("date_published", -1.378, &[
        ("alone", 0.404), ("articles", 0.108), ("at_root", -1.597), ("attributes_agree", -0.117),
        ("attributes_differ", -0.619), ("cents", -0.442), ("chars", 0.064), ("from_address", 0.828),
        ("from_attributes", 0.238), ("from_json_ld", 0.009), ("from_meta", -0.065), ("from_state", -0.806),
        ("from_visible", -0.229), ("has_price", 0.418), ("has_rating", -0.233), ("headed", 0.329),
        ("json_ld_agrees", -0.899), ("json_ld_differs", -0.896), ("links_per_line", 0.680), ("meta_agrees", 0.590),
        ("meta_differs", -0.868), ("name_length", -0.074), ("none_differs", 1.081), ("on_article", 1.302),
        ("on_documentation", -0.011), ("on_forum", 1.005), ("on_listing", -1.441), ("on_other", -0.554),
        ("other_values", -0.463), ("sells", -0.338), ("three_agree", 0.541), ("two_agree", 0.558),
        ("typed_entity", 0.807), ("visible_agrees", 0.857), ("visible_differs", 0.010), ("words", 0.441),
    ]),
    ("price", -1.737, &[
        ("articles", -0.322), ("attributes_agree", 0.581), ("cents", 0.263), ("chars", 0.351),
        ("from_json_ld", 0.069), ("from_visible", -0.564), ("has_rating", 2.028), ("json_ld_agrees", -0.472),
        ("links_per_line", 1.243), ("name_length", 0.263), ("near_heading", 1.676), ("none_differs", -0.762),
        ("on_article", -0.233), ("on_listing", -0.926), ("on_product", 1.252), ("one_word", -0.263),
        ("other_values", -0.130), ("sells", 0.914), ("shown", -0.125), ("shown_often", 0.007), ("two_agree", 0.576),
        ("typed_entity", -0.442), ("words", 0.107),
    ]),
    ("currency", -1.461, &[
        ("alone", -0.061), ("articles", -0.130), ("attributes_agree", 0.636), ("from_json_ld", 0.180),
        ("from_visible", -0.187), ("has_rating", 1.349), ("json_ld_agrees", -0.150), ("links_per_line", -0.174),
        ("none_differs", 0.485), ("on_article", -0.552), ("on_listing", -0.817), ("on_product", 0.802),
        ("sells", 2.282), ("typed_entity", 0.050),
    ]),
    ("availability", -1.105, &[
        ("alone", -0.429), ("articles", -0.546), ("attributes_agree", 0.233), ("from_json_ld", 0.220),
        ("from_visible", -0.223), ("has_rating", 0.464), ("json_ld_agrees", 0.005), ("links_per_line", 0.580),
        ("none_differs", 0.329), ("on_listing", -0.440), ("on_product", 1.199), ("sells", 1.262),
        ("typed_entity", 0.921),
    ]),
    ("sku", -1.554, &[
        ("alone", -0.003), ("articles", -0.312), ("attributes_agree", -0.284), ("capitals", 0.430), ("cents", -0.493),
        ("chars", 0.020), ("digits", 0.842), ("from_address", 0.462), ("from_json_ld", -0.336),
        ("from_visible", 0.341), ("has_rating", -0.356), ("json_ld_agrees", 0.138), ("json_ld_differs", 0.057),
        ("links_per_line", -0.019), ("name_length", 0.190), ("near_heading", 0.430), ("none_differs", -0.146),
        ("on_article", -0.341), ("on_product", 1.957), ("one_word", -0.163), ("other_values", 0.196),
        ("sells", 1.090), ("shown", 0.728), ("shown_often", 0.750), ("typed_entity", -0.086), ("words", -0.126),
    ]),
    ("brand", 3.103, &[
        ("alone", 0.064), ("articles", 0.206), ("chars", -1.089), ("from_json_ld", -0.248), ("from_visible", 0.064),
        ("has_rating", 0.669), ("in_title", 0.366), ("in_title_tag", 0.807), ("json_ld_agrees", -0.248),
        ("links_per_line", 0.542), ("name_length", 0.248), ("near_heading", 0.934), ("none_differs", -0.063),
        ("on_product", 0.562), ("one_word", 0.459), ("sells", -0.115), ("shown_often", -0.374),
        ("typed_entity", 0.166), ("words", -0.405),
    ]),
    ("rating", -0.372, &[
        ("alone", 0.306), ("articles", 0.607), ("cents", -0.239), ("chars", 0.046), ("from_json_ld", -0.307),
        ("from_visible", 0.306), ("has_price", -0.811), ("json_ld_agrees", -0.307), ("links_per_line", 0.485),
        ("name_length", -0.239), ("near_heading", 0.063), ("none_differs", -0.307), ("on_recipe", 2.176),
        ("one_word", 0.238), ("sells", -0.383), ("shown", 0.265), ("shown_often", 0.310), ("typed_entity", 1.489),
        ("words", -0.097),
    ]),
    ("page_type", 2.318, &[
        ("article", -0.906), ("article_authored", 0.993), ("article_dated", 0.749), ("article_linked", 0.030),
        ("article_long", 0.858), ("article_many", -0.037), ("article_sells", -0.468), ("article_sure", 0.694),
        ("at_root", -0.507), ("content_agrees", -2.520), ("content_differs", -1.751), ("dated", -0.630),
        ("declared", -0.244), ("declared_other", 0.130), ("depth", -0.280), ("documentation", 0.124),
        ("forum", 0.946), ("kind_probability", 3.192), ("listing", -0.751), ("listing_linked", 0.658),
        ("listing_long", -1.659), ("listing_many", 0.437), ("listing_sells", -0.004), ("listing_sure", 1.249),
        ("other", -2.019), ("other_long", 1.721), ("other_sells", 1.627), ("other_sure", -0.379), ("priced", -1.467),
        ("product", 0.435), ("product_linked", 1.081), ("product_long", -0.179), ("product_sells", 1.499),
        ("product_sure", -0.032), ("typed_entity", 1.273), ("very_sure", 0.463),
    ]),
];
