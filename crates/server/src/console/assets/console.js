// The console's script: what changes while one looks. Pages are whole without it. Text enters a page by textContent alone.

const one = (selector, root = document) => root.querySelector(selector);
const all = (selector, root = document) => [...root.querySelectorAll(selector)];

/** Milliseconds as the server says them. */
const duration = (ms) => {
  const seconds = Math.floor(ms / 1000);
  if (ms < 1000) return `${ms} ms`;
  if (ms < 60000) return `${seconds}.${Math.floor((ms % 1000) / 100)} s`;
  if (ms < 3600000) return `${Math.floor(seconds / 60)} min ${seconds % 60} s`;
  if (ms < 86400000) return `${Math.floor(seconds / 3600)} h ${Math.floor(seconds / 60) % 60} min`;
  return `${Math.floor(seconds / 86400)} d ${Math.floor(seconds / 3600) % 24} h`;
};

// Times in the reader's zone.
const today = new Date().toDateString();
const clock = new Intl.DateTimeFormat(undefined, { hour: "2-digit", minute: "2-digit", second: "2-digit" });
const day = new Intl.DateTimeFormat(undefined, { day: "numeric", month: "short", hour: "2-digit", minute: "2-digit" });
const exact = new Intl.DateTimeFormat(undefined, { dateStyle: "full", timeStyle: "long" });
const localTime = (element) => {
  const at = new Date(Number(element.dataset.ms));
  element.textContent = at.toDateString() === today ? clock.format(at) : day.format(at);
  element.title = exact.format(at);
};
all("time[data-ms]").forEach(localTime);

// What runs on while one looks: durations of live runs, and the time left to answer.
const tick = () => {
  for (const element of all("[data-since]")) {
    element.textContent = duration(Math.max(0, Math.floor((Date.now() - element.dataset.since) / 1000) * 1000));
  }
  for (const element of all("[data-deadline]")) {
    const left = Math.floor((element.dataset.deadline - Date.now()) / 1000) * 1000;
    if (left > 0) one("b", element).textContent = duration(left).replace(".0 s", " s");
    else element.textContent = element.dataset.over;
  }
};
tick();
setInterval(tick, 1000);

// On a narrow screen the page's own name in the bar is in view.
const current = one(".bar nav [aria-current]");
if (current) current.parentElement.scrollLeft = Math.max(0, current.offsetLeft - current.parentElement.offsetLeft - 60);

// Filters apply as soon as they are chosen; "/" leads to the search.
for (const select of all("select[data-submit]")) select.addEventListener("change", () => select.form.requestSubmit());
document.addEventListener("keydown", (event) => {
  const search = one("[data-shortcut]");
  const writes = event.target.closest("input, textarea, select");
  if (event.key === "/" && search && !writes && !event.ctrlKey && !event.metaKey && !event.altKey) {
    event.preventDefault();
    search.focus();
  }
});

// Colours change at once; the form keeps them.
for (const form of all(".themes")) {
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    const theme = event.submitter.value;
    const body = new URLSearchParams({ theme, next: "/console" });
    fetch("/console/theme", { method: "POST", body, redirect: "manual" }).then(() => {
      document.documentElement.dataset.theme = theme;
      for (const button of all("button", form)) button.setAttribute("aria-pressed", String(button.value === theme));
    });
  });
}

// Copying.
const showCopy = (root) => {
  for (const button of all("button.copy", root)) {
    button.hidden = !navigator.clipboard;
    button.addEventListener("click", async () => {
      await navigator.clipboard.writeText(document.getElementById(button.dataset.from).textContent);
      button.textContent = document.body.dataset.copied;
      setTimeout(() => { button.textContent = document.body.dataset.copy; }, 1500);
    });
  }
};
showCopy(document);

const badge = (status) => one(`template[data-status="${CSS.escape(status)}"]`)?.content.cloneNode(true);

// The list of runs: states change in place, new runs are announced.
const runs = one("#runs");
if (runs) {
  const refresh = async () => {
    if (document.hidden) return;
    const answer = await fetch("/v1/runs?limit=100").catch(() => null);
    if (!answer?.ok) return;
    const listed = (await answer.json()).runs;
    for (const run of listed) {
      const row = one(`tr[data-run="${CSS.escape(run.id)}"][data-live="true"]`, runs);
      if (!row || row.dataset.status === run.status) continue;
      row.dataset.status = run.status;
      one(".c-status", row).replaceChildren(badge(run.status));
      if (run.finished_at) {
        row.dataset.live = "false";
        one(".c-took", row).textContent = duration(Date.parse(run.finished_at) - Date.parse(run.created_at));
      }
    }
    const at = listed.findIndex((run) => run.id === runs.dataset.newest);
    const fresh = one("#fresh");
    if (runs.dataset.newest && at > 0) {
      one("[data-count]", fresh).textContent = String(at);
      fresh.hidden = false;
    }
  };
  setInterval(refresh, 3000);
}

// The timeline of a run.
const timeline = one("#timeline");
const MAX_ROWS = 1500;

class Timeline {
  constructor(list, run) {
    this.list = list;
    this.run = run;
    this.base = Number(list.dataset.base);
    this.template = one("#row").content.firstElementChild;
    this.open = new Map();
    this.pending = [];
    this.words = Object.fromEntries(all("[data-state]").map((it) => [it.dataset.state, it.textContent]));
    this.tools = new Map(all("#tools tr[data-tool]").map((row) => [row.dataset.tool, row]));
  }

  /** Follows the log from where the page ends. The browser comes back by itself, with the last number it saw. */
  follow() {
    const live = one("#live");
    const first = Number(this.list.dataset.readTo);
    // The last events of the page come again, so that what has begun there can be continued.
    const after = Math.max(0, first - 500);
    const source = new EventSource(`/console/runs/${encodeURIComponent(this.run)}/rows?after=${after}`);
    const say = (broken) => {
      live.hidden = false;
      live.classList.toggle("broken", broken);
      live.textContent = broken ? live.dataset.broken : live.dataset.live;
    };
    source.addEventListener("open", () => say(false));
    source.addEventListener("error", () => {
      say(true);
      // A refusal (a session that has ended, a run that is gone) is shown by the page itself.
      if (source.readyState === EventSource.CLOSED) setTimeout(() => location.reload(), 3000);
    });
    source.addEventListener("row", (event) => {
      const row = JSON.parse(event.data);
      this.pending.push([row, row.seq <= first]);
      // A page in the background draws no frames, and its rows would wait for it without end.
      if (document.hidden) this.flush();
      else if (this.pending.length === 1) requestAnimationFrame(() => this.flush());
      if (row.last) {
        source.close();
        live.hidden = true;
        this.ended();
      }
    });
  }

  flush() {
    const rows = this.pending;
    this.pending = [];
    const atEnd = window.innerHeight + window.scrollY > document.documentElement.scrollHeight - 120;
    for (const [row, known] of rows) this.take(row, known);
    while (this.list.children.length > MAX_ROWS) this.list.firstElementChild.remove();
    const last = rows.at(-1)?.[0];
    if (last) one("#seq").textContent = String(last.seq);
    if (atEnd && rows.some(([, known]) => !known)) window.scrollTo(0, document.documentElement.scrollHeight);
  }

  /** Takes a row: into the one that it continues, or at the end. Rows that the page has are only remembered. */
  take(row, known) {
    const begun = this.open.get(row.key);
    if (begun) {
      this.open.delete(row.key);
      const next = { ...row, seq: begun.seq, at: begun.at };
      next.head ||= begun.head;
      next.text ||= begun.text;
      next.tool ??= begun.tool;
      next.picture ||= begun.picture;
      if (next.took_ms === null && !next.open) next.took_ms = row.at - begun.at;
      row = next;
    }
    if (row.open) this.open.set(row.key, row);
    if (known) return;
    // Something happened after the question: it is answered, or its time is over.
    for (const past of all("#question, #sent")) past.remove();
    this.count(row);
    const notable = ["failed", "running", "asks"].includes(row.state) || row.error;
    const { action, onlyFailed, follow } = this.list.dataset;
    const shown = document.getElementById(`e${row.seq}`);
    const wanted = follow === "true" && (!action || action === row.action) && (onlyFailed !== "true" || notable);
    if (shown) this.fill(shown, row);
    else if (wanted) this.append(row);
    if (shown && onlyFailed === "true" && !notable) shown.remove();
    if (row.state === "asks" && !begun) this.announce("asks");
  }

  append(row) {
    if (!this.base) this.base = row.at;
    const element = this.template.cloneNode(true);
    element.classList.toggle("first", this.list.lastElementChild?.dataset.group !== row.group);
    this.fill(element, row);
    this.list.append(element);
    one("#no-rows").hidden = true;
  }

  fill(element, row) {
    element.id = `e${row.seq}`;
    element.dataset.seq = row.seq;
    element.dataset.group = row.group;
    const first = element.classList.contains("first") ? " first" : "";
    element.className = `row s-${row.state}${first}${row.unknown ? " unknown" : ""}`;
    const put = (selector, text) => { one(selector, element).textContent = text; };
    put(".gutter", row.group);
    put(".head", row.head);
    put(".state", this.words[row.state] ?? "");
    put(".text", row.text);
    put(".error", row.error);
    put(".took", row.took_ms === null ? "" : duration(row.took_ms));
    put(".offset", `+${duration(row.at - this.base)}`);
    put(".context", row.context);
    const seq = one(".seq", element);
    seq.textContent = seq.textContent.replace(/\d+$/, String(row.seq));
    seq.href = `/console/runs/${encodeURIComponent(this.run)}?view=raw&seq=${row.seq}`;
    const shot = one(".shot", element);
    shot.hidden = !row.picture;
    shot.href = `/console/runs/${encodeURIComponent(this.run)}?view=browser&seq=${row.seq}`;
    const page = one(".page", element);
    page.hidden = !row.link;
    if (row.link && /^https?:\/\//.test(row.link)) {
      page.href = row.link;
      page.textContent = row.link;
    }
  }

  /** Counts calls by tool and success. */
  count(row) {
    if (!row.tool || row.open || !(row.state === "done" || row.state === "failed")) return;
    let line = this.tools.get(row.tool);
    if (!line) {
      const body = one("#tools tbody");
      line = body.insertRow();
      const head = document.createElement("th");
      head.scope = "row";
      head.textContent = row.tool;
      line.append(head);
      for (const start of ["0", "0", "0 ms"]) {
        const cell = line.insertCell();
        cell.className = "num";
        cell.textContent = start;
      }
      line.dataset.ms = "0";
      this.tools.set(row.tool, line);
      one("#tools").hidden = false;
    }
    const cell = line.cells[row.state === "done" ? 1 : 2];
    cell.textContent = String(Number(cell.textContent) + 1);
    line.cells[2].classList.toggle("bad", line.cells[2].textContent !== "0");
    line.dataset.ms = String(Number(line.dataset.ms) + (row.took_ms ?? 0));
    line.cells[3].textContent = duration(Number(line.dataset.ms));
  }

  announce(what) {
    const notice = one("#notice");
    const [text, link] = [one("span", notice), one("a", notice)];
    text.textContent = text.dataset[what];
    link.textContent = link.dataset[what];
    link.href = what === "ended" ? "?view=result" : "?view=timeline";
    notice.hidden = false;
  }

  async ended() {
    // The last event and the state of its run are written together.
    const answer = await fetch(`/v1/runs/${encodeURIComponent(this.run)}`).catch(() => null);
    if (answer?.ok) {
      const run = await answer.json();
      one("#status").replaceChildren(badge(run.status));
      if (run.finished_at) one("#took").textContent = duration(Date.parse(run.finished_at) - Date.parse(run.created_at));
    }
    for (const past of all("#question, #sent, #cancel")) past.remove();
    this.announce("ended");
  }
}

const run = one("#run");
if (timeline && run) {
  const wanted = Number(timeline.dataset.around);
  const row = wanted && [...timeline.children].findLast((it) => Number(it.dataset.seq) <= wanted);
  if (row && Number(row.dataset.seq) === wanted) {
    row.classList.add("wanted");
    one("details", row).open = true;
  }
  if (row) row.scrollIntoView({ block: "center" });
  if (run.dataset.live === "true") new Timeline(timeline, run.dataset.run).follow();
}

// A monitor whose check is being done, and a crawl that goes on.
const monitor = one("#monitor[data-waits='true']");
if (monitor) {
  const look = async () => {
    const answer = await fetch(`/v1/monitors/${encodeURIComponent(monitor.dataset.monitor)}`).catch(() => null);
    const checks = answer?.ok ? (await answer.json()).checks : Number(monitor.dataset.checks);
    if (checks > Number(monitor.dataset.checks)) location.replace(location.pathname);
    else setTimeout(look, 1000);
  };
  setTimeout(look, 500);
}
const crawl = one("#crawl[data-live='true']");
if (crawl) {
  const grouped = (number) => String(number).replace(/\B(?=(\d{3})+$)/g, "\u202f");
  const counts = { read: 0, failed: 0, duplicates: 0 };
  for (const name of Object.keys(counts)) counts[name] = Number(one(`[data-count-of="${name}"]`).textContent.replace(/\D/g, ""));
  let after = Number(crawl.dataset.readTo);
  const look = async () => {
    const answer = document.hidden ? null : await fetch(`${crawl.dataset.counts}?after=${after}`).catch(() => null);
    if (answer?.ok && !answer.redirected) {
      const more = await answer.json();
      for (const name of Object.keys(counts)) counts[name] += more[name];
      after = more.read_to;
      const done = counts.read + counts.failed + counts.duplicates;
      const goal = Math.max(more.goal, done);
      for (const [name, number] of Object.entries({ ...counts, done, goal })) one(`[data-count-of="${name}"]`).textContent = grouped(number);
      const progress = one("#progress");
      progress.max = Math.max(goal, 1);
      progress.value = done;
      if (!more.is_live) return location.reload();
    } else if (answer && !document.hidden) {
      // A session that has ended, or a run that is gone: the page itself says which.
      return location.reload();
    }
    setTimeout(look, 2000);
  };
  setTimeout(look, 1000);
}

// The browser of a run, step by step: the picture follows the slider, the list and the arrow keys without a reload.
const replay = one("#replay");
if (replay) {
  const steps = all("#steps a", replay);
  const [scrub, picture, before, next] = ["#scrub", "#picture", "#before", "#next"].map((it) => one(it, replay));
  const [image, box] = [one("image", picture), one("rect", picture)];
  let current = Number(replay.dataset.current);
  const show = (number) => {
    const step = steps[number - 1];
    if (!step || number === current) return;
    steps[current - 1].removeAttribute("aria-current");
    step.setAttribute("aria-current", "step");
    step.scrollIntoView({ block: "nearest" });
    current = number;
    const { words, error, picture: address, width, height, box: place } = step.dataset;
    one("#step-number", replay).textContent = String(number);
    one("#step-words", replay).textContent = words;
    one("#step-error", replay).textContent = error;
    one("#no-picture", replay).hidden = Boolean(address);
    picture.toggleAttribute("hidden", !address);
    picture.setAttribute("aria-label", words);
    if (address) {
      picture.setAttribute("viewBox", `0 0 ${width} ${height}`);
      image.setAttribute("href", address);
      image.setAttribute("width", width);
      image.setAttribute("height", height);
      const values = place ? place.split(" ") : ["0", "0", "0", "0"];
      ["x", "y", "width", "height"].forEach((name, at) => box.setAttribute(name, values[at]));
    }
    scrub.value = String(number);
    for (const [link, to] of [[before, number - 1], [next, number + 1]]) {
      if (steps[to - 1]) link.href = replay.dataset.address + to;
      else link.removeAttribute("href");
    }
    history.replaceState(null, "", replay.dataset.address + number);
  };
  one("#scrub-go", replay).hidden = true;
  scrub.addEventListener("input", () => show(Number(scrub.value)));
  steps.forEach((step, at) => step.addEventListener("click", (event) => {
    event.preventDefault();
    show(at + 1);
  }));
  for (const [link, by] of [[before, -1], [next, 1]]) {
    link.addEventListener("click", (event) => {
      event.preventDefault();
      show(current + by);
    });
  }
  document.addEventListener("keydown", (event) => {
    const by = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
    const writes = event.target.closest("input, textarea, select, pre");
    if (!by || writes || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    show(current + by);
  });
}

// A run whose browser is watched: the page is shown anew when the run has ended.
if (one("#live-view") && run) {
  const look = async () => {
    const answer = await fetch(`/v1/runs/${encodeURIComponent(run.dataset.run)}`).catch(() => null);
    if (!answer?.ok) return;
    if ((await answer.json()).finished_at) location.reload();
  };
  setInterval(look, 3000);
}

// A run whose browser a person has: acts are sent without a reload, also clicks, the wheel and keys on the picture.
const takeover = one("#takeover");
if (takeover?.dataset.status === "pausing") setTimeout(() => location.reload(), 2000);
if (takeover?.dataset.status === "paused") {
  const address = `/v1/runs/${encodeURIComponent(takeover.dataset.run)}/act`;
  const [place, error] = [one("#takeover-page", takeover), one("#takeover-error", takeover)];
  const had = Boolean(one("form [name='accept']", takeover));
  const show = (page) => {
    one("b", place).textContent = page.title;
    one("code", place).textContent = page.url;
    for (const select of all("select[data-elements]", takeover)) {
      const chosen = select.value;
      const first = all("option", select).filter((option) => !option.value);
      const options = page.elements.map((element) => {
        const option = document.createElement("option");
        option.value = element.ref;
        const states = element.states?.length ? ` (${element.states.join(", ")})` : "";
        option.textContent = `${element.role} ${element.name}${states}`;
        return option;
      });
      select.replaceChildren(...first, ...options);
      if ([...select.options].some((option) => option.value === chosen)) select.value = chosen;
    }
  };
  let before = Promise.resolve();
  const send = (act) => {
    before = before.then(async () => {
      const answer = await fetch(address, {
        method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify(act),
      }).catch(() => null);
      const told = await answer?.json().catch(() => null);
      // Without an answer, or when the pause is over, the page itself says how things stand.
      if (!told || answer.status === 401 || answer.status === 409) return location.reload();
      error.textContent = answer.ok ? "" : told.error;
      if (!answer.ok) return;
      if (Boolean(told.page.dialog) !== had) return location.reload();
      show(told.page);
    });
  };
  for (const form of all("form[data-act]", takeover)) {
    form.addEventListener("submit", (event) => {
      event.preventDefault();
      if (event.submitter?.type === "image") return;
      const act = Object.fromEntries([...new FormData(form, event.submitter)].filter(([, value]) => value));
      if (act.accept) act.accept = act.accept === "true";
      send(act);
      if (form.elements.text) form.elements.text.value = "";
    });
  }
  const picture = one("#act-picture", takeover);
  picture.addEventListener("click", (event) => {
    // Enter on the button clicks it as well, at no place.
    if (event.detail === 0) return;
    send({ action: "click", x: Math.max(0, Math.round(event.offsetX)), y: Math.max(0, Math.round(event.offsetY)) });
  });
  let wheel = 0;
  picture.addEventListener("wheel", (event) => {
    event.preventDefault();
    if (!wheel) setTimeout(() => {
      const pixels = Math.min(10000, Math.max(1, Math.round(Math.abs(wheel))));
      send({ action: "scroll", direction: wheel < 0 ? "up" : "down", pixels });
      wheel = 0;
    }, 150);
    wheel += event.deltaY || 1;
  }, { passive: false });
  const keys = new Set(["Enter", "Escape", "Backspace", "Delete", "ArrowDown", "ArrowUp", "ArrowLeft", "ArrowRight", "PageDown", "PageUp", "Home", "End"]);
  picture.addEventListener("keydown", (event) => {
    // Tab leads on, so that nobody is held in the picture.
    if (!keys.has(event.key) || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    event.stopPropagation();
    send({ action: "press", key: event.key });
  });
  const over = one("[data-deadline]", takeover);
  setInterval(() => { if (Date.now() > Number(over.dataset.deadline) + 2000) location.reload(); }, 1000);
}

// The form of a new run, as code.
const form = one("#new-run");
const codes = one("#codes");
if (form && codes) {
  let timer = 0;
  const refresh = async () => {
    const body = new URLSearchParams(new FormData(form));
    const answer = await fetch("/console/new/code", { method: "POST", body }).catch(() => null);
    if (!answer?.ok) return;
    const { code, fault } = await answer.json();
    one("#code-wrong").hidden = !fault;
    for (const section of all(".snippet", codes)) section.hidden = Boolean(fault);
    for (const [name, text] of Object.entries(code ?? {})) {
      const pre = document.getElementById(`code-${name}-text`);
      if (pre) pre.textContent = text;
    }
    for (const place of all("[data-fault]", form)) {
      const filled = place.dataset.fault && document.getElementById(`f:${place.dataset.fault}`)?.value;
      place.textContent = fault && filled && place.dataset.fault === fault.field ? fault.text : "";
    }
  };
  const later = () => {
    clearTimeout(timer);
    timer = setTimeout(refresh, 250);
  };
  form.addEventListener("input", later);
  refresh();
}

// Plans are checked as one types.
const plan = one("#plan");
const verdict = one("#verdict");
if (plan && verdict) {
  let timer = 0;
  const [title, list] = [one("h2", verdict), one(".issues", verdict)];
  const say = (state, lines) => {
    title.textContent = verdict.dataset[state];
    title.className = state === "fine" ? "good" : "bad";
    list.replaceChildren(...lines.map((line) => {
      const item = document.createElement("li");
      item.textContent = line;
      return item;
    }));
  };
  const words = (issue) => typeof issue === "string" ? issue : Object.values(issue).filter((it) => typeof it === "string").join(" — ");
  const check = async () => {
    let body;
    try {
      const written = JSON.parse(plan.value);
      body = { plan: Array.isArray(written) ? { plan: written } : written };
    } catch (error) {
      say("noJson", [error.message]);
      return;
    }
    const url = one("#url").value.trim();
    if (url) body.url = url;
    const answer = await fetch("/v1/plans/check", {
      method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify(body),
    }).catch(() => null);
    if (!answer) return;
    const told = await answer.json();
    if (told.ok) say("fine", told.notes ?? []);
    else say("wrong", told.issues ? told.issues.map(words) : [told.error]);
  };
  const later = () => {
    clearTimeout(timer);
    timer = setTimeout(check, 300);
  };
  plan.addEventListener("input", later);
  one("#url").addEventListener("input", later);
  check();
}
