import json
from gen1 import *; from gen2 import *
import gen1,gen2
P={"01":page01(),"02":page02(),"03":page03(),"04":page04(),"05":page05(),"06":page06()}
for k,v in P.items(): open(f"pages/{k}.html","w",encoding="utf-8").write(v)
out=[]
def add(id,lang,ins,rows=None,cols=None,name=lambda r:r["title"],ordered=False):
    rows=rows or []
    c={k:f(rows[0]) for k,f in cols.items()} if rows else {}
    out.append(dict(id=id,page=id[:2],lang=lang,instruction=ins,rows=[name(r) for r in rows],ordered=ordered,columns=c,impossible=not rows))
nm=lambda r:r["name"]; t=lambda r:r["title"]; g=lambda k:(lambda r:r[k])
fr=lambda h:float(h["rating"] or 0)
add("01a","en","places under £100 a night with breakfast included - name, price",[h for h in H if h["price"] and h["price"]<100 and h["bf"]=="inc"],{"name":nm,"price":h_price},nm)
add("01b","en","Which places are within half a mile of the beach and have a guest rating of 9 or more? I need the name, rating and distance.",[h for h in H if h["dist"]<=.5 and fr(h)>=9],{"name":nm,"rating":g("rating"),"distance":h_dist},nm)
add("01c","en","the three cheapest with free cancellation, cheapest first: name, price",sorted([h for h in H if h["price"] and h["canc"]=="free"],key=g("price"))[:3],{"name":nm,"price":h_price},nm,True)
add("01d","en","which of these take dogs? name, price and area")
add("01e","pl","obiekty z 4 gwiazdkami, które mają obniżoną cenę – nazwa i cena",[h for h in H if h["stars"]==4 and h["was"]],{"nazwa":nm,"cena":h_price},nm)
add("02a","en","all fully remote jobs: title, company, salary",[j for j in J if j["mode"]=="Remote"],{"title":t,"company":g("company"),"salary":j_sal})
add("02b","en","manchester jobs posted in the last week - title, company, posted",[j for j in J if j["loc"]=="Manchester" and j["days"]<=7],{"title":t,"company":g("company"),"posted":lambda j:"Posted "+(j["posted"].lower() if j["days"]<2 else j["posted"])})
add("02c","en","Please list every job where the salary starts at £60,000 or more, sorted from the highest starting salary to the lowest. Job title and salary.",sorted([j for j in J if j["lo"] and j["lo"]>=60000],key=lambda j:-j["lo"]),{"job title":t,"salary":j_sal},ordered=True)
add("02d","en","Which jobs don't state a salary figure? title and company please",[j for j in J if not j["lo"]],{"title":t,"company":g("company")})
add("02e","de","Teilzeitstellen mit Titel, Firma und Ort",[j for j in J if j["type"]=="Part-time"],{"Titel":t,"Firma":g("company"),"Ort":g("loc")})
add("03a","de","diesel unter 15.000 €, modell und preis",[c for c in C if c["fuel"]=="Diesel" and c["price"] and c["price"]<15000],{"modell":t,"preis":c_price})
add("03b","de","Ich suche Automatik-Autos mit Erstzulassung ab 2020 und weniger als 60.000 km. Bitte Titel, Preis und Kilometerstand.",[c for c in C if c["gear"]=="Automatik" and c["ez"][1]>=2020 and c["km"]<60000],{"Titel":t,"Preis":c_price,"Kilometerstand":c_km})
add("03c","de","Autos mit mehr als 150 PS, aber kein VW: Name, Leistung, Preis",[c for c in C if c["ps"]>150 and not c["title"].startswith("VW")],{"Name":t,"Leistung":lambda c:f'{c["kw"]} kW ({c["ps"]} PS)',"Preis":c_price})
add("03d","en","electric cars sorted by mileage, lowest first, with price and mileage",sorted([c for c in C if c["fuel"]=="Elektro"],key=g("km")),{"price":c_price,"mileage":c_km},ordered=True)
add("03e","de","Welche Autos verbrauchen weniger als 5 Liter auf 100 km? Name und Preis")
add("04a","en","only ones in stock under £10, title and price",[b for b in B if b["stock"]=="In stock" and float(b["price"])<10],{"title":t,"price":lambda b:"£"+b["price"]})
add("04b","en","Which books are reduced? title, author, old price and new price",[b for b in B if b["was"]],{"title":t,"author":g("author"),"old price":lambda b:"£"+b["was"],"new price":lambda b:"£"+b["price"]})
add("04c","en","I'd like the hardbacks published in 2024 or later that are rated 4 or higher. Please list title, author and publication date.",[b for b in B if b["fmt"]=="Hardback" and b["date"]>="2024" and float(b["rating"] or 0)>=4],{"title":t,"author":g("author"),"publication date":b_date})
add("04d","en","pre-orders, soonest first: title, publication date, price",sorted([b for b in B if b["stock"]=="Pre-order"],key=g("date")),{"title":t,"publication date":b_date,"price":lambda b:"£"+b["price"]},ordered=True)
add("04e","pl","książki, które mają mniej niż 300 stron – tytuł i autor")
import re
pz=lambda v:int((re.findall(r"\d+",v["price"]) or [0])[0])
add("05a","pl","koncerty przed 15 marca - nazwa, data, miejsce",[v for v in V if v["cat"]=="Koncert" and v["date"]<"2026-03-15"],{"nazwa":t,"data":v_date,"miejsce":g("place")})
add("05b","pl","Co w kwietniu jest za darmo? nazwa, data i miejsce",[v for v in V if v["price"]=="wstęp wolny" and v["date"][5:7]=="04"],{"nazwa":t,"data":v_date,"miejsce":g("place")})
add("05c","pl","Wydarzenia w Klubie Magazyn, które nie są wyprzedane: tytuł, data, godzina",[v for v in V if v["place"]=="Klub Magazyn" and not v["status"]],{"tytuł":t,"data":v_date,"godzina":g("time")})
add("05d","pl","bilety od 20 do 50 zł, wydarzenie i cena",[v for v in V if 20<=pz(v)<=50],{"wydarzenie":t,"cena":g("price")})
add("05e","pl","trzy najdroższe wydarzenia, zaczynając od najdroższego: nazwa, rodzaj, cena",sorted(V,key=lambda v:-pz(v))[:3],{"nazwa":t,"rodzaj":g("cat"),"cena":g("price")},ordered=True)
add("06a","de","vegane rezepte unter 30 minuten, name und zeit",[r for r in R if r["diet"]=="vegan" and r["min"]<30],{"name":t,"zeit":r_time})
add("06b","de","Welche Rezepte haben mehr als 300 Bewertungen und mindestens 4,7 Sterne? Titel, Bewertung und Schwierigkeit",[r for r in R if (r["n"] or 0)>300 and float(r["stars"].replace(",","."))>=4.7],{"Titel":t,"Bewertung":g("stars"),"Schwierigkeit":g("diff")})
add("06c","de","nur einfache Rezepte mit weniger als 350 kcal, Rezeptname + Kalorien",[r for r in R if r["diff"]=="einfach" and r["kcal"] and r["kcal"]<350],{"Rezeptname":t,"Kalorien":lambda r:f'{r["kcal"]} kcal'})
add("06d","de","alle Rezepte, die weder vegetarisch noch vegan sind, nach Kalorien absteigend sortiert, mit Titel, Kalorien und Zubereitungszeit",sorted([r for r in R if not r["diet"]],key=lambda r:-r["kcal"]),{"Titel":t,"Kalorien":lambda r:f'{r["kcal"]} kcal',"Zubereitungszeit":r_time},ordered=True)
add("06e","en","recipes with more than 25 g of protein per portion, name and time")
with open("set.jsonl","w",encoding="utf-8") as f:
    for x in out: f.write(json.dumps(x,ensure_ascii=False)+"\n")
# validate
from html.parser import HTMLParser
class T(HTMLParser):
    def __init__(s): super().__init__(); s.x=[]
    def handle_data(s,d): s.x.append(" ".join(d.split()))
import collections
for x in out:
    p=T(); p.feed(P[x["page"]]); full=" ".join(p.x); full=" ".join(full.split())
    for r in x["rows"]: assert p.x.count(r)==1,(x["id"],r,p.x.count(r))
    for k,c in x["columns"].items():
        if c not in p.x: print("col not a text node",x["id"],k,c, c in full)
print(collections.Counter(x["lang"] for x in out),sum(x["impossible"] for x in out),len(out))
for x in out: print(x["id"],x["instruction"],"\n   ",x["rows"],x["columns"])
for k,ws in {"01":["dog","pet"],"03":["verbrauch","liter","l/100"],"04":["pages","page "],"06":["protein","eiwei"]}.items():
    for wd in ws:
        p=T(); p.feed(P[k]); 
        if wd in " ".join(p.x).lower(): print("word on page",k,wd)
