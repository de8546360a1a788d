import json,re,html
from datetime import date
E=html.escape
D=lambda s: date(int(s[6:10]),int(s[3:5]),int(s[:2])) if s and re.match(r'\d\d\.\d\d\.\d{4}',s) else None
def eu(s): # German / Polish number
    m=re.search(r'\d[\d\s.\u00a0]*(?:,\d+)?',s or '')
    return float(re.sub(r'[\s.\u00a0]','',m.group()).replace(',','.')) if m else None
def uk(s):
    m=re.search(r'\d[\d,]*(?:\.\d+)?',s or ''); return float(m.group().replace(',','')) if m else None
def rec(keys,rows):
    ks=keys.split(); out=[]
    for r in rows:
        assert len(r)==len(ks),(r,len(r),len(ks)); out.append(dict(zip(ks,r)))
    ts=[o['t'] for o in out]; assert len(set(ts))==len(ts); assert 14<=len(out)<=20
    return out
S='In stock';O='Out of stock'
P1=rec('t cpu ram ssd scr kg price was rate rev st',[
['Lenovo IdeaPad Slim 3 15','AMD Ryzen 5 7535HS','8 GB','512 GB SSD','15.6"','1.62 kg','£429.00','£499.00','4.3','318',S],
['Acer Aspire Go 14','Intel Core 3 100U','8 GB','256 GB SSD','14.0"','1.50 kg','£349.99','','4.1','127',S],
['ASUS Vivobook S 14 OLED','Intel Core Ultra 7 255H','16 GB','1 TB SSD','14.0"','1.40 kg','£899.00','£1,049.00','4.6','204','Only 3 left'],
['Apple MacBook Air 13 (M4)','Apple M4','16 GB','256 GB SSD','13.6"','1.24 kg','£949.00','£999.00','4.8','1,432',S],
['Apple MacBook Pro 14 (M5)','Apple M5','16 GB','512 GB SSD','14.2"','1.55 kg','£1,599.00','','4.9','276',S],
['HP Pavilion Plus 16','Intel Core 7 240H','16 GB','1 TB SSD','16.0"','1.77 kg','£799.00','£949.00','4.2','88',O],
['HP 250 G10','Intel Core i3-1315U','8 GB','256 GB SSD','15.6"','1.52 kg','£329.00','','3.8','61',S],
['Dell XPS 13 (9350)','Intel Core Ultra 5 226V','16 GB','512 GB SSD','13.4"','1.19 kg','£1,149.00','£1,299.00','4.5','153',S],
['Dell 15 DC15250','Intel Core i5-1334U','16 GB','512 GB SSD','15.6"','1.67 kg','£549.00','£599.00','4.0','45',S],
['Microsoft Surface Laptop 7','Snapdragon X Plus','16 GB','512 GB SSD','13.8"','1.34 kg','£999.00','','4.4','391','Only 2 left'],
['MSI Katana 15 HX','Intel Core i7-14650HX','16 GB','1 TB SSD','15.6"','2.40 kg','£1,199.00','£1,399.00','4.4','97',O],
['ASUS ROG Zephyrus G14','AMD Ryzen AI 9 HX 370','32 GB','1 TB SSD','14.0"','1.57 kg','£2,099.00','','4.7','112',S],
['LG gram 17','Intel Core Ultra 7 258V','32 GB','1 TB SSD','17.0"','1.45 kg','£1,699.00','£1,899.00','4.7','39',S],
['Framework Laptop 13','AMD Ryzen AI 5 340','16 GB','','13.5"','1.30 kg','from £1,049.00','','4.6','58','Pre-order'],
['Lenovo ThinkPad X1 Carbon Gen 13','Intel Core Ultra 7 268V','32 GB','1 TB SSD','14.0"','0.99 kg','£1,879.00','','','','Pre-order'],
['Chuwi HeroBook Pro 15','Intel N100','8 GB','256 GB SSD','15.6"','1.75 kg','£229.00','£279.00','3.4','20',O],
['Samsung Galaxy Book5 Pro 16','Intel Core Ultra 7 256V','16 GB','512 GB SSD','16.0"','1.56 kg','£1,249.00','£1,499.00','4.3','72',S],
])
P2=rec('t cui area rate rev main hours closed out take note',[
['The Copper Kettle','British','Old Town','4.4','286','£16.00','12:00–22:00','Monday','Yes','No',''],
['Trattoria Da Rosa','Italian','Old Town','4.7','541','£19.00','12:00–23:00','Tuesday','Yes','Yes',''],
['Saffron Court','Indian','Station Road','4.5','398','£14.00','17:00–23:30','None','No','Yes',''],
['Sakura House','Japanese','Riverside','4.6','174','from £22.00','17:30–22:00','Monday','No','Yes',''],
['Le Petit Quai','French','Riverside','4.8','129','£34.00','18:00–22:30','Sunday','Yes','No',''],
['Pho Corner','Vietnamese','Station Road','4.3','212','£12.00','11:30–21:00','None','No','Yes',''],
['The Drovers Arms','British','Market Place','4.0','463','£15.00','11:00–23:00','None','Yes','No',''],
['Casa Lupe','Mexican','Market Place','4.1','97','£13.50','12:00–22:00','Monday','Yes','Yes',''],
['Harbour Fish Bar','Seafood','Riverside','4.2','655','£11.00','11:00–20:00','Sunday','No','Yes',''],
['Olive & Thyme','Greek','Old Town','4.9','88','£18.00','17:00–22:00','Monday','Yes','No',''],
['Bistro Nine','French','Market Place','','','£24.00','12:00–21:30','Tuesday','No','No','New'],
['Golden Lotus','Chinese','Station Road','3.9','331','£13.00','12:00–23:00','None','No','Yes',''],
['Pizzeria Vesuvio','Italian','Station Road','3.7','240','£11.50','11:30–22:30','None','No','Yes',''],
['The Glasshouse','Modern European','Riverside','4.6','203','from £42.00','18:30–22:00','Sunday','No','No','Temporarily closed until 12 January 2027'],
['Anatolia Grill','Turkish','Market Place','4.5','377','£17.00','12:00–00:00','None','Yes','Yes',''],
["Nonna's Kitchen",'Italian','Riverside','4.2','58','£16.50','17:00–21:30','Monday','','No',''],
])
W='Wohnung';H='Haus';er='erlaubt';ne='nicht erlaubt'
P3=rec('t typ ort kalt nk qm zi ab balk tier bj st',[
['Helle Altbauwohnung am Kanal',W,'Plagwitz','890 €','210 €','78 m²','3','01.02.2027','ja',er,'1908',''],
['Kompaktes Apartment für Singles',W,'Zentrum','495 €','120 €','31,5 m²','1','sofort','nein',ne,'2016',''],
['Reihenhaus mit Garten in ruhiger Lage',H,'Markkleeberg','1.450 €','260 €','124 m²','5','01.03.2027','',er,'1998',''],
['Familienwohnung nahe Clara-Zetkin-Park',W,'Schleußig','1.280 €','290 €','112 m²','4','15.01.2027','ja',ne,'1925',''],
['Sanierte 2-Raum-Wohnung',W,'Gohlis','620 €','150 €','58 m²','2','sofort','ja',er,'1936','Reserviert'],
['Dachgeschosswohnung mit Weitblick',W,'Connewitz','745 €','165 €','66 m²','2','01.01.2027','nein',ne,'1911',''],
['Doppelhaushälfte im Grünen',H,'Taucha','1.590 €','280 €','138 m²','5','01.04.2027','nein',er,'2004',''],
['Erstbezug: Neubauwohnung mit Aufzug',W,'Zentrum','1.120 €','240 €','81 m²','3','01.02.2027','ja',ne,'2026',''],
['Möblierte Wohnung auf Zeit',W,'Südvorstadt','auf Anfrage','','47 m²','2','sofort','nein',ne,'1972',''],
['Maisonette über zwei Etagen',W,'Lindenau','980 €','220 €','95 m²','4','15.02.2027','ja',er,'1902',''],
['Freistehendes Einfamilienhaus',H,'Markkleeberg','2.150 €','340 €','165 m²','6','01.03.2027','ja',ne,'2012','Reserviert'],
['Günstige 1-Raum-Wohnung',W,'Grünau','285 €','110 €','33 m²','1','sofort','ja',er,'1983',''],
['3-Raum-Wohnung im Plattenbau',W,'Grünau','410 €','175 €','62 m²','3','sofort','ja',er,'1981',''],
['Loft in ehemaliger Spinnerei',W,'Lindenau','1.350 €','270 €','105 m²','2','01.05.2027','nein',ne,'1895',''],
['Bungalow mit Carport',H,'Taucha','1.190 €','190 €','89 m²','3','01.02.2027','nein',er,'1976',''],
['Gartenwohnung mit Terrasse',W,'Gohlis','860 €','200 €','74 m²','3','15.01.2027','nein',ne,'2009',''],
])
V='Vollzeit';T='Teilzeit';U='unbefristet';B='befristet'
P4=rec('t fa ort geh art ho vt seit frist',[
['Buchhalter (m/w/d)','Kessler Steuerberatung','Hannover','ab 3.400 €',V,'teilweise',U,'03.11.2026','15.12.2026'],
['Pflegefachkraft (m/w/d) Nachtdienst','Klinikum Weserblick','Bremen','3.650 €',T,'nein',U,'18.11.2026','31.12.2026'],
['Frontend-Entwickler (m/w/d)','Nordcode GmbH','Hamburg','4.800 €',V,'ja',U,'20.11.2026','10.01.2027'],
['Lagerhelfer (m/w/d)','Hanse Logistik AG','Bremen','2.350 €',V,'nein',B,'12.11.2026','–'],
['Elektroniker für Betriebstechnik (m/w/d)','Stahlbau Petersen','Kiel','3.550 €',V,'nein',U,'28.10.2026','30.11.2026'],
['Verkäufer (m/w/d) Backwaren','Bäckerei Lüders','Hannover','2.280 €',T,'nein',U,'09.11.2026','05.12.2026'],
['Data Engineer (m/w/d)','Alsterdata SE','Hamburg','5.600 €',V,'ja',U,'24.11.2026','20.01.2027'],
['Erzieher (m/w/d)','Kita Sonnenhügel','Oldenburg','3.120 €',T,'nein',B,'15.11.2026','20.12.2026'],
['Aushilfe Kasse (m/w/d)','Frischmarkt Behrens','Kiel','603 €','Minijob','nein',B,'22.11.2026','–'],
['Kundenberater (m/w/d) im Innendienst','Nordsee Versicherung','Hamburg','3.200 €',V,'teilweise',U,'06.11.2026','18.12.2026'],
['Koch (m/w/d)','Hotel Deichgraf','Cuxhaven','2.900 €',V,'nein',B,'01.11.2026','Stelle besetzt'],
['IT-Administrator (m/w/d)','Stadtwerke Oldenburg','Oldenburg','4.150 €',V,'teilweise',U,'17.11.2026','08.01.2027'],
['Sachbearbeiter Einkauf (m/w/d)','Hanse Logistik AG','Bremen','3.300 €',T,'ja',U,'19.11.2026','03.01.2027'],
['Mediengestalter (m/w/d)','Agentur Leuchtfeuer','Hamburg','nach Vereinbarung',T,'ja',B,'10.11.2026','12.12.2026'],
['Berufskraftfahrer CE (m/w/d)','Spedition Brandt','Hannover','3.050 €',V,'nein',U,'25.11.2026','31.01.2027'],
['Physiotherapeut (m/w/d)','Praxis am Wall','Bremen','3.250 €',T,'nein',U,'13.11.2026','Stelle besetzt'],
['Projektleiter Windenergie (m/w/d)','Nordwind Energie GmbH','Kiel','5.900 €',V,'teilweise',U,'21.11.2026','15.01.2027'],
['Reinigungskraft (m/w/d)','Blitzblank Service','Oldenburg','1.450 €',T,'nein',U,'16.11.2026','–'],
])
A='Dostępny';N='Niedostępny';L='Ostatnie sztuki'
P5=rec('t kat cena was rata kl oc op st gw',[
['Pralka Bosch Serie 4 WAN2425KPL','Pralki','1 899,00 zł','2 199,00 zł','10 rat × 189,90 zł','A','4,7','318',A,'2 lata'],
['Lodówka Samsung RB38C600','Lodówki','2 799,00 zł','3 299,00 zł','20 rat × 139,95 zł','C','4,8','205',A,'5 lat'],
['Odkurzacz pionowy Dyson V15 Detect','Odkurzacze','2 699,00 zł','2 999,00 zł','20 rat × 134,95 zł','','4,6','411',A,'2 lata'],
['Pralka Beko B3WFU57411W','Pralki','1 349,00 zł','','10 rat × 134,90 zł','B','4,3','142',A,'2 lata'],
['Zmywarka Electrolux ESA47210','Zmywarki','1 999,00 zł','2 399,00 zł','20 rat × 99,95 zł','D','4,6','173',A,'3 lata'],
['Ekspres ciśnieniowy De\'Longhi Magnifica Evo','Ekspresy do kawy','1 649,00 zł','1 999,00 zł','10 rat × 164,90 zł','','4,8','527',A,'2 lata'],
['Pralka Candy RO 1486','Pralki','1 199,00 zł','1 399,00 zł','20 rat × 59,95 zł','A','3,9','67',N,'2 lata'],
['Lodówka Amica FK3216','Lodówki','1 599,00 zł','','10 rat × 159,90 zł','E','4,1','89',A,'2 lata'],
['Zmywarka Whirlpool W2F HD624','Zmywarki','1 449,00 zł','','10 rat × 144,90 zł','E','4,0','38',N,'2 lata'],
['Kuchenka mikrofalowa Sharp YC-MS02','Kuchenki i piekarniki','od 379,00 zł','','','','4,0','51',A,''],
['Suszarka do prania Haier I-Pro 5','Suszarki','2 249,00 zł','2 599,00 zł','20 rat × 112,45 zł','A','','','Przedsprzedaż od 15.12.2026','3 lata'],
['Robot sprzątający Roborock Q8 Max','Odkurzacze','1 799,00 zł','2 099,00 zł','10 rat × 179,90 zł','','4,4','188',L,'3 lata'],
['Zmywarka Bosch SMS4HVW33E','Zmywarki','2 149,00 zł','','20 rat × 107,45 zł','C','4,7','260',A,'2 lata'],
['Lodówka side-by-side Hisense RS677N4','Lodówki','3 499,00 zł','','20 rat × 174,95 zł','E','4,5','54',L,'3 lata'],
['Ekspres Philips LatteGo 3300','Ekspresy do kawy','1 749,00 zł','','10 rat × 174,90 zł','','4,5','233',N,'2 lata'],
['Piekarnik Electrolux SteamBake EOD5C71X','Kuchenki i piekarniki','1 549,00 zł','1 799,00 zł','10 rat × 154,90 zł','A','4,5','77',A,'5 lat'],
['Odkurzacz Philips PowerPro Compact','Odkurzacze','549,00 zł','699,00 zł','','','4,2','96',A,'2 lata'],
])
po='początkujący';sr='średniozaawansowany';za='zaawansowany';bm='brak miejsc'
P6=rec('t kat msc term czas cena was wol poz cert prow',[
['Excel od podstaw','Komputery','Kraków','12.01.2027','16 godz.','690 zł','','8',po,'tak','Anna Wilk'],
['Ceramika na kole garncarskim','Rękodzieło','Warszawa','05.12.2026','6 godz.','320 zł','','2',po,'nie','Maja Dudek'],
['Fotografia portretowa','Fotografia','Wrocław','09.01.2027','8 godz.','450 zł','',bm,sr,'nie','Piotr Zaremba'],
['Python dla analityków','Komputery','online','18.01.2027','40 godz.','1 890 zł','','14',sr,'tak','Tomasz Lis'],
['Warsztaty pieczenia chleba na zakwasie','Kulinaria','Kraków','14.11.2026','5 godz.','260 zł','','zakończone',po,'nie','Ewa Sikora'],
['Angielski w biznesie','Języki','online','11.01.2027','60 godz.','1 450 zł','1 650 zł','6',za,'tak','Mark Hughes'],
['Niemiecki A1 – kurs weekendowy','Języki','Poznań','16.01.2027','48 godz.','1 190 zł','','10',po,'tak','Katarzyna Nowicka'],
['Joga dla zapracowanych','Zdrowie','Warszawa','04.01.2027','12 godz.','380 zł','','5',po,'nie','Iga Malec'],
['Sushi w domu','Kulinaria','Wrocław','19.12.2026','4 godz.','290 zł','',bm,po,'nie','Kenji Mori'],
['Pierwsza pomoc','Zdrowie','Kraków','08.12.2026','8 godz.','bezpłatnie','','3','wszystkie poziomy','tak','Jan Baran'],
['Grafika w Canvie','Komputery','online','15.12.2026','6 godz.','199 zł','','20',po,'tak','Ola Pietrzak'],
['Stolarstwo: zbuduj stołek','Rękodzieło','Poznań','23.01.2027','10 godz.','540 zł','600 zł','4',po,'nie','Marek Kos'],
['Szycie na maszynie','Rękodzieło','Wrocław','10.12.2026','9 godz.','410 zł','','7',po,'nie','Barbara Gil'],
['Fotografia produktowa smartfonem','Fotografia','online','13.12.2026','3 godz.','149 zł','199 zł','30',po,'nie',''],
['Hiszpański – konwersacje','Języki','Warszawa','07.01.2027','30 godz.','od 850 zł','','',sr,'nie','Lucía Ortega'],
['Kuchnia tajska bez tajemnic','Kulinaria','Warszawa','20.12.2026','5 godz.','350 zł','','6',sr,'nie','Ewa Sikora'],
['Zarządzanie projektami – Scrum','Biznes','Warszawa','21.01.2027','16 godz.','2 100 zł','',bm,za,'tak','Robert Czajka'],
])
# ---------------------------------------------------------------- pages
def page(lang,title,css,head,body,foot):
    return f'''<!DOCTYPE html>
<html lang="{lang}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>{title}</title>
<style>{css}</style>
</head>
<body>
{head}
{body}
{foot}
</body>
</html>
'''
def i1(r,n):
    sl=re.sub(r'[^a-z0-9]+','-',r['t'].lower()).strip('-')
    was=f'<span class="price__was">Was <s>{r["was"]}</s></span>' if r['was'] else ''
    rt=f'<div class="rating" aria-label="{r["rate"]} out of 5"><span class="rating__value">{r["rate"]}</span> <span class="rating__stars">★★★★★</span> <a class="rating__count" href="/p/{sl}#reviews">{r["rev"]} reviews</a></div>' if r['rate'] else '<div class="rating rating--empty">No reviews yet</div>'
    ssd=f'<span class="spec"><b>Storage:</b> {r["ssd"]}</span>' if r['ssd'] else ''
    cls={'In stock':'ok','Out of stock':'none','Pre-order':'pre'}.get(r['st'],'low')
    btn='<button class="btn" disabled>Notify me</button>' if r['st']==O else '<button class="btn btn--primary">Add to basket</button>'
    return f'''<div class="product-card" data-sku="LT{4100+n*7}">
  <a class="product-card__img" href="/p/{sl}"><img src="/media/{sl}.webp" alt="" width="240" height="180" loading="lazy"></a>
  <div class="product-card__body">
    <h3 class="product-card__name"><a href="/p/{sl}">{E(r['t'])}</a></h3>
    {rt}
    <div class="product-card__specs"><span class="spec"><b>Processor:</b> {r['cpu']}</span> <span class="spec"><b>RAM:</b> {r['ram']}</span> {ssd} <span class="spec"><b>Screen:</b> {E(r['scr'])}</span> <span class="spec"><b>Weight:</b> {r['kg']}</span></div>
    <div class="price"><span class="price__now">{r['price']}</span> {was}</div>
    <div class="stock stock--{cls}">{r['st']}</div>
    {btn}
  </div>
</div>'''
pg1=page('en','Laptops | Notebook Barn','.product-grid{display:grid;grid-template-columns:repeat(3,1fr)}.price__was{color:#888}',
'''<header class="site-header"><a class="logo" href="/">Notebook Barn</a><form role="search" action="/search"><input name="q" placeholder="Search products"><button>Search</button></form>
<nav class="main-nav"><ul><li><a href="/laptops">Laptops</a></li><li><a href="/tablets">Tablets</a></li><li><a href="/monitors">Monitors</a></li><li><a href="/accessories">Accessories</a></li><li><a href="/deals">Deals</a></li></ul></nav><a class="basket" href="/basket">Basket (0)</a></header>
<div class="usp-bar"><span>Free UK delivery over £50</span><span>30-day returns</span></div>''',
f'''<main><nav class="breadcrumb"><a href="/">Home</a> › <span>Laptops</span></nav><h1>Laptops</h1><p class="intro">Showing {len(P1)} of {len(P1)} products</p>
<aside class="filters"><h2>Filter by</h2><fieldset><legend>Brand</legend><label><input type="checkbox"> Apple</label><label><input type="checkbox"> ASUS</label><label><input type="checkbox"> Dell</label><label><input type="checkbox"> HP</label><label><input type="checkbox"> Lenovo</label></fieldset><fieldset><legend>Price</legend><label><input type="checkbox"> Up to £500</label><label><input type="checkbox"> £500 – £1,000</label><label><input type="checkbox"> £1,000 and over</label></fieldset></aside>
<div class="product-grid">
'''+'\n'.join(i1(r,n) for n,r in enumerate(P1))+'''
</div>
<section class="teaser"><h2>Need a bag to go with it?</h2><p>Sleeves and backpacks from £19.</p><a href="/accessories/bags">Shop bags</a></section></main>''',
'''<section class="newsletter"><h2>Get £10 off</h2><p>Sign up to our newsletter and save on your first order.</p><form><input type="email" placeholder="Your email"><button>Sign up</button></form></section>
<footer><ul><li><a href="/help">Help</a></li><li><a href="/delivery">Delivery</a></li><li><a href="/returns">Returns</a></li><li><a href="/privacy">Privacy</a></li></ul><p>© 2026 Notebook Barn Ltd</p></footer>''')
def i2(r,n):
    sl=re.sub(r'[^a-z0-9]+','-',r['t'].lower()).strip('-')
    sc=f'<p class="venue-score"><strong>{r["rate"]}/5</strong> <small>{r["rev"]} reviews</small></p>' if r['rate'] else '<p class="venue-score venue-score--none">Not rated yet</p>'
    nt=f'<p class="venue-flag">{r["note"]}</p>' if r['note'] else ''
    out=f'<li>Outdoor seating: <span>{r["out"]}</span></li>' if r['out'] else ''
    return f'''<article class="venue" id="venue-{n+1}">
<header><h2 class="venue-title"><a href="/eat/{sl}">{E(r['t'])}</a></h2>{nt}<p class="venue-meta"><span class="cuisine">{r['cui']}</span> · <span class="district">{r['area']}</span></p></header>
{sc}
<ul class="venue-facts"><li>Main course: <span>{r['main']}</span></li><li>Opening hours: <time>{r['hours']}</time></li><li>Closed day: <span>{r['closed']}</span></li>{out}<li>Takeaway: <span>{r['take']}</span></li></ul>
<footer><a href="/eat/{sl}">View details</a></footer>
</article>'''
pg2=page('en','Restaurants in Marlbridge – Visit Marlbridge','.venue{border-bottom:1px solid #ddd;padding:1rem 0}.venue-facts{columns:2}',
'''<header id="top"><p class="brand"><a href="/">Visit Marlbridge</a></p><nav aria-label="Main"><a href="/see">See &amp; do</a> <a href="/eat" aria-current="page">Eat &amp; drink</a> <a href="/stay">Stay</a> <a href="/events">What's on</a> <a href="/plan">Plan your trip</a></nav></header>''',
f'''<main id="content"><h1>Restaurants in Marlbridge</h1><p class="lead">From pub lunches to harbour fish and chips: the town's restaurants with opening hours and guest ratings. Prices are for a typical main course.</p>
<section class="listing" aria-label="Restaurants">
'''+'\n'.join(i2(r,n) for n,r in enumerate(P2))+'''
</section>
<nav class="pager" aria-label="Pages"><span>1</span> <a href="?page=2">2</a> <a href="?page=2">Next</a></nav></main>
<aside class="sidebar"><section><h3>Plan your evening</h3><p>Theatre Royal: comedy night on 5 December 2026, tickets £14.</p></section><section><h3>Popular</h3><ul><li><a href="/see/castle">Marlbridge Castle</a></li><li><a href="/see/quay">The Old Quay</a></li></ul></section></aside>''',
'''<footer class="page-foot"><p>Tourist Information Centre, 3 Market Place, Marlbridge. Mon–Sat 9:30–17:00</p><p><a href="/contact">Contact</a> <a href="/cookies">Cookies</a></p><p>© 2026 Marlbridge Town Council</p></footer>''')
def i3(r,n):
    nk=f'<span class="nk">zzgl. {r["nk"]} Nebenkosten</span>' if r['nk'] else ''
    st=f'<span class="badge badge-reserved">{r["st"]}</span>' if r['st'] else ''
    bk=f'<li><span class="label">Balkon</span> <span class="value">{r["balk"]}</span></li>' if r['balk'] else ''
    li=lambda a,b:f'<li><span class="label">{a}</span> <span class="value">{b}</span></li>'
    return f'''<li class="result-item" data-expose="{88120+n*13}">
 <div class="result-media"><img src="/img/{88120+n*13}_t.jpg" alt=""></div>
 <div class="result-text">{st}<h2><a href="/expose/{88120+n*13}">{E(r['t'])}</a></h2>
 <p class="location"><span class="objektart">{r['typ']}</span>, <span class="ort">{r['ort']}</span></p>
 <p class="rent"><span class="label">Kaltmiete</span> <strong>{r['kalt']}</strong> {nk}</p>
 <ul class="facts">{li('Wohnfläche',r['qm'])}{li('Zimmer',r['zi'])}{li('Frei ab',r['ab'])}{bk}{li('Haustiere',r['tier'])}{li('Baujahr',r['bj'])}</ul></div>
</li>'''
pg3=page('de','Wohnungen und Häuser mieten in Leipzig und Umgebung | MieteLokal','.results{list-style:none}.facts{display:flex;gap:1em;list-style:none}',
'''<header class="head"><div class="wrap"><a href="/" class="marke">MieteLokal</a><ul class="menu"><li><a href="/mieten">Mieten</a></li><li><a href="/kaufen">Kaufen</a></li><li><a href="/umzug">Umzug</a></li><li><a href="/ratgeber">Ratgeber</a></li><li><a href="/login">Anmelden</a></li></ul></div></header>''',
f'''<div class="wrap cols"><aside class="suche"><h3>Suche verfeinern</h3><form><label>Ort <input value="Leipzig"></label><label>Umkreis <select><option>10 km</option><option selected>15 km</option></select></label><label>Preis bis <input></label><button>Suchen</button></form></aside>
<main><h1>Wohnungen und Häuser zur Miete in Leipzig</h1><p class="treffer">{len(P3)} Treffer im Umkreis von 15 km</p>
<ul class="results">
'''+'\n'.join(i3(r,n) for n,r in enumerate(P3))+'''
</ul>
<div class="ratgeber-teaser"><h3>Ratgeber: Was gehört in den Mietvertrag?</h3><p>Worauf Sie vor der Unterschrift achten sollten. Erschienen am 02.11.2026.</p><a href="/ratgeber/mietvertrag">Weiterlesen</a></div></main></div>''',
'''<footer class="fuss"><a href="/impressum">Impressum</a> | <a href="/datenschutz">Datenschutz</a> | <a href="/agb">AGB</a><p>© 2026 MieteLokal GmbH, Leipzig</p></footer>''')
def i4(r,n):
    return f'''<tr class="{'odd' if n%2==0 else 'even'}"><td class="c-titel"><a href="/stelle/{5501+n}">{E(r['t'])}</a></td><td>{r['fa']}</td><td>{r['ort']}</td><td class="num">{r['geh']}</td><td>{r['art']}</td><td>{r['ho']}</td><td>{r['vt']}</td><td>{r['seit']}</td><td>{r['frist']}</td></tr>'''
pg4=page('de','Aktuelle Stellenangebote – Jobbörse Nord','table{border-collapse:collapse;width:100%}td,th{padding:.4em;border-bottom:1px solid #ccc}',
'''<div id="kopf"><a href="/" id="logo">Jobbörse Nord</a><ul id="nav"><li><a href="/stellen">Stellenangebote</a></li><li><a href="/arbeitgeber">Für Arbeitgeber</a></li><li><a href="/ausbildung">Ausbildung</a></li><li><a href="/magazin">Magazin</a></li></ul></div>''',
'''<div id="inhalt"><h1>Aktuelle Stellenangebote</h1><p>Gehaltsangaben brutto im Monat. Stand: 28. November 2026.</p>
<table class="stellenliste"><thead><tr><th>Stelle</th><th>Arbeitgeber</th><th>Ort</th><th>Gehalt</th><th>Anstellungsart</th><th>Homeoffice</th><th>Vertrag</th><th>Online seit</th><th>Bewerbungsfrist</th></tr></thead>
<tbody>
'''+'\n'.join(i4(r,n) for n,r in enumerate(P4))+'''
</tbody></table>
<div class="box"><h2>Job-Alarm</h2><p>Neue Stellen per E-Mail erhalten.</p><form><input type="email" placeholder="E-Mail-Adresse"><button>Abonnieren</button></form></div>
<div class="box"><h2>Aus dem Magazin</h2><ul><li><a href="/magazin/1">So gelingt das Vorstellungsgespräch</a></li><li><a href="/magazin/2">Fünf Tipps für das Anschreiben</a></li></ul></div></div>''',
'''<div id="fuss"><p><a href="/impressum">Impressum</a> · <a href="/datenschutz">Datenschutz</a> · <a href="/kontakt">Kontakt</a></p><p>Jobbörse Nord © 2026</p></div>''')
def i5(r,n):
    was=f'<del><span class="amount">{r["was"]}</span></del> ' if r['was'] else ''
    promo='<span class="onsale">Promocja</span>' if r['was'] else ''
    rata=f'<p class="installment">lub <span class="installment-value">{r["rata"]}</span></p>' if r['rata'] else ''
    kl=f'<tr><th>Klasa energetyczna</th><td>{r["kl"]}</td></tr>' if r['kl'] else ''
    gw=f'<tr><th>Gwarancja</th><td>{r["gw"]}</td></tr>' if r['gw'] else ''
    oc=f'<div class="star-rating"><strong class="rating">{r["oc"]}</strong> / 5 <span class="review-count">({r["op"]} opinii)</span></div>' if r['oc'] else '<div class="star-rating">Brak opinii</div>'
    c={A:'instock',N:'outofstock',L:'lowstock'}.get(r['st'],'onbackorder')
    return f'''<section class="product type-product {c}" data-id="{2200+n}">{promo}
<a href="/produkt/{2200+n}" class="product-link"><img src="/wp-content/uploads/{2200+n}-300x300.jpg" alt=""><h2 class="product-title">{E(r['t'])}</h2></a>
<span class="posted_in">{r['kat']}</span>
{oc}
<table class="shop_attributes">{kl}{gw}</table>
<div class="price-box"><span class="price">{was}<ins><span class="amount">{r['cena']}</span></ins></span>{rata}</div>
<p class="stock {c}">{r['st']}</p>
</section>'''
pg5=page('pl','AGD – sklep DomoTech','.products{display:grid;grid-template-columns:repeat(4,1fr)}.price del{color:#999}',
'''<header id="masthead" class="site-header"><div class="site-branding"><a href="/">DomoTech</a></div><nav id="site-navigation"><ul class="menu"><li class="menu-item"><a href="/agd">AGD</a></li><li class="menu-item"><a href="/rtv">RTV</a></li><li class="menu-item"><a href="/promocje">Promocje</a></li><li class="menu-item"><a href="/raty">Raty 0%</a></li><li class="menu-item"><a href="/kontakt">Kontakt</a></li></ul></nav><div class="mini-cart">Koszyk: 0,00 zł</div></header>''',
f'''<div id="content" class="site-content"><main id="main"><nav class="woocommerce-breadcrumb"><a href="/">Strona główna</a> / AGD</nav><h1 class="page-title">Sprzęt AGD</h1><p class="result-count">Wyświetlanie wszystkich wyników: {len(P5)}</p>
<form class="ordering"><select><option>Sortuj domyślnie</option><option>Sortuj wg popularności</option><option>Sortuj wg ceny</option></select></form>
<div class="products columns-4">
'''+'\n'.join(i5(r,n) for n,r in enumerate(P5))+'''
</div></main>
<aside class="widget-area"><section class="widget"><h3 class="widget-title">Kategorie</h3><ul><li><a href="/agd/pralki">Pralki</a></li><li><a href="/agd/lodowki">Lodówki</a></li><li><a href="/agd/zmywarki">Zmywarki</a></li><li><a href="/agd/odkurzacze">Odkurzacze</a></li></ul></section><section class="widget"><h3 class="widget-title">Raty 0%</h3><p>Kup teraz, płać w 10 lub 20 ratach.</p></section></aside></div>''',
'''<div class="newsletter-box"><h3>Newsletter</h3><p>Zapisz się i odbierz kupon 50 zł.</p><input type="email" placeholder="Twój e-mail"><button>Zapisz się</button></div>
<footer id="colophon"><p><a href="/regulamin">Regulamin</a> <a href="/polityka-prywatnosci">Polityka prywatności</a> <a href="/zwroty">Zwroty</a></p><p>© 2026 DomoTech sp. z o.o.</p></footer>''')
def i6(r,n):
    dd=lambda a,b,c:f'<dd class="{c}"><span class="k">{a}:</span> <span class="v">{b}</span></dd>'
    was=f' <s class="old">{r["was"]}</s>' if r['was'] else ''
    o=[f'<dt><a href="/kurs/{n+310}">{E(r["t"])}</a></dt>',dd('Kategoria',r['kat'],'kat'),dd('Miejsce',r['msc'],'msc'),dd('Termin',r['term'],'term'),dd('Czas trwania',r['czas'],'czas'),
    f'<dd class="cena"><span class="k">Cena:</span> <span class="v">{r["cena"]}</span>{was}</dd>']
    if r['wol']: o.append(dd('Wolne miejsca',r['wol'],'wolne'))
    o+= [dd('Poziom',r['poz'],'poz'),dd('Certyfikat',r['cert'],'cert')]
    if r['prow']: o.append(dd('Prowadzący',r['prow'],'prow'))
    return '\n'.join(o)
pg6=page('pl','Kursy i warsztaty – Akademia Po Pracy','dl dt{font-weight:700;margin-top:1.2em}dl dd{margin:0}',
'''<div class="topbar"><a class="name" href="/">Akademia Po Pracy</a><div class="links"><a href="/kursy">Kursy</a> <a href="/trenerzy">Trenerzy</a> <a href="/dla-firm">Dla firm</a> <a href="/blog">Blog</a> <a href="/kontakt">Kontakt</a></div></div>''',
'''<div class="main"><h1>Kursy i warsztaty – zima 2026/2027</h1><p>Ucz się po pracy i w weekendy: stacjonarnie w czterech miastach albo online.</p>
<dl class="oferta">
'''+'\n'.join(i6(r,n) for n,r in enumerate(P6))+'''
</dl>
<div class="promo"><h4>Bon podarunkowy</h4><p>Podaruj kurs bliskiej osobie. Bony od 100 zł.</p><a href="/bony">Zobacz bony</a></div>
<div class="blog-box"><h4>Na blogu</h4><p><a href="/blog/nawyk">Jak wyrobić nawyk nauki?</a> – 21.11.2026</p></div></div>''',
'''<div class="bottom"><p>Biuro: ul. Długa 12, Kraków, pon.–pt. 9:00–16:00</p><p><a href="/regulamin">Regulamin</a> | <a href="/rodo">RODO</a></p><p>© 2026 Akademia Po Pracy</p></div>''')
for n,p in enumerate([pg1,pg2,pg3,pg4,pg5,pg6],1): open(f'pages/{n:02}.html','w').write(p)
# ---------------------------------------------------------------- instructions
PP={'01':P1,'02':P2,'03':P3,'04':P4,'05':P5,'06':P6}
out=[]
def q(id,lang,ins,pred=None,key=None,rev=False,n=None,cols={}):
    pg=id[:2]; P=PP[pg]
    if pred is None:
        out.append(dict(id=id,page=pg,lang=lang,instruction=ins,rows=[],ordered=False,columns={},impossible=True)); return
    rs=[r for r in P if pred(r)]
    if key:
        ks=[key(r) for r in rs]; assert None not in ks,(id,ks); assert len(set(ks))==len(ks),(id,'tie',ks)
        rs.sort(key=key,reverse=rev)
    if n: assert len(rs)>n,id; rs=rs[:n]
    assert 0<len(rs)<len(P),id
    c={k:rs[0][f] if not callable(f) else f(rs[0]) for k,f in cols.items()}
    h=html.unescape(re.sub(r'<[^>]+>','',open(f'pages/{pg}.html').read()))
    for v in c.values(): assert v and v in h,(id,v)
    for r in rs: assert r['t'] in h
    out.append(dict(id=id,page=pg,lang=lang,instruction=ins,rows=[r['t'] for r in rs],ordered=bool(key),columns=c,impossible=False))
nz=lambda x,f: x is not None and f(x)
q('01a','en','laptops under £600 that are in stock, show the price',lambda r:uk(r['price'])<600 and r['st']==S,cols={'price':'price'})
q('01b','en','the two lightest laptops with 32 GB of memory, lightest first, with wieght',lambda r:r['ram']=='32 GB',lambda r:uk(r['kg']),n=2,cols={'weight':'kg'})
q('01c','de','Reduzierte Laptops mit mindestens 4,5 Sternen, beste Bewertung zuerst',lambda r:r['was'] and nz(uk(r['rate']),lambda x:x>=4.5),lambda r:uk(r['rate']),True)
q('01d','pl','wyprzedane laptopy, pokaż starą cenę',lambda r:r['st']==O,cols={'stara cena':'was'})
q('01e','en','Only laptops with more than 12 hours of battery life please')
q('02a','en','italian restaurants with rating, best rated first',lambda r:r['cui']=='Italian',lambda r:uk(r['rate']),True,cols={'rating':lambda r:r['rate']+'/5'})
q('02b','en','I need all retaurants with outdoor seating that are not closed on Mondays.',lambda r:r['out']=='Yes' and r['closed']!='Monday')
q('02c','de','Restaurants mit mehr als 300 Bewertungen, die auch Essen zum Mitnehmen anbieten; zeige Küche und Stadtteil',lambda r:nz(uk(r['rev']),lambda x:x>300) and r['take']=='Yes',cols={'Küche':'cui','Stadtteil':'area'})
q('02d','pl','trzy najtańsze restauracje w dzielnicy Riverside, od najtanszej',lambda r:r['area']=='Riverside',lambda r:uk(r['main']),n=3)
q('02e','en','which restaurants have a kids menu?')
q('03a','de','Wohnungen mit Balkon unter 900 Euro kalt, nicht reserviert',lambda r:r['typ']==W and r['balk']=='ja' and nz(eu(r['kalt']),lambda x:x<900) and r['st']!='Reserviert')
q('03b','de','nur Häuser, größtes zuerst, mit Wohnfläche und Kaltmiete',lambda r:r['typ']==H,lambda r:eu(r['qm']),True,cols={'Wohnfläche':'qm','Kaltmiete':'kalt'})
q('03c','en','flats built before 1930 with at least 3 rooms, show the year built',lambda r:r['typ']==W and int(r['bj'])<1930 and int(r['zi'])>=3,cols={'year built':'bj'})
q('03d','pl','Pokaż mieszkania i domy wolne dopiero od 1 lutego 2027 lub później, w których zwierzęta są dozwolone.',lambda r:nz(D(r['ab']),lambda d:d>=date(2027,2,1)) and r['tier']==er)
q('03e','de','Wie viele Angebote sind sofort frei und haben eine Kaltmiete von höchstens 500 €?',lambda r:r['ab']=='sofort' and nz(eu(r['kalt']),lambda x:x<=500))
q('04a','de','Teilzeitstellen in Bremen, aber keine schon besetzten, mit Gehalt',lambda r:r['art']==T and r['ort']=='Bremen' and 'besetzt' not in r['frist'],cols={'Gehalt':'geh'})
q('04b','de','die drei am besten bezahlten Jobs ohne Befristung, höchstes gehalt zuerst',lambda r:r['vt']==U,lambda r:eu(r['geh']),True,3)
q('04c','en','jobs with home office (yes, not just partly) that pay more than 3000, show company and city',lambda r:r['ho']=='ja' and nz(eu(r['geh']),lambda x:x>3000),cols={'company':'fa','city':'ort'})
q('04d','pl','oferty z terminem aplikowania w styczniu 2027, najwcześniejszy termin pierwszy',lambda r:nz(D(r['frist']),lambda d:(d.year,d.month)==(2027,1)),lambda r:D(r['frist']))
q('04e','en','List the jobs that come with a company car')
q('05a','pl','pralki dostepne od ręki, cena i rata',lambda r:r['kat']=='Pralki' and r['st']==A,cols={'cena':'cena','rata':'rata'})
q('05b','pl','sprzęt z ratą miesięczną nie wyższą niż 120 zł, od najniższej raty',lambda r:r['rata'] and eu(r['rata'].split('×')[1])<=120,lambda r:eu(r['rata'].split('×')[1]))
q('05c','en','discounted products with a warranty of at least 3 years, show warranty',lambda r:r['was'] and nz(eu(r['gw']),lambda x:x>=3),cols={'warranty':'gw'})
q('05d','de','Kühlschränke und Geschirrspüler mit Energieklasse D oder besser',lambda r:r['kat'] in('Lodówki','Zmywarki') and r['kl'] and r['kl']<='D')
q('05e','de','Waschmaschinen, die leiser als 70 dB sind')
q('06a','pl','kursy online z certyfikatem, najtańsze najpierw',lambda r:r['msc']=='online' and r['cert']=='tak',lambda r:eu(r['cena']))
q('06b','pl','Które kursy i warsztaty w grudniu 2026 mają jeszcze wolne miejsca? pokaż termin i prowadzącego',lambda r:D(r['term']).month==12 and r['wol'].isdigit(),cols={'termin':'term','prowadzący':'prow'})
q('06c','en','courses longer than 10 hours that are not for beginners, with duration',lambda r:eu(r['czas'])>10 and r['poz']!=po,cols={'duration':'czas'})
q('06d','de','Kurse in Krakau oder Breslau, die weder ausgebucht noch beendet sind, mit Preis',lambda r:r['msc'] in('Kraków','Wrocław') and r['wol'] not in(bm,'zakończone'),cols={'Preis':'cena'})
q('06e','en','which courses are fully booked? show place and level',lambda r:r['wol']==bm,cols={'place':'msc','level':'poz'})
nat={'01':'en','02':'en','03':'de','04':'de','05':'pl','06':'pl'}
assert len(out)==30 and sum(o['impossible'] for o in out)==4
print('native',sum(o['lang']==nat[o['page']] for o in out))
with open('set.jsonl','w') as f:
    for o in out: f.write(json.dumps(o,ensure_ascii=False)+'\n')
for p,w in (('01','battery'),('02','kid'),('02','child'),('02','famil'),('04','wagen'),('04','auto'),('05','dB'),('05','hałas')):
    if w in open(f'pages/{p}.html').read(): print('mention',p,w)
