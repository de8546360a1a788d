# -*- coding: utf-8 -*-
from html import escape as E
# ---------------------------------------------------------------- 04 books
B = [dict(zip("title author price was fmt date rating reviews stock".split(), r)) for r in [
 ("The Lock Keeper's Silence","Marian Thistlewood","8.99",None,"Paperback","2023-03-09","4.4",212,"In stock"),
 ("Nine Bells at Cawder","Rory Ballantyne","14.99","18.99","Hardback","2024-02-15","4.1",87,"In stock"),
 ("A Cold Place to Lie","Ingrid Halvorsen","9.99",None,"Paperback","2022-11-03","4.6",540,"Available to order"),
 ("Death on the Branch Line","P. J. Merriweather","7.49","9.99","Paperback","2021-06-24","3.9",158,"In stock"),
 ("The Cartographer's Alibi","Samira Nadeem","20.00",None,"Hardback","2026-05-21",None,None,"Pre-order"),
 ("What the Ferryman Saw","Rory Ballantyne","9.99",None,"Paperback","2023-08-17","4.3",301,"In stock"),
 ("Blackthorn Row","Dominic Ashe","16.99","22.00","Hardback","2025-01-30","3.7",64,"Available to order"),
 ("Last Orders at the Mitre","P. J. Merriweather","8.49",None,"Paperback","2022-05-12","4.0",193,"In stock"),
 ("The Salt Witness","Ingrid Halvorsen","18.99",None,"Hardback","2025-09-04","4.7",126,"In stock"),
 ("Three Lies Before Breakfast","Cleo Marchetti","6.99","8.99","Paperback","2020-10-01","3.5",415,"In stock"),
 ("An Inspector Abroad","Edmund Farrow","25.00",None,"Audio CD","2024-07-11","4.2",38,"Available to order"),
 ("The Girl in the Weir","Marian Thistlewood","18.99",None,"Hardback","2026-03-12",None,None,"Pre-order"),
 ("Murder, Lightly Salted","Cleo Marchetti","9.49","10.99","Paperback","2024-09-26","4.5",277,"In stock"),
 ("Low Winter Sun over Harrick","Dominic Ashe","9.99",None,"Paperback","2023-01-19","3.8",91,"Out of stock"),
 ("The Understudy Vanishes","Samira Nadeem","17.49","20.00","Hardback","2023-10-05","4.3",149,"In stock"),
 ("Bones of the Orchard","Tobias Grüner","10.99",None,"Paperback","2024-04-18","4.0",52,"Available to order"),
 ("A Quiet Word with the Hangman","Edmund Farrow","22.00",None,"Hardback","2026-04-02",None,None,"Pre-order"),
 ("The Seventh Parishioner","Hester Quaife","15.99",None,"Hardback","2024-11-07","4.8",203,"In stock"),
 ("Under Gallows Bridge","Hester Quaife","8.99",None,"Paperback","2026-02-05",None,None,"Pre-order"),
 ("Smoke on the Estuary","Tobias Grüner","5.99","9.99","Paperback","2019-04-25","3.6",334,"In stock"),
]]
MON="January February March April May June July August September October November December".split()
def b_date(b):
    y,m,d=b["date"].split("-"); return f"{int(d)} {MON[int(m)-1]} {y}"
def page04():
    o=[];w=o.append
    w('''<!DOCTYPE html>
<html lang="en-gb" class="no-js">
<head>
<meta charset="utf-8">
<title>Crime &amp; Mystery Fiction Books | Pennyfarthing Books</title>
<meta name="description" content="Browse crime and mystery novels at Pennyfarthing, the independent bookshop in Ludford. Free UK delivery over £25.">
<meta name="viewport" content="width=device-width">
<link rel="stylesheet" href="/skin/frontend/penny/css/styles.css">
</head>
<body id="category" class="category-crime">
<div class="delivery-strip">Free UK delivery on orders over £25</div>
<header id="header">
<a href="/" id="logo"><img src="/skin/frontend/penny/logo.svg" alt="Pennyfarthing Books"></a>
<form id="search_mini" action="/search"><input type="search" name="q" placeholder="Title, author or ISBN"><button type="submit">Go</button></form>
<ul id="quick-access"><li><a href="/account">My account</a></li><li><a href="/wishlist">Wish list</a></li><li><a href="/basket">Basket (0)</a></li></ul>
<ul id="nav"><li><a href="/fiction">Fiction</a></li><li class="active"><a href="/fiction/crime">Crime</a></li><li><a href="/history">History</a></li><li><a href="/children">Children's</a></li><li><a href="/gifts">Gifts</a></li><li><a href="/events">Events</a></li></ul>
</header>
<div id="main" class="col2-left-layout">
<div id="left">
<h4>Shop by</h4>
<dl class="narrow"><dt>Format</dt><dd><a href="?format=pb">Paperback</a></dd><dd><a href="?format=hb">Hardback</a></dd><dd><a href="?format=audio">Audio CD</a></dd>
<dt>Sub-genre</dt><dd><a href="/fiction/crime/cosy">Cosy crime</a></dd><dd><a href="/fiction/crime/nordic">Nordic noir</a></dd><dd><a href="/fiction/crime/historical">Historical</a></dd></dl>
</div>
<div id="content">
<h1>Crime &amp; Mystery Fiction</h1>
<p class="category-description">From village-green whodunnits to bleak northern noir: our booksellers' pick of the shelves.</p>
<div class="toolbar"><span class="amount">20 items</span> <label>Sort by <select><option>Bestselling</option><option>Price</option><option>Publication date</option></select></label></div>
<ol class="products-list">
''')
    for i,b in enumerate(B):
        isbn="97819131%05d"%(4071+i*619)
        slug="-".join("".join(c for c in b["title"].lower() if c.isalnum() or c==" ").split())
        w(f'''<li class="product" itemscope itemtype="https://schema.org/Product">
<a class="product-image" href="/book/{slug}/{isbn}"><img itemprop="image" src="/covers/{isbn}.jpg" width="120" alt=""></a>
<h2 class="product-name" itemprop="name"><a href="/book/{slug}/{isbn}">{E(b["title"],quote=False)}</a></h2>
<p class="product-author">by <a href="/author/{E(b["author"]).replace(" ","-").replace(".","").lower()}">{b["author"]}</a></p>
<p class="product-format"><span class="fmt">{b["fmt"]}</span> | Published <span class="pubdate">{b_date(b)}</span></p>
''')
        if b["rating"]:
            w(f'<p class="rating"><span class="rating-box" title="{b["rating"]} out of 5"><span style="width:{round(float(b["rating"])*20)}%"></span></span> <span class="rating-value">{b["rating"]}</span> <a href="/book/{slug}/{isbn}#reviews">({b["reviews"]} reviews)</a></p>\n')
        w('<div class="price-box" itemprop="offers" itemscope itemtype="https://schema.org/Offer"><meta itemprop="priceCurrency" content="GBP">')
        if b["was"]:
            w(f'<span class="old-price">Was <s>£{b["was"]}</s></span> <span class="special-price">Now <span itemprop="price" content="{b["price"]}">£{b["price"]}</span></span>')
        else:
            w(f'<span class="regular-price"><span itemprop="price" content="{b["price"]}">£{b["price"]}</span></span>')
        w('</div>\n')
        av={"In stock":"InStock","Available to order":"BackOrder","Pre-order":"PreOrder","Out of stock":"OutOfStock"}[b["stock"]]
        w(f'<p class="availability {av.lower()}">{b["stock"]}</p>\n')
        w({"In stock":'<button class="button btn-cart">Add to basket</button>',"Available to order":'<button class="button btn-cart">Add to basket</button>',
           "Pre-order":'<button class="button btn-cart">Reserve your copy</button>',"Out of stock":'<a class="link-notify" href="#">Email me when it is back</a>'}[b["stock"]])
        w('\n</li>\n')
    w('''</ol>
<div class="recently-viewed"><h3>Recently viewed</h3>
<ul class="mini-products">
<li><a href="/book/the-hedgerow-cookbook/9781913199012">The Hedgerow Cookbook</a> <span class="price">£9.50</span></li>
<li><a href="/book/a-short-history-of-canals/9781913198411">A Short History of Canals</a> <span class="price">£7.99</span></li>
<li><a href="/book/otter-and-the-moon/9781913197735">Otter and the Moon</a> <span class="price">£6.99</span></li>
</ul></div>
</div>
</div>
<footer id="footer"><ul><li><a href="/about">About the shop</a></li><li><a href="/delivery">Delivery &amp; returns</a></li><li><a href="/book-tokens">Book tokens</a></li><li><a href="/contact">Contact</a></li></ul>
<address>Pennyfarthing Books, 22 Corve Lane, Ludford. Open Monday to Saturday 9.30am to 5.30pm.</address></footer>
</body>
</html>
''')
    return "".join(o)

# ---------------------------------------------------------------- 05 events
V = [dict(zip("title date time cat place price status".split(), r)) for r in [
 ("Orkiestra Miejska: Wieczór walców","2026-03-01","18:00","Koncert","Filharmonia Nadrzeczna","od 60 zł",""),
 ("Spacer „Śladami dawnych browarów”","2026-03-03","11:00","Spacer","Rynek, pod fontanną","wstęp wolny",""),
 ("Kabaret Trzecia Zmiana – „Nadgodziny”","2026-03-05","19:00","Kabaret","Dom Kultury Zachęta","80 zł",""),
 ("Janka Wolna – trasa „Światła”","2026-03-06","20:00","Koncert","Klub Magazyn","","Wyprzedane"),
 ("Ostatni latarnik","2026-03-07","17:30","Kino","Kino Bajka","22 zł",""),
 ("Baśń o szklanej górze","2026-03-08","12:00","Spektakl","Teatr Mały","35 zł",""),
 ("Targ winyli i starych płyt","2026-03-08","10:00","Targi","Hala Tęcza","10 zł",""),
 ("Romeo i Julia","2026-03-11","19:00","Spektakl","Teatr Mały","od 70 zł",""),
 ("Kwartet smyczkowy Arpeggio","2026-03-13","19:00","Koncert","Filharmonia Nadrzeczna","45 zł",""),
 ("Noc krótkich filmów","2026-03-14","21:00","Kino","Kino Bajka","28 zł",""),
 ("Stand-up: Bartek Mroczek","2026-03-15","20:00","Stand-up","Klub Magazyn","95 zł",""),
 ("Wystawa: Miasto na pocztówkach","2026-03-17","16:00","Wystawa","Muzeum Miejskie","wstęp wolny",""),
 ("Żelazny Most + goście","2026-03-20","19:30","Koncert","Hala Tęcza","od 129 zł",""),
 ("Dom na wydmie – pokaz przedpremierowy","2026-03-21","18:15","Kino","Kino Bajka","25 zł",""),
 ("Pasja wg św. Mateusza","2026-03-28","17:00","Koncert","Filharmonia Nadrzeczna","","Wyprzedane"),
 ("Jazz w piwnicy: Trio Leśniewskiego","2026-04-02","20:30","Koncert","Klub Magazyn","50 zł",""),
 ("Kiermasz wielkanocny","2026-04-04","09:00","Targi","Rynek","wstęp wolny",""),
 ("Wesele w kuchni","2026-04-10","19:00","Spektakl","Teatr Mały","od 65 zł",""),
 ("Gala operetkowa","2026-04-12","18:00","Koncert","Hala Tęcza","od 149 zł",""),
 ("Wieczór poezji: Anna Zielonka","2026-04-16","18:30","Spotkanie","Biblioteka na Górce","wstęp wolny",""),
 ("Kino familijne: Borsuk i przyjaciele","2026-04-18","11:00","Kino","Kino Bajka","18 zł",""),
 ("Kobaltowa Noc – największe przeboje","2026-04-24","20:00","Koncert","Klub Magazyn","75 zł",""),
]]
PM="stycznia lutego marca kwietnia maja".split()
import datetime
PD=["pon.","wt.","śr.","czw.","pt.","sob.","niedz."]
def v_date(v):
    d=datetime.date.fromisoformat(v["date"]); return f"{PD[d.weekday()]}, {d.day} {PM[d.month-1]} {d.year}"
def page05():
    o=[];w=o.append
    w('''<!DOCTYPE html PUBLIC "-//W3C//DTD XHTML 1.0 Transitional//EN" "http://www.w3.org/TR/xhtml1/DTD/xhtml1-transitional.dtd">
<html xmlns="http://www.w3.org/1999/xhtml" xml:lang="pl" lang="pl">
<head>
<meta http-equiv="Content-Type" content="text/html; charset=utf-8" />
<title>Kalendarz wydarzeń - Nadbrzezie.info, portal miejski</title>
<link rel="stylesheet" type="text/css" href="/templates/portal/style.css" />
</head>
<body>
<div id="wrap">
<div id="top"><a href="/"><img src="/templates/portal/logo.png" alt="Nadbrzezie.info" border="0" /></a>
<div id="menu"><a href="/aktualnosci">Aktualności</a> | <a href="/kalendarz" class="akt">Kalendarz</a> | <a href="/ogloszenia">Ogłoszenia</a> | <a href="/katalog-firm">Katalog firm</a> | <a href="/pogoda">Pogoda</a></div></div>
<table id="uklad" width="100%" cellspacing="0"><tr><td id="tresc" valign="top">
<h1>Kalendarz wydarzeń: marzec i kwiecień</h1>
<p>Koncerty, kino, teatr i wystawy w Nadbrzeziu. Organizujesz wydarzenie? <a href="/kalendarz/dodaj">Dodaj je do kalendarza</a>.</p>
<table class="kalendarz" cellpadding="4" cellspacing="0" width="100%">
<thead><tr><th>Data</th><th>Godz.</th><th>Wydarzenie</th><th>Rodzaj</th><th>Miejsce</th><th>Bilety</th></tr></thead>
<tbody>
''')
    for i,v in enumerate(V):
        cls="par" if i%2 else "niep"
        if v["status"]: bil='<span class="etykieta czerw">Wyprzedane</span>'
        elif v["price"]=="wstęp wolny": bil='<span class="etykieta ziel">wstęp wolny</span>'
        else: bil=f'<b>{v["price"]}</b><br /><a class="kup" href="/bilety/{900+i}">Kup bilet</a>'
        w(f'''<tr class="{cls}"><td nowrap="nowrap">{v_date(v)}</td><td>{v["time"]}</td><td><a href="/kalendarz/{900+i}">{v["title"]}</a></td><td>{v["cat"]}</td><td>{v["place"]}</td><td>{bil}</td></tr>
''')
    w('''</tbody>
</table>
</td><td id="prawa" width="180" valign="top">
<div class="ramka"><h4>Najczęściej czytane</h4><ul><li><a href="/aktualnosci/4411">Objazd na ulicy Portowej</a></li><li><a href="/aktualnosci/4398">Basen miejski znów otwarty</a></li><li><a href="/aktualnosci/4390">Nabór do żłobków</a></li></ul></div>
<div class="ramka"><h4>Sonda</h4><p>Czy chodzisz do kina?</p><p><a href="/sonda/17">Głosuj</a></p></div>
</td></tr></table>
<div id="stopka">&copy; Nadbrzezie.info | <a href="/redakcja">Redakcja</a> | <a href="/reklama">Reklama</a> | <a href="/regulamin">Regulamin</a></div>
</div>
</body>
</html>
''')
    return "".join(o)

# ---------------------------------------------------------------- 06 recipes
R = [dict(zip("title min diff stars n kcal diet cat".split(), r)) for r in [
 ("Linsen-Bolognese mit Vollkornspaghetti",35,"einfach","4,7",342,520,"vegan","Hauptgericht"),
 ("Omas Kartoffelsuppe mit Würstchen",50,"einfach","4,6",518,430,"","Suppe"),
 ("Zucchinipuffer mit Kräuterquark",25,"einfach","4,3",127,310,"vegetarisch","Hauptgericht"),
 ("Rinderrouladen nach Großmutters Art",150,"anspruchsvoll","4,8",264,690,"","Hauptgericht"),
 ("Bunter Couscous-Salat",20,"einfach","4,4",96,340,"vegan","Salat"),
 ("Käsespätzle mit Röstzwiebeln",55,"mittel","4,9",411,720,"vegetarisch","Hauptgericht"),
 ("Lachs aus dem Ofen mit Zitronenkruste",40,"mittel","4,5",203,480,"","Hauptgericht"),
 ("Kürbis-Kokos-Suppe",45,"einfach","4,8",655,290,"vegan","Suppe"),
 ("Schnelle Thunfisch-Wraps",15,"einfach","3,9",58,390,"","Snack"),
 ("Schwarzwälder Kirschtorte",130,"anspruchsvoll","4,6",389,None,"vegetarisch","Kuchen & Gebäck"),
 ("Caprese mit Pfirsich",10,"einfach","4,1",44,260,"vegetarisch","Salat"),
 ("Hähnchen-Curry mit Basmatireis",38,"mittel","4,4",296,560,"","Hauptgericht"),
 ("Cremiges Pilzrisotto",48,"mittel","4,2",175,510,"vegetarisch","Hauptgericht"),
 ("Gefüllte Paprika mit Hackfleisch",70,"mittel","4,5",231,460,"","Hauptgericht"),
 ("Kichererbsen-Burger",28,"mittel","4,0",83,450,"vegan","Hauptgericht"),
 ("Apfelstrudel mit Vanillesoße",95,"anspruchsvoll","4,7",147,410,"vegetarisch","Kuchen & Gebäck"),
 ("Overnight Oats mit Beeren",12,"einfach","4,5",72,320,"vegan","Frühstück"),
 ("Zwiebelkuchen vom Blech mit Speck",85,"mittel","4,3",110,530,"","Kuchen & Gebäck"),
 ("Saftige Zimtschnecken",105,"mittel",None,None,None,"vegan","Kuchen & Gebäck"),
 ("Rührei mit Schnittlauch",8,"einfach","3,8",39,280,"vegetarisch","Frühstück"),
]]
def r_time(r):
    h,m=divmod(r["min"],60)
    return f"{m} Min." if not h else (f"{h} Std. {m} Min." if m else f"{h} Std.")
def page06():
    o=[];w=o.append
    w('''<!DOCTYPE html>
<html lang="de-DE">
<head>
<meta charset="UTF-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Alle Rezepte &#8211; Küchenfunk</title>
<link rel="stylesheet" id="kf-style-css" href="https://www.kuechenfunk.example/wp-content/themes/kuechenfunk/style.css?ver=6.4" media="all">
<meta name="generator" content="WordPress 6.4.3">
</head>
<body class="archive post-type-archive post-type-archive-rezept wp-embed-responsive">
<a class="skip-link screen-reader-text" href="#primary">Zum Inhalt springen</a>
<header id="masthead" class="site-header">
  <div class="site-branding"><p class="site-title"><a href="/" rel="home">Küchenfunk</a></p><p class="site-description">Einfach gut kochen</p></div>
  <nav id="site-navigation" class="main-navigation"><ul id="primary-menu" class="menu">
    <li class="menu-item"><a href="/rezepte/">Rezepte</a></li><li class="menu-item"><a href="/saison/">Saisonkalender</a></li><li class="menu-item"><a href="/kuechenwissen/">Küchenwissen</a></li><li class="menu-item"><a href="/ueber-uns/">Über uns</a></li>
  </ul></nav>
</header>
<main id="primary" class="site-main">
  <header class="page-header"><h1 class="page-title">Alle Rezepte</h1><div class="archive-description"><p>Von der schnellen Feierabendküche bis zum Sonntagsbraten.</p></div></header>
  <div class="recipe-grid columns-4">
''')
    for i,r in enumerate(R):
        slug="".join({"ä":"ae","ö":"oe","ü":"ue","ß":"ss"}.get(c,c) for c in r["title"].lower()).replace(" ","-")
        badge=f'<span class="recipe-badge recipe-badge--{r["diet"]}">{r["diet"]}</span>' if r["diet"] else ""
        w(f'''    <article id="post-{2210+i*17}" class="post-{2210+i*17} rezept type-rezept status-publish has-post-thumbnail hentry">
      <a class="post-thumbnail" href="/rezept/{slug}/" aria-hidden="true" tabindex="-1"><img src="/wp-content/uploads/{slug}-400x300.jpg" alt="" width="400" height="300">{badge}</a>
      <div class="entry-wrap">
        <span class="cat-links"><a href="/kategorie/{r["cat"].split()[0].lower().replace("ü","ue")}/" rel="category tag">{E(r["cat"])}</a></span>
        <h2 class="entry-title"><a href="/rezept/{slug}/" rel="bookmark">{r["title"]}</a></h2>
''')
        if r["stars"]:
            w(f'        <div class="kf-rating" aria-label="Bewertung: {r["stars"]} von 5 Sternen"><span class="kf-stars">★</span> {r["stars"]} <span class="kf-count">({r["n"]} Bewertungen)</span></div>\n')
        else:
            w('        <div class="kf-rating kf-rating--leer">Noch keine Bewertungen</div>\n')
        kc=f'<span class="kf-kcal"><i class="kf-icon-flame" aria-label="Kalorien pro Portion"></i> {r["kcal"]} kcal</span>' if r["kcal"] else ""
        w(f'''        <div class="entry-meta"><span class="kf-time"><i class="kf-icon-clock" aria-label="Zubereitungszeit"></i> {r_time(r)}</span> <span class="kf-level"><i class="kf-icon-hat" aria-label="Schwierigkeit"></i> {r["diff"]}</span> {kc}</div>
      </div>
    </article>
''')
    w('''  </div>
  <nav class="navigation pagination" aria-label="Beiträge"><div class="nav-links"><span aria-current="page" class="page-numbers current">1</span> <a class="page-numbers" href="/rezepte/page/2/">2</a> <a class="page-numbers" href="/rezepte/page/3/">3</a> <a class="next page-numbers" href="/rezepte/page/2/">Weiter</a></div></nav>
</main>
<aside id="secondary" class="widget-area">
  <section class="widget widget_newsletter"><h2 class="widget-title">Newsletter</h2><p>Jeden Freitag neue Ideen in Ihr Postfach.</p><input type="email" placeholder="E-Mail-Adresse"><button>Anmelden</button></section>
  <section class="widget widget_categories"><h2 class="widget-title">Kategorien</h2><ul><li class="cat-item"><a href="/kategorie/hauptgericht/">Hauptgericht</a></li><li class="cat-item"><a href="/kategorie/suppe/">Suppe</a></li><li class="cat-item"><a href="/kategorie/salat/">Salat</a></li><li class="cat-item"><a href="/kategorie/kuchen/">Kuchen &amp; Gebäck</a></li></ul></section>
</aside>
<footer id="colophon" class="site-footer"><div class="site-info"><a href="/impressum/">Impressum</a> <span class="sep">|</span> <a href="/datenschutz/">Datenschutzerklärung</a> <span class="sep">|</span> Küchenfunk, Kochblog aus Kassel</div></footer>
</body>
</html>
''')
    return "".join(o)
