// Elements of the harbour's pages.
const sheet = `:host{display:block;font:16px/1.5 system-ui}table{border-collapse:collapse}td{padding:.2rem 1rem}`;
class Base extends HTMLElement {
  connectedCallback() { this.attachShadow({ mode: "open" }).innerHTML = `<style>${sheet}</style>` + this.view(); }
}
customElements.define("harbour-header", class extends Base {
  view() { return `<header><a href="/">Port Ellery Harbour Office</a><nav><a href="/tides/">Tides</a> <a href="/moorings/">Moorings</a> <a href="/dues/">Dues</a> <a href="/webcam/">Webcam</a></nav></header>`; }
});
customElements.define("harbour-footer", class extends Base {
  view() { return `<footer><p>Harbour Office, The Quay, Port Ellery. VHF channel 12, day and night.</p></footer>`; }
});
const TIDES = { ellery: [["Thursday 12 March", [["08:21", 1.1, 0], ["14:52", 4.6, 1], ["20:47", 1.3, 0]]], ["Friday 13 March", [["03:15", 4.4, 1], ["09:30", 1.4, 0], ["15:58", 4.2, 1]]], ["Saturday 14 March", [["04:29", 4.1, 1], ["10:55", 1.7, 0], ["17:24", 3.9, 1]]], ["Sunday 15 March", [["06:02", 3.9, 1], ["12:31", 1.7, 0], ["18:58", 4.0, 1]]]] };
customElements.define("tide-board", class extends Base {
  view() {
    const days = TIDES[this.getAttribute("port")].slice(0, Number(this.getAttribute("days")));
    return `<h1>Tides at Port Ellery</h1><p>Heights in metres above chart datum, times in local time.</p>` + days.map(([day, list]) =>
      `<section><h2>${day}</h2><ul>${list.map(([at, m, high]) => `<li>${high ? "High" : "Low"} water ${at}, ${m.toFixed(1)} m</li>`).join("")}</ul></section>`).join("");
  }
});
customElements.define("harbour-notice", class extends Base {
  view() { return `<section><h2>Notice to mariners ${this.getAttribute("ref")}</h2><p>The leading light on Gull Rock is out. Vessels of more than two metres draught should wait for half tide and keep to the western side of the channel until the buoy tender has been there.</p></section>`; }
});
