# Independent re-check: parse the pages back and re-evaluate every instruction from the page text alone
import json,re,collections
from bs4 import BeautifulSoup as BS
S=[json.loads(l) for l in open('set.jsonl')]
doc={p:BS(open(f'pages/{p}.html'),'html.parser') for p in '01 02 03 04 05 06'.split()}
T=lambda x:' '.join(x.get_text(' ',strip=True).split()) if x else None
num=lambda s:float(s)
X={}
X['01']=[dict(t=T(c.h3),x=T(c),sp={T(l.select_one('.spec-name')):T(l.select_one('.spec-value')) for l in c.select('li')},
  p=float(re.search(r'£([\d.]+)',T(c.select_one('.price__current')))[1]),old=T(c.select_one('del')),r=float(T(c.select_one('.rating__value')) or 0),
  n=int(re.sub(r'\D','',T(c.select_one('.rating__count')) or '0')),s=T(c.select_one('.stock'))) for c in doc['01'].select('.product-card')]
X['02']=[(lambda d:dict(t=T(d[0]),x=T(r),co=T(d[1]),loc=T(d[2]),sal=T(d[3]),h=T(d[4]),w=T(d[5]),po=T(d[6]),cl=T(d[7]),n=int(T(d[8]))))(r.find_all('td')) for r in doc['02'].select('tbody tr')]
X['03']=[dict(t=T(c.h2),x=T(c),p=int(re.sub(r'\D','',T(c.strong))),old=T(c.s),ort=T(c.select_one('.inserat-ort span')),st=T(c.select_one('.inserat-flag')),
  m={T(m.select_one('.merkmal-label')):T(m.select_one('.merkmal-wert')) for m in c.select('.merkmal')}) for c in doc['03'].select('article')]
X['04']=[dict(t=T(c.h3),x=T(c),p=int(re.sub(r'\D','',T(c.select_one('.preis')))),ort=T(c.select_one('.field--name-field-ort')),r=float((T(c.select_one('.score')) or '0').replace(',','.')),
  n=int(re.sub(r'\D','',T(c.select_one('.score-count')) or '0')),m={T(a):T(b) for a,b in zip(c.select('dt'),c.select('dd'))},f=T(c.select_one('.field--name-verfuegbarkeit'))) for c in doc['04'].select('.views-row')]
def b05(c):
    am=[float(T(a)[:-3].replace(',','.')) for a in c.select('.amount')]
    return dict(t=T(c.h2),x=T(c),a=T(c.select_one('.autor')),k=T(c.select_one('.kategoria a')),p=am[-1],old=len(am)>1,r=float((T(c.select_one('.ocena')) or '0').replace(',','.')),
      n=int(re.sub(r'\D','',T(c.select_one('.opinie')) or '0')),m={T(a.b):T(a.i) for a in c.select('.attr')},s=T(c.select_one('.stan')))
X['05']=[b05(c) for c in doc['05'].select('li.product')]
X['06']=[]
for d in doc['06'].select('dl.event-list > *'):
    if d.name=='dt': X['06'].append(dict(t=T(d),x=T(d)))
    else:
        e=X['06'][-1]; e['x']+=' '+T(d); k=d['class'][0]
        if k=='ev-date': e['d']=d.time['datetime'][:10]; e['h']=T(d.select_one('.ev-hour')); assert T(d.time).split()[0]==str(int(e['d'][8:]))
        elif k=='ev-status': e['st']=T(d)
        else: e[k]=T(d.find_all('span')[-1])
km=lambda e:int(re.sub(r'\D','',e['m']['Kilometerstand'])); ps=lambda e:int(re.search(r'\((\d+) PS',e['m']['Leistung'])[1])
ez=lambda e:e['m']['Erstzulassung'][3:]+e['m']['Erstzulassung'][:2]
def mon(s):
    m=re.search(r'(\d+) (June|July) 2026',s); return m and ({'June':6,'July':7}[m[2]],int(m[1]))
def dist(e):
    v,u=e['m']['Entfernung zum Strand'].split(); return float(v.replace(',','.'))*(1000 if u=='km' else 1)
iso=lambda s:'-'.join(reversed(re.search(r'\d\d\.\d\d\.\d{4}',s)[0].split('.')))
def sal(e):
    if 'per' in e['sal'] or '£' not in e['sal']: return 0
    return int(re.search(r'£([\d,]+)',e['sal'])[1].replace(',',''))
def days(s): 
    if s in('Today','Yesterday'): return 0
    n,u=s.split()[:2]; return int(n)*(7 if 'week' in u else 1)
fl=lambda k:float((re.search(r'\d+',k) or [0])[0])
pers=lambda e:int(re.search(r'\d+',e['m']['Belegung'])[0]); qm=lambda e:int(e['m']['Wohnfläche'].split()[0])
st=lambda e:e.get('st','')
R={ # id:(pred,key,top)
'01a':(lambda e:e['sp']['Type']=='Over-ear' and e['p']<150 and 'in stock' in e['s'].lower(),),
'01b':(lambda e:e['sp']['Noise cancelling']=='Yes' and fl(e['sp'].get('Battery life','0'))>=30,),
'01c':(lambda e:e['sp']['Type']=='In-ear' and e['sp']['Connection']=='Wireless',lambda e:e['p'],3),
'01d':(lambda e:e['old'],),'01e':(lambda e:e['p']>=200,),'01f':(lambda e:e['s']=='Out of stock',),
'01g':(lambda e:e['sp']['Connection']=='Wired' and e['p']>=100,),'01h':(lambda e:e['n']>1000,lambda e:-e['r'],99),
'01i':(lambda e:e['sp']['Noise cancelling']=='No' and e['r']>4.3,),
'02a':(lambda e:e['w']=='Remote',),'02b':(lambda e:e['loc'] in('Leeds','Manchester') and 'Closed' not in e['cl'],),'02c':(lambda e:e['h']=='Part-time',),
'02d':(lambda e:e['h']=='Full-time' and sal(e)>=50000,),'02f':(lambda e:e['loc']!='London' and e['w']=='On-site',),
'02g':(lambda e:mon(e['cl']) and mon(e['cl'])>(6,30),lambda e:mon(e['cl']),99),'02h':(lambda e:1,lambda e:e['n'],5),'02i':(lambda e:days(e['po'])<=7,),
'03a':(lambda e:e['m']['Kraftstoff']=='Diesel' and km(e)<100000,),'03b':(lambda e:e['m']['Getriebe']=='Automatik' and ez(e)>='202101' and e['p']<25000,),
'03c':(lambda e:e['m']['Kraftstoff']=='Elektro' and e['st']!='Verkauft',lambda e:e['p'],3),'03d':(lambda e:e['m']['Kraftstoff'] in('Elektro','Hybrid'),lambda e:-ps(e),99),
'03e':(lambda e:e['m'].get('Unfallfrei')=='nein',),'03g':(lambda e:e['m']['Getriebe']!='Automatik' and ps(e)>150,),'03h':(lambda e:re.search('München|Augsburg',e['ort']),),
'03i':(lambda e:e['old'],),'03j':(lambda e:1,lambda e:-int(ez(e)),5),
'04a':(lambda e:pers(e)>=6,),'04b':(lambda e:e['m'].get('Haustiere')=='erlaubt' and dist(e)<=500,),'04c':(lambda e:e['f']!='ausgebucht' and e['r'],lambda e:-e['r'],5),
'04d':(lambda e:e['p']<100 and 'Rügen' not in e['ort'],),'04e':(lambda e:e['f']!='ausgebucht' and iso(e['f'])<='2026-07-15',),'04f':(lambda e:qm(e)>80 and e['m'].get('Haustiere')=='nicht erlaubt',),
'04g':(lambda e:e['f']=='ausgebucht',),'04h':(lambda e:e['r']>4.5 and e['n']>=100,),'04i':(lambda e:1,lambda e:e['p'],3),
'05a':(lambda e:e['k']=='Kryminał' and e['p']<40,),'05b':(lambda e:e['m']['Oprawa:']=='twarda' and fl(e['m'].get('Liczba stron:','0'))>500,),'05c':(lambda e:e['k']=='Reportaż' and e['old'],),
'05d':(lambda e:iso(e['m']['Premiera:'])>'2026-05-01',lambda e:-int(iso(e['m']['Premiera:']).replace('-','')),99),'05e':(lambda e:'niedostępna' in e['s'],),
'05f':(lambda e:e['n']>=50,lambda e:-e['r'],4),'05g':(lambda e:e['m']['Oprawa:']=='miękka' and e['p']<45 and e['k']!='Kryminał',),'05h':(lambda e:e['a']=='Anna Wierzba',),
'05i':(lambda e:e['k'] in('Fantasy','Science fiction') and e['p']<=45,),
'06a':(lambda e:e['ev-price']=='wstęp wolny' and st(e)!='zakończone',),'06b':(lambda e:e['ev-cat']=='Koncert' and e['d'][:7]=='2026-06',lambda e:e['d'],99),
'06c':(lambda e:st(e) in('wyprzedane','odwołane'),),'06d':(lambda e:e.get('ev-age')=='18+',),'06e':(lambda e:e['ev-place'] in('Filharmonia','Teatr Stary') and st(e)!='wyprzedane',),
'06f':(lambda e:e['d']>'2026-06-20' and fl(e['ev-price'])<50,),'06g':(lambda e:e['d'][:7]=='2026-07' and st(e)!='odwołane',lambda e:e['d'],99),'06h':(lambda e:int(e['h'].split(':')[0])<12,)}
bad=0
for p in X:
    t=[e['t'] for e in X[p]]; assert len(set(t))==len(t) and 14<=len(t)<=20; print(p,len(t))
    for e in X[p]:
        if p=='01' or p=='06': pass
for s in S:
    i=s['id']; L=X[s['page']]
    if s['impossible']: assert s['rows']==[] and s['columns']=={} and i not in R; continue
    r=R[i]; rows=[e for e in L if r[0](e)]
    if len(r)>1: rows=sorted(rows,key=r[1])[:r[2]]
    assert (len(r)>1)==s['ordered'],i
    got=[e['t'] for e in rows]
    if got!=s['rows']: bad+=1; print('DIFF',i,got,s['rows'])
    ex=rows[0]['x']
    for k,v in s['columns'].items():
        if v not in ex: bad+=1; print('COL',i,k,v,ex)
PL=dict(zip(X,'en en de de pl pl'.split()))
print('bad',bad,'own',sum(PL[s['page']]==s['lang'] for s in S),'imp',sum(s['impossible'] for s in S),collections.Counter(s['lang'] for s in S),'ord',sum(s['ordered'] for s in S),'cols',sum(bool(s['columns']) for s in S))
for p,w in {'01':'warrant|guarant','02':'leave|holiday|vacation|employ|staff|people|500','03':'anhänger|kupplung|AHK','04':'sauna|wellness|spa\\b','05':'nagrod|laureat|wyróżn','06':'wózk|niepełn|barier|dostępnoś|parking|samochod'}.items():
    print(p,re.findall('.{15}(?:'+w+').{10}',doc[p].get_text(' '),re.I))
for s in S: print(s['id'],s['lang'],s['instruction'],'|',s['rows'] if not s['impossible'] else 'IMPOSSIBLE',s['columns'])
