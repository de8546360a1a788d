// 小さなビュー層
(function () {
  var data = { heading: "よくある質問", groups: [
    { title: "貸出について", items: [
      ["何冊まで借りられますか。", function () { return "一人 " + 10 + " 冊まで、" + 14 + " 日間借りられます。雑誌の最新号は館内でお読みください。"; }],
      ["貸出の延長はできますか。", function () { return "次の予約がなければ、一回に限り七日間延長できます。窓口、電話、ウェブで受け付けます。"; }]] },
    { title: "施設について", items: [
      ["自習室はありますか。", function () { return "三階に四十席あります。午前九時から整理券を配ります。飲み物はふた付きのものに限ります。"; }],
      ["駐車場はありますか。", function () { return "地下に十二台分あります。二時間まで無料です。土日は大変混み合いますので、バスをご利用ください。"; }]] }
  ] };
  var root = document.getElementById("app");
  root.innerHTML = "";
  var h = document.createElement("h1"); h.textContent = data.heading; root.appendChild(h);
  data.groups.forEach(function (group) {
    var s = document.createElement("section"), t = document.createElement("h2");
    t.textContent = group.title; s.appendChild(t);
    group.items.forEach(function (q) {
      var d = document.createElement("details"), m = document.createElement("summary"), p = document.createElement("p");
      d.open = true; m.textContent = q[0]; p.textContent = q[1](); d.append(m, p); s.appendChild(d);
    });
    root.appendChild(s);
  });
  root.removeAttribute("v-cloak");
})();
