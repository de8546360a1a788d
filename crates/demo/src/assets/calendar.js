// A calendar of buttons behind two fields that cannot be typed in. It opens at January 2027.
(() => {
  const names = ['January', 'February', 'March', 'April', 'May', 'June', 'July', 'August', 'September', 'October',
    'November', 'December'];
  const panel = document.getElementById('calendar');
  const values = {};
  let field = null, year = 2027, month = 0;
  const iso = (day) => `${year}-${String(month + 1).padStart(2, '0')}-${String(day).padStart(2, '0')}`;
  const draw = () => {
    const days = new Date(year, month + 1, 0).getDate();
    const lead = (new Date(year, month, 1).getDay() + 6) % 7;
    let html = `<button type="button" class="step" aria-label="Previous month">‹</button><strong aria-live="polite">${names[month]} ${year}</strong>` +
      '<button type="button" class="step" aria-label="Next month">›</button><div role="grid" class="days"><div role="row">';
    html += '<span role="gridcell"></span>'.repeat(lead);
    for (let day = 1; day <= days; day += 1) {
      html += `<button type="button" role="gridcell" data-day="${day}">${day}</button>`;
      if ((lead + day) % 7 === 0) html += '</div><div role="row">';
    }
    panel.innerHTML = html + '</div></div>';
    const [back, on] = panel.querySelectorAll('.step');
    back.onclick = () => step(-1);
    on.onclick = () => step(1);
    for (const button of panel.querySelectorAll('[data-day]'))
      button.onclick = () => {
        values[field.id] = iso(Number(button.dataset.day));
        field.value = `${button.dataset.day} ${names[month]} ${year}`;
        panel.hidden = true;
      };
  };
  const step = (by) => {
    month += by;
    if (month < 0) { month = 11; year -= 1; }
    if (month > 11) { month = 0; year += 1; }
    draw();
  };
  for (const id of ['from', 'to'])
    document.getElementById(id).addEventListener('click', (event) => {
      field = event.target;
      panel.hidden = false;
      draw();
    });
  document.getElementById('find').addEventListener('click', async () => {
    const answer = await fetch('/forms/date/rows?' + new URLSearchParams(values));
    document.getElementById('result').innerHTML = await answer.text();
  });
})();
