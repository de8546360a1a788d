document.addEventListener("DOMContentLoaded", async () => {
  const box = document.getElementById("hits");
  const word = document.querySelector("input[name=q]").value;
  const all = await fetch("./index.json").then((r) => r.json());
  const found = all.filter((it) => (it.title + it.note).toLowerCase().includes(word));
  box.innerHTML = `<p class="count">${found.length} results for ${word}</p>` + found.map((it) => `<article><h3><a href="/item/${it.ref}/">${it.title}</a></h3><p>${it.note}</p><p><small>${it.ref}, ${it.year}</small></p></article>`).join("");
});
