//! Weights of the models of confidence: logistic regressions with a ridge penalty, one for each field.
//!
//! Written by `tools/train/confidence.py`, which learns them from labelled pages with folds by host and says how
//! well they are calibrated on hosts left out. A changed feature asks for new weights.

/// A field, its bias, and the weight of each measure.
type Model = (&'static str, f32, &'static [(&'static str, f32)]);

/// The models by field.
#[rustfmt::skip]
pub(super) const MODELS: &[Model] = &[
    ("title", -3.875, &[
        ("articles", -0.163), ("at_root", 0.149), ("attributes_agree", -0.063), ("attributes_differ", 0.328),
        ("capitals", -0.045), ("cents", -0.425), ("chars", 0.184), ("digits", -0.343), ("from_attributes", -1.064),
        ("from_json_ld", -0.286), ("from_meta", 0.119), ("from_visible", 1.132), ("has_price", 0.584),
        ("has_rating", -0.081), ("headed", -0.744), ("in_title_tag", 0.968), ("json_ld_agrees", 0.335),
        ("json_ld_differs", 0.146), ("links_per_line", 0.490), ("long", -0.212), ("meta_agrees", 0.376),
        ("meta_differs", -0.097), ("name_length", 0.095), ("near_heading", 1.304), ("none_differs", 0.366),
        ("on_article", 0.261), ("on_documentation", -0.371), ("on_forum", 0.459), ("on_listing", -0.551),
        ("on_other", 0.267), ("on_product", -0.157), ("on_recipe", -0.647), ("one_word", -0.886),
        ("other_values", -0.487), ("sells", -0.553), ("shown", 0.107), ("shown_often", 0.840),
        ("source_named", -0.161), ("three_agree", 0.244), ("two_agree", -0.370), ("typed_entity", 0.071),
        ("visible_agrees", -0.512), ("visible_differs", -0.657), ("words", 1.175), ("zero", 0.091),
    ]),
    ("author", -0.333, &[
        ("alone", 0.214), ("articles", -0.082), ("at_root", -1.505), ("attributes_agree", 0.335), ("capitals", 0.276),
        ("cents", 0.214), ("chars", -0.011), ("digits", -0.377), ("from_attributes", -0.715), ("from_json_ld", 0.317),
        ("from_meta", 0.480), ("from_visible", -0.131), ("has_price", 0.686), ("has_rating", 0.657),
        ("headed", 0.150), ("in_title_tag", -0.716), ("json_ld_agrees", 0.593), ("json_ld_differs", -1.091),
        ("links_per_line", 0.001), ("meta_agrees", 0.079), ("meta_differs", -0.026), ("name_length", 0.679),
        ("near_heading", 1.975), ("none_differs", 0.068), ("on_article", 1.255), ("on_documentation", -0.471),
        ("on_forum", 1.974), ("on_listing", -1.714), ("on_other", -0.843), ("on_product", 0.642),
        ("on_recipe", 0.710), ("one_word", 0.271), ("other_values", -0.907), ("sells", 0.215), ("shown", -0.392),
        ("shown_often", 0.068), ("source_named", 0.798), ("three_agree", -0.638), ("two_agree", 0.531),
        ("typed_entity", 0.074), ("visible_agrees", 0.865), ("visible_differs", 0.163), ("words", -0.716),
    ]),
    ("date_published", -1.641, &[
        ("alone", 0.228), ("articles", 0.095), ("at_root", -1.592), ("attributes_agree", -0.418),
        ("attributes_differ", -0.456), ("cents", -0.586), ("chars", 0.086), ("from_address", 0.997),
        ("from_attributes", -0.007), ("from_json_ld", 0.050), ("from_meta", -0.308), ("from_state", -0.578),
        ("from_visible", -0.172), ("has_price", 1.042), ("headed", 0.215), ("json_ld_agrees", -0.759),
        ("json_ld_differs", -0.481), ("links_per_line", 0.841), ("meta_agrees", 1.123), ("meta_differs", -0.123),
        ("name_length", 0.067), ("none_differs", 0.817), ("on_article", 1.239), ("on_forum", 1.095),
        ("on_listing", -2.044), ("on_other", 0.042), ("on_product", 0.956), ("other_values", -0.444),
        ("sells", -0.186), ("source_named", -0.007), ("three_agree", 0.519), ("two_agree", 0.737),
        ("typed_entity", 0.301), ("visible_agrees", 1.056), ("visible_differs", 0.005), ("words", 0.388),
    ]),
    ("price", -2.925, &[
        ("articles", -0.236), ("attributes_agree", 0.345), ("cents", 0.169), ("chars", 0.603),
        ("from_json_ld", 0.165), ("from_visible", -0.270), ("has_rating", 1.135), ("json_ld_agrees", -0.163),
        ("links_per_line", 1.150), ("name_length", 0.169), ("near_heading", 1.651), ("none_differs", -0.823),
        ("on_listing", 1.050), ("on_product", -0.424), ("one_word", -0.170), ("other_values", 0.806),
        ("sells", 1.592), ("shown", -0.652), ("shown_often", 0.935), ("source_named", 0.642), ("two_agree", 0.129),
        ("typed_entity", 0.115), ("words", 0.068),
    ]),
    ("currency", 0.323, &[
        ("alone", -0.446), ("articles", 0.167), ("attributes_agree", 0.469), ("from_json_ld", 0.322),
        ("from_visible", -0.322), ("has_rating", 0.827), ("json_ld_agrees", -0.023), ("links_per_line", -0.659),
        ("none_differs", 0.446), ("on_product", -0.197), ("sells", 2.882), ("source_named", 0.322),
        ("typed_entity", -0.058),
    ]),
    ("availability", 0.694, &[
        ("alone", -0.415), ("articles", -0.445), ("attributes_agree", 0.158), ("from_json_ld", 0.196),
        ("from_visible", -0.197), ("has_rating", -0.015), ("json_ld_agrees", 0.051), ("links_per_line", 0.325),
        ("none_differs", 0.290), ("sells", 1.266), ("source_named", 0.669), ("typed_entity", 0.712),
    ]),
    ("sku", -1.143, &[
        ("alone", -0.482), ("articles", 0.217), ("attributes_agree", -0.267), ("cents", -0.383), ("chars", -0.146),
        ("from_json_ld", 0.153), ("from_visible", 0.821), ("has_rating", 1.118), ("json_ld_agrees", 0.350),
        ("json_ld_differs", 0.085), ("links_per_line", 0.587), ("name_length", -0.572), ("near_heading", -0.114),
        ("none_differs", 0.083), ("one_word", 0.573), ("other_values", 0.350), ("sells", 0.778), ("shown", 1.322),
        ("shown_often", 0.296), ("source_named", -0.082), ("typed_entity", 1.365), ("words", -0.345),
    ]),
    ("brand", 3.467, &[
        ("alone", 0.047), ("articles", 0.207), ("chars", -1.066), ("from_json_ld", -0.238), ("from_visible", 0.047),
        ("has_rating", 0.682), ("in_title", 0.361), ("in_title_tag", 0.820), ("json_ld_agrees", -0.238),
        ("links_per_line", 0.551), ("name_length", 0.251), ("near_heading", 0.935), ("none_differs", -0.048),
        ("one_word", 0.451), ("sells", 0.028), ("shown_often", -0.396), ("source_named", -0.040),
        ("typed_entity", 0.188), ("words", -0.403),
    ]),
    ("rating", 2.230, &[
        ("alone", -0.244), ("articles", 0.692), ("cents", -0.574), ("chars", -0.238), ("from_json_ld", 0.242),
        ("from_visible", -0.244), ("has_price", -1.112), ("json_ld_agrees", 0.242), ("links_per_line", 0.565),
        ("name_length", -0.574), ("near_heading", -0.013), ("none_differs", 0.242), ("on_product", -0.365),
        ("on_recipe", 1.111), ("one_word", 0.572), ("sells", -0.180), ("shown", 0.122), ("shown_often", 0.134),
        ("source_named", -0.476), ("typed_entity", 0.242), ("words", -0.233),
    ]),
    ("page_type", 2.326, &[
        ("article", -1.401), ("article_authored", 0.767), ("article_dated", 0.452), ("article_linked", -0.224),
        ("article_long", -0.208), ("article_many", -0.200), ("article_sure", 0.990), ("at_root", -0.834),
        ("content_agrees", -2.100), ("dated", -0.532), ("declared", -0.440), ("declared_other", 0.155),
        ("depth", -0.306), ("documentation", -0.057), ("forum", 0.249), ("kind_probability", 3.508),
        ("listing", 0.498), ("listing_linked", -1.514), ("listing_long", 0.442), ("listing_many", 0.788),
        ("listing_sure", 0.893), ("other", -2.214), ("other_long", 0.728), ("other_sure", 0.844), ("priced", -1.578),
        ("product", 0.605), ("product_linked", 0.101), ("product_long", -1.067), ("product_sells", 2.987),
        ("product_sure", 0.345), ("typed_entity", 1.060), ("very_sure", 1.327),
    ]),
];
