(function () {
  document.querySelectorAll("[data-block]").forEach(function (box) {
    var x = new XMLHttpRequest();
    x.open("GET", "blocks/" + box.getAttribute("data-block") + ".json");
    x.onload = function () {
      JSON.parse(x.responseText).forEach(function (n) {
        var a = document.createElement("article"), h = document.createElement("h2"), p = document.createElement("p");
        h.textContent = n.t; p.textContent = n.s; a.append(h, p); box.appendChild(a);
      });
    };
    x.send();
  });
})();
