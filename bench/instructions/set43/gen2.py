from gen1 import *
# ---------------- 04 Kleinanzeigen (German, BEM-ish short classes) ----------------
# titel, kat, preis text, num, ort, datum, zustand, versand(None/True/False), reserviert
H='Heute, ';G='Gestern, '
F=[
("Ecksofa grau mit Schlaffunktion","Sofas & Sessel","350 € VB",350,"04177 Leipzig Lindenau",H+"15:21","Gebraucht",False,0),
("Billy Bücherregal weiß 80 cm","Regale","25 €",25,"04229 Leipzig Plagwitz",H+"14:58","Gebraucht",False,0),
("4 Esszimmerstühle Buche","Stühle","60 € VB",60,"04105 Leipzig Zentrum-Nord",H+"14:40","Gebraucht",False,0),
("Kommode Kiefer, muss heute weg","Schränke","Zu verschenken",0,"04315 Leipzig Neustadt",H+"13:17","Gebraucht",False,0),
("Couchtisch Glas rund","Tische","45 €",45,"06108 Halle (Saale)",H+"12:05","Neuwertig",True,0),
("Thonet Freischwinger S 32","Stühle","220 €",220,"04275 Leipzig Südvorstadt",H+"11:49","Gebraucht",True,0),
("Kleiderschrank 3-türig mit Spiegel","Schränke","90 € VB",90,"04416 Markkleeberg",H+"11:02","Gebraucht",False,0),
("Boxspringbett 180x200","Betten","480 € VB",480,"04299 Leipzig Stötteritz",H+"10:30","Neuwertig",False,0),
("Wandregal Eiche massiv","Regale","39 €",39,"01099 Dresden Neustadt",H+"09:44","Neu",True,0),
("Küchenstuhl, Lehne gebrochen","Stühle","5 €",5,"04347 Leipzig Schönefeld",H+"09:12","Defekt",False,0),
("Ohrensessel grün Samt","Sofas & Sessel","VB",None,"04109 Leipzig Zentrum",H+"08:55","Neuwertig",True,0),
("Esstisch ausziehbar Nussbaum","Tische","260 €",260,"04425 Taucha",H+"08:20","Gebraucht",False,1),
("Schreibtischstuhl höhenverstellbar","Stühle","35 €",35,"04317 Leipzig Reudnitz",G+"21:36","Gebraucht",False,0),
("Apothekerschrank antik","Schränke","890 € VB",890,"04155 Leipzig Gohlis",G+"20:10","Gebraucht",False,0),
("Kallax Regal 4x4","Regale","55 € VB",55,"04179 Leipzig Leutzsch",G+"19:48","Gebraucht",False,0),
("Lattenrost 140x200","Betten","Zu verschenken",0,"04416 Markkleeberg",G+"18:25","Gebraucht",False,0),
("Designersofa Leder cognac","Sofas & Sessel","1.250 €",1250,"04103 Leipzig Zentrum-Südost",G+"17:03","Neuwertig",False,0),
("Schuhschrank schmal","Schränke","18 €",18,"04129 Leipzig Eutritzsch",G+"16:31","Gebraucht",True,0),
("Klappstühle 6 Stück","Stühle","48 €",48,"06114 Halle (Saale)",G+"15:15","Neuwertig",True,0),
("Beistelltisch Metall schwarz","Tische","15 €",15,"04277 Leipzig Connewitz",G+"12:40","Neu",True,0),
("Vitrine Landhaus weiß","Schränke","140 €",140,"04249 Leipzig Großzschocher",G+"11:08","Gebraucht",False,1),
("Alter Lehnstuhl zum Restaurieren","Stühle","Zu verschenken",0,"04318 Leipzig Anger-Crottendorf",G+"09:27","Defekt",False,0),
("Kinderbett mit Matratze","Betten","70 € VB",70,"04356 Leipzig Seehausen","15.03.2025","Gebraucht",False,0),
("Leiterregal Bambus","Regale","12 €",12,"04207 Leipzig Grünau","15.03.2025","Neuwertig",True,0),
("Bistrostuhl Rattan","Stühle","28 € VB",28,"04229 Leipzig Schleußig","15.03.2025","Neuwertig",True,0),
("Sekretär Biedermeier","Tische","1.100 € VB",1100,"01097 Dresden","14.03.2025",None,False,0),
("Spind Metall zweitürig","Schränke","75 €",75,"04328 Leipzig Paunsdorf","14.03.2025","Gebraucht",False,0),
("Schlafsofa blau, leichte Flecken","Sofas & Sessel","Zu verschenken",0,"04289 Leipzig Probstheida","13.03.2025","Gebraucht",False,0),
("Hängesessel mit Gestell","Sofas & Sessel",None,None,"06112 Halle (Saale)","13.03.2025","Neuwertig",False,0),
("Schwerlastregal Keller 180 cm","Regale","20 € VB",20,"04157 Leipzig Möckern","12.03.2025","Gebraucht",False,0),
("Massivholzbett Zirbe 160x200","Betten","620 €",620,"04442 Zwenkau","11.03.2025","Neu",False,0),
]
assert len({f[0] for f in F})==len(F)
TXT=["Nichtraucherhaushalt, Selbstabholer.","Bei Interesse bitte melden, Maße auf Anfrage.","Wegen Umzug abzugeben. Kein Umtausch.","Steht im 2. OG, Hilfe beim Tragen möglich.","Privatverkauf, keine Garantie."]
def ad(i,f):
    t,k,pt,pn,ort,dat,zu,vs,res=f
    tags=''.join(f'<span class="ka-tag">{x}</span>' for x in ([zu] if zu else [])+(['Versand möglich'] if vs else ['Nur Abholung']))
    txt=TXT[i%5]
    if vs: txt=TXT[1]
    p=f'<p class="ka-item__preis{" ka-item__preis--gratis" if pt=="Zu verschenken" else ""}">{pt}</p>' if pt else ''
    return f'''<li class="ka-liste__zeile"><article class="ka-item{' ka-item--reserviert' if res else ''}" data-adid="29{71003+i*131}">
<div class="ka-item__bild"><img src="/bilder/{i+1}.jpg" alt=""><span class="ka-item__anzahl">{1+i*3%8}</span></div>
<div class="ka-item__haupt"><div class="ka-item__oben"><span class="ka-item__ort">{ort}</span><span class="ka-item__zeit">{dat}</span></div>
<h2 class="ka-item__titel">{'<span class="ka-res">Reserviert</span> ' if res else ''}<a href="/s-anzeige/{71003+i*131}">{E(t)}</a></h2>
<p class="ka-item__kat">{E(k)}</p><p class="ka-item__text">{txt}</p>
{p}<div class="ka-item__tags">{tags}</div></div></article></li>'''
L=[ad(i,f) for i,f in enumerate(F)]
L.insert(3,'''<li class="ka-liste__zeile ka-liste__zeile--top"><article class="ka-item ka-item--anzeige"><div class="ka-item__haupt"><div class="ka-item__oben"><span class="ka-item__ort">Anzeige</span></div><h2 class="ka-item__titel"><a href="https://werbung.example/moebel">Möbel-Outlet: Polsterwochen mit bis zu 50 %</a></h2><p class="ka-item__text">Große Auswahl, 0 % Finanzierung, Lieferung frei Haus.</p><p class="ka-item__preis">ab 199 €</p></div></article></li>''')
L.insert(17,'''<li class="ka-liste__zeile ka-liste__zeile--werbung"><div class="ka-banner"><strong>Verkaufst du auch Möbel?</strong> Jetzt in zwei Minuten kostenlos inserieren. <a href="/inserieren">Anzeige aufgeben</a></div></li>''')
kats=["Sofas & Sessel","Tische","Stühle","Schränke","Regale","Betten"]
save('04',f'''<!DOCTYPE html>
<html lang="de"><head><meta charset="utf-8"><title>Möbel in Leipzig und Umgebung | Kramkiste Kleinanzeigen</title></head>
<body class="ka">
<div class="ka-consent" role="dialog"><h2>Willkommen bei Kramkiste</h2><p>Wir und unsere Partner verwenden Cookies.</p><button>Alle akzeptieren</button><button>Weiter ohne Einwilligung</button></div>
<header class="ka-kopf"><a class="ka-kopf__logo" href="/">Kramkiste</a><form class="ka-suche"><input value="Möbel"><input value="Leipzig + 100 km"><button>Finden</button></form><nav class="ka-kopf__nav"><a href="/inserieren">Anzeige aufgeben</a><a href="/nachrichten">Nachrichten</a><a href="/einloggen">Einloggen</a></nav></header>
<ul class="ka-pfad"><li><a href="/">Start</a></li><li><a href="/haus-garten">Haus &amp; Garten</a></li><li>Möbel</li></ul>
<div class="ka-spalten"><aside class="ka-filter"><h3>Kategorien</h3><ul>{''.join(f'<li><a href="#">{E(k)}</a> ({sum(f[1]==k for f in F)})</li>' for k in kats)}</ul><h3>Preis</h3><input placeholder="Von"><input placeholder="Bis"><h3>Zustand</h3><ul><li><a href="#">Neu</a></li><li><a href="#">Neuwertig</a></li><li><a href="#">Gebraucht</a></li><li><a href="#">Defekt</a></li></ul><h3>Versand</h3><ul><li><a href="#">Versand möglich</a></li><li><a href="#">Nur Abholung</a></li></ul></aside>
<main class="ka-ergebnis"><h1>Möbel in Leipzig und Umgebung</h1><p class="ka-stand">1 – {len(F)} von 2.418 Anzeigen · Stand: Montag, 17.03.2025, 15:40 Uhr</p>
<ul class="ka-liste">
{chr(10).join(L)}
</ul>
<div class="ka-blaettern"><span class="ka-blaettern__aktiv">1</span><a href="?s=2">2</a><a href="?s=3">3</a><a href="?s=4">4</a><a href="?s=2">Nächste</a></div></main>
<aside class="ka-rechts"><h3>Zuletzt angesehen</h3><div class="ka-mini"><a href="/s-anzeige/11">Hochbett Kiefer 90x200</a><b>110 € VB</b></div><div class="ka-mini"><a href="/s-anzeige/12">Barhocker 2er-Set</a><b>30 €</b></div><div class="ka-werbung">Anzeige<p>Umzug nach Maß – ab 49 € pro Stunde</p></div></aside></div>
<footer class="ka-fuss"><a href="/impressum">Impressum</a><a href="/datenschutz">Datenschutz</a><a href="/sicherheit">Sicherheitshinweise</a><p>© 2025 Kramkiste GmbH</p></footer>
</body></html>''')
q('04a','de',"zeig mir alles was nichts kostet",[f[0] for f in F if f[2]=="Zu verschenken"])
assert all(not(f[1] in('Schränke','Regale') and f[3] in(100,)) for f in F)
q('04b','de',"Schränke oder Regale zwischen 30 und 100 Euro",[f[0] for f in F if f[1] in('Schränke','Regale') and f[3] and 30<=f[3]<=100])
q('04c','de',"Was ist heute neu reingekommen und kann verschickt werden?",[f[0] for f in F if f[5].startswith('Heute') and f[7]])
r=sorted([f for f in F if f[1]=='Stühle' and 'Leipzig' in f[4] and f[6] and f[6]!='Defekt'],key=lambda f:f[3]); notie([f[3] for f in r])
q('04d','en',"chairs in Leipzig, nothing broken, cheapest first",[f[0] for f in r],True)
r=sorted([f for f in F if f[3]],key=lambda f:-f[3]); notie([f[3] for f in r[:6]])
q('04e','de',"die fünf teuersten, nur Titel, Preis und Ort",[f[0] for f in r[:5]],True,{"Titel":r[0][0],"Preis":r[0][2],"Ort":r[0][4]})

# ---------------- 05 Kino (German, semantic, almost no classes) ----------------
D=["Do 13.03.","Fr 14.03.","Sa 15.03.","So 16.03.","Mo 17.03.","Di 18.03.","Mi 19.03."]
# film, genre, länge, fsk, saal, fassung, preis, zeiten je Tag
def w(do='',fr='',sa='',so='',mo='',di='',mi=''): return [x.split() for x in(do,fr,sa,so,mo,di,mi)]
def every(x): return w(*[x]*7)
X="ausverkauft"
P=[
("Das letzte Leuchtfeuer","Drama",118,"12",1,"DF","10,50 €",every("17:30 20:15")),
("Nachtfalter","Thriller",104,"16",2,"DF","10,50 €",w("20:30","20:30 22:50","20:30 22:50","20:30","","20:30","20:30")),
("Kleiner Biber Bo","Animation",78,"0",3,"DF","7,00 €",w("","15:00","13:30 15:15","11:00 13:30 15:15","","","15:00")),
("Les heures lentes","Drama",97,"6",4,"OmU","9,50 €",w("18:00","18:00","18:00","17:45","18:00","18:00","18:00")),
("The Hollow Below","Horror",92,"18",2,"OV","10,50 €",w("","23:00","23:00","","","22:15","")),
("Omas Goldesel","Komödie",101,"6",1,"DF","9,50 €",w("15:15","15:15","15:00","15:00","15:15","15:15","15:15")),
("Sternenwerft 3D","Science-Fiction",141,"12",1,"DF","13,00 €",w("","","19:45","19:45","20:00","20:00","")),
("Kaltes Wasser","Thriller",112,"12",3,"OmU","9,50 €",w("20:45","20:45","18:15","18:15","20:45","","20:45")),
("Sneak Preview",None,None,"18",2,"OV","6,00 €",w("","","","","21:30","","")),
("Der Ponyhof am Meer","Familie",89,"0",3,"DF","7,00 €",w("","","11:15 16:45","11:15","","","16:45")),
("Bruchsteins Haus","Horror",106,"16",4,"DF","10,50 €",w("21:45","21:45","22:10","","21:45","","")),
("Gipfel ohne Namen","Dokumentation",94,"0",4,"DF","8,50 €",w("16:00","","","13:00","16:00","","16:00")),
("Tango in Lissabon","Romanze",109,"6",4,"OmU","9,50 €",w("","","20:00","20:00","","20:00","")),
("Kurzfilmnacht","Kurzfilme",83,"12",3,"OmU","Eintritt frei",w("","","","","","","21:15")),
("Rotkehlchen","Krimi",99,"16",2,"DF","9,50 €",w("18:10","18:10","","","18:10","18:10","18:10")),
("Midnight Circuit","Action",123,"16",1,"OV","10,50 €",w("22:40","22:40","22:40","","","","")),
("Schneeglöckchen","Drama",125,"nicht geprüft",3,"DF","9,50 €",w("","","20:20","","18:30","18:30","")),
("Whisper Line","Thriller",98,"16",4,"OV","9,50 €",w("","","","22:00","","22:00","22:00")),
("Der Zirkusfuchs","Animation",85,"6",3,"DF","7,00 €",w("","","","","15:30","15:30","")),
("Die Vermessung der Stille","Dokumentation",None,"6",None,"DF","8,50 €",w("","18:40","","","","18:40","")),
("El último faro","Horror",95,"16",3,"OmU","9,50 €",w("22:30","22:30","","","","","22:30")),
]
# the one film without a length and hall may not decide the FSK 0/6 order: put it at 12
P=[(p[0],p[1],p[2],"12" if p[0]=="Die Vermessung der Stille" else p[3],*p[4:]) for p in P]
assert len({p[0] for p in P})==len(P)
SOLD={("Kleiner Biber Bo",3,"15:15"),("Nachtfalter",1,"22:50")}
def film(p):
    t,g,l,fsk,saal,fas,pr,z=p
    li=[]
    if g: li.append(f'<li>{g}</li>')
    li.append(f'<li>{l} Min.</li>' if l else '<li>Länge noch nicht bekannt</li>' if t=="Sneak Preview" else '')
    li.append(f'<li>FSK {fsk}</li>' if fsk.isdigit() else '<li>FSK: noch nicht geprüft</li>')
    li.append(f'<li>Saal {saal}</li>' if saal else '')
    li.append(f'<li><abbr title="{ {"OmU":"Originalfassung mit deutschen Untertiteln","OV":"Originalversion ohne Untertitel","DF":"deutsche Fassung"}[fas] }">{fas}</abbr></li>')
    li.append(f'<li>{pr}</li>')
    th=''.join(f'<th scope="col">{d}</th>' for d in D)
    td=''
    for i,ts in enumerate(z):
        td+='<td>'+('<br>'.join((f'<s>{x}</s> <small>ausverkauft</small>' if (t,i,x) in SOLD else f'<a href="/tickets/{i}{x.replace(":","")}">{x}</a>') for x in ts) if ts else '–')+'</td>'
    return f'''<section>
<figure><img src="/plakate/{t.lower().replace(' ','-')}.jpg" alt="Plakat"></figure>
<header><h3>{E(t)}</h3><ul>{''.join(li)}</ul></header>
<table><thead><tr>{th}</tr></thead><tbody><tr>{td}</tr></tbody></table>
</section>'''
L=[film(p) for p in P]
L.insert(5,'''<section><header><h3>Popcorn-Menü für zwei</h3><p>Großes Popcorn und zwei Getränke, die ganze Woche an der Theke.</p><ul><li>14,90 €</li></ul></header></section>''')
L.insert(13,'''<section><header><h3>Kinogutschein verschenken</h3><p>Einlösbar für alle Filme und Säle. <a href="/gutschein">Jetzt bestellen</a></p><ul><li>ab 10,00 €</li></ul></header></section>''')
save('05',f'''<!DOCTYPE html>
<html lang="de"><head><meta charset="utf-8"><title>Programm 13.–19. März 2025 – Lichtburg am Markt</title></head>
<body>
<dialog open><p>Diese Website verwendet Cookies für den Ticketverkauf.</p><button>Einverstanden</button></dialog>
<header><p><a href="/">Lichtburg am Markt</a></p><nav><a href="/programm">Programm</a> <a href="/vorschau">Vorschau</a> <a href="/preise">Preise</a> <a href="/saele">Säle</a> <a href="/kontakt">Kontakt</a></nav></header>
<main>
<h1>Kinoprogramm</h1>
<p>Kinowoche von Donnerstag, 13. März bis Mittwoch, 19. März 2025</p>
<form><label>Tag <select><option>Alle Tage</option>{''.join(f'<option>{d}</option>' for d in D)}</select></label> <label>Fassung <select><option>Alle</option><option>DF</option><option>OmU</option><option>OV</option></select></label></form>
{chr(10).join(L)}
<p><a href="?woche=11">« Vorige Woche</a> <a href="?woche=13">Nächste Woche »</a></p>
</main>
<aside><h2>Demnächst</h2><ul><li><a href="/f/1">Wintersaat</a> – ab 20. März</li><li><a href="/f/2">Captain Kürbis</a> – ab 27. März</li><li><a href="/f/3">The Glass Orchard (OV)</a> – ab 3. April</li></ul><h2>Kasse</h2><p>Täglich ab 14:30 Uhr geöffnet, am Wochenende ab 10:30 Uhr.</p></aside>
<footer><p>Lichtburg am Markt, Marktplatz 4 · Telefon 03643 55 01 20</p><a href="/impressum">Impressum</a> <a href="/datenschutz">Datenschutz</a></footer>
</body></html>''')
after=lambda z,h:any(mn(x)>h for x in z)
q('05a','de',"Filme die kürzer als 95 Minuten sind",[p[0] for p in P if p[2] and p[2]<95])
assert not any(x=='21:00' for p in P for x in p[7][2])
q('05b','de',"Was läuft am Samstag nach 21 Uhr noch?",[p[0] for p in P if after(p[7][2],21*60)])
q('05c','de',"Horror oder Thriller, aber nicht auf Deutsch synchronisiert",[p[0] for p in P if p[1] in('Horror','Thriller') and p[5]!='DF'])
r=sorted([p for p in P if p[3] in('0','6')],key=lambda p:p[2]); notie([p[2] for p in r])
q('05d','de',"FSK 0 oder 6, die kürzesten zuerst, bitte Film, Länge und Saal",[p[0] for p in r],True,{"Film":r[0][0],"Länge":f'{r[0][2]} Min.',"Saal":f'Saal {r[0][4]}'})
q('05e','de',"nur Filme, die von den Zuschauern mindestens 4 Sterne bekommen haben",[],False,None,True)

# ---------------- 06 oferty pracy (Polish) ----------------
# stanowisko, firma, miasto, płaca tekst, dół, góra, umowa, tryb, data text, key
J=[
("Starszy analityk danych","Wistula Data","Kraków","14 000 – 18 500 zł brutto / mies.",14000,18500,"umowa o pracę","hybrydowo","20.03.2025",320),
("Specjalista ds. obsługi klienta","Nordbank","Łódź","6 200 – 7 400 zł brutto / mies.",6200,7400,"umowa o pracę","zdalnie","20.03.2025",320),
("Programista Java","Kodelia","Warszawa","17 000 – 23 000 zł netto (+ VAT) / mies.",17000,23000,"kontrakt B2B","zdalnie","20.03.2025",320),
("Księgowa / księgowy","Biuro Rachunkowe Saldo","Poznań","7 500 – 9 000 zł brutto / mies.",7500,9000,"umowa o pracę","stacjonarnie","19.03.2025",319),
("Magazynier – operator wózka","Logipark","Katowice","31 – 36 zł brutto / godz.",None,None,"umowa zlecenie","stacjonarnie","19.03.2025",319),
("Kierownik projektu budowlanego","Trakt-Bud","Warszawa","15 000 – 19 000 zł brutto / mies.",15000,19000,"umowa o pracę","stacjonarnie","19.03.2025",319),
("Młodszy grafik","Studio Kreska","Wrocław","5 800 – 6 900 zł brutto / mies.",5800,6900,"umowa zlecenie","hybrydowo","18.03.2025",318),
("Tester oprogramowania","Kodelia","Kraków","9 000 – 12 000 zł brutto / mies.",9000,12000,"umowa o pracę","zdalnie","18.03.2025",318),
("Przedstawiciel handlowy","Agro-Zbyt","Lublin","do uzgodnienia",None,None,"umowa o pracę","stacjonarnie","18.03.2025",318),
("Administrator sieci","Telmar","Gdańsk","10 500 – 13 500 zł brutto / mies.",10500,13500,"umowa o pracę","hybrydowo","18.03.2025",318),
("Recepcjonistka / recepcjonista","Hotel Pod Różą","Warszawa","5 400 – 6 000 zł brutto / mies.",5400,6000,"umowa zlecenie","stacjonarnie","17.03.2025",317),
("Inżynier automatyk","Silmet","Katowice","11 000 – 14 500 zł brutto / mies.",11000,14500,"umowa o pracę","stacjonarnie","17.03.2025",317),
("Copywriter","Studio Kreska","Wrocław","zł40",None,None,"umowa o dzieło","zdalnie","16.03.2025",316),
("Asystentka zarządu","Fundacja Most","Warszawa",None,None,None,"umowa o pracę","stacjonarnie","15.03.2025",315),
("DevOps Engineer","Chmurnik","Kraków","20 000 – 26 000 zł netto (+ VAT) / mies.",20000,26000,"kontrakt B2B","zdalnie","15.03.2025",315),
("Specjalista ds. kadr i płac","Silmet","Katowice","7 000 – 8 600 zł brutto / mies.",7000,8600,"umowa o pracę","hybrydowo","14.03.2025",314),
("Tłumacz języka niemieckiego","Lingua Plus","Poznań","6 500 – 8 200 zł brutto / mies.",6500,8200,"umowa o pracę","zdalnie","14.03.2025",314),
("Doradca kredytowy","Nordbank","Warszawa","do uzgodnienia",None,None,"umowa o pracę","hybrydowo","13.03.2025",313),
("Elektryk","Trakt-Bud","Gdańsk","38 – 45 zł brutto / godz.",None,None,"umowa o pracę","stacjonarnie","13.03.2025",313),
("Analityk finansowy","Nordbank","Warszawa","9 800 – 12 500 zł brutto / mies.",9800,12500,"umowa o pracę","hybrydowo","12.03.2025",312),
("Projektant UX","Chmurnik","Wrocław","12 000 – 16 000 zł brutto / mies.",12000,16000,"umowa o pracę","zdalnie","12.03.2025",312),
("Kucharz","Hotel Pod Różą","Kraków","6 000 – 7 200 zł brutto / mies.",6000,7200,"umowa o pracę","stacjonarnie","11.03.2025",311),
("Kierowca kat. C+E","Logipark","Łódź","8 500 – 11 000 zł brutto / mies.",8500,11000,"umowa o pracę","stacjonarnie","11.03.2025",311),
("Product Owner","Wistula Data","Warszawa","19 000 – 24 000 zł netto (+ VAT) / mies.",19000,24000,"kontrakt B2B","hybrydowo","10.03.2025",310),
("Pielęgniarka","Przychodnia Zdrowa","Lublin","8 000 – 9 500 zł brutto / mies.",8000,9500,"umowa o pracę","stacjonarnie","10.03.2025",310),
("Stażysta w dziale marketingu","Agro-Zbyt","Lublin","4 700 zł brutto / mies.",4700,4700,"umowa zlecenie","hybrydowo","07.03.2025",307),
]
J=[tuple(x if x!="zł40" else None for x in j) for j in J]
assert len({j[0] for j in J})==len(J)
TR={"zdalnie":"praca zdalna","hybrydowo":"praca hybrydowa","stacjonarnie":"praca stacjonarna"}
def job(i,j):
    t,f,m,pt,lo,hi,um,tr,dt,k=j
    pay=f'<div class="oferta-zarobki{"" if pt!="do uzgodnienia" else " oferta-zarobki-brak"}">{pt}</div>' if pt else ''
    sup='<span class="etyk etyk-super">Superoferta</span>' if i in(2,11) else ''
    return f'''<div class="oferta box" id="o{51200+i*17}"><div class="oferta-lewa"><img class="logo-firmy" src="/loga/{i}.png" alt="">{sup}</div>
<div class="oferta-srodek"><h2 class="oferta-tytul"><a href="/oferta/{51200+i*17}">{E(t)}</a></h2><div class="oferta-firma"><a href="/firma/{i}">{E(f)}</a></div>
<div class="oferta-miejsce"><i class="ikona ikona-pin"></i>{m}</div>{pay}
<ul class="oferta-cechy"><li>{um}</li><li>{TR[tr]}</li></ul></div>
<div class="oferta-prawa"><span class="oferta-data">Opublikowana: {dt}</span><button class="zapisz" title="Zapisz ofertę">☆</button></div></div>'''
L=[job(i,j) for i,j in enumerate(J)]
L.insert(4,'''<div class="oferta box promo"><div class="oferta-srodek"><h2 class="oferta-tytul"><a href="/kreator-cv">Stwórz CV w 5 minut</a></h2><div class="oferta-firma">Kreator CV – reklama własna</div><div class="oferta-zarobki">od 19 zł / mies.</div></div></div>''')
L.insert(16,'''<div class="box powiadomienia"><h2>Nie przegap nowych ofert</h2><p>Wyślemy Ci e-mail, gdy pojawi się praca w Twoim mieście.</p><input placeholder="Twój e-mail"><button>Powiadamiaj mnie</button></div>''')
save('06',f'''<!DOCTYPE html>
<html lang="pl"><head><meta charset="utf-8"><title>Oferty pracy – marzec 2025 | Etatownia.example</title></head>
<body class="strona">
<div class="rodo"><p>Szanujemy Twoją prywatność. Używamy plików cookie.</p><button>Zgadzam się</button><button>Ustawienia</button></div>
<div class="gora"><a class="logo" href="/">Etatownia</a><ul class="menu"><li><a href="/oferty">Oferty pracy</a></li><li><a href="/pracodawcy">Pracodawcy</a></li><li><a href="/zarobki">Zarobki</a></li><li><a href="/poradnik">Poradnik</a></li><li><a href="/logowanie">Zaloguj się</a></li></ul></div>
<div class="szukaj"><form><input placeholder="Stanowisko, firma"><input placeholder="Miasto"><button>Szukaj</button></form></div>
<div class="kolumny"><div class="filtry"><h3>Umowa</h3><label><input type="checkbox"> umowa o pracę</label><label><input type="checkbox"> umowa zlecenie</label><label><input type="checkbox"> umowa o dzieło</label><label><input type="checkbox"> kontrakt B2B</label><h3>Tryb pracy</h3><label><input type="checkbox"> zdalna</label><label><input type="checkbox"> hybrydowa</label><label><input type="checkbox"> stacjonarna</label><h3>Miasto</h3><label><input type="checkbox"> Warszawa</label><label><input type="checkbox"> Kraków</label><label><input type="checkbox"> Katowice</label><label><input type="checkbox"> Wrocław</label></div>
<div class="wyniki"><h1>Oferty pracy</h1><p class="licznik">Znaleziono 4 812 ofert, strona 1 z 186. Dziś jest czwartek, 20 marca 2025.</p>
{chr(10).join(L)}
<div class="strony"><b>1</b> <a href="?str=2">2</a> <a href="?str=3">3</a> … <a href="?str=186">186</a> <a href="?str=2">następna »</a></div></div>
<div class="boczna"><h3>Ostatnio oglądane</h3><p><a href="/oferta/1">Fryzjer / fryzjerka</a><br>Salon Lok, Radom<br>5 000 – 7 000 zł</p><p><a href="/oferta/2">Spawacz TIG</a><br>Silmet, Gliwice<br>9 000 – 11 500 zł</p><div class="reklama">Reklama<p>Kurs Excela online – 149 zł <s>299 zł</s></p></div></div></div>
<div class="stopka"><a href="/regulamin">Regulamin</a> <a href="/prywatnosc">Polityka prywatności</a> <a href="/kontakt">Kontakt</a> <p>© 2025 Etatownia</p></div>
</body></html>''')
q('06a','pl',"praca zdalna na umowę o pracę",[j[0] for j in J if j[7]=='zdalnie' and j[6]=='umowa o pracę'])
r=sorted([j for j in J if j[2] in('Kraków','Katowice') and j[9]>=317],key=lambda j:-j[9]); notie([j[9] for j in r])
q('06b','pl',"Kraków albo Katowice, tylko z tego tygodnia, najnowsze na górze",[j[0] for j in r],True)
r=sorted([j for j in J if j[4] and j[4]>=12000],key=lambda j:-j[4]); notie([j[4] for j in r]); assert sorted(r,key=lambda j:-j[5])==r or print('ORDER DIFF',[(j[4],j[5]) for j in r])
q('06c','pl',"Dajcie mi stanowisko, firmę i zarobki tam, gdzie widełki zaczynają się od co najmniej 12 tysięcy, najlepiej płatne najpierw",[j[0] for j in r],True,{"stanowisko":r[0][0],"firmę":r[0][1],"zarobki":r[0][3]})
q('06d','en',"jobs in Warsaw that say how much they pay, no B2B",[j[0] for j in J if j[2]=='Warszawa' and j[4] and 'B2B' not in j[6]])
q('06e','pl',"oferty z prywatną opieką medyczną",[],False,None,True)
with open('set.jsonl','w',encoding='utf-8') as f:
    for o in OUT: f.write(json.dumps(o,ensure_ascii=False)+'\n')
