# -*- coding: utf-8 -*-
from html import escape as E
STAR='<i class="ic-star"></i>'
# ---------------------------------------------------------------- 01 hotels
H = [dict(zip("name type stars rating word reviews dist area bf canc price was note".split(), r)) for r in [
 ("The Harbour Lantern Hotel","Hotel",4,"8.9","Excellent","1,284",0.3,"Harbourside","inc","free",148,None,""),
 ("Seaview Corner Guest House","Guest house",3,"9.2","Superb","312",0.1,"North Parade","inc","free",92,None,"Only 2 rooms left at this price"),
 ("Pier Road Rooms","Bed & breakfast",None,"7.8","Good","95",0.4,"Town centre","","non",64,None,""),
 ("Elmwater Lodge","Hotel",3,"8.1","Very good","540",2.4,"Elmwater","inc","free",79,95,""),
 ("Abbot's Steps Inn","Inn",3,"8.4","Very good","761",0.7,"Old Town","","free",88,None,""),
 ("Royal Crescent House","Hotel",4,"8.6","Excellent","2,017",0.2,"North Parade","extra","non",126,155,""),
 ("Number Nine, Skinner Street","Guest house",4,"9.6","Exceptional","188",0.4,"Town centre","inc","free",118,None,"Only 1 room left at this price"),
 ("Saltmarsh Farm B&B","Bed & breakfast",None,"9.4","Superb","143",1.6,"Saltmarsh","inc","free",86,None,""),
 ("The Captain's Rest","Inn",2,"7.1","Good","408",0.6,"Old Town","","non",58,None,""),
 ("The Moorings Hotel & Spa","Hotel",5,"9.1","Superb","967",0.8,"Harbourside","inc","free",235,None,""),
 ("Gullsfoot Cottage Rooms","Guest house",3,"9.3","Superb","76",0.2,"Harbourside","inc","free",None,None,""),
 ("Sneaton Grange","Hotel",4,"8.7","Excellent","624",1.9,"Sneaton","inc","non",139,164,""),
 ("Budget Stay Station Road","Hotel",2,"6.9","Pleasant","1,530",1.1,"Station Road","extra","free",49,None,""),
 ("Bramble Bank Guest House","Guest house",4,"8.8","Excellent","259",0.9,"Station Road","inc","free",99,112,""),
 ("The White Anchor","Inn",3,"8.0","Very good","350",0.3,"Harbourside","extra","non",74,None,""),
 ("Parade View Apartments","Apartment",None,"8.5","Very good","118",0.1,"North Parade","","free",131,None,""),
 ("Cliff Top House","Guest house",3,None,None,None,0.3,"North Parade","inc","non",83,None,"New on Coastbeds"),
 ("The Old Customs House","Hotel",4,"9.0","Superb","433",0.2,"Harbourside","extra","free",162,None,""),
]]
def h_price(h): return "£%d"%h["price"] if h["price"] else None
def h_dist(h): return "%.1f miles from beach"%h["dist"]
def page01():
    o=[]
    w=o.append
    w('''<!DOCTYPE html>
<html lang="en-GB">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Places to stay in Marlscombe – 18 hotels, inns &amp; guest houses | Coastbeds</title>
<meta name="description" content="Compare hotels, guest houses and B&amp;Bs in Marlscombe-on-Sea. Real guest ratings, no booking fees.">
<link rel="stylesheet" href="/assets/app.4f1c.css">
</head>
<body class="bg-slate-50 text-slate-800 antialiased">
<header class="sticky top-0 bg-white border-b">
 <div class="max-w-6xl mx-auto flex items-center justify-between px-4 py-3">
  <a href="/" class="font-bold text-xl text-teal-700">Coastbeds</a>
  <nav class="hidden md:flex gap-6 text-sm"><a href="/stays">Stays</a><a href="/cottages">Cottages</a><a href="/offers">Offers</a><a href="/help">Help</a></nav>
  <div class="flex gap-3 text-sm"><a href="/signin" class="underline">Sign in</a><a href="/list-your-property" class="rounded bg-teal-700 text-white px-3 py-1">List your property</a></div>
 </div>
</header>
<div class="max-w-6xl mx-auto px-4 py-6">
 <form class="grid grid-cols-4 gap-2 bg-white rounded-lg p-3 shadow-sm" action="/search">
  <input name="q" value="Marlscombe" aria-label="Destination" class="border rounded px-2 py-1">
  <input name="in" value="Fri 17 Apr" aria-label="Check-in" class="border rounded px-2 py-1">
  <input name="out" value="Sun 19 Apr" aria-label="Check-out" class="border rounded px-2 py-1">
  <button class="bg-teal-700 text-white rounded">Search</button>
 </form>
 <div class="flex gap-8 mt-6">
  <aside class="w-56 shrink-0 text-sm">
   <h2 class="font-semibold mb-2">Filter by</h2>
   <fieldset class="mb-4"><legend class="font-medium">Your budget (per night)</legend>
    <label class="block"><input type="checkbox"> Up to £75 <span class="text-slate-400">4</span></label>
    <label class="block"><input type="checkbox"> £75 – £125 <span class="text-slate-400">7</span></label>
    <label class="block"><input type="checkbox"> £125 + <span class="text-slate-400">6</span></label></fieldset>
   <fieldset class="mb-4"><legend class="font-medium">Star rating</legend>
    <label class="block"><input type="checkbox"> 5 stars</label><label class="block"><input type="checkbox"> 4 stars</label><label class="block"><input type="checkbox"> 3 stars</label><label class="block"><input type="checkbox"> 2 stars</label></fieldset>
   <fieldset><legend class="font-medium">Popular</legend>
    <label class="block"><input type="checkbox"> Breakfast included</label><label class="block"><input type="checkbox"> Free cancellation</label></fieldset>
  </aside>
  <main class="flex-1">
   <div class="flex items-baseline justify-between mb-4">
    <h1 class="text-2xl font-bold">Marlscombe: 18 places to stay</h1>
    <label class="text-sm">Sort by <select><option>Our top picks</option><option>Price (lowest first)</option><option>Guest rating</option></select></label>
   </div>
   <div class="space-y-4">
''')
    for i,h in enumerate(H):
        if i==5:
            w('''    <div class="flex bg-amber-50 rounded-lg border border-amber-200 p-4">
     <div class="flex-1"><span class="text-xs uppercase tracking-wide text-slate-400">Ad</span>
      <p class="font-semibold">Need wheels for the weekend?</p>
      <p class="text-sm">Moorline Car Hire, Marlscombe station. Small cars from £29 a day.</p></div>
     <a class="self-center text-sm underline" href="https://ads.coastbeds.example/c/8812" rel="sponsored nofollow">See offer</a>
    </div>
''')
        slug="".join(c if c.isalnum() else "-" for c in h["name"].lower()).replace("--","-").strip("-")
        w(f'''    <div class="flex bg-white rounded-lg shadow-sm overflow-hidden">
     <a href="/marlscombe/{slug}" class="w-60 shrink-0"><img src="/img/p/{3100+i*7}.jpg" alt="" class="w-full h-full object-cover" loading="lazy"></a>
     <div class="flex-1 p-4">
      <div class="flex items-center gap-2">
       <h2 class="text-lg font-semibold"><a href="/marlscombe/{slug}">{E(h["name"],quote=False)}</a></h2>''')
        if h["stars"]:
            w(f'\n       <span class="text-amber-500" role="img" aria-label="{h["stars"]} stars">{STAR*h["stars"]}</span>')
        w(f'''
      </div>
      <p class="text-sm text-slate-500"><span>{E(h["type"])}</span> · <span>{h["area"]}</span></p>
      <p class="text-sm mt-1"><i class="ic-pin" aria-hidden="true"></i> <span>{h_dist(h)}</span></p>
      <ul class="mt-2 text-sm">''')
        if h["bf"]=="inc": w('\n       <li class="text-green-700">Breakfast included</li>')
        if h["bf"]=="extra": w('\n       <li>Breakfast available (extra charge)</li>')
        if h["price"]:
            w('\n       <li class="text-green-700">Free cancellation</li>' if h["canc"]=="free" else '\n       <li class="text-slate-500">Non-refundable</li>')
        w('\n      </ul>')
        if h["note"]: w(f'\n      <p class="text-xs text-rose-600 mt-2">{h["note"]}</p>')
        w('''
     </div>
     <div class="w-44 p-4 text-right flex flex-col justify-between">
''')
        if h["rating"]:
            w(f'''      <div><span class="text-sm font-medium">{h["word"]}</span> <span class="inline-block bg-teal-800 text-white rounded px-1.5 font-bold">{h["rating"]}</span>
       <div class="text-xs text-slate-500">{h["reviews"]} reviews</div></div>
''')
        else:
            w('      <div class="text-xs text-slate-500">No reviews yet</div>\n')
        if h["price"]:
            was=f'<span class="line-through text-sm text-slate-400">£{h["was"]}</span> ' if h["was"] else ""
            w(f'''      <div>{was}<span class="text-xl font-bold">£{h["price"]}</span><div class="text-xs text-slate-500">per night, incl. VAT</div>
       <a href="/marlscombe/{slug}#rooms" class="mt-2 inline-block bg-teal-700 text-white rounded px-3 py-1 text-sm">See rooms</a></div>
''')
        else:
            w('      <div class="text-rose-700 font-medium">Sold out for your dates<div class="text-xs"><a href="#" class="underline">Change dates</a></div></div>\n')
        w('     </div>\n    </div>\n')
    w('''   </div>
   <p class="text-xs text-slate-500 mt-6">Prices are for two adults sharing. Showing 1–18 of 18.</p>
  </main>
 </div>
</div>
<footer class="bg-slate-800 text-slate-300 text-sm mt-10"><div class="max-w-6xl mx-auto px-4 py-8 flex justify-between">
 <p>© Coastbeds Ltd. Registered in England.</p><p><a href="/about">About us</a> · <a href="/privacy">Privacy</a> · <a href="/terms">Terms</a> · <a href="/contact">Contact</a></p></div></footer>
</body>
</html>
''')
    return "".join(o)

# ---------------------------------------------------------------- 02 jobs
J = [dict(zip("title company loc mode type lo hi salary posted days tags".split(), r)) for r in [
 ("Senior Python Developer","Brightledger","Manchester","Hybrid","Permanent",65000,78000,None,"Today",0,"Python,Django,AWS"),
 ("Office Manager","Halden & Rowe Solicitors","Leeds","On-site","Permanent",31000,35000,None,"Yesterday",1,"Facilities,Administration"),
 ("Front-end Engineer (React)","Tidepool Health","Remote (UK)","Remote","Permanent",52000,62000,None,"2 days ago",2,"React,TypeScript"),
 ("Payroll Administrator","Northgate Foods","Sheffield","On-site","Part-time",16500,18000,None,"2 days ago",2,"Payroll,Excel"),
 ("DevOps Engineer","Parcelhive","Bristol","Hybrid","Permanent",58000,70000,None,"3 days ago",3,"Kubernetes,Terraform,AWS"),
 ("Executive Assistant to the CEO","Wrenfield Capital","London","On-site","Permanent",None,None,"Competitive","3 days ago",3,"Diary management"),
 ("Data Analyst","City of Manchester Libraries Trust","Manchester","Hybrid","Fixed-term",34000,38500,None,"4 days ago",4,"SQL,Power BI"),
 ("Lead Backend Engineer","Orchardpay","London","Hybrid","Permanent",90000,110000,None,"5 days ago",5,"Go,PostgreSQL"),
 ("HR Advisor","Kestrel Logistics","Birmingham","Hybrid","Permanent",36000,41000,None,"6 days ago",6,"Employee relations"),
 ("Customer Support Specialist","Tidepool Health","Remote (UK)","Remote","Part-time",14000,16000,None,"6 days ago",6,"Zendesk"),
 ("Machine Learning Engineer","Quillmark AI","Cambridge","Hybrid","Permanent",75000,95000,None,"8 days ago",8,"Python,PyTorch"),
 ("QA Test Engineer","Brightledger","Manchester","On-site","Permanent",40000,47000,None,"10 days ago",10,"Cypress,Jira"),
 ("IT Support Technician","St Alder's College","Edinburgh","On-site","Permanent",26500,29000,None,"11 days ago",11,"Windows,Service desk"),
 ("Product Manager, Payments","Orchardpay","London","Hybrid","Permanent",72000,85000,None,"12 days ago",12,"Fintech,Roadmaps"),
 ("Junior Software Developer","Parcelhive","Bristol","Hybrid","Permanent",28000,33000,None,"14 days ago",14,"Java,Spring"),
 ("Bookkeeper","Fenwright Joinery","York","On-site","Part-time",None,None,None,"15 days ago",15,"Xero,VAT returns"),
 ("Site Reliability Engineer","Cloudberry Systems","Remote (UK)","Remote","Permanent",80000,98000,None,"17 days ago",17,"Linux,Go,Prometheus"),
 ("UX Designer","Larkspur Studio","Glasgow","Hybrid","Fixed-term",42000,50000,None,"19 days ago",19,"Figma,User research"),
 ("Technical Writer","Quillmark AI","Remote (UK)","Remote","Permanent",None,None,"Competitive","21 days ago",21,"Documentation,API"),
 ("Receptionist","Millbrook Dental Group","Manchester","On-site","Part-time",13500,15000,None,"24 days ago",24,"Front desk"),
 ("Database Administrator","Kestrel Logistics","Birmingham","On-site","Permanent",48000,56000,None,"28 days ago",28,"SQL Server,Oracle"),
 ]]
def j_sal(j): return f"£{j['lo']:,} – £{j['hi']:,}" if j["lo"] else j["salary"]
def page02():
    o=[];w=o.append
    w('''<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<title>Software &amp; office jobs | Deskwise Jobs</title>
<meta name="viewport" content="width=device-width,initial-scale=1">
<link rel="canonical" href="https://www.deskwise.example/jobs/software-and-office">
<style>.job-listing{list-style:none;padding:0}.job-listing__item{border:1px solid #dde;padding:16px;margin:0 0 10px}.pill{border-radius:9px;padding:2px 8px;font-size:12px}.pill--remote{background:#d7f3e3}.pill--hybrid{background:#e3e6fb}.pill--onsite{background:#eee}</style>
</head>
<body>
<div class="site-header">
  <a class="site-header__logo" href="/">deskwise<b>jobs</b></a>
  <ul class="site-header__nav"><li><a href="/jobs">Find jobs</a></li><li><a href="/companies">Companies</a></li><li><a href="/salary-guide">Salary guide</a></li><li><a href="/career-advice">Career advice</a></li></ul>
  <ul class="site-header__account"><li><a href="/login">Log in</a></li><li><a href="/recruiters">For recruiters</a></li></ul>
</div>
<ol class="breadcrumb"><li><a href="/">Home</a></li><li><a href="/jobs">Jobs</a></li><li>Software &amp; office</li></ol>
<div class="layout layout--sidebar-right">
<section class="results">
  <h1>Software &amp; office jobs in the UK</h1>
  <p class="results__count">21 vacancies</p>
  <p class="results__alert"><a href="/alerts/new">Email me new jobs like these</a></p>
  <ul class="job-listing">
''')
    for i,j in enumerate(J):
        n=48211-i*13
        w(f'''    <li class="job-listing__item" data-job-id="{n}">
      <h3 class="job-listing__title"><a href="/job/{n}">{E(j["title"])}</a></h3>
      <div class="job-listing__employer">{E(j["company"])}</div>
      <div class="job-listing__meta">
        <span class="job-listing__location">{j["loc"]}</span>
        <span class="pill pill--{j["mode"].lower().replace("-","")}">{j["mode"]}</span>
        <span class="job-listing__contract">{j["type"]}</span>
      </div>
''')
        if j["lo"]: w(f'      <div class="job-listing__salary">{j_sal(j)} <small>a year</small></div>\n')
        elif j["salary"]: w(f'      <div class="job-listing__salary">{j["salary"]}</div>\n')
        w('      <ul class="job-listing__tags">'+"".join(f"<li>{E(t)}</li>" for t in j["tags"].split(","))+'</ul>\n')
        w(f'''      <div class="job-listing__foot"><span class="job-listing__age">Posted {j["posted"].lower() if j["days"]<2 else j["posted"]}</span> <button type="button" class="btn-save" aria-label="Save this job">Save</button></div>
    </li>
''')
    w('''  </ul>
  <nav class="pager" aria-label="Pages"><span class="pager__current">1</span></nav>
</section>
<aside class="sidebar">
  <h4>Refine results</h4>
  <h5>Work pattern</h5>
  <ul class="facets"><li><a href="?mode=remote">Remote</a> (4)</li><li><a href="?mode=hybrid">Hybrid</a> (9)</li><li><a href="?mode=onsite">On-site</a> (8)</li></ul>
  <h5>Town or city</h5>
  <ul class="facets"><li><a href="?l=manchester">Manchester</a> (4)</li><li><a href="?l=london">London</a> (3)</li><li><a href="?l=bristol">Bristol</a> (2)</li><li><a href="?l=birmingham">Birmingham</a> (2)</li></ul>
  <div class="promo"><h4>What are you worth?</h4><p>Check average pay for 300 roles in our salary guide.</p><a href="/salary-guide">Open the guide</a></div>
</aside>
</div>
<div class="site-footer">
  <ul><li><a href="/about">About Deskwise</a></li><li><a href="/accessibility">Accessibility</a></li><li><a href="/cookies">Cookies</a></li><li><a href="/terms">Terms of use</a></li></ul>
  <p>Deskwise Jobs Ltd, 14 Canal Wharf, Leeds</p>
</div>
</body>
</html>
''')
    return "".join(o)

# ---------------------------------------------------------------- 03 cars
C = [dict(zip("title eq price was km ez fuel kw ps gear place dealer".split(), r)) for r in [
 ("VW Golf VII 1.6 TDI Comfortline","Navi, Sitzheizung, Einparkhilfe",11490,None,118500,(6,2017),"Diesel",85,115,"Schaltgetriebe","70190 Stuttgart","Autohaus Renz"),
 ("Škoda Octavia Combi 2.0 TDI Style","LED, Standheizung, 1. Hand",18950,19900,74200,(3,2020),"Diesel",110,150,"Automatik","71634 Ludwigsburg","Autohaus Renz"),
 ("Opel Corsa 1.2 Edition","Klima, Bluetooth, Tempomat",12780,None,31400,(9,2021),"Benzin",55,75,"Schaltgetriebe","73728 Esslingen","Opel Kübler"),
 ("BMW 320d Touring Sport Line","Leder, Head-up-Display, AHK",24300,None,89700,(11,2019),"Diesel",140,190,"Automatik","70372 Stuttgart","Neckar Automobile GmbH"),
 ("Renault Zoe R135 Intens","Rückfahrkamera, Apple CarPlay",14200,15490,42800,(5,2020),"Elektro",100,136,"Automatik","74072 Heilbronn","Elektromobile Heil"),
 ("Ford Fiesta 1.0 EcoBoost Titanium","Winterpaket, Klimaautomatik",9990,None,67300,(2,2018),"Benzin",74,101,"Schaltgetriebe","72764 Reutlingen","Ford Maurer"),
 ("Toyota Yaris Hybrid 1.5 Team Deutschland","Rückfahrkamera, Notbremsassistent",16450,None,38900,(7,2020),"Hybrid",85,116,"Automatik","70565 Stuttgart","Toyota Vogt"),
 ("Mercedes-Benz C 200 T-Modell Avantgarde","Navi, Totwinkelassistent",27900,29500,51600,(4,2021),"Benzin",150,204,"Automatik","71065 Sindelfingen","Neckar Automobile GmbH"),
 ("Fiat 500 1.2 Lounge","Panoramadach, PDC",8450,None,54900,(8,2018),"Benzin",51,69,"Schaltgetriebe","73033 Göppingen","Auto Ferrari & Söhne"),
 ("Audi A4 Avant 40 TDI S line","Matrix-LED, Virtual Cockpit",29750,None,96100,(1,2021),"Diesel",150,204,"Automatik","70190 Stuttgart","Autohaus Renz"),
 ("Hyundai Kona Elektro 64 kWh Premium","Wärmepumpe, Head-up-Display",22900,None,36500,(10,2021),"Elektro",150,204,"Automatik","74072 Heilbronn","Elektromobile Heil"),
 ("Seat Leon 1.5 TSI FR","Voll-LED, Sportsitze",17300,17990,62700,(6,2020),"Benzin",110,150,"Schaltgetriebe","72072 Tübingen","Autowelt Steinlach"),
 ("Dacia Duster TCe 90 Essential","Dachreling",10900,None,77800,(12,2018),"Benzin",67,91,"Schaltgetriebe","73728 Esslingen","Autohof Esslingen"),
 ("Peugeot 308 SW BlueHDi 130 Allure","Navi, Parkpilot",13650,None,104300,(5,2019),"Diesel",96,131,"Automatik","71332 Waiblingen","Remstal Automobile"),
 ("VW ID.3 Pro Performance Life","Wärmepumpe, Travel Assist",23480,24990,28700,(2,2022),"Elektro",150,204,"Automatik","71634 Ludwigsburg","Autohaus Renz"),
 ("Kia Ceed Sportswagon 1.6 CRDi Vision","7 Jahre Garantie bis 2026, Tempomat",14990,None,82400,(9,2019),"Diesel",85,115,"Schaltgetriebe","74321 Bietigheim","Kia Hanselmann"),
 ("Mazda CX-5 SKYACTIV-G 165 Exclusive","Sitzheizung, Kamera",None,None,47900,(3,2021),"Benzin",121,165,"Automatik","73230 Kirchheim","Mazda Teck"),
 ("VW Passat Variant 2.0 TSI Elegance","AHK, Navi, Massagesitz",26200,None,58300,(8,2020),"Benzin",140,190,"Automatik","70372 Stuttgart","Neckar Automobile GmbH"),
]]
def de(n): return f"{n:,}".replace(",",".")
def c_price(c): return de(c["price"])+" €" if c["price"] else "Preis auf Anfrage"
def c_km(c): return de(c["km"])+" km"
def page03():
    o=[];w=o.append
    w('''<!DOCTYPE html>
<html lang="de">
<head>
<meta charset="UTF-8">
<meta name="viewport" content="width=device-width, initial-scale=1.0">
<title>Gebrauchtwagen in der Region Stuttgart kaufen | autoschwabe.example</title>
<meta name="robots" content="index,follow">
<link rel="stylesheet" href="/static/css/main.css">
</head>
<body class="page-srp">
<header class="hd">
 <a class="hd__brand" href="/">auto<strong>schwabe</strong></a>
 <nav class="hd__menu"><a href="/gebrauchtwagen">Gebrauchtwagen</a> <a href="/neuwagen">Neuwagen</a> <a href="/motorrad">Motorrad</a> <a href="/finanzierung">Finanzierung</a> <a href="/haendler">Händler</a></nav>
 <a class="hd__park" href="/parkplatz"><i class="icon icon-heart" aria-label="Parkplatz"></i> 0</a>
</header>
<main class="srp">
 <div class="srp__filters">
  <h2>Suche verfeinern</h2>
  <form>
   <label>Marke <select name="mk"><option>Alle Marken</option><option>Audi</option><option>BMW</option><option>Ford</option><option>VW</option></select></label>
   <label>Preis bis <select name="p"><option>beliebig</option><option>10.000 €</option><option>15.000 €</option><option>20.000 €</option></select></label>
   <label>Kilometer bis <select name="km"><option>beliebig</option><option>50.000 km</option><option>100.000 km</option></select></label>
   <label>Kraftstoff <select name="f"><option>alle</option><option>Benzin</option><option>Diesel</option><option>Elektro</option><option>Hybrid</option></select></label>
   <button>18 Angebote anzeigen</button>
  </form>
 </div>
 <div class="srp__list">
  <h1>18 Gebrauchtwagen in der Region Stuttgart</h1>
  <p class="srp__sort">Sortierung: <a href="?s=std" class="is-active">Standard</a> | <a href="?s=preis">Preis</a> | <a href="?s=km">Kilometerstand</a></p>
''')
    for i,c in enumerate(C):
        id_=391004417+i*8123
        w(f'''  <article class="vehicle-card" id="v{id_}">
   <a class="vehicle-card__img" href="/fahrzeug/{id_}.html"><img src="/bilder/{id_}_m.jpg" alt="{E(c["title"])}" width="320" height="240"></a>
   <div class="vehicle-card__body">
    <h2 class="vehicle-card__title"><a href="/fahrzeug/{id_}.html">{E(c["title"])}</a></h2>
    <p class="vehicle-card__equip">{E(c["eq"])}</p>
    <dl class="facts">
     <div><dt>Erstzulassung</dt><dd>{c["ez"][0]:02d}/{c["ez"][1]}</dd></div>
     <div><dt>Kilometerstand</dt><dd>{c_km(c)}</dd></div>
     <div><dt>Leistung</dt><dd>{c["kw"]} kW ({c["ps"]} PS)</dd></div>
     <div><dt>Kraftstoff</dt><dd>{c["fuel"]}</dd></div>
     <div><dt>Getriebe</dt><dd>{c["gear"]}</dd></div>
    </dl>
    <p class="vehicle-card__seller">{E(c["dealer"])}, {c["place"]}</p>
   </div>
   <div class="vehicle-card__price">
''')
        if c["was"]: w(f'    <del>{de(c["was"])} €</del>\n')
        if c["price"]: w(f'    <strong class="price">{c_price(c)}</strong>\n')
        else: w('    <strong class="price price--none">Preis auf Anfrage</strong>\n')
        w(f'''    <a class="btn btn--ghost" href="/parken/{id_}">Parken</a>
   </div>
  </article>
''')
    w('''  <div class="pagination"><span class="pagination__cur">Seite 1 von 1</span></div>
 </div>
</main>
<footer class="ft">
 <div class="ft__col"><h3>autoschwabe</h3><a href="/ueber-uns">Über uns</a><a href="/karriere">Karriere</a><a href="/presse">Presse</a></div>
 <div class="ft__col"><h3>Service</h3><a href="/hilfe">Hilfe</a><a href="/fahrzeugbewertung">Fahrzeug bewerten</a><a href="/ratgeber">Ratgeber Gebrauchtwagenkauf</a></div>
 <p class="ft__legal">Alle Angaben ohne Gewähr. <a href="/impressum">Impressum</a> <a href="/datenschutz">Datenschutz</a></p>
</footer>
</body>
</html>
''')
    return "".join(o)
