//! Weights of the models of confidence: logistic regressions with a ridge penalty, one for each field.
//!
//! Written by `tools/train/confidence.py`, which learns them from labelled pages with folds by host and says how
//! well they are calibrated on hosts left out. A changed feature asks for new weights.

/// A field, its bias, and the weight of each measure.
type Model = (&'static str, f32, &'static [(&'static str, f32)]);

/// The models by field.
#[rustfmt::skip]
pub(super) const MODELS: &[Model] = &[
    ("title", -3.918, &[
        ("articles", -0.161), ("at_root", 0.150), ("attributes_agree", -0.055), ("attributes_differ", 0.326),
        ("capitals", -0.036), ("cents", -0.421), ("chars", 0.174), ("digits", -0.337), ("from_attributes", -1.053),
        ("from_json_ld", -0.250), ("from_meta", 0.086), ("from_visible", 1.137), ("has_price", 0.557),
        ("has_rating", -0.057), ("headed", -0.744), ("in_title_tag", 0.970), ("json_ld_agrees", 0.333),
        ("json_ld_differs", 0.143), ("links_per_line", 0.502), ("long", -0.210), ("meta_agrees", 0.387),
        ("meta_differs", -0.090), ("name_length", 0.110), ("near_heading", 1.326), ("none_differs", 0.371),
        ("on_article", 0.269), ("on_documentation", -0.346), ("on_forum", 0.463), ("on_listing", -0.554),
        ("on_other", 0.291), ("on_product", -0.214), ("on_recipe", -0.652), ("one_word", -0.895),
        ("other_values", -0.486), ("sells", -0.518), ("shown", 0.118), ("shown_often", 0.840),
        ("source_named", -0.160), ("three_agree", 0.244), ("two_agree", -0.392), ("typed_entity", 0.078),
        ("visible_agrees", -0.524), ("visible_differs", -0.651), ("words", 1.202), ("zero", 0.095),
    ]),
    ("author", -0.045, &[
        ("alone", 0.212), ("articles", -0.078), ("at_root", -1.516), ("attributes_agree", 0.330), ("capitals", 0.270),
        ("cents", 0.223), ("chars", -0.022), ("digits", -0.393), ("from_attributes", -0.719), ("from_json_ld", 0.319),
        ("from_meta", 0.478), ("from_visible", -0.140), ("has_price", 0.631), ("has_rating", 0.633),
        ("headed", 0.126), ("in_title_tag", -0.714), ("json_ld_agrees", 0.592), ("json_ld_differs", -1.110),
        ("links_per_line", -0.011), ("meta_agrees", 0.091), ("meta_differs", -0.050), ("name_length", 0.659),
        ("near_heading", 1.979), ("none_differs", 0.052), ("on_article", 1.242), ("on_documentation", -0.469),
        ("on_forum", 1.962), ("on_listing", -1.720), ("on_other", -0.853), ("on_product", 0.591),
        ("on_recipe", 0.709), ("one_word", 0.245), ("other_values", -0.905), ("sells", 0.397), ("shown", -0.403),
        ("shown_often", 0.067), ("source_named", 0.791), ("three_agree", -0.629), ("two_agree", 0.523),
        ("typed_entity", 0.074), ("visible_agrees", 0.873), ("visible_differs", 0.155), ("words", -0.721),
    ]),
    ("date_published", -1.344, &[
        ("alone", 0.216), ("articles", 0.087), ("at_root", -1.590), ("attributes_agree", -0.411),
        ("attributes_differ", -0.443), ("cents", -0.594), ("chars", 0.082), ("from_address", 0.972),
        ("from_attributes", -0.008), ("from_json_ld", 0.046), ("from_meta", -0.301), ("from_state", -0.560),
        ("from_visible", -0.165), ("has_price", 0.908), ("headed", 0.212), ("json_ld_agrees", -0.763),
        ("json_ld_differs", -0.512), ("links_per_line", 0.831), ("meta_agrees", 1.117), ("meta_differs", -0.132),
        ("name_length", 0.079), ("none_differs", 0.813), ("on_article", 1.248), ("on_forum", 1.085),
        ("on_listing", -2.058), ("on_other", 0.073), ("on_product", 0.884), ("other_values", -0.434),
        ("sells", 0.137), ("source_named", -0.015), ("three_agree", 0.526), ("two_agree", 0.747),
        ("typed_entity", 0.300), ("visible_agrees", 1.064), ("visible_differs", -0.006), ("words", 0.384),
    ]),
    ("price", -2.964, &[
        ("articles", -0.302), ("attributes_agree", 0.275), ("cents", 0.413), ("chars", 0.391),
        ("from_json_ld", 0.083), ("from_visible", -0.141), ("has_rating", 0.781), ("json_ld_agrees", -0.165),
        ("links_per_line", 1.219), ("name_length", 0.413), ("near_heading", 1.613), ("none_differs", -0.684),
        ("on_listing", 0.890), ("on_product", -0.304), ("one_word", -0.412), ("other_values", 0.985),
        ("sells", 1.208), ("shown", -0.549), ("shown_often", 0.959), ("source_named", 0.931), ("two_agree", 0.077),
        ("typed_entity", 0.112), ("words", 0.167),
    ]),
    ("currency", 0.342, &[
        ("alone", -0.461), ("articles", 0.163), ("attributes_agree", 0.437), ("from_json_ld", 0.342),
        ("from_visible", -0.343), ("has_rating", 0.815), ("json_ld_agrees", 0.023), ("links_per_line", -0.632),
        ("none_differs", 0.460), ("on_product", -0.166), ("sells", 2.811), ("source_named", 0.342),
        ("typed_entity", -0.042),
    ]),
    ("availability", 1.111, &[
        ("alone", -0.418), ("articles", -0.472), ("attributes_agree", 0.154), ("from_json_ld", 0.210),
        ("from_visible", -0.211), ("has_rating", -0.124), ("json_ld_agrees", 0.069), ("links_per_line", 0.222),
        ("none_differs", 0.294), ("sells", 1.152), ("source_named", 0.630), ("typed_entity", 0.620),
    ]),
    ("sku", -0.850, &[
        ("alone", -0.449), ("articles", 0.187), ("attributes_agree", -0.328), ("cents", -0.349), ("chars", -0.275),
        ("from_json_ld", 0.117), ("from_visible", 0.977), ("has_rating", 0.996), ("json_ld_agrees", 0.339),
        ("json_ld_differs", 0.081), ("links_per_line", 0.686), ("name_length", -0.594), ("near_heading", -0.231),
        ("none_differs", 0.011), ("one_word", 0.595), ("other_values", 0.388), ("sells", 0.636), ("shown", 1.428),
        ("shown_often", 0.303), ("source_named", 0.411), ("typed_entity", 1.234), ("words", -0.329),
    ]),
    ("brand", 3.470, &[
        ("alone", 0.047), ("articles", 0.207), ("chars", -1.065), ("from_json_ld", -0.238), ("from_visible", 0.047),
        ("has_rating", 0.682), ("in_title", 0.362), ("in_title_tag", 0.820), ("json_ld_agrees", -0.238),
        ("links_per_line", 0.551), ("name_length", 0.250), ("near_heading", 0.934), ("none_differs", -0.048),
        ("one_word", 0.451), ("sells", 0.022), ("shown_often", -0.396), ("source_named", -0.040),
        ("typed_entity", 0.189), ("words", -0.402),
    ]),
    ("rating", 2.217, &[
        ("alone", -0.241), ("articles", 0.698), ("cents", -0.574), ("chars", -0.237), ("from_json_ld", 0.240),
        ("from_visible", -0.241), ("has_price", -1.110), ("json_ld_agrees", 0.240), ("links_per_line", 0.567),
        ("name_length", -0.574), ("near_heading", -0.016), ("none_differs", 0.240), ("on_product", -0.362),
        ("on_recipe", 1.108), ("one_word", 0.572), ("sells", -0.203), ("shown", 0.120), ("shown_often", 0.133),
        ("source_named", -0.478), ("typed_entity", 0.240), ("words", -0.234),
    ]),
    ("page_type", 2.430, &[
        ("article", -1.435), ("article_authored", 0.777), ("article_dated", 0.446), ("article_linked", -0.222),
        ("article_long", -0.225), ("article_many", -0.214), ("article_sure", 0.947), ("at_root", -0.917),
        ("content_agrees", -2.145), ("dated", -0.563), ("declared", -0.314), ("declared_other", 0.143),
        ("depth", -0.329), ("documentation", -0.074), ("forum", 0.245), ("kind_probability", 3.512),
        ("listing", 0.495), ("listing_linked", -1.513), ("listing_long", 0.440), ("listing_many", 0.801),
        ("listing_sure", 0.893), ("other", -2.207), ("other_long", 0.672), ("other_sure", 0.888), ("priced", -1.526),
        ("product", 0.674), ("product_linked", 0.163), ("product_long", -1.266), ("product_sells", 2.857),
        ("product_sure", 0.361), ("typed_entity", 1.013), ("very_sure", 1.322),
    ]),
];
