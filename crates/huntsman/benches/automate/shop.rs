//! A made-up shop for outdoor gear: a search, articles with choices, a list of 5,000 elements, a till with a frame and a
//! shadow root. The basket is kept by the browser, the order is sent to `/order`.

use serde_json::{Value, json};
use testkit::SiteReply;

/// Whether a request is the order that a run was asked for.
pub(crate) fn is_order(run: usize, path: &str, body: &[u8]) -> bool {
    let Ok(order) = serde_json::from_slice::<Value>(body) else {
        return false;
    };
    let expect = json!({
        "run": run.to_string(), "name": "Nora Sample", "street": "7 Mill Lane", "country": "Norway", "by": "courier",
        "card": "4000 1234", "agreed": true,
        "basket": [{"article": 17, "size": "Large", "count": 2, "present": true}, {"part": 612}],
    });
    path == "/order" && order == expect
}

/// The shop's answer.
pub(crate) fn answer(path: &str) -> SiteReply {
    let (path, query) = path.split_once('?').unwrap_or((path, ""));
    let asked = |name: &str| {
        let found = query
            .split('&')
            .find_map(|it| it.strip_prefix(name)?.strip_prefix('='));
        found.unwrap_or_default().to_lowercase()
    };
    match path {
        "/" => SiteReply::html(frame(
            "Fell & Ford",
            &format!(
                "<p>Gear for bad weather.</p><script>localStorage.setItem('run', '{}'); localStorage.removeItem('basket')</script>",
                asked("run")
                    .chars()
                    .filter(char::is_ascii_digit)
                    .collect::<String>()
            ),
        )),
        "/goods" => SiteReply::html(frame("All goods", &goods(&asked("q")))),
        "/goods/article" => match asked("nr").parse::<usize>() {
            Ok(number) => SiteReply::html(frame("Article", &article(number))),
            Err(_) => SiteReply::html(frame("Not found", "")).status(404),
        },
        "/parts" => SiteReply::html(frame("Spare parts", &parts())),
        "/basket" => SiteReply::html(frame("Basket", BASKET)),
        "/till" => SiteReply::html(frame("Till", TILL)),
        "/till/card" => SiteReply::html(
            "<!doctype html><title>Card</title><label>Number of the card <input id=card></label>",
        ),
        "/order" => SiteReply::bytes("application/json", "{\"number\": \"N-4711\"}"),
        _ => SiteReply::html(frame("Not found", "")).status(404),
    }
}

fn frame(title: &str, content: &str) -> String {
    format!(
        "<!doctype html><html lang=en><title>{title}</title><style>nav a {{ margin: 0 1em }} .part {{ display: flex; gap: 1em }}</style>\
         <header><nav aria-label=Shop><a href=/>Start</a><a href=/goods>All goods</a><a href=/parts>Spare parts</a>\
         <a href=/basket>Basket</a><a href=/service>Service</a></nav></header>\
         <script>const put = (it) => localStorage.setItem('basket', JSON.stringify([...basket(), it]));\
         const basket = () => JSON.parse(localStorage.getItem('basket') || '[]'); const $ = (id) => document.getElementById(id);</script>\
         <main><h1>{title}</h1>{content}</main><footer><p>Fell &amp; Ford, a shop that does not exist.</p></footer></html>"
    )
}

fn name(number: usize) -> String {
    let make = ["Rain", "Down", "Summit", "Trail"][number % 4];
    let kind = ["tent", "jacket", "boots", "stove", "rope", "lamp"][number % 6];
    // Whatever the pattern gives, the seventeenth is what everybody wants.
    if number == 17 {
        "Rain jacket 17".to_owned()
    } else {
        format!("{make} {kind} {number}")
    }
}

fn goods(wanted: &str) -> String {
    let cards = (1..=72).filter(|it| name(*it).to_lowercase().contains(wanted));
    let cards: String = cards
        .map(|it| {
            format!(
                "<section><h3><a href='/goods/article?nr={it}'>{}</a></h3><p>{}.90 €</p><button>Remember {it}</button></section>",
                name(it),
                19 + it * 7 % 180
            )
        })
        .collect();
    format!(
        "<form role=search action=/goods><input type=search name=q aria-label='What are you looking for'><button>Find</button></form>{cards}"
    )
}

fn article(number: usize) -> String {
    let opinions: String = (1..=20)
        .map(|it| format!("<li><b>Walker {it}</b><p>Kept me dry on {it} of {it} days.</p><button>Useful {it}</button></li>"))
        .collect();
    format!(
        "<h2>{}</h2><p>{}.90 €</p><label>Size <select id=size><option>Small<option>Medium<option>Large</select></label>\
         <label>How many <input id=count type=number value=1></label><label><input id=present type=checkbox> Wrap as a present</label>\
         <button id=put>Put in basket</button><p id=said role=status></p><h2>Opinions</h2><ul>{opinions}</ul>\
         <script>$('put').onclick = () => {{ put({{article: {number}, size: $('size').value, count: +$('count').value, \
         present: $('present').checked}}); $('said').textContent = 'It is in your basket.' }}</script>",
        name(number),
        19 + number * 7 % 180
    )
}

fn parts() -> String {
    let rows: String = (1..=1000)
        .map(|it| {
            format!(
                "<div class=part><span>Part {it}</span><a href='/goods/article?nr={}'>Fits article {}</a><em>in stock</em>\
                 <button>Take part {it}</button></div>",
                it % 72 + 1,
                it % 72 + 1
            )
        })
        .collect();
    format!(
        "<p id=said role=status></p><div id=parts>{rows}</div><script>$('parts').onclick = (e) => {{ if (e.target.localName === 'button') {{ \
         put({{part: +e.target.textContent.slice(10)}}); $('said').textContent = 'Taken: ' + e.target.textContent.slice(5) }} }}</script>"
    )
}

const BASKET: &str = "<ul id=list></ul><button id=till>To the till</button><script>for (const it of basket()) { \
    $('list').append(Object.assign(document.createElement('li'), {textContent: it.article ? `Article ${it.article}, ${it.count} times` : \
    `Part ${it.part}`})) } $('till').onclick = () => { location.href = '/till' }</script>";

const TILL: &str = "<label>Name <input id=name></label><label>Street <input id=street></label><label>Country <select id=country>\
    <option>Iceland<option>Norway<option>Scotland<option>Sweden</select></label><fieldset><legend>How it comes</legend>\
    <label><input type=radio name=by value=post checked> Post</label><label><input type=radio name=by value=courier> Courier</label>\
    </fieldset><iframe id=pay title=Payment src=/till/card></iframe><our-terms id=terms></our-terms><button id=order>Order now</button>\
    <p id=said role=status></p><script>customElements.define('our-terms', class extends HTMLElement { connectedCallback() { \
    this.attachShadow({mode: 'open'}).innerHTML = '<label><input type=checkbox> I agree to the terms</label>' } });\
    $('order').onclick = async () => { const order = {run: localStorage.getItem('run'), name: $('name').value, street: $('street').value, \
    country: $('country').value, by: document.querySelector('[name=by]:checked').value, \
    card: $('pay').contentDocument.getElementById('card').value, agreed: $('terms').shadowRoot.querySelector('input').checked, \
    basket: basket()}; const answer = await fetch('/order', {method: 'POST', body: JSON.stringify(order)}); \
    $('said').textContent = `Thank you. Your order is ${(await answer.json()).number}.` }</script>";
