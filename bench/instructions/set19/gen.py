# data + page generator + instructions for set19
import datetime as D, html, json, os
O='/tmp/w/set19'
E=html.escape
def rec(keys, rows):
    out=[]
    for r in rows:
        assert len(r)==len(keys),(r,len(r),len(keys))
        out.append(dict(zip(keys,r)))
    return out
N=None
def en_num(n): return f'{n:,}'
def de_eur(n): 
    s=f'{n:,.2f}'; return s.replace(',','_').replace('.',',').replace('_','.')+' €'
def pl_num(n): return f'{n:,}'.replace(',',' ')
ENM='January February March April May June July August September October November December'.split()
PLM='stycznia lutego marca kwietnia maja czerwca lipca sierpnia września października listopada grudnia'.split()
DEW='Mo Di Mi Do Fr Sa So'.split()
def en_date(d): return f'{d.day} {ENM[d.month-1]} {d.year}'
def d(y,m,dd): return D.date(y,m,dd)

# ------------------------------------------------------------------ 01
P1=rec('title area pc price old beds size furn avail pets let'.split(),[
["Two-bed harbourside apartment with balcony","Harbourside","BS1",1750,N,2,742,"Furnished",d(2026,6,1),1,0],
["Bright studio near Stokes Croft","St Pauls","BS2",925,N,0,291,"Furnished","now",0,0],
["Victorian garden flat on Cotham Brow","Cotham","BS6",1495,1575,2,688,"Unfurnished",d(2026,5,15),1,0],
["One-bed flat above the old bakery","Bedminster","BS3",1095,N,1,436,"Part furnished","now",0,0],
["Penthouse at Finzels Reach","Redcliffe","BS1",2950,N,3,1318,"Furnished",d(2026,6,20),0,0],
["Spacious maisonette on Gloucester Road","Bishopston","BS7",1850,N,3,965,"Unfurnished",d(2026,7,1),1,0],
["Basement studio in the Village","Clifton","BS8",850,895,0,258,"Furnished","now",0,0],
["Top-floor flat with Suspension Bridge view","Clifton","BS8",1650,N,2,N,"Part furnished",d(2026,6,10),0,1],
["Modern one-bed at Wapping Wharf","Harbourside","BS1",1395,N,1,512,"Unfurnished",d(2026,6,1),1,0],
["Converted chapel apartment","Montpelier","BS6",1575,N,2,801,"Unfurnished","now",1,0],
["Compact one-bed by Victoria Park","Windmill Hill","BS3",1050,1125,1,402,"Furnished",d(2026,5,25),0,0],
["Four-bed student flat on Whiteladies Road","Clifton","BS8",3200,N,4,1240,"Furnished",d(2026,9,1),0,0],
["Garden-level flat on Raleigh Road","Southville","BS3",1325,N,2,610,"Unfurnished",d(2026,7,6),1,1],
["Loft apartment in the Tobacco Factory quarter","Southville","BS3",1550,N,2,774,"Part furnished","now",0,0],
["New-build flat at Temple Quay","Temple Quay","BS1",N,N,2,795,"Furnished",d(2026,7,15),1,0],
["Quiet two-bed off Fishponds Road","Fishponds","BS16",1250,N,2,N,"Unfurnished",d(2026,5,18),1,0],
])
for r in P1:
    r['t_price']=f"£{en_num(r['price'])} pcm" if r['price'] else 'Price on application'
    r['t_old']=f"£{en_num(r['old'])} pcm" if r['old'] else ''
    r['t_area']=f"{r['area']}, {r['pc']}"
    r['t_avail']='Available now' if r['avail']=='now' else en_date(r['avail'])
def page1():
    cards=''
    for i,r in enumerate(P1):
        badge='<span class="badge badge--let">Let agreed</span>' if r['let'] else ('<span class="badge badge--reduced">Reduced</span>' if r['old'] else '')
        old=f'<span class="property-card__was">was <s>{r["t_old"]}</s></span>' if r['old'] else ''
        bed='Studio' if r['beds']==0 else f"{r['beds']} bedroom"+('s' if r['beds']>1 else '')
        size=f'<span class="spec spec--size">{en_num(r["size"])} sq ft</span>' if r['size'] else ''
        av='<span class="property-card__avail">Available now</span>' if r['avail']=='now' else f'<span class="property-card__avail">Available from <time datetime="{r["avail"].isoformat()}">{r["t_avail"]}</time></span>'
        cards+=f'''
      <div class="property-card" data-id="hv-{20417+i*13}">
        <a class="property-card__media" href="/rent/hv-{20417+i*13}"><img src="/img/{20417+i*13}-600.webp" alt="" loading="lazy" width="300" height="200"></a>
        <div class="property-card__body">
          {badge}
          <h3 class="property-card__title"><a href="/rent/hv-{20417+i*13}">{E(r["title"])}</a></h3>
          <p class="property-card__address">{r["t_area"]}</p>
          <div class="property-card__price"><strong>{r["t_price"]}</strong> {old}</div>
          <div class="property-card__specs"><span class="spec spec--bed">{bed}</span>{size}<span class="spec spec--furn">{r["furn"]}</span><span class="spec spec--pets">{"Pets considered" if r["pets"] else "No pets"}</span></div>
          {av}
          <button type="button" class="btn btn--ghost" aria-label="Save">&#9825; Save</button>
        </div>
      </div>'''
    return f'''<!DOCTYPE html>
<html lang="en-GB">
<head>
<meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<title>Flats to rent in Bristol | Harbour &amp; Vale Lettings</title>
<meta name="description" content="Browse flats, studios and maisonettes to rent across Bristol.">
<link rel="stylesheet" href="/assets/main.3f9a1c.css">
<script type="application/ld+json">{{"@context":"https://schema.org","@type":"RealEstateAgent","name":"Harbour & Vale Lettings","telephone":"+44 117 496 0123"}}</script>
</head>
<body class="template-search">
<header class="site-header">
  <a class="logo" href="/">Harbour &amp; Vale</a>
  <nav class="site-nav" aria-label="Main"><ul><li><a href="/buy">Buy</a></li><li><a href="/rent" aria-current="page">Rent</a></li><li><a href="/landlords">Landlords</a></li><li><a href="/about">About us</a></li><li><a href="/contact">Contact</a></li></ul></nav>
  <a class="btn" href="/account">Sign in</a>
</header>
<div class="breadcrumb"><a href="/">Home</a> &rsaquo; <a href="/rent">Rent</a> &rsaquo; <span>Bristol</span></div>
<main>
  <h1>Flats to rent in Bristol</h1>
  <p class="results-count">{len(P1)} properties</p>
  <div class="layout">
  <aside class="filters"><form action="/rent">
    <h2>Refine your search</h2>
    <label>Min price <select name="min"><option>No min</option><option>£800 pcm</option><option>£1,000 pcm</option></select></label>
    <label>Max price <select name="max"><option>No max</option><option>£1,500 pcm</option><option>£2,000 pcm</option></select></label>
    <label>Bedrooms <select name="beds"><option>Any</option><option>Studio</option><option>1+</option><option>2+</option><option>3+</option></select></label>
    <label><input type="checkbox" name="let"> Include let agreed</label>
    <button>Update results</button></form>
  </aside>
  <div class="results">
    <div class="results__sort">Sort by <select><option>Recommended</option><option>Lowest price</option><option>Newest</option></select></div>
    <div class="property-list">{cards}
    </div>
    <nav class="pagination" aria-label="Pages"><span>1</span></nav>
  </div>
  </div>
  <section class="teaser teaser--landlord"><h2>Thinking of letting your flat?</h2><p>Book a free rental valuation with our local team.</p><a class="btn" href="/valuation">Book a valuation</a></section>
  <section class="area-guides"><h2>Area guides</h2><div class="guide"><a href="/areas/bedminster">Living in Bedminster</a><p>Markets, murals and the best coffee in town.</p></div><div class="guide"><a href="/areas/clifton">Living in Clifton</a><p>Georgian terraces and green downs.</p></div></section>
</main>
<section class="newsletter"><h2>New homes by email</h2><form><input type="email" placeholder="Your email"><button>Sign up</button></form></section>
<footer class="site-footer"><p>Harbour &amp; Vale Lettings Ltd, 14 Narrow Quay, Bristol. Member of a client money protection scheme.</p><ul><li><a href="/fees">Tenant fees</a></li><li><a href="/privacy">Privacy</a></li><li><a href="/cookies">Cookies</a></li></ul><p>&copy; 2026</p></footer>
</body></html>
'''

# ------------------------------------------------------------------ 02
P2=rec('title author date section mins com free sub'.split(),[
["Council votes to pedestrianise the high street","Priya Nair",d(2026,5,14),"Politics",5,87,1,"A narrow majority backs the plan after a six-hour debate."],
["Inside the lab growing bricks from fungus","Tom Ashworth",d(2026,5,14),"Science",11,23,0,"Mycelium could replace concrete blocks, if it survives the rain."],
["Why the rye loaf is back","Helen Okafor",d(2026,5,13),"Food",4,12,1,"Bakers rediscover a grain their grandparents knew well."],
["Ferry strike: what passengers need to know",N,d(2026,5,13),"Transport",2,156,1,"Sailings to the islands are cancelled from Friday."],
["The last lighthouse keeper of Fair Isle","Magnus Reid",d(2026,5,12),"Culture",14,64,0,"A life measured in lamps, logbooks and weather."],
["Rent caps, one year on","Priya Nair",d(2026,5,12),"Politics",8,203,0,"Did the law help tenants? We went through the numbers."],
["Six walks that end at a good pub","Jo Bellamy",d(2026,5,11),"Travel",9,31,1,"From the coast path to the canal, with a fire at the end."],
["Heat pumps in tenements: the sums that do not add up","Tom Ashworth",d(2026,5,11),"Science",9,118,0,"Shared stairs, shared roofs, and nobody to sign the form."],
["A city orchestra plays to an empty car park","Ewan Clarke",d(2026,5,10),"Culture",3,0,1,"Mahler, rain and a single security guard."],
["Interview: the minister who cycles to work","Priya Nair",d(2026,5,9),"Politics",7,"closed",0,"On potholes, polls and panniers."],
["Sleeper trains are booked out until October","Dana Kowal",d(2026,5,8),"Transport",5,49,1,"Operators say they cannot find enough carriages."],
["Fermented, foraged, forgotten","Helen Okafor",d(2026,5,8),"Food",10,8,0,"The cooks who are saving the northern larder."],
["Three days on the Knoydart peninsula","Jo Bellamy",d(2026,5,6),"Travel",12,17,0,"No road in, no signal, no complaints."],
["Whose seaweed is it?","Magnus Reid",d(2026,5,5),"Science",10,5,1,"A gold rush on the foreshore meets an old law."],
["Bus fares to rise by nine per cent in July","Dana Kowal",d(2026,5,4),"Transport",3,241,1,"Passenger groups call the increase a disgrace."],
["Poem of the month: Salt",N,d(2026,5,1),"Culture",1,0,1,"Fourteen lines from the harbour wall."],
["The quiet boom in repair cafés","Ewan Clarke",d(2026,4,30),"Culture",6,38,0,"Toasters, trousers and the pleasure of a second life."],
["How to read an energy bill","Helen Okafor",d(2026,4,28),N,N,72,1,"Line by line, without the jargon."],
])
for r in P2:
    r['t_date']=en_date(r['date'])
    r['t_mins']=f"{r['mins']} min read" if r['mins'] else ''
    c=r['com']; r['t_com']='No comments' if c==0 else 'Comments closed' if c=='closed' else f'{c} comments'
def page2():
    arts=''
    for i,r in enumerate(P2):
        slug=''.join(ch if ch.isalnum() else '-' for ch in r['title'].lower())[:40].strip('-')
        sec=f'<a class="kicker" href="/{r["section"].lower()}">{r["section"]}</a>' if r['section'] else ''
        by=f'<span class="byline">By <a rel="author" href="/authors/{r["author"].lower().replace(" ","-")}">{r["author"]}</a></span>' if r['author'] else ''
        mins=f'<span class="read-time">{r["t_mins"]}</span>' if r['mins'] else ''
        acc='<span class="access access-free">Free</span>' if r['free'] else '<span class="access access-sub">Subscribers only</span>'
        arts+=f'''
    <article class="story{" story--lead" if i==0 else ""}" id="post-{88120-i*7}">
      <header>{sec}<h2><a href="/2026/{slug}">{E(r["title"])}</a></h2></header>
      <p class="standfirst">{E(r["sub"])}</p>
      <footer class="story-meta">{by} <time datetime="{r["date"].isoformat()}">{r["t_date"]}</time> {mins} <a class="comments" href="/2026/{slug}#comments">{r["t_com"]}</a> {acc}</footer>
    </article>'''
    return f'''<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><title>Latest stories - The Northern Ledger</title>
<link rel="stylesheet" href="/static/ledger.css"><link rel="alternate" type="application/rss+xml" href="/feed">
<meta property="og:site_name" content="The Northern Ledger"></head>
<body>
<a class="skip" href="#main">Skip to content</a>
<header id="masthead"><p class="title"><a href="/">The Northern Ledger</a></p><p class="tagline">Independent reporting since 1994</p>
<nav><a href="/politics">Politics</a> <a href="/science">Science</a> <a href="/culture">Culture</a> <a href="/food">Food</a> <a href="/travel">Travel</a> <a href="/transport">Transport</a></nav>
<div class="tools"><a href="/subscribe">Subscribe from £4 a month</a> <a href="/login">Log in</a> <form role="search"><input type="search" name="q"><button>Search</button></form></div></header>
<div class="ticker"><b>Weather:</b> showers, 13 degrees</div>
<div class="wrap">
<main id="main">
  <h1>Latest stories</h1>
  <section class="river">{arts}
  </section>
  <nav class="pager"><a rel="next" href="/latest?page=2">Older stories</a></nav>
</main>
<aside class="rail">
  <section class="most-read"><h2>Most read</h2><ol><li><a href="/2026/a">Quiz: how well do you know your coast?</a></li><li><a href="/2026/b">The village that bought its own pub</a></li><li><a href="/2026/c">Obituary: Agnes Muir, mapmaker</a></li></ol></section>
  <section class="promo"><h2>Weekend briefing</h2><p>The best of the week, every Saturday at seven.</p><form><input type="email"><button>Send it to me</button></form></section>
  <section class="promo"><h2>Podcast</h2><p>The Long Ledger: new series about bridges.</p></section>
</aside>
</div>
<footer id="colophon"><ul><li><a href="/about">About</a></li><li><a href="/corrections">Corrections</a></li><li><a href="/jobs">Jobs</a></li><li><a href="/privacy">Privacy</a></li></ul><p>© 2026 Northern Ledger Media Cooperative</p></footer>
</body></html>
'''

# ------------------------------------------------------------------ 03
def P3rate(p): return round(p/24+1e-9,2)
P3=rec('title price frm old rating n avail gb akku color'.split(),[
["Samsung Galaxy S26 256 GB",899,0,999,4.6,312,"Sofort lieferbar",256,4300,"Schwarz"],
["Apple iPhone 17 256 GB",929,0,949,4.8,1204,"Sofort lieferbar",256,N,"Salbei"],
["Google Pixel 10a 128 GB",479,0,N,4.4,87,"Sofort lieferbar",128,5100,"Violett"],
["Xiaomi Redmi Note 15 128 GB",199,0,249.90,4.1,156,"Sofort lieferbar",128,5520,"Blau"],
["Fairphone 6 256 GB",599,0,N,4.3,64,"Lieferbar in 3–5 Werktagen",256,4415,"Grün"],
["Samsung Galaxy A17 128 GB",169,1,229,4.0,421,"Sofort lieferbar",128,5000,"Grau"],
["Nothing Phone (3a) 256 GB",349,0,379,4.5,98,"Ausverkauft",256,5000,"Weiß"],
["Motorola Edge 60 Neo 256 GB",329,0,399.99,4.2,45,"Sofort lieferbar",256,5000,"Blau"],
["Apple iPhone 16e 128 GB",579,0,699,4.3,530,"Sofort lieferbar",128,N,"Schwarz"],
["Sony Xperia 10 VII 128 GB",399,0,449,3.9,22,"Lieferbar in 3–5 Werktagen",128,5000,"Weiß"],
["Google Pixel 10 Pro 512 GB",1149,0,1229,4.7,203,"Sofort lieferbar",512,4870,"Schwarz"],
["Xiaomi 15T Pro 512 GB",749,0,N,4.5,71,"Ausverkauft",512,5500,"Grau"],
["Samsung Galaxy Z Flip7 512 GB",1049,0,1319,4.2,139,"Sofort lieferbar",512,4300,"Blau"],
["Nothing Phone (4a) 128 GB",379,0,N,N,N,"Vorbestellbar, lieferbar ab 12.06.2026",128,5080,"Weiß"],
["Honor Magic 8 Lite 256 GB",369,0,N,4.4,17,"Sofort lieferbar",256,7500,"Grün"],
["Gigaset GX6 Pro 128 GB",449,0,N,3.7,39,"Lieferbar in 3–5 Werktagen",128,5000,"Schwarz"],
["Apple iPhone 17 Pro Max 512 GB",1579,0,1699,4.9,877,"Lieferbar in 8–10 Werktagen",512,N,"Orange"],
["Emporia Smart 6 128 GB",259,0,279,N,N,"Sofort lieferbar",128,4950,"Schwarz"],
])
for r in P3:
    r['rate']=P3rate(r['price'])
    r['t_price']=('ab ' if r['frm'] else '')+de_eur(r['price'])
    r['t_old']=de_eur(r['old']) if r['old'] else ''
    r['t_akku']=f"{r['akku']:,}".replace(',','.')+' mAh' if r['akku'] else ''
    r['t_rating']=str(r['rating']).replace('.',',') if r['rating'] else ''
def page3():
    li=''
    for i,r in enumerate(P3):
        slug=r['title'].lower().replace(' ','-').replace('(','').replace(')','')
        old=f'<span class="price__old">statt <del>{r["t_old"]}</del></span><span class="flag flag--sale">-{round((1-r["price"]/r["old"])*100)} %</span>' if r['old'] else ''
        n=f"{r['n']:,}".replace(',','.') if r['n'] else ''
        rat=f'<div class="rating" title="{r["t_rating"]} von 5 Sternen"><span class="rating__value">{r["t_rating"]}</span> von 5 <a class="rating__count" href="/p/{slug}#bewertungen">({n} Bewertungen)</a></div>' if r['rating'] else '<div class="rating rating--empty">Noch keine Bewertungen</div>'
        cls={'S':'in','L':'delay','A':'out','V':'pre'}[r['avail'][0]]
        akku=f'<li><span>Akku:</span> {r["t_akku"]}</li>' if r['akku'] else ''
        btn='<button class="btn-cart" disabled>Benachrichtigen</button>' if cls=='out' else '<button class="btn-cart">In den Warenkorb</button>'
        li+=f'''
    <li class="product-grid__item"><form class="product-tile" data-sku="TH{70310+i*11}" action="/cart/add" method="post">
      <a class="product-tile__img" href="/p/{slug}"><img src="/media/{70310+i*11}.avif" alt="Produktbild"></a>
      <h2 class="product-tile__name"><a href="/p/{slug}">{E(r["title"])}</a></h2>
      {rat}
      <ul class="product-tile__attrs"><li><span>Speicher:</span> {r["gb"]} GB</li>{akku}<li><span>Farbe:</span> {r["color"]}</li></ul>
      <div class="price"><span class="price__current">{r["t_price"]}</span> {old}<div class="price__rate">oder 24 × {de_eur(r["rate"])} mtl.</div></div>
      <p class="stock stock--{cls}">{r["avail"]}</p>
      {btn}
    </form></li>'''
    return f'''<!DOCTYPE html>
<html lang="de">
<head><meta charset="UTF-8"><title>Smartphones ohne Vertrag günstig kaufen – Technikhafen</title>
<meta name="viewport" content="width=device-width,initial-scale=1"><link rel="canonical" href="https://www.technikhafen.example/smartphones/"></head>
<body id="category" class="lang-de">
<div class="cookie-bar" role="dialog">Wir verwenden Cookies. <button>Alle akzeptieren</button> <button>Nur notwendige</button></div>
<div class="topbar"><span>Kostenloser Versand ab 49 €</span> <span>30 Tage Rückgabe</span> <span>Hotline 040 5550199</span></div>
<header class="shop-header"><a href="/" class="brand">Technikhafen</a><form class="search" action="/suche"><input name="q" placeholder="Wonach suchst du?"></form><a href="/konto">Mein Konto</a> <a href="/warenkorb">Warenkorb (0)</a></header>
<nav class="mainnav"><ul><li><a href="/smartphones/">Smartphones</a></li><li><a href="/tablets/">Tablets</a></li><li><a href="/notebooks/">Notebooks</a></li><li><a href="/tv/">TV &amp; Audio</a></li><li><a href="/sale/">Sale %</a></li></ul></nav>
<ol class="breadcrumbs"><li><a href="/">Startseite</a></li><li>Smartphones</li></ol>
<div class="page">
<aside class="facets"><h3>Filter</h3>
 <fieldset><legend>Marke</legend><label><input type="checkbox"> Apple (3)</label><label><input type="checkbox"> Samsung (3)</label><label><input type="checkbox"> Google (2)</label><label><input type="checkbox"> Xiaomi (2)</label></fieldset>
 <fieldset><legend>Preis</legend><label><input type="radio" name="p"> bis 300 €</label><label><input type="radio" name="p"> 300 bis 600 €</label><label><input type="radio" name="p"> über 600 €</label></fieldset>
 <fieldset><legend>Speicher</legend><label><input type="checkbox"> 128 GB</label><label><input type="checkbox"> 256 GB</label><label><input type="checkbox"> 512 GB</label></fieldset>
</aside>
<main class="category-main"><h1>Smartphones</h1><p class="category-intro">Aktuelle Geräte ohne Vertrag, geprüft und mit zwei Jahren Gewährleistung. Ratenkauf mit 0 % über 24 Monate möglich.</p>
 <div class="toolbar"><span>{len(P3)} Artikel</span> <select><option>Beliebtheit</option><option>Preis aufsteigend</option><option>Preis absteigend</option></select></div>
 <ul class="product-grid">{li}
 </ul>
 <div class="pagination"><a class="is-active">1</a></div>
</main></div>
<section class="cross-sell"><h3>Passendes Zubehör</h3><div class="mini"><a href="/z/1">Schutzhülle transparent</a> <span>14,99 €</span></div><div class="mini"><a href="/z/2">USB-C-Netzteil 45 W</a> <span>29,99 €</span></div><div class="mini"><a href="/z/3">Panzerglas 2er-Pack</a> <span>12,99 €</span></div></section>
<section class="newsletter-box"><h3>5 € Gutschein sichern</h3><form><input type="email" placeholder="E-Mail-Adresse"><button>Anmelden</button></form></section>
<footer class="shop-footer"><div><h4>Service</h4><a href="/versand">Versand</a> <a href="/faq">FAQ</a></div><div><h4>Rechtliches</h4><a href="/impressum">Impressum</a> <a href="/datenschutz">Datenschutz</a> <a href="/agb">AGB</a></div><p>Alle Preise inkl. MwSt. © 2026 Technikhafen GmbH</p></footer>
</body></html>
'''

# ------------------------------------------------------------------ 04
P4=rec('title who cat date time n place fee red status'.split(),[
["Englisch A1 für Einsteiger","Claire Watson","Sprachen",d(2026,9,14),"18:00–19:30",12,"Haus am Markt",98,74,"Plätze frei"],
["Spanisch A2: Fortsetzung","Lucía Romero","Sprachen",d(2026,9,15),"17:30–19:00",12,"Realschule Nord",102,77,"fast ausgebucht"],
["Polnisch für die Reise","Agnieszka Thiel","Sprachen",d(2026,9,23),"19:00–20:30",6,"Online",64,N,"Plätze frei"],
["Yoga am Morgen","Birgit Henke","Gesundheit",d(2026,9,10),"08:30–09:45",10,"Bürgerhaus Weststadt",85,64,"ausgebucht – Warteliste"],
["Rückenfit nach Feierabend","Jonas Pohl","Gesundheit",d(2026,9,7),"18:15–19:15",11,"Realschule Nord",72,54,"Plätze frei"],
["Excel Grundlagen","Dr. Martin Seifert","EDV & Beruf",d(2026,9,19),"09:00–16:00",2,"Haus am Markt",120,90,"Plätze frei"],
["Excel: Pivot und Power Query","Dr. Martin Seifert","EDV & Beruf",d(2026,9,26),"10:00–15:00",1,"Online",69,N,"fast ausgebucht"],
["Nähen: das erste Kleid","Ulrike Brandt","Kultur",d(2026,9,25),"17:00–20:00",4,"Bürgerhaus Weststadt",88,66,"fällt aus"],
["Aquarell für Anfänger","Sabine Koch","Kultur",d(2026,9,30),"18:30–20:45",8,"Haus am Markt",96,72,"Plätze frei"],
["Vortrag: Wärmepumpe im Altbau","Ralf Menzel","Gesellschaft",d(2026,10,6),"19:30–21:00",1,"Bürgerhaus Weststadt",0,N,"Plätze frei"],
["Stadtführung: Jüdisches Leben","Miriam Adler","Gesellschaft",d(2026,10,11),"14:00–16:00",1,"Alte Synagoge",8,5,"Plätze frei"],
["Töpfern an der Drehscheibe","Sabine Koch","Kultur",d(2026,10,17),"10:00–14:00",3,"Werkstatt Südhof",135,N,"ausgebucht"],
["Thailändisch kochen","Niran Schulz","Gesundheit",d(2026,10,16),"18:00–21:30",1,"Realschule Nord",39,N,"Plätze frei"],
["Smartphone-Sprechstunde für Senioren",N,"EDV & Beruf",d(2026,9,9),"10:00–12:00",1,"Haus am Markt",0,N,"ausgebucht"],
["Deutsch B1 Intensivkurs","Olena Marchenko","Sprachen",d(2026,8,31),"09:00–12:15",40,"Haus am Markt",390,292,"Plätze frei"],
["Buchführung kompakt","Petra Vogel","EDV & Beruf",d(2026,11,7),"09:30–15:30",4,"Online",180,135,"Plätze frei"],
["Gitarre für Erwachsene","Tobias Lenz","Kultur",d(2026,9,22),"19:00–20:00",10,"Realschule Nord",145,109,"fast ausgebucht"],
["Sternenhimmel im Herbst","Prof. Karl Ebert","Gesellschaft",d(2026,11,13),"20:00–22:00",1,"Sternwarte",12,6,"Plätze frei"],
["Aquafitness","Jonas Pohl","Gesundheit",d(2026,10,1),"20:00–20:45",10,"Hallenbad",110,N,"ausgebucht"],
["Italienisch Konversation","Marco Bellini","Sprachen",N,N,8,"Online",76,57,"Plätze frei"],
])
for r in P4:
    r['t_date']=f"{DEW[r['date'].weekday()]}, {r['date'].strftime('%d.%m.%Y')}" if r['date'] else 'auf Anfrage'
    r['t_fee']=de_eur(r['fee']) if r['fee'] else 'kostenfrei'
def page4():
    tr=''
    for i,r in enumerate(P4):
        who=f'<br><span class="kw-doz">{r["who"]}</span>' if r['who'] else ''
        tm=f'<br><small>{r["time"]} Uhr</small>' if r['time'] else ''
        red=f'<br><small>erm. {de_eur(r["red"])}</small>' if r['red'] else ''
        sc={'P':'gruen','f':'gelb','a':'rot'}[r['status'][0]]
        if r['status']=='fällt aus': sc='grau'
        tr+=f'''
<tr class="{"odd" if i%2 else "even"}">
 <td class="kw-titel"><a href="/kurs/262-{1101+i*17}">{E(r["title"])}</a>{who}</td>
 <td class="kw-bereich">{E(r["cat"])}</td>
 <td class="kw-beginn"><span>{r["t_date"]}</span>{tm}</td>
 <td class="kw-dauer">{r["n"]}</td>
 <td class="kw-ort">{r["place"]}</td>
 <td class="kw-gebuehr"><span>{r["t_fee"]}</span>{red}</td>
 <td class="kw-status"><span class="ampel ampel-{sc}"></span> {r["status"]}</td>
</tr>'''
    return f'''<!DOCTYPE html PUBLIC "-//W3C//DTD XHTML 1.0 Transitional//EN" "http://www.w3.org/TR/xhtml1/DTD/xhtml1-transitional.dtd">
<html xmlns="http://www.w3.org/1999/xhtml" lang="de" xml:lang="de">
<head><meta http-equiv="Content-Type" content="text/html; charset=utf-8" /><title>Volkshochschule Lindental: Kurse Herbst 2026</title><meta name="generator" content="TYPO3 CMS" /></head>
<body>
<div id="kopf"><a href="/"><img src="/fileadmin/logo.png" alt="vhs Lindental" /></a><div id="schrift"><a href="#">A</a> <a href="#">A+</a></div>
<ul id="hauptmenue"><li><a href="/programm">Programm</a></li><li><a href="/anmeldung">Anmeldung</a></li><li><a href="/ueber-uns">Über uns</a></li><li><a href="/kontakt">Kontakt</a></li></ul></div>
<div id="spalten">
<div id="links" class="csc-default"><h3>Fachbereiche</h3><ul><li><a href="?b=1">Gesellschaft</a></li><li><a href="?b=2">Kultur</a></li><li><a href="?b=3">Gesundheit</a></li><li><a href="?b=4">Sprachen</a></li><li><a href="?b=5">EDV &amp; Beruf</a></li></ul>
<div class="box"><h3>Öffnungszeiten</h3><p>Mo bis Do 9–12 und 14–17 Uhr<br />Fr 9–12 Uhr</p></div>
<div class="box"><h3>Aktuelles</h3><p><a href="/news/1">Neues Programmheft ist da</a></p><p><a href="/news/2">Kursleitungen für Chinesisch gesucht</a></p></div></div>
<div id="inhalt"><h1>Kurse im Herbstsemester 2026</h1><p>Bitte melden Sie sich rechtzeitig an. Die Ermäßigung gilt für Schüler, Studierende und Inhaber des Lindental-Passes.</p>
<form action="/suche" class="tx-kw-suche"><input type="text" name="s" value="" /><select name="tag"><option>alle Tage</option><option>Montag</option><option>Samstag</option></select><input type="submit" value="Suchen" /></form>
<table class="kw-table" summary="Kursliste" cellspacing="0">
<thead><tr><th>Kurs / Leitung</th><th>Bereich</th><th>Beginn</th><th>Termine</th><th>Ort</th><th>Gebühr</th><th>Status</th></tr></thead>
<tbody>{tr}
</tbody></table>
<p class="legende"><span class="ampel ampel-gruen"></span> Anmeldung möglich <span class="ampel ampel-gelb"></span> wenige Plätze <span class="ampel ampel-rot"></span> belegt</p>
<p><a href="/programm.pdf">Programmheft als PDF</a></p></div></div>
<div id="fuss"><form><label>Newsletter: <input name="mail" /></label><input type="submit" value="Bestellen" /></form><a href="/impressum">Impressum</a> | <a href="/datenschutz">Datenschutz</a> | <a href="/agb">AGB</a> | vhs Lindental, Marktplatz 3</div>
</body></html>
'''

# ------------------------------------------------------------------ 05
P5=rec('title town stars price old rating n dist pets cancel rooms'.split(),[
["Hotel Pod Żaglami","Giżycko",4,420,N,8.9,1204,150,1,1,"Wolne pokoje"],
["Pensjonat Bocianie Gniazdo","Mikołajki",N,260,N,9.3,318,600,1,1,"Wolne pokoje"],
["Hotel Mazur Palace","Mikołajki",5,890,1050,8.6,2017,50,0,0,"Wolne pokoje"],
["Zajazd pod Lipą","Ryn",2,180,N,7.4,96,2400,1,0,"Wolne pokoje"],
["Hotel Zamek Ryn","Ryn",4,510,590,8.8,1563,300,0,1,"Zostały 2 pokoje"],
["Willa Trzcina","Węgorzewo",3,310,N,9.1,142,80,0,0,"Wolne pokoje"],
["Hotel Ełk Centrum","Ełk",3,275,N,8.0,689,900,0,1,"Wolne pokoje"],
["Gościniec Sosnówka","Ruciane-Nida",N,210,240,8.3,57,1100,1,0,"Wolne pokoje"],
["Resort Śniardwy","Orzysz",4,640,N,8.2,431,20,1,0,"Brak wolnych pokoi"],
["Hotel Pruska Baba","Olsztyn",3,299,350,7.9,804,3000,1,1,"Wolne pokoje"],
["Dworek Kormoran","Sorkwity",3,365,N,9.0,211,200,1,0,"Został 1 pokój"],
["Apartamenty Port Keja","Giżycko",N,450,520,8.7,176,100,0,0,"Wolne pokoje"],
["Hotel Tajty Spa","Giżycko",5,780,N,9.4,945,400,0,1,"Wolne pokoje"],
["Hostel Żeglarz","Węgorzewo",1,120,N,7.1,263,500,0,0,"Wolne pokoje"],
["Hotel Kłobuk","Mikołajki",3,330,N,N,N,250,1,0,"Wolne pokoje"],
["Hotel Dłużek","Jedwabno",4,N,N,8.5,388,10,0,0,"Brak wolnych pokoi"],
])
def pl_opin(n):
    if n==1: w='opinia'
    elif n%10 in(2,3,4) and n%100 not in(12,13,14): w='opinie'
    else: w='opinii'
    return f'{pl_num(n)} {w}'
for r in P5:
    r['t_price']=f"od {pl_num(r['price'])} zł" if r['price'] else ''
    r['t_old']=f"{pl_num(r['old'])} zł" if r['old'] else ''
    r['t_rating']=str(r['rating']).replace('.',',') if r['rating'] else ''
    r['t_dist']=f"{r['dist']} m" if r['dist']<1000 else (str(r['dist']/1000).rstrip('0').rstrip('.').replace('.',',')+' km')
def page5():
    s=''
    for i,r in enumerate(P5):
        st=f'<span class="gwiazdki" title="kategoria">{"★"*r["stars"]}<span class="sr-only"> {r["stars"]}-gwiazdkowy</span></span>' if r['stars'] else ''
        old=f'<del>{r["t_old"]}</del> ' if r['old'] else ''
        price=f'<dt>Cena za noc</dt><dd class="cena">{old}<b>{r["t_price"]}</b></dd>' if r['price'] else ''
        rat=f'<dt>Ocena gości</dt><dd><strong class="nota">{r["t_rating"]}</strong> / 10 <a href="/obiekt/{i+301}/opinie">{pl_opin(r["n"])}</a></dd>' if r['rating'] else '<dt>Ocena gości</dt><dd>Nowy obiekt, brak opinii</dd>'
        can='<dt>Rezygnacja</dt><dd>Bezpłatne odwołanie</dd>' if r['cancel'] else '<dt>Rezygnacja</dt><dd>Bez zwrotu kosztów</dd>'
        s+=f'''
  <section class="node node-obiekt view-teaser" id="node-{301+i}">
    <div class="node-obiekt__naglowek"><h3><a href="/obiekt/{301+i}">{E(r["title"])}</a></h3>{st}<em class="etykieta {"etykieta-brak" if r["rooms"].startswith("Brak") else "etykieta-ok"}">{r["rooms"]}</em></div>
    <dl class="field-list">
      <dt>Miejscowość</dt><dd>{r["town"]}</dd>
      <dt>Do jeziora</dt><dd>{r["t_dist"]}</dd>
      {rat}
      <dt>Zwierzęta</dt><dd>{"Akceptowane" if r["pets"] else "Nieakceptowane"}</dd>
      {can}
      {price}
    </dl>
    <a class="more" href="/obiekt/{301+i}">Zobacz szczegóły</a>
  </section>'''
    return f'''<!DOCTYPE html>
<html lang="pl" dir="ltr">
<head><meta charset="utf-8"><title>Noclegi na Mazurach – hotele i pensjonaty | mazury-noclegi</title><meta name="Generator" content="Drupal 11 (https://www.drupal.org)"><link rel="stylesheet" media="all" href="/sites/default/files/css/css_7Hq.css"></head>
<body class="path-noclegi page-view-noclegi">
<header role="banner"><div class="region region-header"><a href="/" rel="home">mazury-noclegi</a><span class="slogan">Kraina tysiąca jezior</span></div>
<nav role="navigation" class="menu--main"><ul class="menu"><li><a href="/noclegi" class="is-active">Noclegi</a></li><li><a href="/czartery">Czartery jachtów</a></li><li><a href="/szlaki">Szlaki rowerowe</a></li><li><a href="/kontakt">Kontakt</a></li></ul></nav></header>
<div class="region region-search"><form class="szukaj"><label>Przyjazd <input type="date" value="2026-07-03"></label><label>Wyjazd <input type="date" value="2026-07-05"></label><label>Osoby <input type="number" value="2"></label><button>Szukaj</button></form></div>
<main role="main"><h1>Noclegi na Mazurach</h1><p class="lead">Znaleziono {len(P5)} obiektów w terminie 3–5 lipca 2026, 2 osoby.</p>
<div class="exposed-filters"><b>Sortuj:</b> <a href="?s=1">polecane</a> <a href="?s=2">cena</a> <a href="?s=3">ocena</a></div>
<div class="view-content">{s}
</div>
<ul class="pager"><li class="is-active">1</li></ul></main>
<aside class="region region-sidebar"><div class="block"><h2>Inspiracje</h2><ul><li><a href="/blog/1">Kajakiem po Krutyni</a></li><li><a href="/blog/2">Gdzie zjeść dobrą rybę</a></li><li><a href="/blog/3">Wilczy Szaniec w jeden dzień</a></li></ul></div>
<div class="block block-newsletter"><h2>Oferty last minute</h2><p>Zapisz się, a raz w tygodniu wyślemy najlepsze ceny.</p><form><input type="email" placeholder="Twój e-mail"><button>Zapisz</button></form></div>
<div class="block"><h2>Pogoda</h2><p>Giżycko: 22 °C, słonecznie</p></div></aside>
<footer role="contentinfo"><ul><li><a href="/regulamin">Regulamin</a></li><li><a href="/prywatnosc">Polityka prywatności</a></li><li><a href="/dodaj">Dodaj obiekt</a></li></ul><p>© 2026 mazury-noclegi</p></footer>
</body></html>
'''

# ------------------------------------------------------------------ 06
def m(dd): return d(2026,5,dd)
P6=rec('title price old neg year km fuel gear place date firm damaged state feat'.split(),[
["Skoda Octavia III 1.6 TDI Kombi",34900,N,1,2016,187000,"Diesel","Manualna","Poznań",m(12),0,0,N,0],
["Toyota Yaris 1.5 Comfort",58500,N,0,2020,64300,"Hybryda","Automatyczna","Warszawa",m(14),1,0,N,1],
["Fiat Panda 1.2 z klimatyzacją",12400,13900,1,2012,98700,"Benzyna","Manualna","Lublin",m(9),0,0,N,0],
["VW Golf VI 1.4 do naprawy",9800,N,0,2010,231000,"Benzyna","Manualna","Łódź",m(11),0,1,N,0],
["Nissan Leaf 40 kWh",47000,N,1,2019,71200,"Elektryczny","Automatyczna","Gdańsk",m(13),0,0,N,0],
["BMW 320d Touring F31",52900,56900,0,2015,214000,"Diesel","Automatyczna","Kraków",m(8),1,0,N,0],
["Opel Corsa D 1.4",11200,N,1,2011,168400,"Benzyna + LPG","Manualna","Kielce",m(6),0,0,N,0],
["Dacia Duster 1.3 TCe 4x4",69900,N,0,2021,52800,"Benzyna","Manualna","Wrocław",m(14),1,0,N,1],
["Renault Clio IV dla początkującego kierowcy",23500,N,0,2015,121000,"Benzyna","Manualna","Poznań",m(10),0,0,"Rezerwacja",0],
["Ford Focus 1.5 EcoBoost Titanium",41300,N,1,2018,109500,"Benzyna","Automatyczna","Warszawa",m(13),0,0,N,0],
["Peugeot e-208 GT",74900,79900,0,2022,31600,"Elektryczny","Automatyczna","Kraków",m(12),1,0,N,1],
["Audi A4 B8 2.0 TDI po kolizji",18700,N,1,2011,264000,"Diesel","Manualna","Rzeszów",m(7),1,1,N,0],
["Mazda MX-5 NB kabriolet",27900,N,0,2003,143000,"Benzyna","Manualna","Gdynia",m(5),0,0,"Sprzedane",0],
["Kia Ceed SW 1.6 CRDi",45600,N,0,2017,156000,"Diesel","Manualna","Katowice",m(11),1,0,N,0],
["Suzuki Swift 1.2 Elegance",49900,N,0,2023,38900,"Hybryda","Manualna","Poznań",m(14),1,0,N,0],
["Fiat 126p Maluch do renowacji",N,N,0,1988,N,"Benzyna","Manualna","Bielsko-Biała",m(3),0,1,N,0],
["Mercedes Vito 116 CDI brygadówka",63000,N,0,2017,198000,"Diesel","Manualna","Łódź",m(9),1,0,N,0],
["Honda Jazz 1.4 stan idealny",19900,21500,1,2011,112300,"Benzyna","Automatyczna","Warszawa",m(4),0,0,"Sprzedane",0],
])
for r in P6:
    r['t_price']=f"{pl_num(r['price'])} zł" if r['price'] else 'Cena do uzgodnienia'
    r['t_old']=f"{pl_num(r['old'])} zł" if r['old'] else ''
    r['t_year']=str(r['year'])
def page6():
    s=''
    for i,r in enumerate(P6):
        lab=''
        if r['feat']: lab+='<div class="css-1jh69qu" data-testid="promo"><span>Wyróżnione</span></div>'
        if r['state']: lab+=f'<div class="css-9k2xet" data-testid="ad-state"><span>{r["state"]}</span></div>'
        if r['damaged']: lab+='<div class="css-3xp7ad" data-testid="damage"><span>Uszkodzony</span></div>'
        neg='<span class="css-995mtw">do negocjacji</span>' if r['neg'] else ''
        km=f'<span data-parameter="mileage">{pl_num(r["km"]).replace(" ","&nbsp;")} km</span>' if r['km'] else ''
        oldx=f'<p class="css-oldp">poprzednio <s>{r["t_old"]}</s></p>' if r['old'] else ''
        s+=f'''<div data-cy="l-card" data-testid="l-card" id="{98120431+i*977}" class="css-1sw7q4x"><a class="css-z3gu2d" href="/d/oferta/ID{98120431+i*977}.html"><div class="css-gl6djm"><img src="https://img.example/{i}.webp" alt=""></div></a><div class="css-1apmciz">{lab}<div class="css-u2ayx9"><h4 class="css-1g61gc2"><a href="/d/oferta/ID{98120431+i*977}.html">{E(r["title"])}</a></h4><p data-testid="ad-price" class="css-blr5zl">{r["t_price"]}</p>{neg}{oldx}</div><div class="css-1kfqt7f"><span data-parameter="year">{r["year"]}</span>{km}<span data-parameter="fuel">{r["fuel"]}</span><span data-parameter="gearbox">{r["gear"]}</span></div><div class="css-odp1qd"><p data-testid="location-date">{r["place"]} - {r["date"].day} {PLM[r["date"].month-1]} {r["date"].year}</p><p class="css-sellr">{"Firma" if r["firm"] else "Osoba prywatna"}</p></div></div></div>
'''
    return f'''<!DOCTYPE html><html lang="pl"><head><meta charSet="utf-8"/><meta name="viewport" content="width=device-width"/><title>Samochody osobowe używane – ogłoszenia motoryzacyjne – AutoGiełda24</title><style data-emotion="css">.css-1sw7q4x{{display:flex}}.css-blr5zl{{font-weight:700}}.css-oldp s{{color:#777}}</style></head><body><div id="root">
<header class="css-hdr01"><a href="/" aria-label="Strona główna">AutoGiełda24</a><nav><a href="/obserwowane">Obserwowane</a><a href="/konto">Twoje konto</a><a href="/dodaj" class="css-cta">Dodaj ogłoszenie</a></nav></header>
<div class="css-srch"><form><input type="search" placeholder="Czego szukasz?"/><input type="text" placeholder="Cała Polska"/><button>Szukaj</button></form></div>
<div class="css-crumbs"><a href="/">Strona główna</a> / <a href="/motoryzacja">Motoryzacja</a> / <span>Samochody osobowe</span></div>
<div class="css-filt"><h5>Filtry</h5><label>Cena od<input/></label><label>Cena do<input/></label><label>Paliwo<select><option>Wszystkie</option><option>Benzyna</option><option>Diesel</option></select></label><label>Rok produkcji od<input/></label></div>
<main class="css-main"><h1>Samochody używane</h1><p data-testid="total-count">Znaleźliśmy {len(P6)} ogłoszeń</p>
<div data-testid="listing-grid" class="css-grid0">
{s}</div>
<ul class="css-pag"><li aria-current="true">1</li></ul></main>
<section class="css-tease"><h3>Podobne wyszukiwania</h3><a href="/q/suv">SUV-y używane</a> <a href="/q/miejskie">Auta miejskie</a> <a href="/q/klasyki">Klasyki i youngtimery</a></section>
<section class="css-tease2"><h3>Poradnik kupującego</h3><p>Na co uważać przy zakupie auta z drugiej ręki? <a href="/poradnik">Czytaj dalej</a></p></section>
<footer class="css-foot"><a href="/pomoc">Pomoc</a><a href="/regulamin">Regulamin</a><a href="/polityka">Polityka prywatności</a><a href="/app">Aplikacja mobilna</a><p>© 2026 AutoGiełda24</p></footer></div></body></html>
'''
PAGES={'01':(P1,page1),'02':(P2,page2),'03':(P3,page3),'04':(P4,page4),'05':(P5,page5),'06':(P6,page6)}

# ------------------------------------------------------------------ instructions
# (id, lang, text, predicate, sortkey, limit, columns{name:field}, [alternative predicates which must give the same])
NOW=d(2026,5,14)
def av(r): return NOW if r['avail']=='now' else r['avail']
num=lambda x: isinstance(x,int) and not isinstance(x,bool)
I=[
('01a','en','two bed flats under £1500 that are not let agreed, show price and area',lambda r:r['beds']==2 and r['price'] and r['price']<1500 and not r['let'],N,N,{'price':'t_price','area':'t_area'},[]),
('01b','en','the three cheapest listings, cheapest first',lambda r:r['price'],lambda r:r['price'],3,{},[lambda r:r['price'] and not r['let']]),
('01c','en','unfurnished, pets ok, can move in by 1 june',lambda r:r['furn']=='Unfurnished' and r['pets'] and av(r)<=d(2026,6,1),N,N,{},[lambda r:r['furn']=='Unfurnished' and r['pets'] and av(r)<=d(2026,6,1) and not r['let']]),
('01d','en','Which places have been reduced? Give me title, old price and new price.',lambda r:r['old'],N,N,{'title':'title','old price':'t_old','new price':'t_price'},[]),
('01e','de','alle Wohnungen in Clifton außer den schon vermieteten, mit Preis',lambda r:r['area']=='Clifton' and not r['let'],N,N,{'Preis':'t_price'},[lambda r:r['pc']=='BS8' and not r['let']]),
('01f','pl','mieszkania większe niż 750 stóp kwadratowych, od największego',lambda r:r['size'] and r['size']>750,lambda r:-r['size'],N,{},[]),
('01g','en','at least 3 bedrooms but not in BS1. colums: title, available from',lambda r:r['beds']>=3 and r['pc']!='BS1',N,N,{'title':'title','available from':'t_avail'},[]),
('01h','de','Zähle alle teilmöblierten Wohnungen, auch die bereits vergebenen',lambda r:r['furn']=='Part furnished',N,N,{},[]),
('01i','pl','tylko mieszkania z miejscem parkingowym lub garażem',N,N,N,{},[]),
('01j','de','genau ein Schlafzimmer, Haustiere nicht erlaubt, nach Miete aufsteigend',lambda r:r['beds']==1 and not r['pets'],lambda r:r['price'],N,{},[lambda r:r['beds'] in(1,) and not r['pets'] and not r['let']]),

('02a','en','free articles by Helen Okafor, with date',lambda r:r['free'] and r['author']=='Helen Okafor',N,N,{'date':'t_date'},[]),
('02b','en','five most commented stories, highest first, show title and number of comments',lambda r:num(r['com']),lambda r:-r['com'],5,{'title':'title','number of comments':'t_com'},[]),
('02c','en','articels longer than 8 minutes which are not behind the paywall',lambda r:r['mins'] and r['mins']>8 and r['free'],N,N,{},[]),
('02d','pl','artykuły z działu transport, od najnowszego',lambda r:r['section']=='Transport',lambda r:-r['date'].toordinal(),N,{},[]),
('02e','en','I need everything published after 10 May 2026 except politics and science.',lambda r:r['date']>d(2026,5,10) and r['section'] not in('Politics','Science'),N,N,{},[]),
('02f','de','Artikel ohne Autorenangabe',lambda r:not r['author'],N,N,{},[]),
('02g','de','Nur Texte für Abonnenten, nach Lesezeit absteigend, Spalten: Autor, Lesezeit',lambda r:not r['free'],lambda r:-r['mins'],N,{'Autor':'author','Lesezeit':'t_mins'},[]),
('02h','en','stories that were shared more than 500 times on social media',N,N,N,{},[]),
('02i','pl','policz artykuły, które napisała Priya Nair',lambda r:r['author']=='Priya Nair',N,N,{},[]),
('02j','de','Kulturbeiträge, die noch keiner kommentiert hat',lambda r:r['section']=='Culture' and r['com']==0,N,N,{},[lambda r:r['section']=='Culture' and r['com'] in(0,'closed')]),

('03a','de','Handys unter 400 Euro, sofort lieferbar, mit Preis und Akku',lambda r:r['price']<400 and r['avail']=='Sofort lieferbar',N,N,{'Preis':'t_price','Akku':'t_akku'},[]),
('03b','de','die drei am besten bewerteten Geräte, bestes zuerst',lambda r:r['rating'],lambda r:-r['rating'],3,{},[lambda r:r['rating'] and r['avail']!='Ausverkauft']),
('03c','de','alle reduzierten Modelle mit 256 GB, Spalten: alter Preis, neuer Preis',lambda r:r['old'] and r['gb']==256,N,N,{'alter Preis':'t_old','neuer Preis':'t_price'},[]),
('03d','en','monthly instalment below 15 euros and not sold out',lambda r:r['rate']<15 and r['avail']!='Ausverkauft',N,N,{},[lambda r:r['rate']<15 and r['avail'].startswith('Sofort')]),
('03e','pl','telefony z baterią powyżej 5000 mAh, od największej',lambda r:r['akku'] and r['akku']>5000,lambda r:-r['akku'],N,{},[]),
('03f','de','Smartfones ohne Bewertung',lambda r:not r['rating'],N,N,{},[lambda r:not r['n']]),
('03g','en','only phones with wireless charging',N,N,N,{},[]),
('03h','de','nicht schwarz, mindestens 512 GB, günstigste zuerst',lambda r:r['color']!='Schwarz' and r['gb']>=512,lambda r:r['price'],N,{},[]),
('03i','pl','Które smartfony obsługują dwie karty SIM?',N,N,N,{},[]),
('03j','en','Please count the Apple and Google phones with more than 200 reviews.',lambda r:r['title'].split()[0] in('Apple','Google') and r['n'] and r['n']>200,N,N,{},[]),

('04a','de','kostenlose Kurse mit Beginn und Ort',lambda r:r['fee']==0,N,N,{'Beginn':'t_date','Ort':'place'},[]),
('04b','de','Sprachkurse die nicht online sind',lambda r:r['cat']=='Sprachen' and r['place']!='Online',N,N,{},[]),
('04c','de','die 5 teuersten Kurse, teuerster zuerst, Titel und Gebühr',lambda r:r['fee'],lambda r:-r['fee'],5,{'Titel':'title','Gebühr':'t_fee'},[]),
('04d','de','Welche Kurse beginnen im Oktober und haben noch Plätze frei?',lambda r:r['date'] and r['date'].month==10 and r['status']=='Plätze frei',N,N,{},[lambda r:r['date'] and r['date'].month==10 and r['status'] in('Plätze frei','fast ausgebucht')]),
('04e','en','health courses with at least 10 sessions, show the fee',lambda r:r['cat']=='Gesundheit' and r['n']>=10,N,N,{'fee':'t_fee'},[]),
('04f','pl','kursy w soboty, od najwcześniejszego',lambda r:r['date'] and r['date'].weekday()==5,lambda r:r['date'],N,{},[]),
('04g','en','which courses end with an official certificate?',N,N,N,{},[]),
('04h','de','alle Kurse, die ausgebucht sind oder ausfallen',lambda r:r['status'].startswith('ausgebucht') or r['status']=='fällt aus',N,N,{},[]),
('04i','pl','regularna cena poniżej 60 euro, ale nie darmowe, kolumna: cena',lambda r:0<r['fee']<60,N,N,{'cena':'t_fee'},[]),
('04j','en','Who teaches Excel? title, instructor, start date',lambda r:'Excel' in r['title'],N,N,{'title':'title','instructor':'who','start date':'t_date'},[]),

('05a','pl','noclegi w Mikołajkach poniżej 400 zł, kolumny: cena, ocena',lambda r:r['town']=='Mikołajki' and r['price'] and r['price']<400,N,N,{'cena':'t_price','ocena':'t_rating'},[]),
('05b','pl','3 najtańsze obiekty, w których są jeszcze wolne pokoje, od najtańszego',lambda r:r['price'] and not r['rooms'].startswith('Brak'),lambda r:r['price'],3,{},[lambda r:r['price'] and r['rooms']=='Wolne pokoje']),
('05c','pl','do jeziora mniej niż 200 m, najbliższe najpierw',lambda r:r['dist']<200,lambda r:r['dist'],N,{},[]),
('05d','pl','nie akceptują zwierzat, ocena co najmniej 8,5, bezpłatne odwołanie',lambda r:not r['pets'] and r['rating'] and r['rating']>=8.5 and r['cancel'],N,N,{},[]),
('05e','de','Hotels mit 4 oder mehr Sternen und freien Zimmern, beste Bewertung zuerst',lambda r:r['stars'] and r['stars']>=4 and not r['rooms'].startswith('Brak'),lambda r:-r['rating'],N,{},[lambda r:r['stars'] and r['stars']>=4 and not r['rooms'].startswith('Brak') and r['title'].startswith('Hotel')]),
('05f','en','Which places have no rooms left? I need name and town.',lambda r:r['rooms'].startswith('Brak'),N,N,{'name':'title','town':'town'},[lambda r:not r['price'] or r['rooms'].startswith('Brak')]),
('05g','en','hotels with a swimming pool',N,N,N,{},[]),
('05h','pl','obiekty bez podanej liczby gwiazdek',lambda r:not r['stars'],N,N,{},[]),
('05i','de','reduzierte Unterkünfte: Name, alter Preis, neuer Preis',lambda r:r['old'],N,N,{'Name':'title','alter Preis':'t_old','neuer Preis':'t_price'},[]),
('05j','en','more than 600 reviews but rated below 8.5',lambda r:r['n'] and r['n']>600 and r['rating']<8.5,N,N,{},[]),

('06a','pl','diesle z przebiegiem poniżej 200 tys. km, nieuszkodzone, cena i rocznik',lambda r:r['fuel']=='Diesel' and r['km']<200000 and not r['damaged'],N,N,{'cena':'t_price','rocznik':'t_year'},[]),
('06b','pl','trzy najmłodsze auta według rocznika, od najmłodszego',lambda r:True,lambda r:-r['year'],3,{},[lambda r:not r['state']]),
('06c','pl','automaty od osób prywatnych, jeszcze nie sprzedane',lambda r:r['gear']=='Automatyczna' and not r['firm'] and r['state']!='Sprzedane',N,N,{},[lambda r:r['gear']=='Automatyczna' and not r['firm'] and not r['state']]),
('06d','en','electric or hybrid cars, cheapest first, with price and location',lambda r:r['fuel'] in('Elektryczny','Hybryda'),lambda r:r['price'],N,{'price':'t_price','location':'place'},[]),
('06e','pl','Pokaż ogłoszenia z Poznania dodane po 10 maja.',lambda r:r['place']=='Poznań' and r['date']>m(10),N,N,{},[]),
('06f','de','Autos mit gesenktem Preis, Spalten: alter Preis, neuer Preis',lambda r:r['old'],N,N,{'alter Preis':'t_old','neuer Preis':'t_price'},[]),
('06g','pl','auta z ważnym przeglądem technicznym do końca 2026',N,N,N,{},[]),
('06h','en','only red cars please',N,N,N,{},[]),
('06i','de','nicht über 20000 zł, nicht beschädigt und noch nicht verkauft',lambda r:r['price'] and r['price']<=20000 and not r['damaged'] and r['state']!='Sprzedane',N,N,{},[lambda r:r['price'] and r['price']<=20000 and not r['damaged'] and not r['state']]),
('06j','en','dealers only, built before 2018, lowest mileage first',lambda r:r['firm'] and r['year']<2018,lambda r:r['km'],N,{},[]),
]
def ev(rows,p,key,lim):
    x=[r for r in rows if p(r)]
    if key:
        ks=[key(r) for r in x]
        x=sorted(x,key=key)
        top=x[:lim] if lim else x
        # no ties inside the answer or at its edge
        ks=sorted(ks); k2=ks[:(lim+1)] if lim else ks
        assert len(set(k2))==len(k2),('tie',k2)
        x=top
    return x
def build():
    os.makedirs(O+'/pages',exist_ok=True)
    for k,(rows,f) in PAGES.items(): open(f'{O}/pages/{k}.html','w',encoding='utf-8').write(f())
    out=[]
    for (id_,lang,text,p,key,lim,cols,alts) in I:
        rows=PAGES[id_[:2]][0]
        if p is None:
            o=dict(id=id_,page=id_[:2],lang=lang,instruction=text,rows=[],ordered=False,columns={},impossible=True)
        else:
            x=ev(rows,p,key,lim)
            for a in alts:
                y=ev(rows,a,key,lim); assert [r['title'] for r in y]==[r['title'] for r in x],(id_,[r['title'] for r in x],[r['title'] for r in y])
            assert x and len(x)<len(rows),id_
            c={n:x[0][f] for n,f in cols.items()}
            assert all(c.values()),(id_,c)
            o=dict(id=id_,page=id_[:2],lang=lang,instruction=text,rows=[r['title'] for r in x],ordered=bool(key),columns=c,impossible=False)
        out.append(o)
    with open(O+'/set.jsonl','w',encoding='utf-8') as f:
        for o in out: f.write(json.dumps(o,ensure_ascii=False)+'\n')
if __name__=='__main__': build()
