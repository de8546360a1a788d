//! Weights of the models of confidence: logistic regressions with a ridge penalty, one for each field.
//!
//! Written by `tools/train/confidence.py`, which learns them from labelled pages with folds by host and says how
//! well they are calibrated on hosts left out. A changed feature asks for new weights.

/// A field, its bias, and the weight of each measure.
type Model = (&'static str, f32, &'static [(&'static str, f32)]);

/// The models by field.
#[rustfmt::skip]
pub(super) const MODELS: &[Model] = &[
    ("title", -2.141, &[
        ("articles", -0.135), ("at_root", 0.293), ("attributes_agree", 0.196), ("attributes_differ", 0.402),
        ("capitals", -0.028), ("cents", -0.452), ("chars", -0.043), ("digits", -0.473), ("from_attributes", -1.027),
        ("from_json_ld", 0.037), ("from_meta", -0.132), ("from_visible", 0.980), ("has_price", 0.393),
        ("has_rating", -0.161), ("headed", -0.841), ("in_title_tag", 0.806), ("json_ld_agrees", 0.385),
        ("json_ld_differs", 0.331), ("links_per_line", 0.137), ("long", -0.291), ("meta_agrees", 0.381),
        ("meta_differs", -0.063), ("name_length", 0.115), ("near_heading", 1.264), ("none_differs", 0.428),
        ("on_article", 0.520), ("on_documentation", 0.012), ("on_forum", 0.476), ("on_listing", -0.562),
        ("on_other", -0.016), ("on_product", -0.404), ("on_recipe", -0.602), ("one_word", -1.377),
        ("other_values", -0.465), ("sells", -0.669), ("shown", 0.088), ("shown_often", 0.873),
        ("source_named", -0.146), ("three_agree", 0.439), ("two_agree", -0.358), ("typed_entity", -0.332),
        ("visible_agrees", -0.548), ("visible_differs", -0.589), ("words", 1.270), ("zero", 0.165),
    ]),
    ("author", 0.196, &[
        ("alone", -0.208), ("articles", 0.123), ("at_root", -1.811), ("attributes_agree", 0.490), ("capitals", 0.727),
        ("cents", 0.285), ("chars", -0.173), ("digits", 0.004), ("from_attributes", -0.335), ("from_json_ld", 0.236),
        ("from_meta", 0.447), ("from_visible", -0.283), ("has_price", -0.192), ("has_rating", 0.258),
        ("headed", 0.203), ("in_title_tag", -0.660), ("json_ld_agrees", 1.011), ("json_ld_differs", -0.646),
        ("links_per_line", -0.003), ("meta_agrees", 0.067), ("meta_differs", -0.063), ("name_length", 0.397),
        ("near_heading", 2.007), ("none_differs", -0.204), ("on_article", 1.232), ("on_documentation", -0.617),
        ("on_forum", 1.947), ("on_listing", -1.804), ("on_other", -0.469), ("on_recipe", 0.660), ("one_word", 0.234),
        ("other_values", -0.934), ("sells", -0.203), ("shown", -0.852), ("shown_often", 0.056),
        ("source_named", 0.672), ("three_agree", -0.330), ("two_agree", 0.739), ("typed_entity", -0.344),
        ("visible_agrees", 0.542), ("visible_differs", -0.007), ("words", -0.612),
    ]),
    ("date_published", -1.465, &[
        ("alone", 0.416), ("articles", 0.106), ("at_root", -1.588), ("attributes_agree", -0.126),
        ("attributes_differ", -0.616), ("cents", -0.431), ("chars", 0.083), ("from_address", 0.850),
        ("from_attributes", 0.213), ("from_json_ld", -0.007), ("from_meta", -0.052), ("from_state", -0.804),
        ("from_visible", -0.217), ("has_price", 0.423), ("has_rating", -0.227), ("headed", 0.325),
        ("json_ld_agrees", -0.905), ("json_ld_differs", -0.900), ("links_per_line", 0.675), ("meta_agrees", 0.598),
        ("meta_differs", -0.859), ("name_length", -0.066), ("none_differs", 1.077), ("on_article", 1.298),
        ("on_documentation", -0.019), ("on_forum", 1.013), ("on_listing", -1.442), ("on_other", -0.546),
        ("other_values", -0.457), ("sells", -0.333), ("source_named", 0.057), ("three_agree", 0.537),
        ("two_agree", 0.564), ("typed_entity", 0.807), ("visible_agrees", 0.853), ("visible_differs", 0.007),
        ("words", 0.442),
    ]),
    ("price", -2.847, &[
        ("articles", -0.123), ("attributes_agree", 0.556), ("cents", 0.260), ("chars", 0.236),
        ("from_json_ld", -0.114), ("from_visible", -0.336), ("has_rating", 1.994), ("json_ld_agrees", -0.626),
        ("links_per_line", 1.390), ("name_length", 0.260), ("near_heading", 1.634), ("none_differs", -0.690),
        ("on_article", -0.110), ("on_listing", -0.899), ("on_product", 1.412), ("one_word", -0.259),
        ("other_values", -0.193), ("sells", 0.728), ("shown", -0.052), ("shown_often", -0.096),
        ("source_named", 1.439), ("two_agree", 0.436), ("typed_entity", -0.203), ("words", 0.106),
    ]),
    ("currency", -1.515, &[
        ("alone", -0.044), ("articles", -0.130), ("attributes_agree", 0.628), ("from_json_ld", 0.142),
        ("from_visible", -0.151), ("has_rating", 1.352), ("json_ld_agrees", -0.165), ("links_per_line", -0.175),
        ("none_differs", 0.462), ("on_article", -0.546), ("on_listing", -0.818), ("on_product", 0.804),
        ("sells", 2.277), ("source_named", 0.142), ("typed_entity", 0.047),
    ]),
    ("availability", -1.304, &[
        ("alone", -0.374), ("articles", -0.526), ("attributes_agree", 0.217), ("from_json_ld", 0.117),
        ("from_visible", -0.119), ("has_rating", 0.433), ("json_ld_agrees", -0.082), ("links_per_line", 0.566),
        ("none_differs", 0.255), ("on_listing", -0.432), ("on_product", 1.151), ("sells", 1.313),
        ("source_named", 0.554), ("typed_entity", 0.862),
    ]),
    ("sku", -1.248, &[
        ("alone", -0.032), ("articles", -0.336), ("attributes_agree", -0.259), ("capitals", 0.450), ("cents", -0.501),
        ("chars", -0.042), ("digits", 0.895), ("from_address", 0.410), ("from_json_ld", -0.278),
        ("from_visible", 0.269), ("has_rating", -0.336), ("json_ld_agrees", 0.182), ("json_ld_differs", 0.033),
        ("links_per_line", -0.063), ("name_length", 0.170), ("near_heading", 0.408), ("none_differs", -0.078),
        ("on_article", -0.423), ("on_product", 2.000), ("one_word", -0.139), ("other_values", 0.179),
        ("sells", 1.103), ("shown", 0.696), ("shown_often", 0.744), ("source_named", -0.494),
        ("typed_entity", -0.103), ("words", -0.142),
    ]),
    ("brand", 3.117, &[
        ("alone", 0.057), ("articles", 0.207), ("chars", -1.090), ("from_json_ld", -0.244), ("from_visible", 0.057),
        ("has_rating", 0.668), ("in_title", 0.366), ("in_title_tag", 0.808), ("json_ld_agrees", -0.244),
        ("links_per_line", 0.543), ("name_length", 0.250), ("near_heading", 0.935), ("none_differs", -0.057),
        ("on_product", 0.564), ("one_word", 0.459), ("sells", -0.114), ("shown_often", -0.373),
        ("source_named", -0.044), ("typed_entity", 0.171), ("words", -0.405),
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
