import html, json
E=html.escape
OUT=[]
def q(id,lang,ins,rows,ordered=False,columns=None,impossible=False):
    OUT.append(dict(id=id,page=id[:2],lang=lang,instruction=ins,rows=rows,ordered=ordered,columns=columns or {},impossible=impossible))
def notie(keys):
    assert len(set(keys))==len(keys),keys
def save(p,s): open(f'pages/{p}.html','w',encoding='utf-8').write(s)

# ---------------- 01 running shoes (utility classes) ----------------
# title, who, kind, price, was, rating, reviews, out-of-stock sizes, drop, weight, badge, colours
M=['7','7.5','8','8.5','9','9.5','10','10.5','11','12']; W=['3.5','4','4.5','5','5.5','6','6.5','7','8']; K=['1','1.5','2','3','4','5']
S=[
("Strida Aero 4","Men's","road",'134.99',None,4.6,212,'7 9.5 12','8 mm','264 g','New',4),
("Halvor Fjellrev GTX","Men's","trail",'149.99',None,4.4,87,'7 7.5','6 mm','312 g','',2),
("Pacewell Glide 11","Women's","road",'89.99','119.99',4.5,431,'3.5 8','10 mm','241 g','',5),
("Nimbra Cloudstep","Women's","road",'109.99',None,4.1,58,'','9 mm','238 g','',3),
("Oakfell Ridge Runner 2","Men's","trail",'79.99','99.99',4.2,143,'9.5 10 10.5','4 mm','298 g','',2),
("Tarn Mudlark","Women's","trail",'94.99',None,4.7,66,'4','5 mm','271 g','',2),
("Strida Tempo Elite","Men's","road",'219.99',None,4.8,119,'7 7.5 8','7 mm','198 g','Staff pick',1),
("Pacewell Junior Dash","Kids'","road",'39.99',None,4.3,94,'1','6 mm','176 g','',6),
("Halvor Stein 3","Women's","trail",'104.00','130.00',4.0,39,'6.5 7','6 mm','283 g','',3),
("Nimbra Loft 2","Men's","road",'124.99',None,3.9,176,'','10 mm','279 g','',4),
("Corvid Spike MD","Men's","track",'64.99',None,4.6,31,'9.5','0 mm','148 g','',1),
("Pacewell Horizon","Men's","road",'69.99','99.99',4.4,388,'7 7.5 11 12','10 mm','287 g','Last pairs',2),
("Tarn Fellhound Pro","Men's","trail",'119.99',None,4.5,204,'10','4 mm','266 g','',2),
("Strida Aero 4 Knit","Women's","road",'139.99',None,4.3,77,'3.5','8 mm','229 g','New',3),
("Oakfell Pinecone","Kids'","trail",'44.99','49.99',4.5,52,'5','4 mm','190 g','',2),
("Nimbra Featherline","Women's","road",None,None,4.2,265,'ALL','6 mm','204 g','',2),
("Corvid Sprint X","Women's","track",'71.99','79.99',4.2,18,'4.5 5','0 mm','139 g','',2),
("Halvor Myr Low","Men's","trail",'99.50',None,3.8,61,'7 8.5 9.5','6 mm','305 g','',2),
("Pacewell Glide 12","Women's","road",'129.99',None,None,None,'','10 mm','243 g','New',5),
("Tarn Scree","Women's","trail",'74.99','124.99',4.1,107,'3.5 4 4.5 8','5 mm','277 g','Last pairs',1),
("Oakfell City Pacer","Men's","road",'84.99',None,3.7,45,'12','9 mm','290 g','',3),
("Strida Volta Carbon","Women's","road",'174.99','199.99',4.9,133,'5 5.5','7 mm','187 g','',2),
("Nimbra Grit","Men's","trail",'114.99',None,None,None,'8 9.5','6 mm','294 g','',2),
("Corvid Longrun 20","Men's","road",'107.99','134.99',4.0,156,'7 12','8 mm','270 g','',3),
("Halvor Vind Racer","Men's","road",None,None,None,None,'SOON','6 mm','201 g','Coming soon',1),
("Pacewell Trail Dash","Kids'","trail",'42.50',None,4.0,27,'1 1.5','6 mm','188 g','',3),
("Oakfell Daybreak","Women's","road",'59.99','84.99',3.6,92,'6 6.5','10 mm','252 g','',4),
]
assert len({s[0] for s in S})==len(S)
def pct(s): return round((1-float(s[3])/float(s[4]))*100) if s[4] else None
def sizes(s): return M if s[1]=="Men's" else W if s[1]=="Women's" else K
def instock(s):
    if s[7]=='SOON': return []
    if s[7]=='ALL': return []
    return [x for x in sizes(s) if x not in s[7].split()]
def card(s):
    t,who,kind,pr,was,ra,n,oos,drop,wt,bd,col=s
    kindname={'road':'road running shoe','trail':'trail running shoe','track':'track spike'}[kind]
    slug=t.lower().replace(' ','-')
    b=''
    if bd: b+=f'<span class="absolute left-2 top-2 rounded bg-black px-2 py-0.5 text-xs text-white">{bd}</span>'
    if was: b+=f'<span class="absolute right-2 top-2 rounded bg-red-600 px-2 py-0.5 text-xs font-bold text-white">-{pct(s)}%</span>'
    if pr and was:
        p=f'<p class="mt-2 flex items-baseline gap-2"><span class="sr-only">Now</span><span class="text-lg font-bold text-red-600">£{pr}</span><span class="sr-only">Was</span><s class="text-sm text-gray-500">£{was}</s></p>'
    elif pr: p=f'<p class="mt-2 flex items-baseline gap-2"><span class="text-lg font-bold text-gray-900">£{pr}</span></p>'
    elif oos=='SOON': p='<p class="mt-2 text-sm italic text-gray-600">Price to be announced</p>'
    else: p='<p class="mt-2 text-sm font-semibold uppercase text-gray-500">Sold out</p>'
    if ra: r=f'<div class="mt-1 flex items-center gap-1 text-sm"><svg class="h-4 w-4 fill-amber-400" aria-hidden="true" viewBox="0 0 20 20"><path d="M10 1l2.8 6 6.2.6-4.7 4.3 1.4 6.3L10 15l-5.7 3.2 1.4-6.3L1 7.6 7.2 7z"/></svg><span class="font-medium">{ra}</span><a href="/p/{slug}#reviews" class="text-gray-500 underline">({n})</a></div>'
    else: r='<div class="mt-1 text-sm text-gray-400">No reviews yet</div>'
    if oos=='SOON': sz='<p class="mt-2 text-xs text-gray-500">Sizes released on launch day</p>'
    else:
        ok=instock(s)
        sz='<ul class="mt-2 flex flex-wrap gap-1" aria-label="UK sizes">'+''.join(
          f'<li class="rounded border px-1.5 text-xs">{x}</li>' if x in ok else f'<li class="rounded border border-dashed px-1.5 text-xs text-gray-300 line-through" aria-disabled="true" title="Out of stock"><del>{x}</del></li>' for x in sizes(s))+'</ul>'
    btn='Notify me' if not pr else 'Add to bag'
    return f'''<li class="group relative flex flex-col rounded-lg border p-3 hover:shadow-lg">
<a href="/p/{slug}" class="block aspect-square overflow-hidden bg-gray-100"><img class="h-full w-full object-cover" loading="lazy" src="/img/{slug}-1.webp" alt=""></a>{b}
<h3 class="mt-3 text-base font-semibold leading-tight"><a href="/p/{slug}">{E(t)}</a></h3>
<p class="text-sm text-gray-600">{E(who)} {kindname}</p>
{r}
{p}
<p class="mt-1 text-xs text-gray-500">Drop {drop} · {wt} · {col} colour{'s' if col>1 else ''}</p>
{sz}
<button type="button" class="mt-auto rounded-full bg-gray-900 px-4 py-2 text-sm text-white">{btn}</button>
</li>'''
promo1='''<li class="relative col-span-2 flex flex-col justify-center rounded-lg bg-lime-200 p-6">
<h3 class="text-xl font-black">Join Fleet Club</h3><p class="text-sm">£10 off your first order over £60, free returns for 90 days and early access to sales.</p>
<a href="/club" class="mt-3 inline-block rounded-full bg-black px-4 py-2 text-sm text-white">Sign up free</a></li>'''
promo2='''<li class="relative flex flex-col rounded-lg border bg-sky-50 p-3"><span class="text-[10px] uppercase tracking-wide text-gray-400">Sponsored</span>
<h3 class="mt-3 text-base font-semibold leading-tight"><a href="/gait">In-store gait analysis</a></h3><p class="text-sm text-gray-600">Find the right road or trail shoe with our experts.</p><p class="mt-2"><span class="text-lg font-bold">£15.00</span></p><button class="mt-auto rounded-full border px-4 py-2 text-sm">Book a slot</button></li>'''
cards=[card(s) for s in S]; cards.insert(6,promo1); cards.insert(18,promo2)
save('01',f'''<!DOCTYPE html>
<html lang="en-GB"><head><meta charset="utf-8"><title>Running shoes | Fleet &amp; Foot</title><meta name="description" content="Shop running shoes for road, trail and track.">
<script type="application/ld+json">{{"@context":"https://schema.org","@type":"BreadcrumbList","itemListElement":[{{"@type":"ListItem","position":1,"name":"Home"}},{{"@type":"ListItem","position":2,"name":"Running shoes"}}]}}</script></head>
<body class="bg-white font-sans text-gray-900">
<div class="fixed inset-x-0 bottom-0 z-50 bg-gray-900 p-4 text-white" role="dialog" aria-label="Cookies"><p>We use cookies to keep your bag, measure visits and show you offers.</p><button class="rounded bg-white px-3 py-1 text-black">Accept all</button> <button class="underline">Only necessary</button></div>
<div class="bg-lime-300 py-1 text-center text-xs">Free delivery on orders over £50 · Spring sale: up to 40% off</div>
<header class="flex items-center justify-between px-6 py-4"><a href="/" class="text-2xl font-black">Fleet &amp; Foot</a>
<nav><ul class="flex gap-6 text-sm"><li><a href="/men">Men</a></li><li><a href="/women">Women</a></li><li><a href="/kids">Kids</a></li><li><a href="/clothing">Clothing</a></li><li><a href="/sale">Sale</a></li></ul></nav>
<form action="/search"><input name="q" placeholder="Search shoes" class="rounded border px-3 py-1"></form><a href="/bag" class="text-sm">Bag (0)</a></header>
<ol class="flex gap-1 px-6 text-xs text-gray-500"><li><a href="/">Home</a></li><li>/</li><li>Running shoes</li></ol>
<main class="mx-auto grid max-w-7xl grid-cols-12 gap-6 px-6 py-6">
<aside class="col-span-3 text-sm"><h2 class="font-bold">Filter</h2>
<fieldset class="mt-4"><legend class="font-semibold">For</legend><label class="block"><input type="checkbox"> Men's ({sum(s[1]=='Men'+chr(39)+'s' for s in S)})</label><label class="block"><input type="checkbox"> Women's ({sum(s[1]=='Women'+chr(39)+'s' for s in S)})</label><label class="block"><input type="checkbox"> Kids' (3)</label></fieldset>
<fieldset class="mt-4"><legend class="font-semibold">Surface</legend><label class="block"><input type="checkbox"> Road</label><label class="block"><input type="checkbox"> Trail</label><label class="block"><input type="checkbox"> Track</label></fieldset>
<fieldset class="mt-4"><legend class="font-semibold">Price</legend><label class="block"><input type="radio" name="p"> Under £50</label><label class="block"><input type="radio" name="p"> £50 – £100</label><label class="block"><input type="radio" name="p"> Over £100</label></fieldset>
<fieldset class="mt-4"><legend class="font-semibold">UK size</legend><label><input type="checkbox"> 8</label> <label><input type="checkbox"> 9</label> <label><input type="checkbox"> 9.5</label> <label><input type="checkbox"> 10</label></fieldset>
</aside>
<section class="col-span-9"><div class="flex items-end justify-between"><h1 class="text-3xl font-black">Running shoes</h1><div class="text-sm text-gray-500">1–{len(S)} of 143 · Sort by <select class="border"><option>Our picks</option><option>Price: low to high</option><option>Price: high to low</option><option>Rating</option></select></div></div>
<ul class="mt-6 grid grid-cols-3 gap-4">
{chr(10).join(cards)}
</ul>
<nav class="mt-8 flex justify-center gap-2 text-sm" aria-label="Pages"><a class="rounded border px-3 py-1 bg-black text-white" href="?page=1">1</a><a class="rounded border px-3 py-1" href="?page=2">2</a><a class="rounded border px-3 py-1" href="?page=3">3</a><a class="rounded border px-3 py-1" href="?page=2">Next</a></nav>
</section></main>
<section class="bg-gray-50 px-6 py-8"><h2 class="text-xl font-bold">Recently viewed</h2><div class="mt-4 flex gap-4">
<a href="/p/zephon-base" class="w-40"><img src="/img/zephon-base.webp" alt=""><span class="block text-sm">Zephon Base</span><span class="block text-sm font-bold">£54.99</span></a>
<a href="/p/zephon-ultra" class="w-40"><img src="/img/zephon-ultra.webp" alt=""><span class="block text-sm">Zephon Ultra Trail</span><span class="block text-sm font-bold">£88.00</span></a>
<a href="/p/merino-sock" class="w-40"><img src="/img/sock.webp" alt=""><span class="block text-sm">Merino running sock</span><span class="block text-sm font-bold">£12.00</span></a></div></section>
<footer class="grid grid-cols-4 gap-6 bg-black px-6 py-10 text-sm text-white"><div><h4>Help</h4><ul><li><a href="/delivery">Delivery</a></li><li><a href="/returns">Returns</a></li><li><a href="/sizes">Size guide</a></li></ul></div><div><h4>About</h4><ul><li><a href="/stores">Stores</a></li><li><a href="/jobs">Careers</a></li></ul></div><div><h4>Newsletter</h4><input placeholder="Your email"></div><div>© 2025 Fleet &amp; Foot Ltd</div></footer>
</body></html>''')
assert all(s[3]!='100.00' for s in S)
q('01a','en',"trail shoes under £100",[s[0] for s in S if s[2]=='trail' and s[3] and float(s[3])<100])
r=sorted([s for s in S if s[1]=="Women's" and s[4]],key=lambda s:-pct(s)); notie([pct(s) for s in r])
q('01b','en',"Women's shoes that are reduced, highest percentage off first. I only need name, old price and new price",[s[0] for s in r],True,{"name":r[0][0],"old price":'£'+r[0][4],"new price":'£'+r[0][3]})
q('01c','en',"which ones do they still have in a 9.5?",[s[0] for s in S if '9.5' in instock(s)])
# sold-out shoe is in here only if its rating is among the best: must not be
r=sorted([s for s in S if s[2]=='road' and s[6] and s[6]>100],key=lambda s:-s[5]); notie([s[5] for s in r[:4]])
q('01d','de',"die drei am besten bewerteten Straßenlaufschuhe mit mehr als 100 Bewertungen",[s[0] for s in r[:3]],True)
q('01e','en',"just the ones made from recycled material please",[],False,None,True)

# ---------------- 02 coaches (BEM) ----------------
# title, dep, arr, nextday, changes, via, fare text, fare num, seats, amenities
C=[
("Severn Coaches SC 3","00:20","05:55",0,0,"", "£11.90",11.9,None,"toilet,sockets"),
("Northway N401","05:40","11:05",0,0,"", "£17.50",17.5,None,"wifi,toilet,sockets"),
("Ridgeline R12","06:15","12:35",0,1,"Birmingham","£12.00",12,9,"wifi,toilet"),
("GreenArrow 118","06:50","12:05",0,0,"", "£21.00",21,None,"wifi,sockets"),
("CityHopper CH 27","07:30","14:45",0,2,"Gloucester, Sheffield","£9.80",9.8,None,"toilet"),
("Northway N405","08:00","13:20",0,0,"", "Sold out",None,None,"wifi,toilet,sockets"),
("Ridgeline R16","08:45","14:50",0,1,"Birmingham","£13.40",13.4,4,"wifi,toilet"),
("Severn Coaches SC 9","09:10","15:25",0,1,"Derby","£14.90",14.9,None,"toilet"),
("GreenArrow 124","09:35","14:45",0,0,"", "£24.50",24.5,2,"wifi,sockets"),
("Northway N411","10:30","15:55",0,0,"", "£18.00",18,None,"wifi,toilet,sockets"),
("CityHopper CH 31","11:15","18:40",0,2,"Cheltenham, Nottingham","from £8.50",8.5,None,""),
("Ridgeline R20","12:05","18:10",0,1,"Birmingham","£15.60",15.6,None,"wifi,toilet"),
("Pennine Link PL 2","12:50","18:25",0,1,"Manchester","Fare by phone",None,None,"toilet"),
("GreenArrow 132","13:20","18:40",0,0,"", "£19.90",19.9,12,"wifi,sockets"),
("Northway N417","14:00","19:35",0,0,"", "£16.20",16.2,None,"wifi,toilet,sockets"),
("Severn Coaches SC 15","14:45","21:00",0,1,"Derby","£10.70",10.7,None,"wifi,toilet"),
("CityHopper CH 38","15:25","22:35",0,1,"Sheffield","£9.20",9.2,3,""),
("Northway N423","16:10","21:50",0,0,"", "£22.80",22.8,1,"wifi,toilet,sockets"),
("Ridgeline R28","17:20","23:15",0,1,"Birmingham","£14.10",14.1,None,"wifi,toilet"),
("GreenArrow 144","17:45","22:55",0,0,"", "£27.00",27,6,"wifi,sockets"),
("Severn Coaches SC 21","18:05","00:20",1,1,"Derby","£12.60",12.6,None,"toilet"),
("Northway N429","18:30","23:45",0,0,"", "£15.00",15,None,"wifi,toilet,sockets"),
("Pennine Link PL 6","19:40","01:45",1,1,"Manchester","£11.20",11.2,None,"wifi,toilet"),
("CityHopper CH 44","20:15","03:50",1,2,"Birmingham, Sheffield","£7.90",7.9,None,"toilet"),
("Ridgeline R90 Night","22:55","05:10",1,0,"", "£13.00",13,4,"wifi,toilet"),
("GreenArrow 160","23:30","04:40",1,0,"", "£16.90",16.9,None,"wifi,sockets"),
]
assert len({c[0] for c in C})==len(C)
mn=lambda x:int(x[:2])*60+int(x[3:])
def dur(c): return mn(c[2])+1440*c[3]-mn(c[1])
AM={'wifi':'Wi-Fi','toilet':'Toilet','sockets':'Power sockets'}
def trip(c):
    t,d,a,nx,ch,via,ft,fn,seats,am=c
    D=dur(c); ds=f'{D//60}h {D%60:02d}m'
    chs='Direct' if ch==0 else f'1 change <span class="trip__via">in {via}</span>' if ch==1 else f'2 changes <span class="trip__via">in {via}</span>'
    ams=''.join(f'<li class="trip__perk trip__perk--{x}">{AM[x]}</li>' for x in am.split(',') if x)
    ams=f'<ul class="trip__perks">{ams}</ul>' if ams else ''
    if fn is None and ft=='Sold out': f='<div class="trip__fare trip__fare--none">Sold out</div><button class="btn btn--disabled" disabled>Full</button>'
    elif fn is None: f='<div class="trip__fare trip__fare--none">Fare by phone</div><a class="btn btn--ghost" href="tel:01134960000">Call operator</a>'
    else: f=f'<div class="trip__fare">{ft}</div><a class="btn btn--primary" href="/book/{t.replace(" ","-").lower()}">Select</a>'
    s=f'<div class="trip__seats trip__seats--low">{seats} seat{"s" if seats>1 else ""} left</div>' if seats else ''
    return f'''<article class="trip{' trip--soldout' if ft=='Sold out' else ''}">
<h3 class="trip__name">{t}</h3>
<div class="trip__times"><time class="trip__dep" datetime="2025-03-14T{d}">{d}</time><span class="trip__line" aria-hidden="true"></span><time class="trip__arr" datetime="2025-03-{'15' if nx else '14'}T{a}">{a}</time>{'<sup class="trip__next" title="arrives next day">+1 day</sup>' if nx else ''}</div>
<div class="trip__stations"><span>Bristol, Marlborough St</span><span>Leeds, Dyer St</span></div>
<div class="trip__meta"><span class="trip__dur">{ds}</span><span class="trip__changes">{chs}</span></div>
{ams}
<div class="trip__buy">{s}{f}</div>
</article>'''
L=[trip(c) for c in C]
L.insert(4,'''<article class="trip trip--ad"><span class="trip__adlabel">Ad</span><h3 class="trip__name">Rather drive? Hire cars from £29 a day</h3><p class="trip__adtext">Pick up at Bristol Temple Meads, drop off in Leeds. No changes, no waiting.</p><div class="trip__buy"><div class="trip__fare">from £29.00</div><a class="btn btn--ghost" href="https://ads.example/cars">See cars</a></div></article>''')
L.insert(15,'''<article class="trip trip--notice"><h3 class="trip__name">Get fare alerts for this route</h3><p>We email you when Bristol – Leeds drops below £10.</p><a class="btn btn--ghost" href="/alerts">Set up alert</a></article>''')
save('02',f'''<!doctype html>
<html lang="en"><head><meta charset="utf-8"><title>Coaches Bristol to Leeds, Fri 14 March 2025 – coachfinder</title><link rel="stylesheet" href="/css/app.css"></head>
<body class="page page--results">
<header class="masthead"><a class="masthead__logo" href="/">coachfinder</a><nav class="masthead__nav"><a href="/routes">Routes</a><a href="/operators">Operators</a><a href="/help">Help</a><a href="/login">Sign in</a></nav></header>
<section class="searchbar"><form class="searchbar__form"><label>From <input value="Bristol"></label><label>To <input value="Leeds"></label><label>Date <input value="Fri 14 March 2025"></label><label>Passengers <select><option>1 adult</option><option>2 adults</option></select></label><button class="btn btn--primary">Search</button></form></section>
<div class="daystrip"><a class="daystrip__day" href="?d=13"><span>Thu 13 Mar</span><b>from £8.20</b></a><a class="daystrip__day daystrip__day--on" href="?d=14"><span>Fri 14 Mar</span><b>from £7.90</b></a><a class="daystrip__day" href="?d=15"><span>Sat 15 Mar</span><b>from £10.40</b></a><a class="daystrip__day" href="?d=16"><span>Sun 16 Mar</span><b>from £12.10</b></a></div>
<div class="layout">
<aside class="filters"><h2 class="filters__title">Narrow it down</h2><div class="filters__group"><h4>Changes</h4><label><input type="checkbox">Direct</label><label><input type="checkbox">1 change</label><label><input type="checkbox">2 changes</label></div><div class="filters__group"><h4>Departure</h4><label><input type="checkbox">Before 12:00</label><label><input type="checkbox">12:00–18:00</label><label><input type="checkbox">After 18:00</label></div><div class="filters__group"><h4>On board</h4><label><input type="checkbox">Wi-Fi</label><label><input type="checkbox">Toilet</label><label><input type="checkbox">Power sockets</label></div><div class="filters__group"><h4>Operator</h4><label><input type="checkbox">CityHopper</label><label><input type="checkbox">GreenArrow</label><label><input type="checkbox">Northway</label><label><input type="checkbox">Pennine Link</label><label><input type="checkbox">Ridgeline</label><label><input type="checkbox">Severn Coaches</label></div></aside>
<main class="results"><h1 class="results__title">Bristol → Leeds</h1><p class="results__sub">Friday 14 March 2025 · 1 adult · {len(C)} coaches found</p>
<div class="results__sort">Sorted by departure · <a href="?s=fare">fare</a> · <a href="?s=dur">duration</a></div>
<div class="results__list">
{chr(10).join(L)}
</div>
<nav class="pager"><a class="pager__link" href="?d=13">← Earlier day</a><a class="pager__link" href="?d=15">Later day →</a></nav>
</main>
<aside class="side"><h2 class="side__title">Popular from Bristol</h2><ul class="side__list"><li><a href="/bristol-london">Bristol – London</a> <span>from £5.90</span></li><li><a href="/bristol-cardiff">Bristol – Cardiff</a> <span>from £4.50</span></li><li><a href="/bristol-exeter">Bristol – Exeter</a> <span>from £6.00</span></li></ul><h2 class="side__title">Your last searches</h2><ul class="side__list"><li><a href="/leeds-york">Leeds – York, 15 March</a></li></ul></aside>
</div>
<div class="cookiebar" id="cc"><p class="cookiebar__text">We and 43 partners store information on your device.</p><button class="btn">OK</button><button class="btn btn--ghost">Settings</button></div>
<footer class="foot"><p>Fares include VAT. All times are local. coachfinder is not a carrier.</p><a href="/terms">Terms</a> <a href="/privacy">Privacy</a> <a href="/imprint">Contact</a></footer>
</body></html>''')
r=sorted([c for c in C if c[4]==0 and c[7] is not None],key=lambda c:c[7]); notie([c[7] for c in r])
q('02a','en',"direct coaches that aren't sold out, cheapest first",[c[0] for c in r],True)
assert not [c for c in C if c[1]=='17:00']
q('02b','en',"I can only leave after 5pm and want to be in Leeds before midnight, what is there?",[c[0] for c in C if mn(c[1])>1020 and not c[3]])
q('02c','en',"max one change, under £15 and with wifi",[c[0] for c in C if c[4]<=1 and c[7] is not None and c[7]<15 and 'wifi' in c[9]])
r=sorted(C,key=lambda c:mn(c[2])+1440*c[3]); notie([mn(c[2])+1440*c[3] for c in r[:5]])
q('02d','en',"the 3 that arrive earliest on the 14th - departure, arrival and fare",[c[0] for c in r[:3]],True,{"departure":r[0][1],"arrival":r[0][2],"fare":r[0][6]})
q('02e','en',"Which coaches can I still book but have fewer than five seats left?",[c[0] for c in C if c[8] and c[8]<5])

# ---------------- 03 apartments (CSS modules) ----------------
# addr, beds, baths, m2, floor, pets, avail text, avail key(mmdd or 0 now), rent, was, furnished, ber
A=[
("14 Fennel Court, Drumcondra, Dublin 9",2,1,68,"2nd floor","No pets","1 April 2025",401,1950,2100,"Furnished","B2"),
("Apt 5, The Maltings, Dublin 8",1,1,47,"3rd floor","Cats only","Now",0,1680,None,"Furnished","C1"),
("22 Quarry Lodge, Sandyford, Dublin 18",2,2,81,"4th floor","Pets allowed","15 April 2025",415,2350,None,"Unfurnished","A3"),
("Apt 31, Harbour Reach, Dún Laoghaire",3,2,104,"5th floor","Pets allowed","1 May 2025",501,3150,None,"Furnished","A2"),
("7A Primrose Terrace, Phibsborough, Dublin 7",1,1,39,"Basement","No pets","Now",0,1390,None,"Furnished","E1"),
("Apt 12, Linden Square, Lucan",2,1,72,"1st floor","No pets","24 March 2025",324,1890,None,"Furnished","B3"),
("3 Weaver's Yard, The Liberties, Dublin 8","Studio",1,31,"Ground floor","No pets","Now",0,1420,None,"Furnished","D1"),
("Apt 9, Castle Mill, Swords",2,2,76,None,"Pets allowed","10 April 2025",410,2050,None,"Unfurnished","B1"),
("Penthouse, One Grafton Row, Dublin 2",3,3,138,"8th (top) floor","Pets allowed","1 June 2025",601,None,None,"Furnished","A2"),
("Apt 17, Beechfield Hall, Blanchardstown",3,2,92,"2nd floor","No pets","1 April 2025",401,2180,2300,"Unfurnished","B2"),
("41 Sycamore House, Tallaght, Dublin 24",2,1,64,"3rd floor","Cats only","7 April 2025",407,1790,None,"Furnished","C2"),
("Apt 2, Old Distillery, Smithfield, Dublin 7",1,1,52,"Ground floor",None,"28 March 2025",328,1825,None,"Furnished","C1"),
("Apt 26, Meridian Quay, Dublin 1",2,2,79,"6th floor","No pets","14 April 2025",414,2480,None,"Furnished","A3"),
("8 Rosebank Place, Clondalkin, Dublin 22",3,1,88,"Ground floor","Pets allowed","Now",0,2090,None,"Unfurnished","C3"),
("Apt 14, Hazel Grove, Ashtown, Dublin 15",2,1,70,"4th floor","Pets allowed","3 April 2025",403,1995,None,"Furnished","B2"),
("Apt 6, St Brendan's Gate, Coolock","Studio",1,28,"1st floor","No pets","Now",0,1180,1250,"Furnished","D2"),
("19 Foundry Lofts, East Wall, Dublin 3",1,1,58,"3rd floor","Pets allowed","28 April 2025",428,1920,None,"Unfurnished","B3"),
("Apt 33, Carrick Wharf, Dublin 4",2,2,84,"7th floor","Cats only","1 May 2025",501,2750,None,"Furnished","A2"),
("Apt 1, Millrace View, Leixlip",1,1,56,"Ground floor","Pets allowed",None,None,1740,None,"Unfurnished","C1"),
("The Elms, new lettings, Cherrywood, Dublin 18",1,1,50,"5th floor","Pets allowed","1 April 2025",401,1999,None,"Unfurnished","A1"),
("10 Vernon Mews, Clontarf, Dublin 3",2,1,74,"1st floor","No pets","Now",0,2240,None,"Furnished","D1"),
("Apt 40, Tolka Heights, Glasnevin, Dublin 11",3,2,97,"3rd floor","No pets","22 April 2025",422,2195,None,"Furnished","B1"),
]
FROM={"The Elms, new lettings, Cherrywood, Dublin 18"}
def rent(a):
    if a[8] is None: return 'Rent on request'
    return ('From ' if a[0] in FROM else '')+f'€{a[8]:,}'
def fl(a):
    f=a[4]
    return None if f is None else int(f[0]) if f[0].isdigit() else 0 if f=='Ground floor' else -1
def apt(i,a):
    t,b,ba,m,f,p,av,ak,r_,was,fu,ber=a
    beds='Studio' if b=='Studio' else f'{b} bed'
    pr=f'<p class="ListingCard_price__x9f2Q">{rent(a)}'+(' <span class="ListingCard_per__1aaZd">per month</span>' if r_ else '')+(f' <del class="ListingCard_old__Qe7r1">€{was:,}</del>' if was else '')+'</p>'
    rows=[('Floor area',f'{m} m²'),('Floor',f),('Pets',p),('Available from',av),('Furnishing',fu)]
    dl=''.join(f'<div class="Facts_row__k2LmP"><dt class="Facts_key__0sWvT">{k}</dt><dd class="Facts_val__bX3ne">{v}</dd></div>' for k,v in rows if v)
    tag='<span class="Badge_root__t5Yuo Badge_drop__Hh1zc">Price drop</span>' if was else '<span class="Badge_root__t5Yuo">New today</span>' if i in(4,13,20) else ''
    return f'''<div class="ListingCard_root__Zk81p" data-testid="listing-{8400+i*7}"><div class="ListingCard_media__p0qRs"><img src="https://img.example/l/{8400+i*7}.jpg" alt="Photo 1"><span class="ListingCard_count__mm3Aa">1/{6+i%9}</span>{tag}</div>
<div class="ListingCard_body__v7HHd">{pr}<h2 class="ListingCard_title__rT2bb"><a href="/rent/{8400+i*7}">{E(t)}</a></h2><p class="ListingCard_sub__Ff6gx">{beds} · {ba} bath · Apartment · BER {ber}</p><dl class="Facts_root__iU8aa">{dl}</dl>
<div class="ListingCard_foot__2bNnm"><span>{["Corrib Lettings","Hearth & Key","Liffeyside Homes","Private landlord"][i%4].replace('&','&amp;')}</span><button aria-label="Save">♡</button><a href="/rent/{8400+i*7}#contact">Email agent</a></div>
<div hidden>Deposit: one month's rent. Minimum lease 12 months.</div></div></div>'''
L=[apt(i,a) for i,a in enumerate(A)]
L.insert(5,'''<div class="ListingCard_root__Zk81p ListingCard_sponsored__Ww4Lk"><div class="ListingCard_body__v7HHd"><p class="ListingCard_price__x9f2Q">From €9 <span class="ListingCard_per__1aaZd">per month</span></p><h2 class="ListingCard_title__rT2bb"><a href="https://ads.example/cover">Contents cover for renters</a></h2><p class="ListingCard_sub__Ff6gx">Sponsored · Nestling Insurance</p></div></div>''')
L.insert(14,'''<div class="PromoTile_root__a71Kd"><h2>Are you a landlord?</h2><p>List your apartment from €45 and reach 300,000 renters.</p><a href="/advertise">Place an ad</a></div>''')
save('03',f'''<!DOCTYPE html><html lang="en-IE"><head><meta charset="utf-8"><title>Apartments to rent in Dublin | Doorstep.example</title></head><body><div id="__next">
<div class="Consent_wrap__ooP2s"><p>Doorstep uses cookies.</p><button>Agree</button><button>Manage</button></div>
<header class="Header_root__8dJsk"><a href="/" class="Header_logo__k1kLd">Doorstep</a><nav class="Header_nav__Sd82m"><a href="/buy">Buy</a><a href="/rent">Rent</a><a href="/share">Share</a><a href="/agents">Agents</a><a href="/saved">Saved (0)</a></nav></header>
<div class="Layout_grid__nM31x"><aside class="FilterPanel_root__3kd8D"><h3>Filters</h3><label>Min rent <select><option>Any</option><option>€1,000</option><option>€1,500</option></select></label><label>Max rent <select><option>Any</option><option>€2,000</option><option>€2,500</option></select></label><label>Beds <select><option>Any</option><option>Studio</option><option>1</option><option>2</option><option>3+</option></select></label><label><input type="checkbox"> Pets allowed</label><label><input type="checkbox"> Furnished</label></aside>
<main class="Results_root__9aLdk"><h1 class="Results_heading__Ak3ms">Apartments to rent in Dublin</h1><p class="Results_meta__jJ2mx">{len(A)} of 318 homes shown · Results as of Monday, 17 March 2025</p>
<div class="Results_list__mX1qq">
{chr(10).join(L)}
</div><ul class="Pager_root__s8Kk2"><li><a aria-current="page" href="?p=1">1</a></li><li><a href="?p=2">2</a></li><li><a href="?p=3">3</a></li><li>…</li><li><a href="?p=15">15</a></li><li><a href="?p=2">Next page</a></li></ul></main>
<aside class="Side_root__Tt5hB"><h3>Recently viewed</h3><div class="MiniCard_root__zz1Qa"><a href="/rent/7710">Apt 3, Orchard Walk, Rathmines</a><span>€2,020 per month</span><span>2 bed · 71 m²</span></div><div class="MiniCard_root__zz1Qa"><a href="/rent/7718">Apt 21, Weir House, Chapelizod</a><span>€1,760 per month</span><span>1 bed · 49 m²</span></div><div class="Ad_slot__pp0Lm">Advertisement<p>Moving van with driver, from €60 an hour</p></div></aside></div>
<footer class="Footer_root__1mdKa"><p>© Doorstep Property Media</p><a href="/about">About</a><a href="/safety">Renting safely</a><a href="/terms">Terms of use</a></footer></div></body></html>''')
assert len({a[0] for a in A})==len(A)
q('03a','en',"where could I live with my cat?",[a[0] for a in A if a[5] in('Cats only','Pets allowed')])
r=sorted([a for a in A if a[3]>=70 and a[8] and a[8]<=2200],key=lambda a:-a[3]); notie([a[3] for a in r])
q('03b','en',"70 square metres or more and no more than 2,200 a month, biggest first",[a[0] for a in r],True)
q('03c','en',"furnished, third floor or higher, and available from some day in April",[a[0] for a in A if a[10]=='Furnished' and fl(a) is not None and fl(a)>=3 and a[7] and 400<a[7]<500])
r=sorted([a for a in A if a[1]==2 and a[8]],key=lambda a:a[8]); notie([a[8] for a in r[:6]])
assert all(a[6] for a in r)
q('03d','en',"The four cheapest two-bed places. Give me address, rent and available from",[a[0] for a in r][:4],True,{"address":r[0][0],"rent":rent(r[0]),"available from":r[0][6]})
q('03e','en',"only flats that come with a parking space",[],False,None,True)
