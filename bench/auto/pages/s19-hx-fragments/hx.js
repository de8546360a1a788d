/* loads what hx-get names */
(() => {
  const swap = async (el) => {
    const answer = await fetch(el.getAttribute("hx-get"), { headers: { "HX-Request": "true" } });
    const text = await answer.text();
    if (el.getAttribute("hx-swap") === "outerHTML") el.outerHTML = text; else el.innerHTML = text;
    el.querySelectorAll && el.querySelectorAll("[hx-get]").forEach(watch);
  };
  const watch = (el) => {
    const when = el.getAttribute("hx-trigger") || "click";
    if (when === "load") swap(el); else el.addEventListener(when, (event) => { event.preventDefault(); swap(el); });
  };
  document.querySelectorAll("[hx-get]").forEach(watch);
})();
