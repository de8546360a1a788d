//! Weights of the models of confidence: logistic regressions with a ridge penalty, one for each field.
//!
//! Written by `tools/train/confidence.py`, which learns them from labelled pages with folds by host and says how
//! well they are calibrated on hosts left out. A changed feature asks for new weights.

/// A field, its bias, and the weight of each measure.
type Model = (&'static str, f32, &'static [(&'static str, f32)]);

/// The models by field.
#[rustfmt::skip]
pub(super) const MODELS: &[Model] = &[
    ("title", -3.507, &[
        ("articles", -0.085), ("at_root", 0.588), ("attributes_agree", 0.031), ("attributes_differ", 0.583),
        ("capitals", 0.263), ("cents", -0.479), ("chars", 0.309), ("digits", -0.324), ("from_attributes", -0.853),
        ("from_json_ld", 0.354), ("from_meta", -0.218), ("from_visible", 0.642), ("has_price", 0.842),
        ("has_rating", -0.187), ("headed", -0.743), ("in_title_tag", 0.847), ("json_ld_agrees", 0.181),
        ("json_ld_differs", 0.614), ("links_per_line", 0.369), ("long", 0.176), ("meta_agrees", 0.344),
        ("meta_differs", -0.417), ("name_length", 0.340), ("near_heading", 1.099), ("none_differs", 0.572),
        ("of_subject", -0.856), ("on_article", 0.235), ("on_documentation", 0.220), ("on_forum", 0.652),
        ("on_listing", -0.963), ("on_other", -0.675), ("on_product", -0.194), ("on_recipe", -0.626),
        ("one_word", -0.609), ("other_values", -0.490), ("sells", -0.676), ("shown", 0.181), ("shown_often", 0.629),
        ("source_named", -0.004), ("three_agree", 0.129), ("two_agree", -0.437), ("typed_entity", -0.007),
        ("visible_agrees", -0.407), ("visible_differs", -0.258), ("words", 0.983), ("zero", -0.033),
    ]),
    ("author", 0.012, &[
        ("alone", 0.079), ("articles", -0.119), ("at_root", -0.954), ("attributes_agree", 0.234), ("capitals", 0.145),
        ("cents", 0.047), ("chars", 0.129), ("digits", 0.052), ("from_attributes", -0.662), ("from_json_ld", 0.072),
        ("from_meta", 0.589), ("from_visible", -0.049), ("has_price", 0.562), ("has_rating", 0.652),
        ("headed", 0.173), ("in_title_tag", -0.758), ("json_ld_agrees", 0.577), ("json_ld_differs", -1.183),
        ("links_per_line", 0.056), ("many_dates", -0.004), ("meta_agrees", 0.110), ("meta_differs", 0.088),
        ("name_length", 0.475), ("near_heading", 1.795), ("none_differs", -0.001), ("of_subject", 0.482),
        ("on_article", 1.165), ("on_documentation", -0.844), ("on_forum", 1.814), ("on_listing", -2.041),
        ("on_other", -0.608), ("on_product", 0.520), ("on_recipe", 0.674), ("one_word", 0.209),
        ("other_values", -0.993), ("sells", 0.502), ("shown", -0.099), ("shown_often", -0.008),
        ("source_named", 0.515), ("three_agree", -0.715), ("two_agree", 0.464), ("typed_entity", -0.037),
        ("visible_agrees", 1.178), ("visible_differs", 0.166), ("words", -0.712),
    ]),
    ("date_published", -0.036, &[
        ("alone", 0.029), ("articles", 0.201), ("at_root", -1.325), ("attributes_agree", 0.286),
        ("attributes_differ", -0.128), ("cents", -0.223), ("chars", -0.031), ("from_address", 0.869),
        ("from_attributes", -0.379), ("from_json_ld", -0.267), ("from_meta", 0.120), ("from_state", -0.561),
        ("from_visible", 0.162), ("has_price", 1.230), ("headed", 0.034), ("json_ld_agrees", -0.855),
        ("json_ld_differs", -0.507), ("links_per_line", 0.689), ("many_dates", 0.436), ("meta_agrees", 1.026),
        ("meta_differs", 0.259), ("name_length", 0.235), ("none_differs", 0.176), ("of_subject", 0.568),
        ("on_article", 0.845), ("on_forum", 0.568), ("on_listing", -2.244), ("on_other", 0.016),
        ("other_values", -0.597), ("sells", 0.035), ("source_named", -0.005), ("three_agree", 0.370),
        ("two_agree", 0.647), ("typed_entity", 0.652), ("visible_agrees", 1.197), ("visible_differs", -0.811),
        ("words", 0.174),
    ]),
    ("price", -2.692, &[
        ("articles", -0.244), ("attributes_agree", 0.319), ("cents", 0.336), ("chars", 0.280),
        ("from_json_ld", 0.108), ("from_visible", -0.162), ("has_rating", 1.022), ("json_ld_agrees", -0.192),
        ("links_per_line", 1.411), ("name_length", 0.336), ("near_heading", 1.551), ("none_differs", -0.708),
        ("on_listing", 0.920), ("on_product", 0.160), ("one_word", -0.337), ("other_values", 0.894), ("sells", 1.045),
        ("shown", -0.420), ("shown_often", 0.618), ("source_named", 0.993), ("two_agree", 0.150),
        ("typed_entity", -0.286), ("words", 0.135),
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
    ("rating", 2.335, &[
        ("alone", -0.184), ("articles", 0.554), ("cents", -0.503), ("chars", -0.208), ("from_json_ld", 0.183),
        ("from_visible", -0.184), ("has_price", -1.078), ("json_ld_agrees", 0.183), ("links_per_line", 0.585),
        ("name_length", -0.503), ("near_heading", -0.041), ("none_differs", 0.183), ("of_subject", 0.183),
        ("on_product", -0.096), ("on_recipe", 1.077), ("one_word", 0.503), ("sells", -0.142), ("shown", -0.037),
        ("shown_often", 0.017), ("source_named", -0.366), ("typed_entity", 0.183), ("words", -0.205),
    ]),
    ("page_type", 2.536, &[
        ("article", -2.003), ("article_authored", 0.665), ("article_dated", 0.379), ("article_linked", -0.118),
        ("article_long", 0.155), ("article_many", 0.035), ("article_sure", 0.325), ("at_root", 1.291),
        ("content_agrees", -2.505), ("content_differs", -1.269), ("dated", -0.334), ("declared", 0.120),
        ("declared_other", 0.063), ("depth", 0.159), ("documentation", -0.300), ("forum", -0.261),
        ("kind_probability", 4.123), ("listing", 0.715), ("listing_linked", -0.715), ("listing_long", -0.591),
        ("listing_many", 0.087), ("listing_sure", 1.094), ("other", -2.284), ("other_long", 0.820),
        ("other_sure", 1.728), ("priced", -1.130), ("product", 0.082), ("product_linked", 0.084),
        ("product_long", -1.355), ("product_sells", 2.895), ("product_sure", 0.289), ("typed_entity", 0.903),
        ("very_sure", 1.440), ("without_address", -0.038), ("without_address_sure", 0.255),
    ]),
    ("items", -7.638, &[
        ("article", -0.325), ("authored_rows", -0.004), ("collection", -0.073), ("dated", -0.150),
        ("dated_rows", 0.083), ("described", 0.120), ("described_rows", 0.264), ("differing_titles", 0.191),
        ("documentation", -0.166), ("entries", -0.111), ("few_entries", -0.372), ("foreign", 0.383),
        ("forum", -0.256), ("has_author", 0.114), ("has_date", 0.128), ("has_description", 0.153),
        ("has_facts", -0.023), ("has_image", -0.109), ("has_price", -0.107), ("has_rating", 0.184),
        ("has_title", 0.013), ("has_unusual", -0.213), ("has_url", 0.035), ("in_content", 1.111),
        ("labelled_rows", -0.122), ("lacks_usual", -0.423), ("length", -0.136), ("linked", 0.540),
        ("linked_rows", 0.572), ("listing", 0.167), ("longer", -0.442), ("of_content", 0.776), ("of_page", -0.071),
        ("one_folder", -0.044), ("one_host", -0.135), ("one_word", -0.548), ("pictured", -0.115),
        ("pictured_rows", -0.127), ("priced", -0.187), ("priced_rows", -0.161), ("product", -0.440),
        ("rated_rows", -0.366), ("records", -0.077), ("score", 0.147), ("service", -0.005), ("shorter", -0.000),
        ("title_alone", -0.792), ("title_length", 0.138), ("title_repeated", 0.072), ("title_words", 0.200),
        ("titled", 0.401), ("titled_rows", 1.849), ("usual_folder", 0.066), ("usual_host", 0.021),
        ("usual_length", -0.127), ("within_content", 0.792),
    ]),
];
