import json,re,datetime as D
from collections import Counter
from bs4 import BeautifulSoup as B
import gen; gen.build()
def tx(e): return re.sub(r'\s+',' ',e.get_text(' ')).strip() if e else None
def digits(s): return int(re.sub(r'\D','',s))
def soup(k): return B(open(f'pages/{k}.html',encoding='utf-8').read(),'lxml')
EN={m:i+1 for i,m in enumerate(gen.ENM)}; PL={m:i+1 for i,m in enumerate(gen.PLM)}
def dt(s,M):
    m=re.search(r'(\d+) (\w+) (\d{4})',s); return D.date(int(m[3]),M[m[2]],int(m[1]))
T={}; parsed={}
def p1():
    for c in soup('01').select('.property-card'):
        t=tx(c); a=tx(c.select_one('.property-card__address')).split(', ')
        m=re.search(r'(\d+) bedroom',t); z=re.search(r'([\d,]+) sq ft',t)
        was=c.select_one('s'); pr=tx(c.select_one('strong')); av=tx(c.select_one('.property-card__avail'))
        yield c,dict(title=tx(c.h3),area=a[0],pc=a[1],price=digits(pr) if '£' in pr else None,old=digits(tx(was)) if was else None,beds=int(m[1]) if m else 0,size=digits(z[1]) if z else None,
          furn=tx(c.select_one('.spec--furn')),avail='now' if 'now' in av else dt(av,EN),pets='Pets considered' in t,let='Let agreed' in t)
def p2():
    for c in soup('02').select('article'):
        t=tx(c); m=re.search(r'(\d+) min read',t); k=re.search(r'(\d+) comments',t); b=c.select_one('.byline a'); s=c.select_one('.kicker')
        yield c,dict(title=tx(c.h2),author=tx(b),date=dt(tx(c.time),EN),section=tx(s),mins=int(m[1]) if m else None,com=int(k[1]) if k else 'closed' if 'Comments closed' in t else 0,free='Subscribers only' not in t,sub=tx(c.p))
def p3():
    for c in soup('03').select('li.product-grid__item'):
        t=tx(c); e=lambda s: float(re.search(r'[\d.]+,\d\d',s)[0].replace('.','').replace(',','.'))
        cur=tx(c.select_one('.price__current')); n=re.search(r'\(([\d.]+) Bewertungen\)',t); a=re.search(r'([\d.]+) mAh',t); rv=c.select_one('.rating__value'); de=c.find('del')
        yield c,dict(title=tx(c.h2),price=e(cur),frm=cur.startswith('ab'),old=e(tx(de)) if de else None,rating=float(tx(rv).replace(',','.')) if rv else None,n=digits(n[1]) if n else None,
          avail=tx(c.select_one('.stock')),gb=int(re.search(r'Speicher: (\d+) GB',t)[1]),akku=digits(a[1]) if a else None,color=re.search(r'Farbe: (\w+)',t)[1],rate=e(tx(c.select_one('.price__rate'))))
def p4():
    for c in soup('04').select('tbody tr'):
        td=c.select('td'); f=tx(td[5].span); de=tx(td[2].span); z=re.search(r'erm\. ([\d.,]+)',tx(td[5])); tm=re.search(r'(\S+) Uhr',tx(td[2]))
        num=lambda s:int(float(s.replace('.','').replace(',','.')))
        da=D.datetime.strptime(de[4:],'%d.%m.%Y').date() if de[0] in 'MDFS' else None
        assert not da or gen.DEW[da.weekday()]==de[:2]
        yield c,dict(title=tx(td[0].a),who=tx(td[0].span),cat=tx(td[1]),date=da,time=tm[1] if tm else None,n=int(tx(td[3])),place=tx(td[4]),fee=0 if f=='kostenfrei' else num(f.split()[0]),red=num(z[1]) if z else None,status=tx(td[6]))
def p5():
    for c in soup('05').select('section.node'):
        f={tx(a):a.find_next_sibling('dd') for a in c.select('dt')}
        di=tx(f['Do jeziora']); oc=tx(f['Ocena gości']); n=re.search(r'([\d ]+) opini',oc.split('/ 10')[-1]); st=c.select_one('.gwiazdki'); ce=f.get('Cena za noc'); de=ce.find('del') if ce else None
        yield c,dict(title=tx(c.h3),town=tx(f['Miejscowość']),stars=tx(st).count('★') if st else None,price=digits(tx(ce.b)) if ce else None,old=digits(tx(de)) if de else None,
          rating=float(oc.split(' ')[0].replace(',','.')) if '/ 10' in oc else None,n=digits(n[1]) if n and '/ 10' in oc else None,dist=int(round(float(di.split()[0].replace(',','.'))*(1000 if di.endswith('km') else 1))),
          pets=tx(f['Zwierzęta'])=='Akceptowane',cancel='Bezpłatne' in tx(f['Rezygnacja']),rooms=tx(c.em))
def p6():
    for c in soup('06').select('[data-cy=l-card]'):
        t=tx(c); pr=tx(c.select_one('[data-testid=ad-price]')); s=c.find('s'); g=lambda k:tx(c.select_one(f'[data-parameter={k}]')); ld=tx(c.select_one('[data-testid=location-date]')); pl,da=ld.rsplit(' - ',1); st=c.select_one('[data-testid=ad-state]')
        yield c,dict(title=tx(c.h4),price=digits(pr) if pr[0].isdigit() else None,old=digits(tx(s)) if s else None,neg='do negocjacji' in t,year=int(g('year')),km=digits(g('mileage')) if g('mileage') else None,fuel=g('fuel'),gear=g('gearbox'),place=pl,date=dt(da,PL),firm='Firma' in t,damaged='Uszkodzony' in t,state=tx(st),feat='Wyróżnione' in t)
for k,f in zip('01 02 03 04 05 06'.split(),(p1,p2,p3,p4,p5,p6)):
    rs=list(f()); data=gen.PAGES[k][0]; assert len(rs)==len(data) and 14<=len(rs)<=20,(k,len(rs))
    assert len({r['title'] for _,r in rs})==len(rs)
    for (c,r),o in zip(rs,data):
        for q,v in r.items(): assert v==o[q] or (not v and not o[q] and type(o[q])!=type(None)),(k,o['title'],q,v,o[q])
    T[k]={r['title']:tx(c) for c,r in rs}; parsed[k]=[r for _,r in rs]
S=[json.loads(l) for l in open('set.jsonl',encoding='utf-8')]
assert len(S)==60 and Counter(s['page'] for s in S)==Counter({k:10 for k in T}) and [s['id'] for s in S]==[f'0{p}{c}' for p in range(1,7) for c in 'abcdefghij']
for s,i in zip(S,gen.I):
    assert s['id']==i[0] and s['instruction']==i[2]
    if s['impossible']: assert s['rows']==[] and s['columns']=={}; continue
    # evaluate on what was read back from the page
    x=[t['title'] for t in gen.ev(parsed[s['page']],i[3],i[4],i[5])]
    assert x==s['rows'] and 0<len(x)<len(T[s['page']]),s['id']
    for n,v in s['columns'].items():
        assert v in T[s['page']][s['rows'][0]],(s['id'],n,v)
        for w in re.split(r'\W+',n): assert w.lower() in s['instruction'].lower(),(s['id'],n)
low={k:tx(soup(k)).lower() for k in T}
for k,ws in {'01':['parking','garage'],'02':['social','shares'],'03':['kabellos','wireless','qi ','sim'],'04':['zertifik','prüfung','certif'],'05':['basen','pool','pływ'],'06':['przegląd','czerwon','kolor','badani']}.items():
    for w in ws: 
        if w in low[k]: print('WORD',k,w,low[k][max(0,low[k].index(w)-30):low[k].index(w)+30])
pl={'01':'en','02':'en','03':'de','04':'de','05':'pl','06':'pl'}
print('native',sum(s['lang']==pl[s['page']] for s in S),'impossible',sum(s['impossible'] for s in S),'ordered',sum(s['ordered'] for s in S),'cols',sum(bool(s['columns']) for s in S),Counter(s['lang'] for s in S))
print('OK')
