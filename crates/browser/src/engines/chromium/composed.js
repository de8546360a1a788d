// The page as it is shown, written as one HTML text: open shadow trees in the place of their hosts, with slots filled, and the
// documents of frames of the same origin in the place of their frames.
(() => {
  const h = globalThis.huntsman;
  if (h.html) return;
  const MAX_FRAME_DEPTH = 4;
  const MAX_FRAMES = 30;
  const MAX_SHADOW_ROOTS = 5000;
  // Frames of a smaller side, in CSS pixels, count visits and carry messages; nobody reads them.
  const SMALLEST_FRAME = 32;
  // A frame that takes this part of the view is what the page is for, whatever else the page says.
  const LARGE_FRAME = 0.25;
  // Characters of text from which a page is worth reading without its frames: an introduction of four lines is shorter.
  const ENOUGH_TEXT = 400;
  const MAX_UNREAD = 5;

  // Forms are read through what all elements share: their fields stand in for their properties.
  const getter = (type, name) => Object.getOwnPropertyDescriptor(type.prototype, name).get;
  const childrenOf = getter(Node, 'childNodes');
  const kindOf = getter(Node, 'nodeType');
  const ownerOf = getter(Node, 'ownerDocument');
  const baseOf = getter(Node, 'baseURI');
  const tagOf = getter(Element, 'localName');
  const spaceOf = getter(Element, 'namespaceURI');
  const attributesOf = getter(Element, 'attributes');
  const shadowOf = getter(Element, 'shadowRoot');
  const outerOf = getter(Element, 'outerHTML');
  const innerOf = getter(Element, 'innerHTML');
  const readAttribute = Element.prototype.getAttribute;
  const HTML_SPACE = 'http://www.w3.org/1999/xhtml';
  const VOID = new Set('area base br col embed hr img input link meta param source track wbr'.split(' '));
  // What a document of a frame has for itself, and a page with its content does not need.
  const OF_FRAME = new Set('script style link meta base template noscript title'.split(' '));
  const ADDRESSES = new Set('href src poster action cite data'.split(' '));

  const escapeText = (text) =>
    text.replace(/[&<>\u00a0]/g, (it) => ({ '&': '&amp;', '<': '&lt;', '>': '&gt;' })[it] ?? '&nbsp;');
  const escapeValue = (text) => text.replace(/[&"\u00a0]/g, (it) => ({ '&': '&amp;', '"': '&quot;' })[it] ?? '&nbsp;');

  const isFrame = (element) => spaceOf.call(element) === HTML_SPACE && /^i?frame$/.test(tagOf.call(element));
  const isSeen = (frame) => {
    const rect = frame.getBoundingClientRect();
    return rect.width >= SMALLEST_FRAME && rect.height >= SMALLEST_FRAME
      && frame.checkVisibility({ visibilityProperty: true });
  };
  // The document of a frame of the page's origin that has an address, or a source in its element; null for any other.
  const documentIn = (frame) => {
    let inside = null;
    try {
      inside = frame.contentDocument;
    } catch {
      return null;
    }
    if (!inside?.body || !/^(text\/(html|plain)|application\/(xhtml\+xml|json))$/.test(inside.contentType)) return null;
    if (inside.URL === 'about:srcdoc') return inside;
    try {
      return new URL(inside.URL).origin === location.origin ? inside : null;
    } catch {
      return null;
    }
  };
  const addressIn = (frame) => {
    const source = readAttribute.call(frame, 'src');
    if (!source) return '';
    try {
      const address = new URL(source, baseOf.call(frame));
      return /^https?:$/.test(address.protocol) ? address.href : '';
    } catch {
      return '';
    }
  };

  // The shadow roots and frames of a tree, and those within them. `denied` are addresses of documents that may not be read.
  const partsOf = (tree, denied, parts, depth = 0) => {
    for (const element of tree.querySelectorAll('*')) {
      const shadow = shadowOf.call(element);
      if (shadow && parts.shadows.size < MAX_SHADOW_ROOTS) {
        parts.shadows.set(element, shadow);
        partsOf(shadow, denied, parts, depth);
      }
      if (!isFrame(element) || !isSeen(element)) continue;
      const inside = documentIn(element);
      if (!inside) {
        const address = addressIn(element);
        if (address) parts.unread.push({ frame: element, address });
      } else if (denied.includes(inside.URL) || depth >= MAX_FRAME_DEPTH || parts.frames.size >= MAX_FRAMES) {
        parts.unread.push({ frame: element, address: inside.URL });
      } else {
        parts.frames.set(element, inside);
        partsOf(inside.body, denied, parts, depth + 1);
      }
    }
    return parts;
  };
  const findParts = (denied) => partsOf(document, denied, { shadows: new Map(), frames: new Map(), unread: [] });

  // The trees that what is shown comes from: the document, its open shadow trees and the documents of its frames.
  h.trees = () => {
    const { shadows, frames } = findParts([]);
    return [document, ...shadows.values(), ...frames.values()];
  };
  // The visible text of all trees.
  const textOf = (parts) => {
    const shown = [document.body?.innerText ?? ''];
    for (const shadow of parts.shadows.values()) {
      for (const child of shadow.children) if (!/^(style|script|template)$/.test(child.localName)) shown.push(child.innerText ?? '');
    }
    for (const inside of parts.frames.values()) shown.push(inside.body.innerText);
    return shown.join('\n');
  };
  h.text = () => textOf(findParts([]));

  const absolute = (value, base) => {
    try {
      return new URL(value, base).href;
    } catch {
      return value;
    }
  };
  const absoluteSet = (value, base) =>
    value.replace(/(^|,)(\s*)([^\s,]\S*[^\s,])(\s+[\d.]+[wx])?(?=\s*(?:,|$))/g, (_, before, space, address, size) =>
      `${before}${space}${absolute(address, base)}${size ?? ''}`);
  const attributes = (element, base) => {
    let text = '';
    for (const { name, value } of attributesOf.call(element)) {
      let shown = value;
      if (base && value && ADDRESSES.has(name)) shown = absolute(value, base);
      else if (base && name === 'srcset') shown = absoluteSet(value, base);
      text += ` ${name}="${escapeValue(shown)}"`;
    }
    return text;
  };

  // Elements with a part or a slot within them: they are written child by child, all others by the browser.
  const openElements = (parts) => {
    const open = new Set();
    const slots = [...parts.shadows.values()].flatMap((shadow) => [...shadow.querySelectorAll('slot')]);
    for (const part of [...parts.shadows.keys(), ...parts.frames.keys(), ...slots]) {
      for (let node = part; node && !open.has(node); node = h.above(node)) open.add(node);
    }
    return open;
  };

  // The children that are shown in an element. What no slot takes is not shown, but for the data of scripts.
  const shownIn = (element, parts) => {
    const shadow = parts.shadows.get(element);
    const own = [...childrenOf.call(element)];
    if (shadow) {
      const data = own.filter((it) => kindOf.call(it) === 1 && tagOf.call(it) === 'script');
      return [...data, ...childrenOf.call(shadow)];
    }
    if (tagOf.call(element) === 'slot') {
      const assigned = element.assignedNodes();
      return assigned.length ? assigned : own;
    }
    return own;
  };

  const write = (parts, most) => {
    const open = openElements(parts);
    const pieces = [];
    let length = 0;
    const put = (text) => {
      length += text.length;
      pieces.push(text);
    };
    const stack = [{ list: childrenOf.call(document.documentElement), next: 0, base: null, end: '</html>' }];
    put(`<!doctype html><html${attributes(document.documentElement, null)}>`);
    while (stack.length && length <= most) {
      const entry = stack[stack.length - 1];
      const node = entry.list[entry.next++];
      if (!node) {
        put(entry.end);
        stack.pop();
        continue;
      }
      const { base } = entry;
      const kind = kindOf.call(node);
      if (kind === 3 || kind === 4) put(escapeText(node.data));
      if (kind !== 1) continue;
      const tag = tagOf.call(node);
      if (base && OF_FRAME.has(tag) && !/\bjson\b/.test(readAttribute.call(node, 'type') ?? '')) continue;
      if (tag === 'script' || tag === 'style' || (!base && !open.has(node))) {
        put(outerOf.call(node));
        continue;
      }
      const inside = parts.frames.get(node);
      if (inside) {
        const names = ['id', 'class', 'title'].map((name) => [name, readAttribute.call(node, name)]);
        const kept = names.filter(([, value]) => value).map(([name, value]) => ` ${name}="${escapeValue(value)}"`).join('');
        put(`<div data-frame="${escapeValue(inside.URL)}"${kept}>`);
        stack.push({ list: childrenOf.call(inside.body), next: 0, base: baseOf.call(inside), end: '</div>' });
        continue;
      }
      // A frameset becomes a body with the documents of its frames.
      const name = tag !== 'frameset' ? tag : node === ownerOf.call(node).body ? 'body' : 'div';
      put(`<${name}${attributes(node, base)}>`);
      if (VOID.has(tag) && spaceOf.call(node) === HTML_SPACE) continue;
      stack.push({ list: shownIn(node, parts), next: 0, base, end: `</${name}>` });
    }
    return pieces.join('');
  };

  // The addresses of frames that show something and are not read: all that are large, or all of a page that says little itself.
  const unreadFrames = (parts) => {
    if (!parts.unread.length) return [];
    const view = Math.max(innerWidth * innerHeight, 1);
    const isLarge = ({ frame }) => {
      const rect = frame.getBoundingClientRect();
      return rect.width * rect.height >= view * LARGE_FRAME;
    };
    const isShort = textOf(parts).trim().length < ENOUGH_TEXT;
    const told = parts.unread.filter((it) => isShort || isLarge(it)).map((it) => it.address);
    return [...new Set(told)].slice(0, MAX_UNREAD);
  };

  // The document as it is shown, truncated at `most` characters; `denied` are addresses of frames that may not be read.
  h.html = (most, denied = []) => {
    const root = document.documentElement;
    if (!root) return { html: '', truncated: false, frames: [], unread: [] };
    const parts = findParts(denied);
    const html = parts.shadows.size || parts.frames.size ? write(parts, most)
      : `<!doctype html><html${attributes(root, null)}>${innerOf.call(root)}</html>`;
    const frames = [...parts.frames.values()].map((it) => it.URL).filter((it) => /^https?:/.test(it));
    return { html: html.slice(0, most), truncated: html.length > most, frames: [...new Set(frames)], unread: unreadFrames(parts) };
  };
})();
