(function () {
  "use strict";
  var target = document.getElementById("main");
  function node(tag, text) { var n = document.createElement(tag); n.textContent = text; return n; }
  var xhr = new XMLHttpRequest();
  xhr.open("GET", "artikel.json");
  xhr.responseType = "json";
  xhr.onload = function () {
    var a = xhr.response, box = document.createElement("article");
    box.append(node("h1", a.titel), node("p", "Von " + a.autor + " · " + a.stand));
    a.text.forEach(function (absatz) { box.append(node(absatz.art === "zt" ? "h2" : "p", absatz.inhalt)); });
    target.append(box);
    document.title = a.titel + " | Kreisanzeiger Nord";
  };
  xhr.send();
})();
