// Widgets without forms: price fields, sliders, a search box, a listbox and a combobox.
(() => {
  const list = document.getElementById('list');
  const show = async (address) => {
    list.innerHTML = await (await fetch(address)).text();
    const count = document.querySelector('.count');
    if (count) count.textContent = list.children.length + ' results';
  };
  const by = (id) => document.getElementById(id);

  by('apply')?.addEventListener('click', () =>
    show('/filters/rows?lo=' + encodeURIComponent(by('lo').value) + '&hi=' + encodeURIComponent(by('hi').value)));

  const sliders = [...document.querySelectorAll('[role=slider]')];
  const valueOf = (slider) => Number(slider.getAttribute('aria-valuenow'));
  const settle = (slider, value) => {
    const [low, high] = sliders.map(valueOf);
    const [from, to] = slider.dataset.key === 'lo' ? [0, high] : [low, 400];
    const now = Math.round(Math.min(Math.max(value, from), to));
    slider.setAttribute('aria-valuenow', now);
    slider.style.left = (now / 400) * 280 + 'px';
    by('shown').textContent = sliders.map(valueOf).join(' - ');
    show('/filters/rows?' + sliders.map((it) => it.dataset.key + '=' + valueOf(it)).join('&'));
  };
  for (const slider of sliders) {
    slider.style.left = (valueOf(slider) / 400) * 280 + 'px';
    slider.addEventListener('keydown', (event) => {
      const steps = { ArrowRight: 1, ArrowUp: 1, ArrowLeft: -1, ArrowDown: -1, PageUp: 10, PageDown: -10 };
      if (event.key === 'Home') settle(slider, 0);
      else if (event.key === 'End') settle(slider, 400);
      else if (steps[event.key]) settle(slider, valueOf(slider) + steps[event.key]);
      else return;
      event.preventDefault();
    });
  }

  const query = by('query');
  const search = () => show('/forms/search/rows?s=' + encodeURIComponent(query.value));
  by('go')?.addEventListener('click', search);
  query?.addEventListener('keydown', (event) => event.key === 'Enter' && search());

  const options = by('options');
  const opener = by('open') ?? by('combo');
  const open = (on) => {
    options.hidden = !on;
    opener.setAttribute('aria-expanded', String(on));
  };
  by('open')?.addEventListener('click', () => open(options.hidden));
  by('combo')?.addEventListener('click', () => open(true));
  by('combo')?.addEventListener('input', () => {
    open(true);
    const typed = by('combo').value.toLowerCase();
    for (const option of options.children) option.hidden = !option.textContent.toLowerCase().includes(typed);
  });
  for (const option of options?.children ?? [])
    option.addEventListener('click', () => {
      for (const other of options.children) other.setAttribute('aria-selected', String(other === option));
      if (opener.id === 'combo') opener.value = option.textContent;
      else opener.textContent = option.textContent;
      open(false);
      show('/forms/select/rows?sort=' + option.dataset.value);
    });
})();
