// Pagination in place: next, numbers, load more, and endless scrolling.
(() => {
  const list = document.getElementById('list');
  const last = 5;
  let page = 1, loading = false;
  const rows = async (number) => (await fetch('/pages/rows?page=' + number)).text();
  const go = async (number) => {
    page = number;
    list.innerHTML = await rows(page);
    const place = document.getElementById('place');
    if (place) place.textContent = 'Page ' + page + ' of ' + last;
    const next = document.getElementById('next');
    if (next) next.disabled = page === last;
  };
  const append = async () => {
    if (loading || page === last) return;
    loading = true;
    page += 1;
    list.insertAdjacentHTML('beforeend', await rows(page));
    loading = false;
    if (page === last) document.getElementById('more')?.remove();
  };
  document.getElementById('next')?.addEventListener('click', () => page < last && go(page + 1));
  document.getElementById('more')?.addEventListener('click', append);
  for (const number of document.querySelectorAll('.page-number'))
    number.addEventListener('click', () => go(Number(number.textContent)));
  if (list.dataset.kind === 'scroll')
    window.addEventListener('scroll', () => {
      if (window.scrollY + window.innerHeight > document.documentElement.scrollHeight - 300) append();
    });
})();
