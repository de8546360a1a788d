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
document.querySelector("[data-reviews]").append(__rt.h("p",null,"30 reviews"));
