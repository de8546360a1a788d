import json,bs4
o=[json.loads(l) for l in open('set.jsonl')]
print(len(o), sum(x['impossible'] for x in o))
for x in o:
    s=bs4.BeautifulSoup(open(f"pages/{x['page']}.html",encoding='utf-8'),'html.parser')
    heads=[h.get_text(' ',strip=True) for h in s.find_all(['h2','h3'])]; txt=s.get_text(' ')
    for r in x['rows']:
        n=sum(r==h or h=='Reserviert '+r for h in heads)
        if n!=1: print('BAD',x['id'],r,n)
    n=' '.join(txt.split())
    for k,v in x['columns'].items():
        if v not in n and v not in txt: print('COL',x['id'],k,repr(v))
    if x['page']>'03' or x['id']=='01d': print(x['id'],x['lang'],x['ordered'],x['instruction'],len(x['rows']),x['rows'],x['columns'])
