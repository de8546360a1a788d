//! Weights of the models of confidence: logistic regressions with a ridge penalty, one for each field.
//!
//! Written by `tools/train/confidence.py`, which learns them from labelled pages with folds by host and says how
//! well they are calibrated on hosts left out. A changed feature asks for new weights.

/// A field, its bias, and the weight of each measure.
type Model = (&'static str, f32, &'static [(&'static str, f32)]);

/// The models by field.
#[rustfmt::skip]
pub(super) const MODELS: &[Model] = &[
    ("title", -3.601, &[
        ("articles", -0.078), ("at_root", 0.633), ("attributes_agree", 0.016), ("attributes_differ", 0.601),
        ("capitals", 0.290), ("cents", -0.558), ("chars", 0.215), ("digits", -0.287), ("from_attributes", -0.828),
        ("from_json_ld", 0.357), ("from_meta", -0.160), ("from_visible", 0.608), ("has_price", 0.903),
        ("has_rating", -0.256), ("headed", -0.789), ("in_title_tag", 0.926), ("json_ld_agrees", 0.236),
        ("json_ld_differs", 0.440), ("links_per_line", 0.379), ("long", 0.173), ("meta_agrees", 0.351),
        ("meta_differs", -0.294), ("name_length", 0.339), ("near_heading", 1.243), ("none_differs", 0.705),
        ("of_subject", -0.850), ("on_article", 0.280), ("on_documentation", 0.343), ("on_forum", 0.664),
        ("on_listing", -0.819), ("on_other", -0.564), ("on_product", -0.213), ("on_recipe", -0.610),
        ("one_word", -0.620), ("other_values", -0.453), ("sells", -0.626), ("shown", 0.175), ("shown_often", 0.551),
        ("source_named", 0.044), ("three_agree", 0.218), ("two_agree", -0.485), ("typed_entity", 0.004),
        ("visible_agrees", -0.386), ("visible_differs", -0.249), ("words", 1.049), ("zero", 0.016),
    ]),
    ("author", 0.040, &[
        ("alone", -0.021), ("articles", -0.086), ("at_root", -1.057), ("attributes_agree", 0.464),
        ("capitals", 0.088), ("cents", 0.057), ("chars", 0.121), ("digits", -0.098), ("from_attributes", -0.778),
        ("from_json_ld", 0.091), ("from_meta", 0.611), ("from_visible", 0.041), ("has_price", 0.584),
        ("has_rating", 0.646), ("headed", 0.124), ("in_title_tag", -0.725), ("json_ld_agrees", 0.577),
        ("json_ld_differs", -1.147), ("links_per_line", -0.006), ("many_dates", -0.045), ("meta_agrees", 0.021),
        ("meta_differs", 0.086), ("name_length", 0.504), ("near_heading", 1.687), ("none_differs", 0.044),
        ("of_subject", 0.481), ("on_article", 1.133), ("on_documentation", -0.812), ("on_forum", 1.768),
        ("on_listing", -1.902), ("on_other", -0.747), ("on_product", 0.545), ("on_recipe", 0.658),
        ("one_word", 0.239), ("other_values", -0.974), ("sells", 0.491), ("shown", -0.080), ("shown_often", -0.004),
        ("source_named", 0.617), ("three_agree", -0.763), ("two_agree", 0.578), ("typed_entity", -0.123),
        ("visible_agrees", 1.177), ("visible_differs", 0.161), ("words", -0.672),
    ]),
    ("date_published", -1.466, &[
        ("alone", 0.060), ("articles", 0.221), ("at_root", -1.296), ("attributes_agree", 0.292),
        ("attributes_differ", -0.012), ("cents", -0.475), ("chars", 0.129), ("from_address", 0.974),
        ("from_attributes", -0.373), ("from_json_ld", -0.281), ("from_meta", 0.050), ("from_state", -0.468),
        ("from_visible", 0.061), ("has_price", 0.972), ("headed", -0.005), ("json_ld_agrees", -0.998),
        ("json_ld_differs", -0.064), ("links_per_line", 0.710), ("many_dates", 0.325), ("meta_agrees", 1.121),
        ("meta_differs", 0.170), ("name_length", 0.339), ("none_differs", 0.370), ("of_subject", 0.506),
        ("on_article", 1.052), ("on_forum", 0.854), ("on_listing", -2.410), ("on_other", -0.053),
        ("on_product", 0.898), ("other_values", -0.635), ("sells", -0.068), ("source_named", -0.036),
        ("three_agree", 0.383), ("two_agree", 0.781), ("typed_entity", 0.677), ("visible_agrees", 1.050),
        ("visible_differs", -0.531), ("words", 0.514),
    ]),
    ("price", -2.727, &[
        ("articles", -0.195), ("attributes_agree", 0.305), ("cents", 0.376), ("chars", 0.344),
        ("from_json_ld", 0.132), ("from_visible", -0.195), ("has_rating", 0.726), ("json_ld_agrees", -0.145),
        ("links_per_line", 1.271), ("name_length", 0.376), ("near_heading", 1.632), ("none_differs", -0.726),
        ("on_listing", 0.926), ("on_product", -0.054), ("one_word", -0.377), ("other_values", 0.888),
        ("sells", 1.214), ("shown", -0.512), ("shown_often", 0.887), ("source_named", 0.814), ("two_agree", 0.151),
        ("typed_entity", -0.183), ("words", 0.152),
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
    ("rating", 2.164, &[
        ("alone", -0.225), ("articles", 0.691), ("cents", -0.575), ("chars", -0.240), ("from_json_ld", 0.223),
        ("from_visible", -0.225), ("has_price", -1.097), ("json_ld_agrees", 0.223), ("links_per_line", 0.573),
        ("name_length", -0.575), ("near_heading", -0.013), ("none_differs", 0.223), ("of_subject", 0.169),
        ("on_product", -0.359), ("on_recipe", 1.096), ("one_word", 0.574), ("sells", -0.190), ("shown", 0.125),
        ("shown_often", 0.138), ("source_named", -0.479), ("typed_entity", 0.223), ("words", -0.234),
    ]),
    ("page_type", 1.989, &[
        ("article", -1.181), ("article_authored", 0.699), ("article_dated", 0.283), ("article_linked", -0.128),
        ("article_long", -0.198), ("article_many", -0.210), ("article_sure", 0.540), ("at_root", 1.448),
        ("content_agrees", -1.613), ("content_differs", -0.846), ("dated", -0.188), ("declared", -0.464),
        ("declared_other", 0.404), ("depth", -0.307), ("documentation", -0.133), ("forum", 0.357),
        ("kind_probability", 3.252), ("listing", -0.424), ("listing_linked", -1.112), ("listing_long", -0.281),
        ("listing_many", 0.417), ("listing_sure", 0.997), ("other", -1.821), ("other_long", 0.545),
        ("other_sure", 0.403), ("priced", -1.563), ("product", 0.607), ("product_linked", 0.513),
        ("product_long", -0.878), ("product_sells", 2.527), ("product_sure", 0.175), ("typed_entity", 1.029),
        ("very_sure", 1.691),
    ]),
];
