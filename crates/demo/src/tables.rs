//! Tables that are hard to read: spans, two rows of headings, no headings, nested tables.

use crate::ask::DemoResponse;

/// `/tables`.
pub(crate) fn page() -> DemoResponse {
    DemoResponse::page(
        "Tables",
        "<h1>Tables</h1>\
<table id=\"plain\"><caption>Rivers</caption><thead><tr><th>Name</th><th>Length (km)</th><th>Mouth</th></tr></thead><tbody>\
<tr><td>Brenna</td><td>212</td><td>North lake</td></tr><tr><td>Sula</td><td>1,047</td><td>Sea</td></tr><tr><td>Mirna</td><td>98</td><td>Sula</td></tr></tbody></table>\
<table id=\"spans\"><caption>Sales</caption><tr><th>Region</th><th>Town</th><th>2024</th><th>2025</th></tr>\
<tr><td rowspan=\"2\">North</td><td>Alda</td><td>10</td><td>12</td></tr><tr><td>Brod</td><td colspan=\"2\">closed</td></tr>\
<tr><td>South</td><td>Cera</td><td>7</td><td>9</td></tr></table>\
<table id=\"bare\"><tr><td>1</td><td>one</td></tr><tr><td>2</td><td>two</td></tr></table>\
<table id=\"twice\"><tr><th>Size</th><th>Price</th><th>Price</th></tr><tr><td>S</td><td>5 €</td><td>6 €</td></tr></table>",
    )
}
