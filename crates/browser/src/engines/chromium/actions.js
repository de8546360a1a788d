// Actionability of elements before real input goes there, and what input cannot do.
// Every function returns an object with `refusal`, the reason, when the element cannot take the action.
(() => {
  const h = globalThis.huntsman;
  if (h.actionPoint) return;
  const frame = () => new Promise((done) => {
    const late = setTimeout(done, 100);
    requestAnimationFrame(() => {
      clearTimeout(late);
      done();
    });
  });
  const task = () => new Promise((done) => setTimeout(done));
  const STALE = { stale: true };
  const refuse = (why) => ({ refusal: why });
  const controlOf = (element) => (element.localName === 'label' && element.control) || element;

  // The offset from the element's own viewport to ours.
  function offsetOf(element) {
    let x = 0;
    let y = 0;
    let view = element.ownerDocument.defaultView;
    while (view && view !== window) {
      const owner = view.frameElement;
      if (!owner) break;
      const rect = owner.getBoundingClientRect();
      x += rect.left + owner.clientLeft;
      y += rect.top + owner.clientTop;
      view = owner.ownerDocument.defaultView;
    }
    return { x, y };
  }

  // The topmost element at a point of our viewport, in whatever document and shadow tree it is.
  function top(x, y) {
    let root = document;
    let hit = null;
    for (let depth = 0; depth < 50; depth++) {
      const next = root.elementFromPoint(x, y);
      if (!next || next === hit) return hit;
      hit = next;
      if (hit.shadowRoot) {
        root = hit.shadowRoot;
        continue;
      }
      let inside = null;
      try {
        inside = hit.contentDocument;
      } catch {
        inside = null;
      }
      if (!inside) return hit;
      const rect = hit.getBoundingClientRect();
      x -= rect.left + hit.clientLeft;
      y -= rect.top + hit.clientTop;
      root = inside;
    }
    return hit;
  }

  // The focused element, in whatever document and shadow tree it is, and whether it is a frame that cannot be accessed.
  h.focused = () => {
    let root = document;
    let found = null;
    for (let depth = 0; depth < 50; depth++) {
      const next = root.activeElement;
      if (!next || next === found || next === root.body || next === root.documentElement) break;
      found = next;
      let inside = next.shadowRoot;
      if (!inside && (next.localName === 'iframe' || next.localName === 'frame')) {
        try {
          inside = next.contentDocument;
        } catch {
          inside = null;
        }
        if (!inside) return [h.number(found), true];
      }
      if (!inside) break;
      root = inside;
    }
    return [found ? h.number(found) : 0, false];
  };

  const above = h.above;
  function within(inner, outer) {
    for (let node = inner; node; node = above(node)) {
      if (node === outer) return true;
    }
    return false;
  }
  const reaches = (hit, element) =>
    within(hit, element) || hit.control === element || (hit.closest && hit.closest('label')?.control === element)
    || (element.localName === 'option' && within(element, hit))
    || (element.localName === 'area' && hit.localName === 'img');

  function points(element) {
    const rects = [...element.getClientRects()].filter((it) => it.width > 0 && it.height > 0);
    if (!rects.length && element.localName === 'area') {
      const picture = element.ownerDocument.querySelector(`img[usemap="#${CSS.escape(element.parentElement?.name || '')}"]`);
      const at = picture?.getBoundingClientRect();
      const c = element.coords.split(',').map(Number);
      if (at && element.shape === 'circle') return [{ x: at.left + c[0], y: at.top + c[1] }];
      if (at && c.length >= 4) return [{ x: at.left + (c[0] + c[2]) / 2, y: at.top + (c[1] + c[3]) / 2 }];
    }
    const list = [];
    for (const rect of rects.slice(0, 4)) {
      const [w, t] = [rect.width, rect.height];
      list.push({ x: rect.left + w / 2, y: rect.top + t / 2 });
      for (const [a, b] of [[0.25, 0.5], [0.75, 0.5], [0.5, 0.25], [0.5, 0.75], [0.1, 0.1], [0.9, 0.9]]) {
        list.push({ x: rect.left + w * a, y: rect.top + t * b });
      }
    }
    return list;
  }

  // The index of the frame that cannot be accessed from here at a point of our viewport; 0 for none.
  h.frameAt = (x, y) => {
    const hit = top(x, y);
    if (!hit || !/^(iframe|frame|object|embed|fencedframe)$/.test(hit.localName)) return 0;
    return h.frameIndex(hit);
  };

  // The element to act on at a point: the nearest interactive ancestor, else the topmost element.
  const INTERACTIVE = 'a[href], area[href], button, input, select, textarea, summary, label, canvas, [role], [onclick], [tabindex]';
  h.hitTest = (x, y) => {
    const found = top(x, y);
    if (!found || found === document.documentElement || found === document.body) return {};
    let actor = null;
    let link = '';
    for (let node = found; node && !link; node = above(node)) {
      if (node.nodeType !== 1) continue;
      if (!actor && node.matches(INTERACTIVE)) actor = node;
      if (node.matches('a[href], area[href]')) link = node.getAttribute('href');
    }
    const element = actor || found;
    const rect = element.getBoundingClientRect();
    const shift = offsetOf(element);
    try {
      link = link && new URL(link, element.ownerDocument.baseURI).href;
    } catch {
      link = '';
    }
    return { number: h.number(element), x: x - rect.left - shift.x, y: y - rect.top - shift.y, link };
  };

  const rectOf = (element) => {
    const r = element.getBoundingClientRect();
    return `${r.left} ${r.top} ${r.width} ${r.height}`;
  };
  const isMoving = (element) => {
    if (performance.now() - h.changes.at < 120) return true;
    return element.ownerDocument.getAnimations().some((it) => it.playState === 'running' && it.effect?.target
      && (within(element, it.effect.target) || it.effect.target === element));
  };

  // Brings an element into view, and gives its place in our viewport.
  h.areaInView = async (number) => {
    const element = h.element(number);
    if (!element) return STALE;
    const area = () => {
      const rect = element.getBoundingClientRect();
      const shift = offsetOf(element);
      return { x: rect.left + shift.x, y: rect.top + shift.y, width: rect.width, height: rect.height };
    };
    let at = area();
    if (at.y + at.height / 2 < 0 || at.x + at.width / 2 < 0 || at.y + at.height / 2 > innerHeight || at.x + at.width / 2 > innerWidth) {
      element.scrollIntoView({ block: 'center', inline: 'center', behavior: 'instant' });
      await frame();
      at = area();
    }
    return at;
  };

  // Finds a point where a click reaches the element: in view, at rest, not covered. `at` asks for one point.
  h.actionPoint = async (number, enabled, at) => {
    let element = h.element(number);
    if (!element) return STALE;
    let subject = controlOf(element);
    if (enabled && subject.matches(':disabled, [aria-disabled="true"]')) {
      return refuse('it is disabled; something else on the page has to be filled or chosen first');
    }
    const hidden = () => {
      const style = getComputedStyle(element);
      return style.display === 'none' || style.visibility !== 'visible' || !points(element).length;
    };
    if (hidden()) {
      // A field that is drawn by its label is reached by the label.
      const label = element.labels?.[0];
      if (!label || !points(label).length) {
        return refuse('it is not visible now; open what hides it, or take a new snapshot');
      }
      element = label;
    }
    const inside = (place) => {
      const shift = offsetOf(element);
      const [x, y] = [place.x + shift.x, place.y + shift.y];
      return x >= 0 && y >= 0 && x < innerWidth && y < innerHeight;
    };
    const target = () => {
      if (!at) return points(element);
      const rect = element.getBoundingClientRect();
      return [{ x: rect.left + at.x, y: rect.top + at.y }];
    };
    const first = target()[0];
    if (!first || !inside(first)) {
      element.scrollIntoView({ block: 'center', inline: 'center', behavior: 'instant' });
      await frame();
    }
    let before = rectOf(element);
    for (let turn = 0; isMoving(element) || turn > 0; turn++) {
      await frame();
      if (!element.isConnected) return STALE;
      const now = rectOf(element);
      if (now === before) break;
      before = now;
      if (turn > 90) return { ...refuse('it does not stop moving; wait until it rests'), moving: true };
    }
    const find = () => {
      let cover = null;
      const shift = offsetOf(element);
      for (const place of target()) {
        const [x, y] = [place.x + shift.x, place.y + shift.y];
        if (x < 0 || y < 0 || x >= innerWidth || y >= innerHeight) continue;
        const hit = top(x, y);
        if (hit && (reaches(hit, element) || reaches(hit, subject))) return { x, y };
        cover ||= hit;
      }
      return { cover };
    };
    let found = find();
    if (found.cover) {
      // What sticks to an edge covers only what lies below it.
      element.scrollIntoView({ block: 'center', inline: 'center', behavior: 'instant' });
      await frame();
      found = find();
      // A veil that is going away is given time to go.
      for (let turn = 0; turn < 40 && found.cover && isMoving(found.cover); turn++) {
        await frame();
        found = find();
      }
    }
    if (found.x === undefined) {
      if (!found.cover) return refuse('no part of it can be brought into view');
      const layer = found.cover.closest?.('dialog, [role=dialog], [role=alertdialog], [aria-modal=true]');
      const whole = layer && layer !== found.cover ? ` in ${h.describe(layer)}` : '';
      return { ...refuse(`${h.describe(found.cover)}${whole} covers it; act on that first`), cover: true };
    }
    const kind = subject.localName === 'input' ? subject.type : subject.localName;
    return { x: found.x, y: found.y, kind, draggable: Boolean(element.closest?.('[draggable=true], a[href], img')) };
  };

  // Waits until a frame has been drawn, what its callbacks set off has run and the page is at rest, or `cap` milliseconds
  // have gone.
  h.waitForStable = async (cap) => {
    const begun = performance.now();
    const moving = () => document.getAnimations().some((it) => {
      if (it.playState !== 'running') return false;
      const timing = it.effect?.getComputedTiming?.();
      return timing && Number.isFinite(timing.endTime) && timing.endTime - (it.currentTime || 0) < 1000;
    });
    await frame();
    await task();
    while (performance.now() - begun < cap && (performance.now() - h.changes.at < 40 || moving())) {
      await frame();
    }
  };

  // Whether a document that shows next to nothing has a script that sets another address for it.
  const NOTICE = 400;
  const SETS_ADDRESS = /(^|[^.\w$])((window|document|self|globalThis)\s*\.\s*)?location\s*(\.\s*href\s*)?(=[^=]|\.\s*(assign|replace)\s*\()/;
  const setsAddress = (text) => text.trim().length < NOTICE && document.links.length <= 3
    && !document.querySelector('input:not([type=hidden]), textarea, select')
    && [...document.scripts].some((it) => !it.src && SETS_ADDRESS.test(it.textContent.slice(0, 20000)));

  h.documentInfo = () => {
    let text = document.body?.innerText ?? '';
    let html = '';
    if (text.length < 1500) {
      text = h.text();
      html = text.length < 1500 ? h.html(300000).html : '';
    }
    const refresh = document.querySelector('meta[http-equiv="refresh" i]');
    return {
      title: document.title, url: location.href, text: text.trim().length, html: html.length < 300000 ? html : '',
      scripts: Boolean(document.querySelector('script')), type: document.contentType,
      refresh: refresh ? [refresh.getAttribute('content') ?? '', document.baseURI] : null, sets_address: setsAddress(text),
    };
  };

  // Whether a dialog that asks for consent covers the page: it is in the middle of the view, and most of the view is below it or
  // below what it dims the page with.
  const CONSENT = /cookie|consent|gdpr|privacy|datenschutz|einwillig|confidentialit|privacidad|prywatno|zgod|riservatezza|toestemming|integritet|personvern|クッキー|同意|隐私|隱私/i;
  const MAX_DIALOG = 8000;
  const layerAt = (x, y) => {
    for (let node = top(x, y); node; node = h.above(node)) {
      if (node.nodeType !== 1) continue;
      if (node === document.body || node === document.documentElement) return null;
      const position = getComputedStyle(node).position;
      if (position === 'fixed' || node.matches('dialog[open], [aria-modal=true]')) return node;
    }
    return null;
  };
  h.hasConsentDialog = () => {
    const points = [[0.5, 0.5], [0.25, 0.25], [0.75, 0.25], [0.25, 0.75], [0.75, 0.75]];
    const layers = points.map(([x, y]) => layerAt(x * innerWidth, y * innerHeight));
    const [dialog] = layers;
    if (!dialog || layers.filter(Boolean).length < 3) return false;
    if (dialog.localName === 'iframe') return CONSENT.test(`${dialog.title} ${dialog.id} ${dialog.name} ${dialog.src}`);
    const frame = dialog.querySelector('iframe');
    const text = dialog.innerText || (frame ? `${frame.title} ${frame.id} ${frame.name} ${frame.src}` : '');
    return text.length < MAX_DIALOG && CONSENT.test(text)
      && Boolean(frame || dialog.shadowRoot || dialog.querySelector('button, [role=button], input[type=submit], input[type=button], a'));
  };

  // What a selector matches in the document, in its open shadow trees and in its frames.
  const matches = (css) => h.trees().flatMap((tree) => [...tree.querySelectorAll(css)]);
  h.containsText = (text) => {
    const lower = squeeze(text);
    return squeeze(h.text()).includes(lower)
      || matches('input, textarea').some((it) => !h.isSecret(it) && it.value.includes(text));
  };
  // Whether any element that a selector matches is visible; null where the text is no selector.
  h.showsMatch = (css) => {
    try {
      return matches(css).some((it) =>
        it.checkVisibility({ visibilityProperty: true }) && it.getClientRects().length > 0);
    } catch {
      return null;
    }
  };
  const squeeze = (text) => text.replace(/\s+/g, ' ').trim();
  h.isVisible = (number) => {
    const element = h.element(number);
    if (!element) return { visible: false };
    return { visible: element.checkVisibility({ visibilityProperty: true }) && points(element).length > 0 };
  };

  const dispatchChange = (element) => {
    element.dispatchEvent(new Event('input', { bubbles: true, composed: true }));
    element.dispatchEvent(new Event('change', { bubbles: true }));
  };

  h.select = (number, wanted) => {
    const element = h.element(number);
    if (!element) return STALE;
    const list = controlOf(element);
    if (list.localName !== 'select') return { custom: true, expanded: list.getAttribute('aria-expanded') === 'true' };
    if (list.matches(':disabled')) return refuse('it is disabled');
    if (wanted.length > 1 && !list.multiple) return refuse('it takes one option only');
    const all = [...list.options];
    const text = (option) => squeeze(option.label || option.text);
    const chosen = [];
    for (const want of wanted) {
      const plain = squeeze(want);
      const low = plain.toLowerCase();
      const found = all.find((it) => text(it) === plain) || all.find((it) => it.value === want)
        || all.find((it) => text(it).toLowerCase() === low);
      if (!found) {
        const names = all.slice(0, 60).map(text).join(', ');
        return refuse(`it has no option ${JSON.stringify(want)}; it has: ${names}${all.length > 60 ? ', ...' : ''}`);
      }
      if (found.disabled || found.parentElement?.disabled) return refuse(`its option ${JSON.stringify(want)} is disabled`);
      chosen.push(found);
    }
    if (list.multiple) for (const option of all) option.selected = chosen.includes(option);
    else if (chosen.length) chosen[0].selected = true;
    dispatchChange(list);
    return { set: true };
  };
  // An option of a list that the page builds itself, once it is there.
  h.findOption = (number, want) => {
    const owner = h.element(number);
    if (!owner) return STALE;
    const low = squeeze(want).toLowerCase();
    const roots = [owner.ownerDocument];
    const root = owner.getRootNode();
    if (root !== roots[0]) roots.push(root);
    const seen = [];
    for (const place of roots) {
      const all = place.querySelectorAll('[role=option], [role=menuitem], [role=treeitem], [role=menuitemradio], li, option');
      for (const option of all) {
        if (!option.checkVisibility({ visibilityProperty: true })) continue;
        const text = squeeze(h.nameOf(option) || option.textContent).toLowerCase();
        if (text === low) return { number: h.number(option) };
        if (option.getAttribute('role') === 'option' && seen.length < 40) seen.push(text);
      }
    }
    return refuse(`no option ${JSON.stringify(want)} appeared${seen.length ? `; there are: ${seen.join(', ')}` : ''}`);
  };

  h.checkedState = (number) => {
    const element = h.element(number);
    if (!element) return STALE;
    let subject = controlOf(element);
    const inner = subject.localName === 'label' ? subject.querySelector('input') : null;
    if (inner) subject = inner;
    if (/^(checkbox|radio)$/.test(subject.type)) {
      if (subject.matches(':disabled')) return refuse('it is disabled');
      return { on: subject.checked, radio: subject.type === 'radio' };
    }
    const said = subject.getAttribute('aria-checked') ?? subject.getAttribute('aria-pressed')
      ?? subject.getAttribute('aria-selected');
    if (said === null) return refuse('it can be neither on nor off; use the click action');
    return { on: said === 'true', radio: subject.getAttribute('role') === 'radio' };
  };

  // The file field that an element is, or stands for.
  h.fileField = (number, several) => {
    const element = h.element(number);
    if (!element) return STALE;
    let subject = controlOf(element);
    if (subject.type !== 'file') {
      const near = subject.querySelector('input[type=file]') || subject.closest('label')?.control
        || subject.closest('form')?.querySelector('input[type=file]')
        || subject.parentElement?.querySelector('input[type=file]');
      if (near?.type !== 'file') return refuse('it takes no files, and no file field is near it');
      subject = near;
    }
    if (subject.matches(':disabled')) return refuse('it is disabled');
    if (several && !subject.multiple) return refuse('it takes one file only');
    return { number: h.number(subject) };
  };

  h.submit = (number) => {
    const element = h.element(number);
    if (!element) return STALE;
    const form = element.localName === 'form' ? element : element.form || element.closest('form');
    if (!form) return refuse('it belongs to no form; click the button that sends it');
    const button = element !== form && /^(submit|image)$/.test(element.type) ? element : null;
    if (!form.noValidate && !button?.formNoValidate) {
      const bad = [...form.elements].filter((it) => it.willValidate && !it.validity.valid).slice(0, 10);
      if (bad.length) {
        return refuse(`its form is not complete: ${bad.map((it) => `${h.describe(it)}: ${it.validationMessage}`).join('; ')}`);
      }
    }
    if (button?.disabled) return refuse('it is disabled');
    form.requestSubmit(button || undefined);
    return { set: true };
  };

  h.scroll = (number, right, down) => {
    let element = number ? h.element(number) : null;
    if (number && !element) return STALE;
    if (element && !right && !down) {
      element.scrollIntoView({ block: 'center', inline: 'center', behavior: 'instant' });
      return { moved: true };
    }
    const able = (it) => {
      const style = getComputedStyle(it);
      return (down && it.scrollHeight > it.clientHeight + 1 && /(auto|scroll|hidden|overlay)/.test(style.overflowY))
        || (right && it.scrollWidth > it.clientWidth + 1 && /(auto|scroll|hidden|overlay)/.test(style.overflowX));
    };
    if (!element) {
      const page = document.scrollingElement || document.documentElement;
      element = page;
      const room = (down && page.scrollHeight > innerHeight + 1) || (right && page.scrollWidth > innerWidth + 1);
      if (!room) {
        // Pages that keep still scroll a part of themselves.
        let best = null;
        for (let it = top(innerWidth / 2, innerHeight / 2); it; it = it.parentElement) if (able(it)) best = best || it;
        element = best || page;
      }
    } else {
      let it = element;
      while (it && !able(it)) it = it.parentElement;
      element = it || document.scrollingElement;
    }
    const before = [element.scrollLeft, element.scrollTop];
    element.scrollBy({ left: right, top: down, behavior: 'instant' });
    const moved = element.scrollLeft !== before[0] || element.scrollTop !== before[1];
    const left = Math.round(element.scrollHeight - element.clientHeight - element.scrollTop);
    return { moved, top: Math.round(element.scrollTop), left: Math.max(0, left) };
  };

  // The points where a text begins and ends.
  h.textRange = (number, text) => {
    const element = number ? h.element(number) : document.body;
    if (!element) return STALE;
    if (number) element.scrollIntoView({ block: 'center', inline: 'nearest', behavior: 'instant' });
    if (/^(input|textarea)$/.test(element.localName)) {
      const start = text ? element.value.indexOf(text) : 0;
      if (start < 0) return refuse('it does not hold this text');
      element.focus();
      element.setSelectionRange(start, text ? start + text.length : element.value.length);
      return { set: true };
    }
    const nodes = [];
    const walker = element.ownerDocument.createTreeWalker(element, NodeFilter.SHOW_TEXT);
    let all = '';
    while (walker.nextNode()) {
      nodes.push([walker.currentNode, all.length]);
      all += walker.currentNode.data;
    }
    let start = 0;
    let end = all.length;
    if (text) {
      const pattern = squeeze(text).split(' ').map((it) => it.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')).join('\\s+');
      const found = new RegExp(pattern).exec(all);
      if (!found) return refuse('it does not hold this text');
      start = found.index;
      end = start + found[0].length;
    } else {
      start = all.length - all.trimStart().length;
      end = all.trimEnd().length;
    }
    if (end <= start) return refuse('it holds no text');
    const edge = (at, last) => {
      const [node, from] = nodes.filter(([it, begin]) => it.data.trim() && (last ? begin < at : begin <= at)).pop();
      const range = element.ownerDocument.createRange();
      const offset = at - from;
      range.setStart(node, last ? Math.max(0, offset - 1) : Math.min(offset, node.data.length - 1));
      range.setEnd(node, last ? offset : Math.min(offset + 1, node.data.length));
      const rect = [...range.getClientRects()].pop() || range.getBoundingClientRect();
      const shift = offsetOf(element);
      return { x: (last ? rect.right : rect.left) + shift.x, y: (rect.top + rect.bottom) / 2 + shift.y };
    };
    return { from: edge(start, false), to: edge(end, true) };
  };

  h.rect = (number) => {
    const element = h.element(number);
    if (!element) return STALE;
    const rect = element.getBoundingClientRect();
    const shift = offsetOf(element);
    return { x: rect.left + shift.x, y: rect.top + shift.y, width: rect.width, height: rect.height };
  };
  // The origin of a frame's content in our viewport.
  h.frameOrigin = (index) => {
    const frame = h.frame(index);
    if (!frame) return STALE;
    frame.scrollIntoView({ block: 'nearest', inline: 'nearest', behavior: 'instant' });
    const rect = frame.getBoundingClientRect();
    const shift = offsetOf(frame);
    const style = getComputedStyle(frame);
    return {
      x: rect.left + frame.clientLeft + parseFloat(style.paddingLeft) + shift.x,
      y: rect.top + frame.clientTop + parseFloat(style.paddingTop) + shift.y,
    };
  };
})();
