# Generator: data lists -> pages/*.html and set.jsonl
import html, json, os
from datetime import date as D
E = html.escape
os.makedirs('pages', exist_ok=True)
def out(n, s): open(f'pages/{n}.html', 'w', encoding='utf-8').write(s)

# ---------------------------------------------------------------- 01 shop (en)
K01 = 'title type conn anc batt price old rating reviews avail'.split()
P01 = [dict(zip(K01, r)) for r in [
 ('Sonara Drift 700','Over-ear','Wireless','Yes',38,249.00,299.00,4.7,2318,'In stock'),
 ('Kestrel Audio K2 Studio','Over-ear','Wired','No',None,129.00,None,4.5,864,'In stock'),
 ('Velt Buds Air','In-ear','Wireless','No',24,39.99,59.99,4.1,5207,'In stock'),
 ('Northbeat Session One','On-ear','Wireless','No',50,69.00,None,4.4,1145,'Only 3 left in stock'),
 ('Auralis Quiet Pro 3','Over-ear','Wireless','Yes',30,329.00,None,4.8,1902,'Out of stock'),
 ('Brightwave Sport Hook','In-ear','Wireless','No',10,54.95,None,3.9,412,'In stock'),
 ('Sonara Pebble','In-ear','Wireless','Yes',28,119.00,149.00,4.6,987,'In stock'),
 ('Hallmann HD 480 Open','Over-ear','Wired','No',None,199.00,None,4.9,655,'In stock'),
 ('Velt Junior Safe Volume','On-ear','Wired','No',None,19.99,None,4.2,338,'In stock'),
 ('Northbeat Commuter 45','Over-ear','Wireless','Yes',45,89.00,None,4.3,3076,'In stock'),
 ('Kestrel Audio K5 Reference','Over-ear','Wired','No',None,449.00,499.00,None,None,'Pre-order, ships 3 July 2026'),
 ('Auralis Clip','In-ear','Wireless','No',8,45.00,None,3.6,97,'Out of stock'),
 ('Brightwave Loop 2','On-ear','Wireless','Yes',32,99.00,129.00,4.0,1511,'In stock'),
 ('Hallmann IE 60 Monitor','In-ear','Wired','No',None,79.00,None,4.4,203,'In stock'),
 ('Velt Studio Max','Over-ear','Wireless','Yes',60,139.00,179.00,4.2,748,'Only 1 left in stock'),
 ('Sonara Drift 300','Over-ear','Wireless','No',40,79.50,None,4.5,1689,'Out of stock'),
 ('Northbeat Tune Mini','In-ear','Wireless','Yes',26,64.00,None,4.5,289,'In stock'),
 ('Auralis Gamelink 7.1','Over-ear','Wireless','No',None,109.00,None,4.1,530,'In stock'),
]]
for e in P01:
    e['t_price'] = ('from ' if e['title']=='Northbeat Commuter 45' else '') + f"£{e['price']:.2f}"
    e['t_old'] = e['old'] and f"£{e['old']:.2f}"
    e['t_month'] = f"£{e['price']/12:.2f}/month" if e['price']>=100 else None
    e['t_rating'] = e['rating'] and str(e['rating'])
def card01(i,e):
    save = f'<span class="badge badge--sale">Save £{e["old"]-e["price"]:.0f}</span>' if e['old'] else ''
    was = f'<span class="price__was">Was <del>{e["t_old"]}</del></span>' if e['old'] else ''
    fin = f'<p class="product-card__finance">or <span class="finance-rate">{e["t_month"]}</span> for 12 months, 0% APR</p>' if e['t_month'] else ''
    rate = (f'<div class="rating" aria-label="{e["rating"]} out of 5"><span class="rating__stars" aria-hidden="true">★★★★★</span> <span class="rating__value">{e["rating"]}</span> <a class="rating__count" href="/p/{1040+i}#reviews">({e["reviews"]:,} reviews)</a></div>'
            if e['rating'] else '<div class="rating rating--none">No reviews yet</div>')
    st = 'out' if e['avail'].startswith('Out') else 'pre' if e['avail'].startswith('Pre') else 'low' if e['avail'].startswith('Only') else 'in'
    batt = f'<li><span class="spec-name">Battery life</span> <span class="spec-value">{e["batt"]} h</span></li>' if e['batt'] else ''
    btn = {'out':'<button class="btn btn--ghost" type="button">Email me</button>'}.get(st,'<button class="btn btn--buy" type="button">Add to basket</button>')
    return f'''    <div class="product-card" data-sku="SH-{1040+i}">
      <a class="product-card__media" href="/p/{1040+i}"><img src="/img/{1040+i}.webp" alt="" width="240" height="240" loading="lazy">{save}</a>
      <div class="product-card__body">
        <h3 class="product-card__title"><a href="/p/{1040+i}">{E(e['title'])}</a></h3>
        {rate}
        <ul class="product-card__specs">
          <li><span class="spec-name">Type</span> <span class="spec-value">{e['type']}</span></li>
          <li><span class="spec-name">Connection</span> <span class="spec-value">{e['conn']}</span></li>
          <li><span class="spec-name">Noise cancelling</span> <span class="spec-value">{e['anc']}</span></li>
          {batt}
        </ul>
        <div class="price">{was} <span class="price__current">{e['t_price']}</span></div>
        {fin}
        <p class="stock stock--{st}">{e['avail']}</p>
        {btn}
      </div>
    </div>'''
n=lambda k,v: sum(1 for e in P01 if e[k]==v)
out('01', f'''<!DOCTYPE html>
<html lang="en-GB">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Headphones – buy online | SoundHarbour</title>
<meta name="description" content="Over-ear, on-ear and in-ear headphones. Order before 8 pm for next day delivery.">
<link rel="stylesheet" href="/assets/app.7f3c.css">
</head>
<body class="page-category">
<div class="usp-bar"><span>Free delivery over £40</span> <span>60 days to return</span> <span>Pay monthly at checkout</span></div>
<header class="site-header">
  <a class="site-logo" href="/">SoundHarbour</a>
  <form class="search" action="/search"><input type="search" name="q" placeholder="Search products"><button>Search</button></form>
  <nav class="main-nav" aria-label="Main"><ul><li><a href="/headphones">Headphones</a></li><li><a href="/speakers">Speakers</a></li><li><a href="/turntables">Turntables</a></li><li><a href="/microphones">Microphones</a></li><li><a href="/deals">Deals</a></li></ul></nav>
  <a class="basket" href="/basket">Basket (0)</a>
</header>
<nav class="breadcrumb"><a href="/">Home</a> › <a href="/audio">Audio</a> › <span>Headphones</span></nav>
<main>
  <h1>Headphones</h1>
  <p class="category-intro">From small buds for the bus to open studio models: find the pair that suits your ears and your budget.</p>
  <aside class="filters">
    <h2>Filter</h2>
    <fieldset><legend>Type</legend><label><input type="checkbox"> Over-ear ({n('type','Over-ear')})</label> <label><input type="checkbox"> On-ear ({n('type','On-ear')})</label> <label><input type="checkbox"> In-ear ({n('type','In-ear')})</label></fieldset>
    <fieldset><legend>Connection</legend><label><input type="checkbox"> Wireless ({n('conn','Wireless')})</label> <label><input type="checkbox"> Wired ({n('conn','Wired')})</label></fieldset>
    <fieldset><legend>Price</legend><label>Min <input type="number" value="19"></label> <label>Max <input type="number" value="449"></label></fieldset>
  </aside>
  <div class="toolbar"><span class="toolbar__count">{len(P01)} products</span> <label>Sort by <select><option>Recommended</option><option>Price: low to high</option><option>Price: high to low</option><option>Customer rating</option></select></label></div>
  <div class="product-grid">
''' + '\n'.join(card01(i,e) for i,e in enumerate(P01)) + '''
  </div>
  <section class="teasers">
    <h2>Guides from our team</h2>
    <div class="teaser"><a href="/guides/open-or-closed"><strong>Open or closed back?</strong></a><p>What the difference means for your neighbours on the train.</p></div>
    <div class="teaser"><a href="/guides/fit"><strong>How in-ear tips should fit</strong></a><p>Three minutes of reading, years of better bass.</p></div>
  </section>
  <section class="newsletter"><h2>£5 off your first order</h2><p>Sign up for our newsletter.</p><form><input type="email" placeholder="Your email"><button>Sign up</button></form></section>
</main>
<footer class="site-footer"><ul><li><a href="/contact">Contact</a></li><li><a href="/delivery">Delivery</a></li><li><a href="/returns">Returns</a></li><li><a href="/terms">Terms</a></li><li><a href="/privacy">Privacy</a></li></ul><p>© 2026 SoundHarbour Ltd, Plymouth</p></footer>
</body>
</html>
''')

# ---------------------------------------------------------------- 02 jobs (en)
K02='title company loc salary smin unit hours work posted days close cdate closed appl'.split()
Y='year'
P02=[dict(zip(K02,r)) for r in [
 ('Senior Backend Developer (Go)','Tidewater Payments','London','£75,000 – £90,000',75000,Y,'Full-time','Hybrid','2 days ago',2,'3 July 2026',D(2026,7,3),0,41),
 ('Registered Nurse, Day Surgery','Moorland Health','Leeds','£33,700 – £39,900',33700,Y,'Full-time','On-site','5 days ago',5,'28 June 2026',D(2026,6,28),0,12),
 ('Payroll Assistant','Brindle & Stowe','Manchester','£25,400',25400,Y,'Part-time','Hybrid','Yesterday',1,'19 June 2026',D(2026,6,19),0,27),
 ('Data Analyst','Harbourline Insurance','Bristol','£42,000 – £48,000',42000,Y,'Full-time','Remote','3 weeks ago',21,'12 June 2026',D(2026,6,12),1,133),
 ('Warehouse Operative (Nights)','Crossgate Logistics','Doncaster','£13.85 per hour',13.85,'h','Full-time','On-site','4 days ago',4,'30 June 2026',D(2026,6,30),0,58),
 ('UX Designer','Pennyroyal Studio','UK-wide','£50,000 – £58,000',50000,Y,'Full-time','Remote','6 days ago',6,'10 July 2026',D(2026,7,10),0,76),
 ('Customer Support Agent (German speaking)','Lumio Travel','Manchester','£27,500',27500,Y,'Full-time','Hybrid','2 weeks ago',14,'21 June 2026',D(2026,6,21),0,35),
 ('Head of Finance','Elmfield Housing Trust','Leeds','from £82,000',82000,Y,'Full-time','Hybrid','3 days ago',3,'5 July 2026',D(2026,7,5),0,9),
 ('Electrician','Northern Grid Services','Newcastle','£38,000 – £41,500',38000,Y,'Full-time','On-site','3 weeks ago',21,'14 June 2026',D(2026,6,14),1,22),
 ('Primary School Teacher','St Anne\'s Academy','Leeds','£32,900 – £45,600',32900,Y,'Full-time','On-site','2 weeks ago',14,'12 June 2026',D(2026,6,12),1,18),
 ('Receptionist','Harley Dental Care','London','£12.90 per hour',12.9,'h','Part-time','On-site','Today',0,'26 June 2026',D(2026,6,26),0,4),
 ('DevOps Engineer','Cloudberry Systems','Edinburgh','£60,000 – £72,000',60000,Y,'Full-time','Remote','2 weeks ago',14,'1 July 2026',D(2026,7,1),0,64),
 ('Marketing Executive','Fennel Foods','Bristol','Competitive',None,None,'Full-time','Hybrid','6 days ago',6,'24 June 2026',D(2026,6,24),0,51),
 ('Chef de Partie','The Copper Lantern','Manchester','£29,000',29000,Y,'Full-time','On-site','3 weeks ago',21,'29 June 2026',D(2026,6,29),0,7),
 ('Translator Polish–English','Wordbridge','UK-wide','£190 per day',190,'d','Part-time','Remote','8 days ago',8,'17 July 2026',D(2026,7,17),0,15),
 ('Site Manager','Oakhurst Construction','Cardiff','£55,000 – £62,000',55000,Y,'Full-time','On-site','2 weeks ago',14,None,None,0,16),
 ('Junior Accountant','Brindle & Stowe','Manchester','£28,000 – £31,000',28000,Y,'Full-time','On-site','4 weeks ago',28,'11 June 2026',D(2026,6,11),1,88),
]]
def row02(i,e):
    close = (e['close'] or '–') + (' <span class="tag tag-closed">Closed</span>' if e['closed'] else '')
    return f'''        <tr class="{'odd' if i%2==0 else 'even'}{' is-closed' if e['closed'] else ''}">
          <td class="col-job"><a href="/vacancy/{88210+i*7}">{E(e['title'])}</a></td>
          <td>{E(e['company'])}</td>
          <td>{e['loc']}</td>
          <td class="num">{e['salary']}</td>
          <td>{e['hours']}</td>
          <td>{e['work']}</td>
          <td>{e['posted']}</td>
          <td>{close}</td>
          <td class="num">{e['appl']}</td>
        </tr>'''
out('02', '''<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<title>Search results: 17 vacancies | WorkBoard UK</title>
<link rel="stylesheet" href="/static/css/main.css">
<script>window.dataLayer = window.dataLayer || [];</script>
</head>
<body>
<a class="skip" href="#results">Skip to results</a>
<div id="cookie-note" role="dialog"><p>We use cookies to remember your searches. <button>Accept</button> <button>Reject</button></p></div>
<header id="top"><div class="brand"><a href="/">WorkBoard UK</a></div>
<ul class="menu"><li><a href="/search">Find a job</a></li><li><a href="/saved">Saved jobs</a></li><li><a href="/advice">Career advice</a></li><li><a href="/recruiters">Post a vacancy</a></li><li><a href="/login">Sign in</a></li></ul></header>
<div id="wrap">
  <div id="side">
    <div class="box"><h4>Refine your search</h4>
      <form><p><label>Keywords <input name="kw"></label></p><p><label>Location <input name="loc"></label></p><p><label>Hours <select name="h"><option>Any</option><option>Full-time</option><option>Part-time</option></select></label></p><p><label>Workplace <select name="w"><option>Any</option><option>On-site</option><option>Hybrid</option><option>Remote</option></select></label></p><p><button>Update</button></p></form></div>
    <div class="box"><h4>Get jobs by email</h4><p>New vacancies for this search, once a day.</p><form><input type="email" name="mail"><button>Create alert</button></form></div>
    <div class="box"><h4>Career advice</h4><ul><li><a href="/advice/cv-2026">A CV that survives the first ten seconds</a></li><li><a href="/advice/interview">Video interviews: light, sound, notes</a></li></ul></div>
  </div>
  <div id="content">
    <h1>17 vacancies found</h1>
    <p class="meta">List updated on 15 June 2026. Sorted by relevance.</p>
    <table id="results" class="vacancies">
      <caption class="visually-hidden">Vacancies</caption>
      <thead><tr><th scope="col">Job title</th><th scope="col">Company</th><th scope="col">Location</th><th scope="col">Salary</th><th scope="col">Hours</th><th scope="col">Workplace</th><th scope="col">Posted</th><th scope="col">Closing date</th><th scope="col">Applicants</th></tr></thead>
      <tbody>
''' + '\n'.join(row02(i,e) for i,e in enumerate(P02)) + '''
      </tbody>
    </table>
    <p class="pager"><span class="current">1</span> of 1</p>
  </div>
</div>
<footer><p><a href="/about">About</a> | <a href="/help">Help</a> | <a href="/privacy">Privacy</a> | <a href="/terms">Terms of use</a></p><p>WorkBoard UK is a service of Fairmile Media Ltd. © 2026</p></footer>
</body>
</html>
''')

# ---------------------------------------------------------------- 03 cars (de)
K03='title price old ez km kw ps fuel gear ort unf status'.split()
A,S='Automatik','Schaltgetriebe'
P03=[dict(zip(K03,r)) for r in [
 ('VW Golf VIII 2.0 TDI Life',21490,None,(2021,3),68400,110,150,'Diesel',A,'86150 Augsburg','ja',None),
 ('Skoda Octavia Combi 1.5 TSI Style',18950,19990,(2020,9),84200,110,150,'Benzin',S,'80331 München','ja',None),
 ('Tesla Model 3 Long Range',27900,31500,(2021,6),59800,324,440,'Elektro',A,'70173 Stuttgart','ja',None),
 ('BMW 320d Touring M Sport',29800,None,(2019,11),112500,140,190,'Diesel',A,'80809 München','nein',None),
 ('Opel Corsa 1.2 Edition',9490,None,(2018,5),71300,55,75,'Benzin',S,'89073 Ulm','ja',None),
 ('Renault Zoe R135 Intens',11990,12990,(2020,2),48700,100,136,'Elektro',A,'86159 Augsburg','ja','Reserviert'),
 ('Ford Focus Turnier 1.0 EcoBoost',13450,None,(2019,7),93600,92,125,'Benzin',S,'90402 Nürnberg','nein',None),
 ('Toyota Corolla 1.8 Hybrid Comfort',22300,None,(2022,4),35100,90,122,'Hybrid',A,'93047 Regensburg','ja',None),
 ('Mercedes-Benz C 220 d T-Modell',24900,26400,(2018,10),128000,143,194,'Diesel',A,'70565 Stuttgart','ja','Verkauft'),
 ('Hyundai Kona Elektro 64 kWh',19850,None,(2021,8),52300,150,204,'Elektro',A,'89077 Ulm','ja',None),
 ('Fiat 500e Icon',14700,None,(2021,12),21900,87,118,'Elektro',A,'80337 München',None,'Verkauft'),
 ('Audi A4 Avant 2.0 TFSI S line',26750,None,(2020,1),77900,140,190,'Benzin',A,'85049 Ingolstadt','ja',None),
 ('Seat Leon ST FR 2.0 TDI',15990,17200,(2018,6),98700,110,150,'Diesel',S,'86150 Augsburg','ja',None),
 ('Dacia Duster TCe 130 Prestige',14200,None,(2020,3),66500,96,130,'Benzin',S,'90471 Nürnberg','ja','Reserviert'),
 ('Mazda MX-5 2.0 Skyactiv-G 184',24490,None,(2022,5),18600,135,184,'Benzin',S,'93055 Regensburg','ja',None),
 ('VW Multivan T6 2.0 TDI Comfortline',33900,None,(2017,9),141200,146,199,'Diesel',S,'85055 Ingolstadt',None,None),
 ('Kia Niro 1.6 GDI Hybrid Spirit',20490,None,(2020,7),62800,104,141,'Hybrid',A,'89075 Ulm','nein',None),
 ('Mini Cooper SE',17350,18500,(2021,10),33400,135,184,'Elektro',A,'90403 Nürnberg','ja',None),
]]
de=lambda x:f'{x:,}'.replace(',','.')
for e in P03:
    e['t_price']=de(e['price'])+' €'; e['t_old']=e['old'] and de(e['old'])+' €'
    e['t_km']=de(e['km'])+' km'; e['t_ps']=f"{e['kw']} kW ({e['ps']} PS)"; e['t_ez']='%02d/%d'%(e['ez'][1],e['ez'][0])
def art03(i,e):
    st=f'<span class="inserat-flag inserat-flag--{e["status"].lower()}">{e["status"]}</span>' if e['status'] else ''
    old=f'<s class="inserat-preis-alt">{e["t_old"]}</s> ' if e['old'] else ''
    unf=f'<div class="merkmal"><span class="merkmal-label">Unfallfrei</span><span class="merkmal-wert">{e["unf"]}</span></div>' if e['unf'] else ''
    m=lambda l,v:f'<div class="merkmal"><span class="merkmal-label">{l}</span><span class="merkmal-wert">{v}</span></div>'
    return f'''  <article class="inserat" id="inserat-{55120+i*13}">
    <figure><img src="/fotos/{55120+i*13}_1.jpg" alt="Foto" loading="lazy"><figcaption>{4+(i*5)%11} Fotos</figcaption></figure>
    <div class="inserat-kopf">{st}<h2><a href="/fahrzeug/{55120+i*13}">{E(e['title'])}</a></h2>
      <p class="inserat-preis">{old}<strong>{e['t_price']}</strong></p></div>
    <div class="merkmale">
      {m('Erstzulassung',e['t_ez'])}{m('Kilometerstand',e['t_km'])}{m('Leistung',e['t_ps'])}
      {m('Kraftstoff',e['fuel'])}{m('Getriebe',e['gear'])}{unf}
    </div>
    <p class="inserat-ort">Standort: <span>{e['ort']}</span></p>
    <p class="inserat-aktion"><a href="/merken/{55120+i*13}">Merken</a> <a href="/fahrzeug/{55120+i*13}#anfrage">Anfrage senden</a></p>
  </article>'''
out('03','''<!DOCTYPE html>
<html lang="de">
<head>
<meta charset="UTF-8">
<meta name="viewport" content="width=device-width,initial-scale=1">
<title>Gebrauchtwagen in Süddeutschland – Autohafen Süd</title>
<link rel="stylesheet" href="/themes/autohafen/style.css?v=26.4">
</head>
<body class="archiv gebrauchtwagen">
<header class="kopf"><p class="logo"><a href="/">Autohafen Süd</a></p>
<nav class="haupt"><a href="/neuwagen">Neuwagen</a> <a href="/gebrauchtwagen" aria-current="page">Gebrauchtwagen</a> <a href="/werkstatt">Werkstatt</a> <a href="/ankauf">Ankauf</a> <a href="/standorte">Standorte</a> <a href="/kontakt">Kontakt</a></nav></header>
<div class="suche"><h1>Gebrauchtwagen</h1><form><select name="marke"><option>Alle Marken</option><option>Audi</option><option>BMW</option><option>VW</option></select> <select name="kraftstoff"><option>Kraftstoff</option><option>Benzin</option><option>Diesel</option><option>Elektro</option><option>Hybrid</option></select> <input name="preisbis" placeholder="Preis bis"> <button>18 Fahrzeuge anzeigen</button></form></div>
<main class="liste">
''' + '\n'.join(art03(i,e) for i,e in enumerate(P03)) + '''
</main>
<aside class="rand">
  <section class="kasten"><h3>Auto verkaufen?</h3><p>Wir machen Ihnen in 24 Stunden ein Angebot, auch für ältere Fahrzeuge.</p><a class="knopf" href="/ankauf">Jetzt bewerten lassen</a></section>
  <section class="kasten"><h3>Aus dem Magazin</h3><ul><li><a href="/magazin/akku">So prüfen Sie den Akku eines gebrauchten E-Autos</a></li><li><a href="/magazin/probefahrt">Checkliste für die Probefahrt</a></li></ul></section>
  <section class="kasten"><h3>Newsletter</h3><form><input type="email" placeholder="E-Mail-Adresse"><button>Abonnieren</button></form></section>
</aside>
<footer class="fuss"><p>Öffnungszeiten: Mo–Fr 8–18 Uhr, Sa 9–14 Uhr</p><p><a href="/impressum">Impressum</a> · <a href="/datenschutz">Datenschutz</a> · <a href="/agb">AGB</a></p><p>© 2026 Autohafen Süd GmbH</p></footer>
</body>
</html>
''')

# ---------------------------------------------------------------- 04 flats (de)
K04='title ort price old rating rev pers qm pets dist frei'.split()
ja,nein='erlaubt','nicht erlaubt'
P04=[dict(zip(K04,r)) for r in [
 ('Ferienwohnung Seeschwalbe','Binz, Rügen',89,None,4.8,132,4,58,ja,300,D(2026,7,11)),
 ('Haus Dünenblick','St. Peter-Ording, Nordsee',165,None,4.9,87,8,120,nein,450,D(2026,8,22)),
 ('Apartment Leuchtturm','Warnemünde, Ostsee',112,None,4.6,214,3,46,nein,150,None),
 ('Reetdachkate Anno 1820','Prerow, Fischland-Darß',139,None,4.7,65,6,95,ja,1200,D(2026,7,4)),
 ('Ferienwohnung Möwennest','Sellin, Rügen',74,None,4.3,158,2,38,nein,600,D(2026,6,27)),
 ('Strandvilla Aurora, Whg. 5','Heringsdorf, Usedom',198,None,5.0,41,5,88,nein,50,D(2026,9,5)),
 ('Bauernhof Petersen – Wohnung Kornblume','Büsum, Nordsee',67,79,4.5,103,4,62,ja,2500,D(2026,7,18)),
 ('Inselhaus Wattwurm','Wyk, Föhr',145,None,None,None,6,84,ja,350,D(2026,7,15)),
 ('Studio Hafenkante','Travemünde, Ostsee',59,None,4.1,276,2,29,nein,800,None),
 ('Ferienhaus Bernstein','Zinnowitz, Usedom',128,None,4.4,73,7,105,ja,900,D(2026,8,29)),
 ('Ferienwohnung Kapitänskajüte','Wyk, Föhr',93,None,4.2,19,3,51,None,200,D(2026,8,8)),
 ('Penthouse Ostseeperle','Kühlungsborn, Ostsee',229,259,4.8,118,4,92,nein,100,None),
 ('Landhaus Sonnenwiese','Garz, Rügen',98,None,4.5,54,5,78,ja,7000,D(2026,6,20)),
 ('Ferienwohnung Hygge','Grömitz, Ostsee',85,99,4.6,191,4,64,nein,400,D(2026,9,12)),
 ('Gruppenhaus Alte Schule','Tating, Nordsee',240,None,4.0,33,14,260,ja,9000,D(2026,8,1)),
 ('Tiny House Kliffkante','Ahrenshoop, Fischland-Darß',105,None,None,None,2,24,nein,250,D(2026,7,25)),
]]
for e in P04:
    e['t_price']=f"ab {e['price']} €"; e['t_rating']=e['rating'] and str(e['rating']).replace('.',','); e['t_qm']=f"{e['qm']} m²"
    e['t_dist']=f"{e['dist']} m" if e['dist']<1000 else (f"{e['dist']/1000:g}".replace('.',',')+' km')
    e['t_frei']='ausgebucht' if not e['frei'] else 'frei ab '+e['frei'].strftime('%d.%m.%Y')
def card04(i,e):
    dl=[('Belegung',f"max. {e['pers']} Personen"),('Wohnfläche',e['t_qm'])]
    if e['pets']: dl.append(('Haustiere',e['pets']))
    dl.append(('Entfernung zum Strand',e['t_dist']))
    dls=''.join(f'<dt>{a}</dt><dd>{b}</dd>' for a,b in dl)
    rate=(f'<span class="score">{e["t_rating"]}</span> <span class="score-count">({e["rev"]} Bewertungen)</span>' if e['rating'] else '<span class="score-new">Neu bei uns</span>')
    old=f'<span class="statt">statt {e["old"]} €</span> ' if e['old'] else ''
    return f'''      <div class="views-row"><div class="node node--type-unterkunft node--view-mode-teaser">
        <div class="field field--name-field-bild"><img src="/sites/default/files/styles/teaser/u{310+i}.jpg" alt="{E(e['title'])}"></div>
        <h3 class="node__title"><a href="/unterkunft/{310+i}" rel="bookmark">{E(e['title'])}</a></h3>
        <div class="field field--name-field-ort">{e['ort']}</div>
        <div class="field field--name-bewertung">{rate}</div>
        <dl class="ausstattung">{dls}</dl>
        <div class="field field--name-field-preis">{old}<span class="preis">{e['t_price']}</span> <span class="einheit">pro Nacht</span></div>
        <div class="field field--name-verfuegbarkeit">{e['t_frei']}</div>
      </div></div>'''
out('04','''<!DOCTYPE html>
<html lang="de" dir="ltr">
<head>
<meta charset="utf-8">
<meta name="Generator" content="Drupal 11 (https://www.drupal.org)">
<title>Ferienwohnungen und Ferienhäuser an der Küste | Küstenquartier</title>
</head>
<body class="path-unterkuenfte">
<div class="dialog-off-canvas-main-canvas">
<header class="region region-header"><a href="/" class="site-name">Küstenquartier</a>
<nav class="menu--main"><ul class="menu"><li><a href="/unterkuenfte">Unterkünfte</a></li><li><a href="/regionen">Regionen</a></li><li><a href="/last-minute">Last Minute</a></li><li><a href="/vermieter">Für Vermieter</a></li><li><a href="/hilfe">Hilfe</a></li></ul></nav></header>
<main role="main">
  <div class="region region-content">
    <h1 class="page-title">Ferienwohnungen und Ferienhäuser an Nord- und Ostsee</h1>
    <div class="views-exposed-form"><form><label>Anreise <input type="date"></label> <label>Abreise <input type="date"></label> <label>Region <select><option>- Alle -</option><option>Fischland-Darß</option><option>Föhr</option><option>Nordsee</option><option>Ostsee</option><option>Rügen</option><option>Usedom</option></select></label> <button>Suchen</button></form></div>
    <div class="view view-unterkuenfte"><div class="view-header">16 Unterkünfte</div>
    <div class="view-content">
''' + '\n'.join(card04(i,e) for i,e in enumerate(P04)) + '''
    </div></div>
  </div>
  <aside class="region region-sidebar">
    <div class="block block-tipp"><h2>Reisetipp</h2><p><a href="/blog/wattwandern">Wattwandern mit Kindern</a></p><p>Fünf geführte Touren, die auch kleine Füße schaffen.</p></div>
    <div class="block block-newsletter"><h2>Post vom Meer</h2><p>Einmal im Monat freie Termine und Neuigkeiten.</p><form><input type="email"><button>Anmelden</button></form></div>
    <div class="block block-telefon"><h2>Fragen?</h2><p>Täglich 9 bis 19 Uhr: 04651 555 01 20</p></div>
  </aside>
</main>
<footer class="region region-footer"><ul class="menu"><li><a href="/impressum">Impressum</a></li><li><a href="/datenschutz">Datenschutz</a></li><li><a href="/agb">AGB</a></li></ul><p>© 2026 Küstenquartier Reisen GmbH</p></footer>
</div>
</body>
</html>
''')

# ---------------------------------------------------------------- 05 books (pl)
K05='title author price old rating rev cover pages prem cat avail'.split()
mi,tw='miękka','twarda'; ok='Dostępna – wysyłka w 24 godziny'; nie='Chwilowo niedostępna'; pre='Przedsprzedaż'; ost='Ostatnie egzemplarze'
P05=[dict(zip(K05,r)) for r in [
 ('Cień nad Narwią','Marek Sokołowski',39.90,49.90,4.4,312,mi,384,D(2026,1,14),'Kryminał',ok),
 ('Dom z widokiem na morze','Anna Wierzba',44.90,None,4.1,95,mi,352,D(2026,4,22),'Powieść obyczajowa',ok),
 ('Korona z popiołu','Jakub Lisiecki',54.99,69.90,4.7,528,tw,688,D(2025,11,5),'Fantasy',ok),
 ('Ostatni pociąg do Lublina','Tomasz Bielak',36.50,None,4.2,64,mi,416,D(2026,3,18),'Kryminał',ost),
 ('Polska na talerzu','Ewa Krupińska',79.00,None,4.8,47,tw,320,D(2025,10,8),'Kuchnia',nie),
 ('Orbita ciszy','Piotr Zawada',42.00,None,4.5,139,mi,448,D(2026,5,6),'Science fiction',ok),
 ('Miasto bez rzeki','Hanna Olszewska',41.90,47.90,4.6,183,tw,296,D(2026,2,11),'Reportaż',ok),
 ('Zimowe dziedzictwo','Anna Wierzba',38.00,46.00,3.9,121,mi,368,D(2025,11,19),'Powieść obyczajowa',nie),
 ('Strażnicy Bursztynowej Wieży','Jakub Lisiecki',59.90,None,None,None,tw,720,D(2026,6,24),'Fantasy',pre),
 ('Sól i żelazo. Historia Wieliczki','Robert Mazurek',64.90,None,4.3,38,tw,544,D(2026,4,15),'Historia',ok),
 ('Kto zabił aptekarza','Magda Rojek',29.90,42.90,4.0,207,mi,336,D(2025,8,27),'Kryminał',ok),
 ('Syberia. Listy z drogi','Hanna Olszewska',52.00,None,4.9,76,tw,408,D(2026,5,20),'Reportaż',ok),
 ('Algorytm Ewy','Piotr Zawada',34.90,44.90,4.2,88,mi,392,D(2025,9,3),'Science fiction',nie),
 ('Bajki spod pieca','Zofia Malec',33.00,None,4.8,154,tw,96,D(2025,12,2),'Dla dzieci',ok),
 ('Szeptucha z Podlasia','Magda Rojek',45.00,None,3.8,59,mi,424,D(2026,5,13),'Kryminał',ok),
 ('Wojna o sól','Robert Mazurek',49.90,59.90,4.4,91,mi,512,D(2025,9,24),'Historia',ok),
 ('Kroniki Północy. Tom 1','Lena Jaworska',44.90,None,4.5,266,mi,576,D(2026,2,25),'Fantasy',ok),
 ('Ludzie z torów','Kamil Drozd',37.90,45.00,None,None,mi,264,D(2026,5,27),'Reportaż',ost),
 ('Cisza po burzy','Anna Wierzba',47.90,None,None,None,mi,None,D(2026,7,8),'Powieść obyczajowa',pre),
]]
zl=lambda x:f'{x:.2f}'.replace('.',',')+' zł'
def opinie(k): return f'{k} opinie' if k%10 in(2,3,4) and k%100 not in(12,13,14) else f'{k} opinii'
for e in P05:
    e['t_price']=zl(e['price']); e['t_old']=e['old'] and zl(e['old']); e['t_rating']=e['rating'] and str(e['rating']).replace('.',',')
    e['t_pages']=e['pages'] and str(e['pages']); e['t_prem']=e['prem'].strftime('%d.%m.%Y')
def li05(i,e):
    pr=(f'<del aria-hidden="true"><span class="amount">{e["t_old"]}</span></del> <ins><span class="amount">{e["t_price"]}</span></ins>' if e['old'] else f'<span class="amount">{e["t_price"]}</span>')
    om=f'<p class="omnibus">Najniższa cena z 30 dni przed obniżką: {zl(round(e["old"]-2-(i%3),2))}</p>' if e['old'] else ''
    rt=f'<div class="star-rating"><strong class="ocena">{e["t_rating"]}</strong>/5 <span class="opinie">({opinie(e["rev"])})</span></div>' if e['rating'] else ''
    pg=f'<span class="attr"><b>Liczba stron:</b> <i>{e["pages"]}</i></span>' if e['pages'] else ''
    cls={ok:'instock',nie:'outofstock',pre:'onbackorder',ost:'instock low'}[e['avail']]
    btn='Powiadom mnie' if e['avail']==nie else 'Zamów' if e['avail']==pre else 'Do koszyka'
    return f'''<li class="product type-product post-{7300+i*3} {cls.split()[0]}">
  <a href="/ksiazka/{7300+i*3}/" class="woocommerce-LoopProduct-link"><img src="/wp-content/uploads/okladki/{7300+i*3}.jpg" alt="Okładka"><h2 class="woocommerce-loop-product__title">{E(e['title'])}</h2></a>
  <p class="autor">{e['author']}</p>
  <p class="kategoria">Kategoria: <a href="#">{e['cat']}</a></p>
  {rt}
  <p class="atrybuty"><span class="attr"><b>Oprawa:</b> <i>{e['cover']}</i></span> {pg} <span class="attr"><b>Premiera:</b> <i>{e['t_prem']}</i></span></p>
  <span class="price">{pr}</span>
  {om}
  <p class="stan {cls}">{e['avail']}</p>
  <a href="?add={7300+i*3}" class="button">{btn}</a>
</li>'''
out('05','''<!DOCTYPE html>
<html lang="pl-PL">
<head>
<meta charset="UTF-8">
<title>Książki – Księgarnia Pod Sową</title>
<link rel="stylesheet" href="/wp-content/themes/sowa/style.css?ver=6.8">
</head>
<body class="archive woocommerce woocommerce-page">
<header id="masthead"><p class="site-title"><a href="/">Księgarnia Pod Sową</a></p><p class="site-description">Książki z dobrego gniazda od 1994 roku</p>
<nav id="site-navigation"><ul><li><a href="/ksiazki/">Książki</a></li><li><a href="/podreczniki/">Podręczniki</a></li><li><a href="/gry/">Gry planszowe</a></li><li><a href="/karty/">Karty podarunkowe</a></li><li><a href="/kontakt/">Kontakt</a></li></ul></nav>
<a class="cart-contents" href="/koszyk/">Koszyk: 0,00 zł</a></header>
<div id="content" class="site-content">
<nav class="woocommerce-breadcrumb"><a href="/">Strona główna</a> / Książki</nav>
<main id="main">
<h1 class="page-title">Książki</h1>
<p class="woocommerce-result-count">Wyświetlanie wszystkich wyników: 19</p>
<form class="woocommerce-ordering"><select><option>Domyślne sortowanie</option><option>Sortuj według popularności</option><option>Sortuj po cenie od najniższej</option></select></form>
<ul class="products columns-4">
''' + '\n'.join(li05(i,e) for i,e in enumerate(P05)) + '''
</ul>
</main>
<aside id="secondary" class="widget-area">
<section class="widget"><h3>Kategorie</h3><ul><li><a href="#">Dla dzieci</a></li><li><a href="#">Fantasy</a></li><li><a href="#">Historia</a></li><li><a href="#">Kryminał</a></li><li><a href="#">Kuchnia</a></li><li><a href="#">Powieść obyczajowa</a></li><li><a href="#">Reportaż</a></li><li><a href="#">Science fiction</a></li></ul></section>
<section class="widget"><h3>Z naszego bloga</h3><p><a href="/blog/lato/">Co zabrać na plażę? Nasze typy na lato</a></p></section>
<section class="widget"><h3>Newsletter</h3><p>Zapisz się i odbierz darmową dostawę.</p><form><input type="email" placeholder="Adres e-mail"><button>Zapisz się</button></form></section>
</aside>
</div>
<footer id="colophon"><p>Darmowa dostawa od 149 zł. Odbiór osobisty: ul. Kanonicza 8, Kraków</p><p><a href="/regulamin/">Regulamin</a> <a href="/polityka-prywatnosci/">Polityka prywatności</a> <a href="/zwroty/">Zwroty</a></p><p>© 2026 Księgarnia Pod Sową</p></footer>
</body>
</html>
''')

# ---------------------------------------------------------------- 06 events (pl)
K06='title date time place cat ticket price age status'.split()
wolny='wstęp wolny'; bd='bilety dostępne'; zak='zakończone'; wyp='wyprzedane'; odw='odwołane'; ob='ostatnie bilety'
P06=[dict(zip(K06,r)) for r in [
 ('Chopin o zmierzchu – recital',D(2026,7,3),'19:00','Filharmonia','Koncert','40 zł',40,None,bd),
 ('Rockowa Scena Młodych',D(2026,6,25),'18:00','Klub Piwnica','Koncert','28 zł',28,'od 16 lat',bd),
 ('Targ Roślin i Ziół',D(2026,6,14),'10:00','Plac Zamkowy','Targi',wolny,0,None,None),
 ('Wesele',D(2026,6,13),'19:00','Teatr Stary','Spektakl','od 45 zł',45,'od 12 lat',bd),
 ('Stand-up: Karol Wrzos',D(2026,6,6),'20:00','Klub Piwnica','Stand-up','70 zł',70,'18+',zak),
 ('Warsztaty ceramiki dla dzieci',D(2026,6,20),'11:00','Dom Kultury Bronowice','Warsztaty','35 zł',35,'od 6 do 12 lat',wyp),
 ('Symfonie Brahmsa – wieczór pierwszy',D(2026,6,19),'19:30','Filharmonia','Koncert','od 50 zł',50,None,ob),
 ('Kino pod chmurką: Rejs',D(2026,6,26),'21:30','Park Ludowy','Film',wolny,0,None,None),
 ('Festiwal Smaków Wschodu',D(2026,7,4),'12:00','Plac Zamkowy','Festiwal','20 zł',20,None,bd),
 ('Mała Syrenka – musical familijny',D(2026,6,21),'16:00','Centrum Spotkania Kultur','Spektakl','od 60 zł',60,'od 4 lat',bd),
 ('Zemsta',D(2026,7,11),'18:00','Teatr Stary','Spektakl','120 zł',120,'od 12 lat',wyp),
 ('Techno w Cukrowni',D(2026,6,27),'22:00','Stara Cukrownia','Impreza klubowa','55 zł',55,'18+',bd),
 ('Noc Jazzu nad Bystrzycą',D(2026,6,12),'20:00','Muszla Koncertowa','Koncert',wolny,0,None,None),
 ('Oprowadzanie kuratorskie: Plakat polski 1960–1989',D(2026,6,16),'17:00','Muzeum na Zamku','Wystawa','25 zł',25,None,bd),
 ('Półmaraton Miejski',D(2026,6,28),'9:00','Stadion Start','Sport','110 zł',110,'od 16 lat',wyp),
 ('Spacer z przewodnikiem: Lublin nocą',D(2026,6,18),'21:00','Brama Krakowska','Wycieczka','30 zł',30,None,odw),
 ('Wieczór poezji: Szymborska',D(2026,6,7),'17:00','Biblioteka Miejska','Spotkanie',wolny,0,None,zak),
 ('Nocny kabaret Trzy Grosze',D(2026,7,17),'20:00','Centrum Spotkania Kultur','Kabaret','80 zł',80,'18+',odw),
]]
MON={6:'czerwca',7:'lipca'}
for e in P06: e['t_date']=f"{e['date'].day} {MON[e['date'].month]} {e['date'].year}"
def dl06(i,e):
    st=f'\n      <dd class="ev-status">{e["status"]}</dd>' if e['status'] else ''
    ag=f'\n      <dd class="ev-age"><span class="lbl">Wiek:</span> <span>{e["age"]}</span></dd>' if e['age'] else ''
    return f'''      <dt class="ev-title"><a href="/wydarzenia/{i+901}">{E(e['title'])}</a></dt>
      <dd class="ev-date"><time datetime="{e['date']}T{e['time'].zfill(5)}">{e['t_date']}</time>, godz. <span class="ev-hour">{e['time']}</span></dd>
      <dd class="ev-place"><span class="lbl">Miejsce:</span> <span>{e['place']}</span></dd>
      <dd class="ev-cat"><span class="lbl">Kategoria:</span> <span>{e['cat']}</span></dd>
      <dd class="ev-price"><span class="lbl">Bilety:</span> <span>{e['ticket']}</span></dd>{ag}{st}'''
out('06','''<!DOCTYPE html>
<html lang="pl">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Kalendarz wydarzeń | Lublin – kultura i czas wolny</title>
</head>
<body>
<div class="topbar"><a href="/en">EN</a> <a href="/uk">UK</a> <a href="#" class="contrast">Kontrast</a></div>
<header class="city-header"><a href="/" class="crest">Lublin – kultura i czas wolny</a>
<nav><ul><li><a href="/aktualnosci">Aktualności</a></li><li><a href="/wydarzenia">Kalendarz</a></li><li><a href="/instytucje">Instytucje</a></li><li><a href="/turystyka">Turystyka</a></li><li><a href="/kontakt">Kontakt</a></li></ul></nav></header>
<div class="layout">
  <main>
    <h1>Kalendarz wydarzeń</h1>
    <p class="lead">Polecane przez redakcję: czerwiec i lipiec 2026</p>
    <div class="cal-filter"><button>Dziś</button> <button>Jutro</button> <button>Weekend</button> <button>Wszystkie</button></div>
    <dl class="event-list">
''' + '\n'.join(dl06(i,e) for i,e in enumerate(P06)) + '''
    </dl>
    <ul class="pagination"><li class="active">1</li><li><a href="?strona=2">2</a></li><li><a href="?strona=2">Następna</a></li></ul>
  </main>
  <aside>
    <div class="news-box"><h2>Aktualności</h2><ul><li><a href="/aktualnosci/1">Nowy sezon w miejskich domach kultury</a></li><li><a href="/aktualnosci/2">Ruszył nabór do budżetu obywatelskiego</a></li></ul></div>
    <div class="nl-box"><h2>Biuletyn</h2><p>Co czwartek wydarzenia na weekend w Twojej skrzynce.</p><form><input type="email"><button>Zapisz</button></form></div>
    <div class="add-box"><h2>Organizujesz coś?</h2><p><a href="/zglos">Zgłoś wydarzenie</a></p></div>
  </aside>
</div>
<footer><p>Urząd Miasta, Wydział Kultury, tel. 81 555 02 10</p><p><a href="/rodo">RODO</a> <a href="/mapa">Mapa strony</a> <a href="/redakcja">Redakcja</a></p><p>© 2026</p></footer>
</body>
</html>
''')

# ---------------------------------------------------------------- instructions
PAGES={'01':P01,'02':P02,'03':P03,'04':P04,'05':P05,'06':P06}
SET=[]
def q(id,lang,ins,pred=None,key=None,rev=False,top=None,ordered=None,cols=None):
    page=id[:2]; P=PAGES[page]
    if pred is None:
        SET.append(dict(id=id,page=page,lang=lang,instruction=ins,rows=[],ordered=False,columns={},impossible=True)); return
    R=[e for e in P if pred(e)]
    if key:
        ks=[key(e) for e in R]; assert None not in ks,id
        R.sort(key=key,reverse=rev)
        chk=R[:top+1] if top else R
        kk=[key(e) for e in chk]; assert len(set(kk))==len(kk),(id,kk)   # no ties
        assert not top or len(R)>top,(id,'top')
        if top: R=R[:top]
    if ordered is None: ordered=bool(key)
    if not ordered and key: R=[e for e in P if e in R]
    assert R and len(R)<len(P),id
    C={}
    for name,f in (cols or {}).items():
        assert name in ins,(id,name); C[name]=R[0][f]; assert isinstance(C[name],str),(id,name)
    SET.append(dict(id=id,page=page,lang=lang,instruction=ins,rows=[e['title'] for e in R],ordered=ordered,columns=C,impossible=False))
stock=lambda e:'in stock' in e['avail'].lower()
# 01
q('01a','en','over-ear headphones under £150 that are in stock, show name and price',lambda e:e['type']=='Over-ear' and e['price']<150 and stock(e),cols={'name':'title','price':'t_price'})
q('01b','en','wich headphones have noise cancelling and a battery of at least 30 hours?',lambda e:e['anc']=='Yes' and (e['batt'] or 0)>=30)
q('01c','en','three cheapest wireless in-ear models, cheapest first, with price and rating',lambda e:e['type']=='In-ear' and e['conn']=='Wireless',key=lambda e:e['price'],top=3,cols={'price':'t_price','rating':'t_rating'})
q('01d','en','Get me everything thats reduced at the moment. Show the old price and the new price.',lambda e:e['old'],cols={'old price':'t_old','new price':'t_price'})
q('01e','en','Which ones cost 200 pounds or more? I need the price and the monthly payment.',lambda e:e['price']>=200,cols={'price':'t_price','monthly payment':'t_month'})
q('01f','de','alle ausverkauften Kopfhörer',lambda e:e['avail']=='Out of stock')
q('01g','de','Kabelgebundene Kopfhörer, nicht unter 100 Pfund, mit Preis',lambda e:e['conn']=='Wired' and not e['price']<100,cols={'Preis':'t_price'})
q('01h','pl','słuchawki z ponad 1000 opinii, od najlepiej ocenianych',lambda e:(e['reviews'] or 0)>1000,key=lambda e:e['rating'],rev=True)
q('01i','pl','sluchawki bez redukcji szumow z ocena powyzej 4,3',lambda e:e['anc']=='No' and (e['rating'] or 0)>4.3)
q('01j','de','Welche Kopfhörer haben mehr als zwei Jahre Garantie?')
# 02
q('02a','en','all remote jobs, show job title, company and salary',lambda e:e['work']=='Remote',cols={'job title':'title','company':'company','salary':'salary'})
q('02b','en','jobs in Manchester or Leeds that are not closed yet',lambda e:e['loc'] in('Manchester','Leeds') and not e['closed'])
q('02c','en','Part time positions please, with the closing date and the location',lambda e:e['hours']=='Part-time',cols={'closing date':'close','location':'loc'})
q('02d','en','full time jobs where the yearly pay starts at 50k or more',lambda e:e['hours']=='Full-time' and e['unit']=='year' and e['smin']>=50000)
q('02e','en','Only jobs that offer at least 30 days of annual leave')
q('02f','de','Stellen außerhalb von London, bei denen man gar nicht im Homeoffice arbeiten kann',lambda e:e['loc']!='London' and e['work']=='On-site')
q('02g','pl','oferty z terminem składania po 30 czerwca 2026, najbliższy termin pierwszy',lambda e:e['cdate'] and e['cdate']>D(2026,6,30),key=lambda e:e['cdate'])
for e in P02: e['t_appl']=str(e['appl'])
q('02h','pl','Pięć ofert z najmniejszą liczbą kandydatów, rosnąco. Kolumny: firma, kandydaci',lambda e:True,key=lambda e:e['appl'],top=5,cols={'firma':'company','kandydaci':'t_appl'})
q('02i','de','Wie viele Jobs wurden in den letzten 7 Tagen veröffentlicht?',lambda e:e['days']<=7)
q('02j','pl','oferty tylko z firm, które zatrudniają ponad 500 osób')
# 03
q('03a','de','Diesel mit weniger als 100.000 km, bitte Preis und Kilometerstand',lambda e:e['fuel']=='Diesel' and e['km']<100000,cols={'Preis':'t_price','Kilometerstand':'t_km'})
q('03b','de','Automatik, Erstzulassung ab 2021, unter 25000 Euro',lambda e:e['gear']==A and e['ez'][0]>=2021 and e['price']<25000)
q('03c','de','Die drei günstigsten Elektroautos, die noch nicht verkauft sind, das billigste zuerst',lambda e:e['fuel']=='Elektro' and e['status']!='Verkauft',key=lambda e:e['price'],top=3)
q('03d','de','keine Benziner und keine Diesel, stärkster Wagen zuerst, mit Leistung',lambda e:e['fuel'] not in('Benzin','Diesel'),key=lambda e:e['ps'],rev=True,cols={'Leistung':'t_ps'})
q('03e','de','Welche Fahrzeuge sind ausdrücklich nicht unfallfrei?',lambda e:e['unf']=='nein')
q('03f','en','cars that come with a tow bar')
q('03g','en','manual gearbox and more than 150 hp',lambda e:e['gear']==S and e['ps']>150)
q('03h','pl','samochody z Monachium albo Augsburga',lambda e:e['ort'].split()[1] in('München','Augsburg'))
q('03i','pl','Pokaż auta z obniżoną ceną, kolumny: stara cena, nowa cena',lambda e:e['old'],cols={'stara cena':'t_old','nowa cena':'t_price'})
q('03j','en','five newest cars by first registration, newest first, show the mileage',lambda e:True,key=lambda e:e['ez'],rev=True,top=5,cols={'mileage':'t_km'})
# 04
q('04a','de','Unterkünfte für mindestens 6 Personen mit Preis pro Nacht und Wohnfläche',lambda e:e['pers']>=6,cols={'Preis pro Nacht':'t_price','Wohnfläche':'t_qm'})
q('04b','de','hund erlaubt und höchstens 500 m bis zum strand',lambda e:e['pets']==ja and e['dist']<=500)
q('04c','de','Die fünf am besten bewerteten Unterkünfte, die nicht ausgebucht sind. Beste zuerst, Bewertung anzeigen',lambda e:e['frei'] and e['rating'],key=lambda e:e['rating'],rev=True,top=5,cols={'Bewertung':'t_rating'})
q('04d','de','unter 100 Euro pro Nacht, aber nicht auf Rügen',lambda e:e['price']<100 and 'Rügen' not in e['ort'])
q('04e','de','alles was spätestens ab dem 15. Juli 2026 frei ist',lambda e:e['frei'] and e['frei']<=D(2026,7,15))
q('04f','en','bigger than 80 sqm where pets are not allowed',lambda e:e['qm']>80 and e['pets']==nein)
q('04g','en','How many places are fully booked?',lambda e:not e['frei'])
q('04h','pl','noclegi z oceną powyżej 4,5 i co najmniej 100 opiniami',lambda e:(e['rating'] or 0)>4.5 and e['rev']>=100)
q('04i','pl','trzy najtańsze noclegi, od najtańszego, pokaż: miejscowość, cena',lambda e:True,key=lambda e:e['price'],top=3,cols={'miejscowość':'ort','cena':'t_price'})
q('04j','en','holiday homes with a sauna')
# 05
q('05a','pl','kryminały poniżej 40 zł',lambda e:e['cat']=='Kryminał' and e['price']<40)
q('05b','pl','ksiązki w twardej oprawie, które mają wiecej niż 500 stron, pokaż: autor, cena',lambda e:e['cover']==tw and (e['pages'] or 0)>500,cols={'autor':'author','cena':'t_price'})
q('05c','pl','Przecenione reportaże. Kolumny: tytuł, stara cena, nowa cena',lambda e:e['cat']=='Reportaż' and e['old'],cols={'tytuł':'title','stara cena':'t_old','nowa cena':'t_price'})
q('05d','pl','premiera po 1 maja 2026, od najpóźniejszej daty, z kolumną data premiery',lambda e:e['prem']>D(2026,5,1),key=lambda e:e['prem'],rev=True,cols={'data premiery':'t_prem'})
q('05e','pl','Które tytuły są teraz niedostępne? Przedsprzedaży nie licz.',lambda e:e['avail']==nie)
q('05f','en','the four best rated books with at least 50 reviews, best first, show author and rating',lambda e:(e['rev'] or 0)>=50,key=lambda e:e['rating'],rev=True,top=4,cols={'author':'author','rating':'t_rating'})
q('05g','en',"paperbacks under 45 zl that aren't crime novels",lambda e:e['cover']==mi and e['price']<45 and e['cat']!='Kryminał')
q('05h','de','Alle Bücher von Anna Wierzba mit Seitenzahl',lambda e:e['author']=='Anna Wierzba',cols={'Seitenzahl':'t_pages'})
q('05i','de','Fantasy oder Science-Fiction, nicht teurer als 45 Zloty',lambda e:e['cat'] in('Fantasy','Science fiction') and not e['price']>45)
q('05j','de','Welche Bücher haben einen Literaturpreis gewonnen?')
# 06
q('06a','pl','darmowe wydarzenia, które się jeszcze nie zakończyły',lambda e:e['ticket']==wolny and e['status']!=zak)
q('06b','pl','koncerty w czerwcu w kolejności dat, pokaż: data, miejsce',lambda e:e['cat']=='Koncert' and e['date'].month==6,key=lambda e:e['date'],cols={'data':'t_date','miejsce':'place'})
q('06c','pl','Co jest wyprzedane albo odwołane?',lambda e:e['status'] in(wyp,odw))
q('06d','pl','imprezy tylko dla pełnoletnich',lambda e:e['age']=='18+')
q('06e','pl','co grają w Filharmonii i Teatrze Starym, bez wyprzedanych, pokaż: cena, godzina',lambda e:e['place'] in('Filharmonia','Teatr Stary') and e['status']!=wyp,cols={'cena':'ticket','godzina':'time'})
q('06f','en','whats on after 20 June 2026 for less than 50 zloty? free events count too',lambda e:e['date']>D(2026,6,20) and e['price']<50)
q('06g','de','Veranstaltungen im Juli, die nicht abgesagt sind, nach Datum sortiert',lambda e:e['date'].month==7 and e['status']!=odw,key=lambda e:e['date'])
q('06h','de','Was fängt vor 12 Uhr mittags an? Mit Uhrzeit und Ort',lambda e:int(e['time'].split(':')[0])<12,cols={'Uhrzeit':'time','Ort':'place'})
q('06i','en','Which events are wheelchair accessible?')
q('06j','de','nur Veranstaltungen mit kostenlosen Parkplätzen')
with open('set.jsonl','w',encoding='utf-8') as f:
    for s in SET: f.write(json.dumps(s,ensure_ascii=False)+'\n')
json.dump({p:[{k:(str(v) if v is not None else None) for k,v in e.items()} for e in P] for p,P in PAGES.items()},open('data.json','w'),ensure_ascii=False,indent=0)
