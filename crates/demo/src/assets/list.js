// Lists that fill themselves: a first batch at once, further ones near the end of the page. The price filter of the
// page filters in place and keeps as many rows as were shown.
(() => {
  const list = document.querySelector('[data-rows]');
  const batch = Number(list.dataset.batch);
  let shown = 0, ended = false, loading = false, filter = '';
  const fetchRows = async (from, count) => {
    const address = list.dataset.rows + filter + '&from_row=' + from + '&rows=' + count;
    const answer = await fetch(address);
    const holder = document.createElement('template');
    holder.innerHTML = await answer.text();
    return holder.content;
  };
  const rowsOf = (content) =>
    [...content.children].filter((it) => !it.matches('.not-found, .cat-prod-row--sponsored, hr, shreddit-ad-post')).length;
  const more = async () => {
    if (ended || loading) return;
    loading = true;
    const content = await fetchRows(shown, batch);
    const count = rowsOf(content);
    list.append(content);
    shown += count;
    ended = count < batch;
    loading = false;
  };
  const near = () => window.scrollY + window.innerHeight > document.documentElement.scrollHeight - 300;
  window.addEventListener('scroll', () => near() && more());
  const form = document.querySelector('.js_price-filter, #p_36, [data-filter]');
  form?.addEventListener('submit', async (event) => {
    event.preventDefault();
    filter = '&' + new URLSearchParams(new FormData(form)).toString();
    const content = await fetchRows(0, Math.max(shown, batch));
    shown = rowsOf(content);
    ended = shown < batch;
    list.replaceChildren(content);
    const count = document.querySelector('.count');
    if (count) count.textContent = shown + ' products shown';
  });
  more();
})();
