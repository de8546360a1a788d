// Putting of values into fields. A value goes into the element itself, by the editing command of its own document or by its
// own setter, and never by keys: keys go to whatever has the focus, and every frame of a page can take the focus.
// Every function returns an object with `refusal`, the reason, when the element cannot take the value.
(() => {
  const h = globalThis.huntsman;
  if (h.fill) return;
  const STALE = { stale: true };
  const refuse = (why) => ({ refusal: why });
  const controlOf = (element) => (element.localName === 'label' && element.control) || element;
  const getter = (type, name) => Object.getOwnPropertyDescriptor(type.prototype, name).get;
  const documentOf = getter(Node, 'ownerDocument');
  const activeOf = getter(Document, 'activeElement');
  // A text up to this many characters is put in one by one; of a longer one only the last character is.
  const MAX_TYPED = 400;

  function within(inner, outer) {
    for (let node = inner; node; node = h.above(node)) {
      if (node === outer) return true;
    }
    return false;
  }
  const activeIn = (element) => {
    const root = Node.prototype.getRootNode.call(element);
    return root.nodeType === 9 ? activeOf.call(root) : root.activeElement;
  };
  const takesKeys = (element) => {
    const active = activeIn(element);
    return Boolean(active) && (active === element || element.isContentEditable && within(element, active));
  };
  const isFocusable = (element) =>
    element.tabIndex >= 0 || Element.prototype.hasAttribute.call(element, 'tabindex') || element.isContentEditable;
  // Whether keys that are pressed now go to the element or to what it holds, or to its document where it takes no focus.
  h.hasFocus = (number) => {
    const element = h.element(number);
    if (!element) return STALE;
    const subject = controlOf(element);
    const home = documentOf.call(subject);
    const active = activeIn(subject);
    const isNothing = !active || active === home.body || active === home.documentElement;
    const frame = !isNothing && /^i?frame$/.test(active.localName);
    const held = Document.prototype.hasFocus.call(home)
      && (isNothing ? !isFocusable(subject) : !frame && (within(active, subject) || within(subject, active)));
    return { held };
  };
  h.focus = (number) => {
    const element = h.element(number);
    if (!element) return STALE;
    const subject = controlOf(element);
    subject.scrollIntoView({ block: 'nearest', inline: 'nearest', behavior: 'instant' });
    subject.focus({ preventScroll: true });
    // What takes no focus itself takes it from others, as a click on it does.
    const active = activeIn(subject);
    if (active && !isFocusable(subject) && !within(active, subject) && !within(subject, active)) active.blur?.();
    return {};
  };

  const dispatchChange = (element) => {
    element.dispatchEvent(new Event('input', { bubbles: true, composed: true }));
    element.dispatchEvent(new Event('change', { bubbles: true }));
  };
  const setter = (element, value) => {
    const owner = element.localName === 'textarea' ? HTMLTextAreaElement : HTMLInputElement;
    Object.getOwnPropertyDescriptor(owner.prototype, 'value').set.call(element, value);
  };
  const VALUE_FORMATS = {
    date: 'a date as 2026-03-31', time: 'a time as 17:45', month: 'a month as 2026-03', week: 'a week as 2026-W14',
    'datetime-local': 'date and time as 2026-03-31T17:45', color: 'a colour as #3366cc', range: 'a number',
    number: 'a number',
  };

  // The key that writes a character, as the page's listeners are told of it.
  function keyEvent(type, character) {
    const upper = character.toUpperCase();
    const isEnter = character === '\n';
    const plain = /^[A-Z0-9 ]$/.test(upper) ? upper.charCodeAt(0) : 0;
    const number = isEnter ? 13 : plain;
    let code = '';
    if (/^[A-Z]$/.test(upper)) code = `Key${upper}`;
    else if (/^[0-9]$/.test(character)) code = `Digit${character}`;
    else if (character === ' ') code = 'Space';
    else if (isEnter) code = 'Enter';
    const written = isEnter ? 13 : character.codePointAt(0);
    return new KeyboardEvent(type, {
      key: isEnter ? 'Enter' : character, code, bubbles: true, cancelable: true, composed: true,
      shiftKey: plain > 0 && character !== character.toLowerCase(),
      keyCode: type === 'keypress' ? written : number, charCode: type === 'keypress' ? written : 0,
    });
  }

  // Puts a text where the caret of the field is. False when the field does not keep the focus of its document.
  function insert(subject, text) {
    if (!takesKeys(subject)) subject.focus({ preventScroll: true });
    if (!takesKeys(subject)) return false;
    const home = documentOf.call(subject);
    if (subject.isContentEditable) {
      const selection = Document.prototype.getSelection.call(home);
      if (!selection.anchorNode || !within(selection.anchorNode, subject)) choose(subject, true);
    }
    const command = text === '' ? 'delete' : subject.isContentEditable && text === '\n' ? 'insertParagraph' : 'insertText';
    Document.prototype.execCommand.call(home, command, false, text);
    return true;
  }
  // Selects what a field holds, or its end.
  function choose(subject, end) {
    if (subject.isContentEditable) {
      const home = documentOf.call(subject);
      const selection = Document.prototype.getSelection.call(home);
      const range = Document.prototype.createRange.call(home);
      range.selectNodeContents(subject);
      if (end) range.collapse(false);
      selection.removeAllRanges();
      selection.addRange(range);
    } else if (end) {
      try {
        subject.setSelectionRange(subject.value.length, subject.value.length);
      } catch {
        // Fields of numbers and addresses have no such selection; what they hold is put in again with the rest.
        subject.select();
        insert(subject, subject.value);
      }
    } else subject.select();
  }

  // Puts a text in character by character, with the events of its keys; the page may refuse a character by its key.
  async function write(subject, text) {
    const characters = [...text];
    if (characters.length > MAX_TYPED) {
      if (!insert(subject, characters.splice(0, characters.length - 1).join(''))) return false;
    }
    for (const character of characters) {
      const goesIn = subject.dispatchEvent(keyEvent('keydown', character))
        && subject.dispatchEvent(keyEvent('keypress', character));
      if (goesIn && !insert(subject, character)) return false;
      subject.dispatchEvent(keyEvent('keyup', character));
      // What the page does in answer to one character is done before the next.
      await null;
      if (!subject.isConnected) return true;
    }
    return true;
  }

  // A field that takes no text: its value is set as its picker would.
  function setPicked(subject, type, value) {
    const before = subject.value;
    setter(subject, value);
    if (value !== '' && type !== 'range' && subject.value === '' || type === 'color' && subject.value !== value.toLowerCase()
      || type === 'range' && !Number.isFinite(parseFloat(value))) {
      setter(subject, before);
      return refuse(`it wants ${VALUE_FORMATS[type]}`);
    }
    subject.focus();
    dispatchChange(subject);
    return { value: subject.value, expected: value };
  }

  function refusal(subject, tag, type) {
    if (subject.matches(':disabled, [aria-disabled="true"]')) return 'it is disabled';
    if (subject.readOnly) return 'it is read-only';
    if (tag === 'select') return 'it is a list; use the select action';
    if (/^(checkbox|radio)$/.test(type)) return 'it is checked, not filled; use the check action';
    if (type === 'file') return 'it takes files; use the upload action';
    if (/^(button|submit|reset|image)$/.test(type)) return 'it is a button; use the click action';
    return '';
  }

  // Replaces the value of a field, or appends to it. What is appended to a field of one line ends before a key that leaves
  // the field (Enter, Tab); `rest` is the text from that key on.
  h.fill = async (number, value, append) => {
    const element = h.element(number);
    if (!element) return STALE;
    const subject = controlOf(element);
    const tag = subject.localName;
    const type = tag === 'input' ? subject.type : '';
    const why = refusal(subject, tag, type);
    if (why) return refuse(why);
    if (/^(date|time|month|week|datetime-local|color|range)$/.test(type)) return setPicked(subject, type, value);
    const editable = subject.isContentEditable;
    if (!editable && tag !== 'input' && tag !== 'textarea') {
      const inner = subject.querySelector('input:not([type=hidden]), textarea, [contenteditable=""], [contenteditable=true]');
      if (inner) return h.fill(h.number(inner), value, append);
      return refuse('it is no field; click it first and look where a field appears');
    }
    if (type === 'number' && value !== '' && !append && !Number.isFinite(Number(value))) {
      return refuse(`it wants ${VALUE_FORMATS.number}`);
    }
    const multiline = editable || tag === 'textarea';
    const held = () => (editable ? subject.innerText : subject.value);
    const isSame = (a, b) => a.replace(/\n+$/, '') === b.replace(/\n+$/, '');
    let text = value.replace(/\r\n?/g, '\n');
    let rest = '';
    if (append) {
      const at = text.search(multiline ? /\t/ : /[\n\t]/);
      if (at >= 0) [text, rest] = [text.slice(0, at), text.slice(at)];
    } else if (!multiline) text = text.replace(/\n/g, ' ');
    const before = held();
    subject.scrollIntoView({ block: 'nearest', inline: 'nearest', behavior: 'instant' });
    subject.focus({ preventScroll: true });
    choose(subject, append);
    const keepsFocus = text || append || !before.trim() ? await write(subject, text) : insert(subject, '');
    const whole = (append && !editable ? before : '') + text;
    const expected = !editable && subject.maxLength >= 0 ? [...whole].slice(0, subject.maxLength).join('') : whole;
    const isOpen = subject.isConnected && !isSame(held(), editable && append ? before + text : expected);
    if (isOpen && (!keepsFocus || isSame(held(), before))) {
      // It does not keep the focus, or ignores keys; it may still take the value.
      if (editable) return refuse('it does not take the focus');
      setter(subject, expected);
      dispatchChange(subject);
    }
    return { value: held(), expected, rest, secret: h.isSecret(subject) };
  };
})();
