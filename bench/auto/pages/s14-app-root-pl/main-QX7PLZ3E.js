(()=>{"use strict";const e=(t,n,...r)=>{if(typeof t==="function")return t(Object.assign({},n,{children:r}));const o=document.createElement(t);for(const[i,s]of Object.entries(n||{}))i.startsWith("on")?o.addEventListener(i.slice(2).toLowerCase(),s):i==="className"?o.setAttribute("class",s):s!==!1&&s!=null&&o.setAttribute(i,s===!0?"":s);return r.flat(9).forEach(i=>{i==null||i===!1||o.append(i instanceof Node?i:document.createTextNode(String(i)))}),o};
const t=new Map;let n=0;const r=i=>{const s=new Set;let a=i;return{get:()=>a,set(l){a=typeof l==="function"?l(a):l;s.forEach(c=>c(a))},subscribe(l){return s.add(l),()=>s.delete(l)}}};
const o=(i,s)=>{const a=document.getElementById(i);const l=()=>{a.replaceChildren(s())};return l(),l};
const u=i=>{const s=new Intl.NumberFormat(document.documentElement.lang||"en",{style:"currency",currency:i});return a=>s.format(a)};
const d=(i,s="medium")=>new Intl.DateTimeFormat(document.documentElement.lang||"en",{dateStyle:s,timeZone:"UTC"}).format(new Date(i));
const h={routes:[],add(i,s){this.routes.push([new RegExp("^"+i.replace(/:([a-z]+)/g,"(?<$1>[^/]+)")+"$"),s])},match(i){for(const[s,a]of this.routes){const l=i.match(s);if(l)return a(l.groups||{})}return null}};
class g extends Error{constructor(i,s){super(i);this.status=s}}
const f=async(i,s={})=>{const a=await fetch(i,{headers:{accept:"application/json"},...s});if(!a.ok)throw new g("HTTP "+a.status,a.status);return a.json()};
const m=(i,s)=>{let a;return(...l)=>{clearTimeout(a);a=setTimeout(()=>i(...l),s)}};
const p=(...i)=>i.filter(Boolean).join(" ");
window.__rt={h:e,signal:r,mount:o,money:u,date:d,router:h,request:f,debounce:m,cx:p,Fragment:i=>i.children,uid:()=>"u"+(++n).toString(36),memo(i,s){return t.has(i)||t.set(i,s()),t.get(i)}}})();
const{h:e}=__rt;const ceny={normalny:20,ulgowy:12,rodzinny:45};
document.querySelector("app-root").append(e("app-header",null,e("a",{href:"/"},"Ogród Botaniczny"),e("nav",null,e("a",{href:"zwiedzanie"},"Zwiedzanie"),e("a",{href:"kolekcje"},"Kolekcje"),e("a",{href:"edukacja"},"Edukacja"))),e("main",null,e("h1",null,"Bilety i godziny otwarcia"),e("p",null,"Ogród jest otwarty codziennie od 9 do zmroku, szklarnie od 10 do 17. W poniedziałki szklarnie są zamknięte."),e("ul",null,...Object.entries(ceny).map(([n,c])=>e("li",null,`Bilet ${n} kosztuje ${c} zł`))),e("p",null,"Dzieci do siódmego roku życia wchodzą bezpłatnie. Bilet jest ważny przez cały dzień, można wyjść i wrócić. Z psem zapraszamy na ścieżkę zewnętrzną, do szklarni psy nie mogą wejść."),e("h2",null,"Jak dojechać"),e("p",null,"Tramwajem 4 lub 12 do przystanku Palmiarnia, potem pięć minut pieszo wzdłuż stawu.")),e("app-footer",null,e("p",null,"ul. Lipowa 40 · tel. 61 555 01 88")));
document.title="Bilety i godziny otwarcia - Ogród Botaniczny";
