// The page as a list of roles, names and states, seen from a world of its own: the page's scripts can neither
// see nor change what runs here. One line an element, fields separated by tabs; `snapshot.rs` parses them.
(() => {
  if (globalThis.huntsman) return;
  const h = (globalThis.huntsman = {});

  // Refs stay with their elements as long as these live.
  const numbers = new WeakMap();
  const elements = new Map();
  let last = 0;
  h.number = (element) => {
    let number = numbers.get(element);
    if (!number) {
      number = ++last;
      numbers.set(element, number);
      elements.set(number, new WeakRef(element));
    }
    return number;
  };
  // The numbers of what a selector matches, as far as elements have one; null when it is no selector.
  h.find = (css) => {
    try {
      return h.trees().flatMap((tree) => [...tree.querySelectorAll(css)]).map((it) => numbers.get(it)).filter(Boolean);
    } catch {
      return null;
    }
  };
  // Reserves all numbers up to this one: other documents of the tab use them.
  h.reserve = (number) => {
    last = Math.max(last, number);
  };
  h.element = (number) => {
    const element = elements.get(number)?.deref();
    return element?.isConnected && element.ownerDocument.defaultView ? element : null;
  };

  // Who gets what is put into an element: the address of the document that holds it, the addresses that its form may be sent
  // to, that of Enter first, and the target of its link. Read by attributes and by getters that all elements share, since
  // named elements stand in for the properties of forms and documents. An element within a button, a label or a link
  // stands for that; the label for its field.
  const MAX_FORM_TARGETS = 20;
  h.formTarget = (number) => {
    const element = h.element(number);
    if (!element) return null;
    const read = (from, name) => Element.prototype.getAttribute.call(from, name);
    const home = documentOf.call(element);
    const here = h.addressOf(home);
    const absolute = (address) => {
      try {
        return new URL(address, baseOf.call(home)).href;
      } catch {
        return '';
      }
    };
    let acts = element;
    for (let node = element; node; node = h.above(node)) {
      if (/^(a|area|button|input|select|textarea|label)$/.test(plain(node).localName)) {
        acts = node;
        break;
      }
    }
    let link = '';
    if (acts.localName === 'a' || acts.localName === 'area') {
      const address = read(acts, 'href') ?? read(acts, 'xlink:href');
      link = address === null ? '' : absolute(address);
    } else if (plain(acts).localName === 'label') {
      acts = acts.control ?? acts;
    }
    const isForm = (node) => Boolean(node) && kindOf.call(node) === 1 && tagOf.call(node) === 'form';
    const owner = /^(button|input|select|textarea|fieldset|object|output)$/.test(plain(acts).localName)
      ? acts.form : Element.prototype.closest.call(acts, 'form');
    if (!isForm(owner)) return [here, [], link];
    const sends = (node) => /^(submit|image)$/.test(node.type);
    const target = (address) => (/^javascript:/.test(address) ? here : address || here);
    const own = target(absolute(read(owner, 'action') || here));
    const of = (button) => {
      const address = read(button, 'formaction');
      return address === null ? own : target(absolute(address || here));
    };
    if (/^(button|input)$/.test(plain(acts).localName) && sends(acts)) return [here, [of(acts)], link];
    const around = Node.prototype.getRootNode.call(owner);
    const all = around.nodeType === 9 ? Document.prototype.querySelectorAll.call(around, 'button, input')
      : around.querySelectorAll('button, input');
    const buttons = [...all].filter((it) => it.form === owner && sends(it));
    const targets = [...new Set([...buttons.map(of), own])];
    // Of a form with more targets than anybody can be shown, nobody knows where it goes.
    if (targets.length > MAX_FORM_TARGETS) return [here, ['about:invalid'], link];
    return [here, targets, link];
  };
  // The address of a document; of one without an address of its own (`srcdoc`, `blob:`) that of the origin it belongs to.
  h.addressOf = (home) => {
    const address = addressOf.call(home);
    if (/^https?:/.test(address)) return address;
    const origin = String(viewOf.call(home)?.origin);
    return /^https?:/.test(origin) ? `${origin}/` : address;
  };

  // Frames whose documents cannot be accessed from here are listed by an index and read on their own.
  const frames = [];
  const frameIndex = new WeakMap();
  h.frameIndex = (frame) => {
    if (!frameIndex.has(frame)) frameIndex.set(frame, frames.push(new WeakRef(frame)));
    return frameIndex.get(frame);
  };
  h.frame = (index) => frames[index - 1]?.deref() ?? null;

  // Elements that listen for clicks, as the browser knows.
  const listening = new WeakSet();
  h.addListeners = (...list) => list.forEach((it) => it && listening.add(it));

  const INVISIBLE_TAGS = new Set(('script style template head title meta link base datalist noscript param source track rp '
    + 'noembed noframes').split(' '));
  const NAMED_BY_CONTENT = new Set(('button checkbox heading link menuitem menuitemcheckbox menuitemradio option radio switch '
    + 'tab tooltip treeitem columnheader rowheader').split(' '));
  const INTERACTIVE_ROLES = new Set(('button checkbox combobox link listbox menuitem menuitemcheckbox menuitemradio option radio '
    + 'searchbox slider spinbutton switch tab textbox treeitem gridcell scrollbar').split(' '));
  const EMPTY_ROLES = new Set(('listitem list paragraph group figure banner contentinfo complementary img row table article '
    + 'cell term definition blockquote code main navigation region').split(' '));
  const TAG_ROLES = {
    ul: 'list', ol: 'list', menu: 'list', li: 'listitem', dl: 'list', dt: 'term', dd: 'definition', table: 'table',
    tr: 'row', td: 'cell', th: 'columnheader', img: 'img', nav: 'navigation', main: 'main', header: 'banner',
    footer: 'contentinfo', aside: 'complementary', article: 'article', fieldset: 'group', details: 'group',
    figure: 'figure', dialog: 'dialog', iframe: 'iframe', frame: 'iframe', hr: 'separator', progress: 'progressbar',
    meter: 'meter', blockquote: 'blockquote', p: 'paragraph', pre: 'code', video: 'video', audio: 'audio',
    canvas: 'canvas', object: 'object', embed: 'embed', output: 'status', textarea: 'textbox', button: 'button',
    summary: 'button', option: 'option', form: 'form', svg: 'img',
  };
  const INPUT_ROLES = {
    checkbox: 'checkbox', radio: 'radio', range: 'slider', number: 'spinbutton', search: 'searchbox', button: 'button',
    submit: 'button', reset: 'button', image: 'button', file: 'button',
  };
  // What may be said of a native control by its role without being untrue.
  const ROLE_OVERRIDES = {
    button: 'tab switch menuitem menuitemcheckbox menuitemradio option radio checkbox combobox treeitem link gridcell',
    checkbox: 'switch menuitemcheckbox', textbox: 'combobox searchbox spinbutton', searchbox: 'combobox',
    link: 'button tab menuitem option treeitem switch radio checkbox menuitemradio menuitemcheckbox',
    radio: 'menuitemradio',
  };
  const SHAPES = new Set('circle rect ellipse line polyline polygon path text image use'.split(' '));
  const TYPES = new Set('date time month week datetime-local color email tel url password'.split(' '));
  const SECRET = /(^|\s)(current-password|new-password|one-time-code|cc-csc)(\s|$)/;
  const POINTER_CURSORS = /^(pointer|grab|move|crosshair|zoom-in|zoom-out|(?:n|e|s|w|ne|nw|se|sw|ew|ns|nesw|nwse|col|row)-resize)$/;
  // How libraries mark what can be dragged, which no property tells.
  const DRAG_CLASSES = /(^|[\s_-])(draggable|sortable-(handle|item))($|[\s_-])/;
  const CLICK_ATTRIBUTES = ['onclick', 'onmousedown', 'onmouseup', 'ondblclick', 'onpointerdown', 'onpointerup', 'ontouchstart'];
  const MAX_NAME = 400;
  const MAX_OPTIONS = 100;

  // A form's own fields stand in for its properties: `<input name=childNodes>` hides them. So forms are read through the
  // getters and methods that all forms share.
  const getter = (type, name) => Object.getOwnPropertyDescriptor(type.prototype, name).get;
  const kindOf = getter(Node, 'nodeType');
  const documentOf = getter(Node, 'ownerDocument');
  const baseOf = getter(Node, 'baseURI');
  const tagOf = getter(Element, 'localName');
  const addressOf = getter(Document, 'URL');
  const viewOf = getter(Document, 'defaultView');
  const shared = {
    get: (form, name) => {
      const found = Reflect.get(HTMLFormElement.prototype, name, form);
      return typeof found === 'function' ? found.bind(form) : found;
    },
  };
  const plain = (node) =>
    (node && kindOf.call(node) === 1 && tagOf.call(node) === 'form' ? new Proxy(node, shared) : node);

  // The node around this one, out of slots and shadows too.
  const parentOf = getter(Node, 'parentNode');
  const slotOf = getter(Element, 'assignedSlot');
  h.above = (node) => {
    if (kindOf.call(node) === 1 && slotOf.call(node)) return slotOf.call(node);
    return parentOf.call(node) || (kindOf.call(node) === 11 && node.host) || null;
  };

  const squeeze = (text) => text.replace(/\s+/g, ' ').trim();
  const clean = (text) => (text ? squeeze(text).slice(0, MAX_NAME) : '');
  const isControl = (element) => /^(input|select|textarea|button)$/.test(element.localName);
  h.isSecret = (element) => element.type === 'password' || SECRET.test(element.autocomplete || '');

  function native(element, tag) {
    if (tag === 'input') return element.type === 'hidden' ? '' : INPUT_ROLES[element.type] || 'textbox';
    if (tag === 'select') return element.multiple || element.size > 1 ? 'listbox' : 'combobox';
    if (tag === 'a' || tag === 'area') return element.hasAttribute('href') ? 'link' : '';
    if (tag.length === 2 && tag[0] === 'h' && tag[1] >= '1' && tag[1] <= '6') return 'heading';
    if (tag === 'section') {
      return element.hasAttribute('aria-label') || element.hasAttribute('aria-labelledby') ? 'region' : '';
    }
    return TAG_ROLES[tag] || '';
  }

  function role(element, tag) {
    const own = native(element, tag);
    const said = element.getAttribute('role')?.trim().split(/\s+/)[0].toLowerCase();
    if (!said) return own;
    if (/^(none|presentation|generic|text)$/.test(said)) return INTERACTIVE_ROLES.has(own) ? own : '';
    if (isControl(element) || own === 'link') {
      return ROLE_OVERRIDES[own]?.split(' ').includes(said) ? said : own;
    }
    return said;
  }

  // The words of an element as they would be read out.
  function words(element, depth = 0) {
    let text = '';
    for (const real of plain(element).childNodes) {
      if (text.length > MAX_NAME) break;
      const child = plain(real);
      if (child.nodeType === 3) text += child.data;
      else if (child.nodeType === 1 && depth < 40) {
        const tag = child.localName;
        if (INVISIBLE_TAGS.has(tag) || child.getAttribute('aria-hidden') === 'true' || child.hidden) continue;
        const label = child.getAttribute('aria-label');
        if (label) text += ` ${label} `;
        else if (tag === 'img') text += ` ${child.alt} `;
        else if (tag === 'input' || tag === 'select' || tag === 'textarea') continue;
        else {
          const inline = /^(b|i|em|strong|span|a|small|u|s|code|mark|sub|sup|abbr|font|bdi)$/.test(tag);
          text += inline ? words(real, depth + 1) : ` ${words(real, depth + 1)} `;
        }
      }
    }
    return text;
  }

  function labelledBy(element) {
    const ids = element.getAttribute('aria-labelledby');
    if (!ids) return '';
    const root = element.getRootNode();
    const found = ids.trim().split(/\s+/).slice(0, 8).map((id) => root.getElementById?.(id));
    return clean(found.map((it) => (it ? it.getAttribute('aria-label') || it.value || words(it) : '')).join(' '));
  }

  function nativeName(element, tag) {
    if (tag === 'input' && /^(submit|reset|button)$/.test(element.type)) {
      return clean(element.value) || { submit: 'Submit', reset: 'Reset', button: '' }[element.type];
    }
    if (tag === 'input' && element.type === 'image') return clean(element.alt) || clean(element.value);
    if (tag === 'input' || tag === 'select' || tag === 'textarea' || tag === 'meter' || tag === 'progress') {
      return clean([...(element.labels || [])].slice(0, 4).map((it) => words(it)).join(' '));
    }
    if (tag === 'img' || tag === 'area') return clean(element.alt);
    const inner = { fieldset: 'legend', table: 'caption', figure: 'figcaption', svg: 'title' }[tag];
    if (inner) {
      for (const child of element.children) if (child.localName === inner) return clean(words(child));
    }
    return '';
  }

  const explicitName = (element, tag) =>
    labelledBy(element) || clean(element.getAttribute('aria-label')) || nativeName(element, tag);
  const hintOf = (element) =>
    clean(element.getAttribute('title')) || clean(element.getAttribute('placeholder'))
    || clean(element.getAttribute('aria-placeholder'));
  h.nameOf = (real) => {
    const element = plain(real);
    const tag = element.localName;
    return explicitName(element, tag) || (isControl(element) && tag !== 'button' ? '' : clean(words(real))) || hintOf(element);
  };
  // How an element is called in a sentence.
  h.describe = (real) => {
    const element = plain(real);
    const name = h.nameOf(real).slice(0, 60);
    const number = numbers.get(real);
    const word = role(element, element.localName) || element.localName;
    return word + (name ? ` "${name}"` : element.id ? ` #${element.id}` : '') + (number ? ` (E${number})` : '');
  };

  function states(element, tag, word, style) {
    const list = [];
    const aria = (name) => {
      const value = element.getAttribute(name);
      return value && value !== 'false' && value !== 'undefined' ? value : '';
    };
    if (isControl(element)) {
      if (/^(checkbox|radio)$/.test(element.type)) {
        if (element.indeterminate) list.push('mixed');
        else if (element.checked) list.push('checked');
      }
      if (element.matches(':disabled')) list.push('disabled');
      if (element.required) list.push('required');
      if (element.readOnly && element.hasAttribute('readonly')) list.push('readonly');
      if (tag === 'textarea') list.push('multiline');
      if (element.multiple && tag === 'select') list.push('multiple');
      if (element.type === 'file') list.push(element.multiple ? 'file, multiple' : 'file');
    }
    const checked = aria('aria-checked');
    if (checked && !list.includes('checked')) list.push(checked === 'mixed' ? 'mixed' : 'checked');
    if (aria('aria-disabled') && !list.includes('disabled')) list.push('disabled');
    if (aria('aria-pressed')) list.push('pressed');
    if (aria('aria-selected')) list.push('selected');
    if (aria('aria-invalid')) list.push('invalid');
    if (aria('aria-current')) list.push('current');
    if (aria('aria-required') && !list.includes('required')) list.push('required');
    const expanded = element.getAttribute('aria-expanded');
    if (expanded === 'true' || (tag === 'details' && element.open)) list.push('expanded');
    else if (expanded === 'false' || tag === 'details') list.push('collapsed');
    const level = element.getAttribute('aria-level') || (word === 'heading' && /^h\d$/.test(tag) ? tag[1] : '');
    if (/^\d{1,2}$/.test(level)) list.push(`level=${level}`);
    if (tag === 'input' && TYPES.has(element.type)) list.push(`type=${element.type}`);
    if (tag === 'input' && element.type === 'range') list.push(`range=${element.min || 0}..${element.max || 100}`);
    if (word === 'slider' && element.hasAttribute('aria-valuemax')) {
      list.push(`range=${element.getAttribute('aria-valuemin') || 0}..${element.getAttribute('aria-valuemax')}`);
    }
    if (element.getAttribute('draggable') === 'true' || style.cursor === 'grab' || style.cursor === 'move') {
      list.push('draggable');
    }
    return list;
  }

  const scrolls = (element, style) => {
    if (!/(auto|scroll)/.test(style.overflowY) || element.scrollHeight <= element.clientHeight + 4) return '';
    if (element.clientHeight < 20) return '';
    const up = element.scrollTop > 2;
    const down = element.scrollTop + element.clientHeight < element.scrollHeight - 2;
    return up && down ? 'up and down' : up ? 'up' : 'down';
  };

  function value(element, tag, word) {
    if (tag === 'select') {
      return [...element.selectedOptions].slice(0, 20).map((it) => squeeze(it.label || it.text)).join(', ') || null;
    }
    if (tag === 'textarea' || tag === 'input') {
      if (/^(checkbox|radio|submit|reset|button|image|hidden)$/.test(element.type)) return null;
      if (element.type === 'file') return [...element.files].map((it) => it.name).join(', ') || null;
      if (!element.value) return null;
      return h.isSecret(element) ? '•'.repeat(8) : element.value;
    }
    if (tag === 'progress' || tag === 'meter') return element.hasAttribute('value') ? String(element.value) : null;
    if (element.isContentEditable && word === 'textbox') return element.innerText || null;
    return element.getAttribute('aria-valuetext') || element.getAttribute('aria-valuenow');
  }

  const escape = (text) =>
    text.replace(/[\\\n\t\r]/g, (it) => ({ '\\': '\\\\', '\n': '\\n', '\t': '\\t', '\r': '\\r' })[it]);
  const box = (rect, shift) =>
    `box=${[rect.left + shift.x, rect.top + shift.y, rect.width, rect.height].map(Math.round).join(' ')}`;
  const shade = (color) => {
    const parts = /^rgba?\((\d+), (\d+), (\d+)(?:, ([\d.]+))?\)$/.exec(color);
    if (!parts || parts[4] === '0') return '';
    return '#' + parts.slice(1, 4).map((it) => (+it).toString(16).padStart(2, '0')).join('');
  };

  // When the page last changed.
  const changes = (h.changes = { at: performance.now() });
  const observer = new MutationObserver(() => {
    changes.at = performance.now();
  });
  const watched = new WeakSet();
  const watch = (root) => {
    if (watched.has(root)) return;
    watched.add(root);
    observer.observe(root, { subtree: true, childList: true, attributes: true, characterData: true });
  };
  watch(document);

  // `from` is the last number that is taken already, in any document of the tab.
  h.snapshot = (from, most) => {
    last = Math.max(last, from);
    const out = [];
    const wide = innerWidth;
    const high = innerHeight;
    let run = '';
    let muted = 0;
    let visited = 0;
    let firstInView = -1;
    let lastInView = -1;
    let beyond = 0;
    const active = document.activeElement;
    const flush = (depth) => {
      if (!run) return;
      const text = squeeze(run);
      run = '';
      if (text) out.push({ d: depth, role: 'text', name: text, states: '', link: '', ref: 0, value: null, frame: 0 });
    };
    // One entry for each open element; no recursion, since pages may be nested as deeply as they like.
    const stack = [];
    const open = (list, depth, at, more) =>
      stack.push({ list, next: 0, depth, at, block: true, shown: true, hand: 0, mute: 0, by: false, pinned: false, shift: { x: 0, y: 0 }, ...more });
    const finish = (entry) => {
      if (entry.at < 0) {
        if (entry.block) flush(entry.depth);
        if (entry.mute) {
          flush(entry.depth);
          muted -= entry.mute;
        }
        return;
      }
      flush(entry.depth);
      const record = out[entry.at];
      const inner = out.length - entry.at - 1;
      if (entry.by && !record.name) {
        let acts = false;
        for (let i = entry.at + 1; i < out.length && !acts; i++) acts = out[i].ref > 0 || out[i].frame > 0;
        if (!acts) {
          let text = '';
          for (let i = entry.at + 1; i < out.length && text.length < MAX_NAME; i++) {
            if (out[i].name) text += ` ${out[i].name}`;
          }
          out.length = entry.at + 1;
          record.name = clean(text);
        }
      } else if (entry.by && inner) {
        let acts = false;
        for (let i = entry.at + 1; i < out.length && !acts; i++) acts = out[i].ref > 0 || out[i].frame > 0;
        if (!acts) out.length = entry.at + 1;
      } else if (!record.name && record.value === null && inner === 1 && out[entry.at + 1].role === 'text') {
        record.name = out.pop().name;
      }
      if (!record.name && record.ref) {
        record.name = entry.hint || '';
        if (!record.name && out.length === entry.at + 1 && entry.mark) record.states.push(...entry.mark());
      }
      if (entry.relays) {
        // What listens for others, as the root of an application does, is nothing to click itself.
        let inside = 0;
        for (let i = entry.at + 1; i < out.length && inside < 2; i++) if (out[i].ref) inside++;
        if (inside === 2) {
          out.splice(entry.at, 1);
          for (let i = entry.at; i < out.length; i++) out[i].d--;
          if (firstInView > entry.at) firstInView--;
          if (lastInView > entry.at) lastInView--;
          if (entry.mute) muted -= entry.mute;
          return;
        }
      }
      const bare = !record.name && !record.ref && record.value === null && !record.states.length && !record.frame;
      if (bare && out.length === entry.at + 1 && EMPTY_ROLES.has(record.role)) out.length = entry.at;
      if (entry.mute) muted -= entry.mute;
    };
    open([document.body || document.documentElement], 0, -1);
    while (stack.length) {
      const entry = stack[stack.length - 1];
      const real = entry.list[entry.next++];
      const node = plain(real);
      if (!node) {
        finish(entry);
        stack.pop();
        continue;
      }
      if (node.nodeType === 3) {
        if (!muted && entry.shown) run += node.data;
        continue;
      }
      if (node.nodeType !== 1) continue;
      if (out.length >= most) {
        beyond++;
        continue;
      }
      visited++;
      const tag = node.localName;
      if (INVISIBLE_TAGS.has(tag)) continue;
      const style = getComputedStyle(real);
      const display = style.display;
      if (display === 'none' || node.getAttribute('aria-hidden') === 'true') continue;
      const shown = style.visibility === 'visible';
      const pinned = entry.pinned || style.position === 'fixed' || style.position === 'sticky';
      const block = display !== 'contents' && !display.startsWith('inline') && !display.startsWith('ruby');
      const cursor = style.cursor;
      const handle = POINTER_CURSORS.test(cursor);
      const html = node.namespaceURI === 'http://www.w3.org/1999/xhtml';
      let word = !shown || !html && tag !== 'svg' ? '' : role(node, tag);
      const editable = html && node.isContentEditable && !node.parentElement?.isContentEditable;
      if (editable && shown) word = 'textbox';
      if (tag === 'br') {
        flush(entry.depth);
        continue;
      }
      // A label that names a shown field need not be told beside it; one of a hidden field acts in its place.
      let mute = 0;
      let proxy = null;
      if (tag === 'label' && node.control) {
        const field = getComputedStyle(node.control);
        if (field.display === 'none' || field.visibility !== 'visible') {
          if (/^(checkbox|radio|file)$/.test(node.control.type)) proxy = node.control;
        } else if (!labelledBy(node.control) && !node.control.getAttribute('aria-label')) mute = 1;
      }
      if ((tag === 'caption' && entry.role === 'table') || (tag === 'legend' && entry.role === 'group')
        || (tag === 'figcaption' && entry.role === 'figure')) continue;
      const listens = listening.has(real) && node !== document.body && node !== document.documentElement;
      const asks = shown && (listens || CLICK_ATTRIBUTES.some((name) => node.hasAttribute(name))
        || (node.hasAttribute('tabindex') && node.tabIndex >= 0 && !editable));
      let acts = word && (INTERACTIVE_ROLES.has(word) || editable);
      let clickable = false;
      let relays = false;
      let moved = false;
      if (!acts && shown && html) {
        const own = handle && !entry.hand;
        const icon = handle && entry.hand === 1 && !node.firstElementChild && !node.textContent.trim()
          && node.getBoundingClientRect().width >= 4;
        const dragged = node.getAttribute('draggable') === 'true' || DRAG_CLASSES.test(node.className)
          || /draggable|sortable/.test(node.getAttribute('aria-roledescription') || '');
        if (asks || own || icon || dragged) clickable = true;
        if (dragged) moved = true;
        relays = listens && !own && !word && !node.hasAttribute('tabindex');
        if (tag === 'label' && !proxy && (node.control || mute)) clickable = asks;
      }
      if (proxy) {
        word = INPUT_ROLES[proxy.type];
        acts = true;
        clickable = false;
      }
      if (tag === 'form' && shown) acts = true;
      const scroll = shown && html && node !== document.body ? scrolls(node, style) : '';
      if (!word && (clickable || scroll)) word = 'generic';
      if (mute) {
        flush(entry.depth);
        muted += mute;
      }
      const hand = acts ? 2 : handle ? Math.max(entry.hand, 1) : 0;
      if (!word) {
        if (block) flush(entry.depth);
        let list = node.childNodes;
        if (node.shadowRoot) {
          watch(node.shadowRoot);
          list = node.shadowRoot.childNodes;
        } else if (tag === 'slot') {
          const assigned = node.assignedNodes();
          if (assigned.length) list = assigned;
        } else if (style.contentVisibility === 'hidden') continue;
        if (!list.length && !mute) continue;
        open(list, entry.depth, -1, { block, shown, pinned, hand, mute, shift: entry.shift, role: entry.role });
        continue;
      }
      flush(entry.depth);
      const rect = node.getBoundingClientRect();
      const { shift } = entry;
      const list = proxy ? states(proxy, 'input', word, style) : states(node, tag, word, style);
      if (clickable) list.push('clickable');
      if (moved && !list.includes('draggable')) list.push('draggable');
      if (scroll) list.push(`scrolls ${scroll}`);
      if (real === active && (acts || clickable)) list.push('focused');
      const drawn = tag === 'svg' && rect.width >= 48 && rect.height >= 48;
      // Where scripts put things that can be moved or clicked, the place is what they say.
      const placed = clickable && html && (node.style.left || node.style.top || node.style.transform);
      if (drawn || placed || word === 'slider' || word === 'canvas' || list.includes('draggable')) list.push(box(rect, shift));
      const ref = acts || clickable || scroll || drawn || word === 'canvas' ? h.number(real) : 0;
      const record = {
        d: entry.depth, role: word, name: explicitName(node, tag), states: list, link: '', ref, frame: 0,
        value: proxy ? null : value(node, tag, word),
      };
      const at = out.push(record) - 1;
      if (rect.bottom + shift.y > 0 && rect.top + shift.y < high && rect.right > 0 && rect.left < wide && rect.height) {
        // What is taller than the view, or stays in place, is seen from anywhere and says nothing about the place.
        if (pinned) record.pinned = true;
        else if (rect.height < high) {
          if (firstInView < 0) firstInView = at;
          lastInView = at;
        }
      }
      if (tag === 'form' && !record.name) record.name = node.getAttribute('name') || '';
      if (tag === 'a' || tag === 'area') record.link = node.getAttribute('href') === null ? '' : node.href;
      const by = NAMED_BY_CONTENT.has(word) || Boolean(proxy);
      const hint = hintOf(node);
      if (!by && !clickable && !record.name && !(record.role === 'generic')) record.name = hint;
      const mark = () => {
        const words = [];
        if (node.id) words.push(`id=${node.id.slice(0, 40)}`);
        if (typeof node.className === 'string' && node.className.trim()) {
          words.push(`class=${squeeze(node.className).slice(0, 40)}`);
        }
        const color = shade(style.backgroundColor);
        if (color) words.push(`color=${color}`);
        return words;
      };
      if (tag === 'select') {
        flushOptions(node, entry.depth + 1, out);
        if (mute) muted -= mute;
        continue;
      }
      if (tag === 'iframe' || tag === 'frame') {
        record.link = node.getAttribute('src') === null ? '' : node.src;
        record.name ||= node.name;
        let inside = null;
        try {
          inside = node.contentDocument;
        } catch {
          inside = null;
        }
        if (inside?.body) {
          watch(inside);
          const moved = { x: shift.x + rect.left + node.clientLeft, y: shift.y + rect.top + node.clientTop };
          open([inside.body], entry.depth + 1, at, { hint, pinned, shift: moved });
        } else if (inside === null) record.frame = h.frameIndex(node);
        continue;
      }
      if (tag === 'svg') {
        if (drawn) drawing(node, entry.depth + 1, shift, out);
        if (!record.name) {
          const text = clean([...node.querySelectorAll('text')].slice(0, 20).map((it) => it.textContent).join(' '));
          if (out.length === at + 1) record.name = text;
        }
        if (!record.name && !record.ref && out.length === at + 1) out.length = at;
        continue;
      }
      const closed = /^(input|textarea|img|video|audio|canvas|object|embed|hr|progress|meter)$/.test(tag) || editable;
      if (closed) {
        if (!record.name) record.name = hint;
        if (!record.name && record.ref && !acts) list.push(...mark());
        const bare = !record.name && !ref && record.value === null && !list.length;
        if (bare && EMPTY_ROLES.has(word)) out.length = at;
        if (mute) muted -= mute;
        continue;
      }
      let inner = node.childNodes;
      if (node.shadowRoot) {
        watch(node.shadowRoot);
        inner = node.shadowRoot.childNodes;
      } else if (tag === 'details' && !node.open) {
        inner = [...node.children].filter((it) => it.localName === 'summary').slice(0, 1);
      }
      open(inner, entry.depth + 1, at, { shown, pinned, hand, mute, by, hint, mark, shift, role: word, relays: relays && !scroll });
    }
    const total = beyond ? document.getElementsByTagName('*').length - visited : 0;
    const head = JSON.stringify({
      title: document.title, url: location.href, lastRef: last, firstInView, lastInView, beyond: Math.max(total, beyond),
    });
    const lines = out.map((it) => `${it.d}\t${it.role}\t${escape(it.name)}\t${
      typeof it.states === 'string' ? '' : escape(it.states.join('|'))}\t${escape(it.link)}\t${it.ref || ''}\t${
      it.value === null || it.value === '' ? '' : `=${escape(it.value)}`}\t${it.frame || ''}\t${it.pinned ? 1 : ''}`);
    if (elements.size > 2 * lines.length + 10000) {
      for (const [number, weak] of elements) if (!weak.deref()) elements.delete(number);
    }
    return `${head}\n${lines.join('\n')}`;
  };

  function flushOptions(select, depth, out) {
    const all = select.options;
    for (let i = 0; i < all.length && i < MAX_OPTIONS; i++) {
      const option = all[i];
      const list = [];
      if (option.selected) list.push('selected');
      if (option.disabled) list.push('disabled');
      out.push({
        d: depth, role: 'option', name: squeeze(option.label || option.text), states: list, link: '', ref: 0,
        value: null, frame: 0,
      });
    }
    if (all.length > MAX_OPTIONS) {
      const name = `(${all.length - MAX_OPTIONS} more options; they can be selected by their text)`;
      out.push({ d: depth, role: 'text', name, states: '', link: '', ref: 0, value: null, frame: 0 });
    }
  }

  // The shapes of a drawing, which no text tells.
  function drawing(svg, depth, shift, out) {
    const shapes = [...svg.querySelectorAll('*')].filter((it) => SHAPES.has(it.localName) && !it.closest('defs'));
    if (shapes.length > 80) return;
    for (const shape of shapes) {
      const style = getComputedStyle(shape);
      const rect = shape.getBoundingClientRect();
      if (style.visibility !== 'visible' || style.display === 'none' || (!rect.width && !rect.height)) continue;
      const list = [`shape=${shape.localName}`];
      const fill = shade(style.fill) || shade(style.stroke);
      if (fill && shape.localName !== 'image') list.push(`color=${fill}`);
      if (shape.id) list.push(`id=${shape.id.slice(0, 40)}`);
      if (shape.localName === 'polygon') list.push(`corners=${shape.points.numberOfItems}`);
      if (shape.localName === 'text') list.push(`size=${parseInt(style.fontSize, 10)}`);
      list.push(box(rect, shift));
      out.push({
        d: depth, role: shape.localName === 'text' ? 'generic' : 'graphic', name: clean(shape.textContent), states: list, link: '', ref: h.number(shape),
        value: null, frame: 0,
      });
    }
  }
})();
