// Tries every way out that a page or a worker has. `ways` holds the canaries: `http` for what has a path, and one
// `host:port` for each way without a path.
const ways = JSON.parse(new URL(self.location.href).searchParams.get('ways'));
const query = '?ways=' + encodeURIComponent(JSON.stringify(ways));
const attempt = (work) => { try { const done = work(); if (done && done.catch) done.catch(() => {}); } catch { /* It does not exist here. */ } };

function everywhere(scope) {
  const to = (way) => `http://${ways.http}/${scope}/${way}`;
  attempt(() => fetch('/ran/' + scope));
  attempt(() => fetch(to('fetch'), { mode: 'no-cors' }));
  attempt(() => { const x = new XMLHttpRequest(); x.open('GET', to('xhr')); x.send(); });
  attempt(() => new EventSource(to('eventsource')));
  attempt(() => new WebSocket(to('websocket').replace('http', 'ws')));
  attempt(() => fetch(`https://${ways.tls}/`, { mode: 'no-cors' }));
  attempt(() => fetch(`https://${ways.quic}/`, { mode: 'no-cors' }));
  attempt(() => fetch('http://fetch.canary.test/', { mode: 'no-cors' }));
  attempt(() => { const t = new WebTransport(`https://${ways[scope + '_webtransport']}/`); t.ready.catch(() => {}); t.closed.catch(() => {}); });
  attempt(() => caches.open('c').then((c) => c.add(to('cache'))));
}

function inDocument(scope) {
  everywhere(scope);
  const to = (way) => `http://${ways.http}/${scope}/${way}`;
  const add = (name, properties) => {
    const element = Object.assign(document.createElement(name), properties);
    attempt(() => (document.head || document.documentElement).append(element));
    return element;
  };
  const link = (rel, href, more) => add('link', { rel, href, ...more });
  add('img', { src: to('img') });
  add('script', { src: to('script') });
  add('iframe', { src: to('iframe') });
  add('video', { poster: to('poster'), src: to('video') });
  add('style', { textContent: `@import "${to('css-import')}"; html { background: url(${to('css-url')}) }` });
  link('stylesheet', to('stylesheet'));
  link('modulepreload', to('modulepreload'));
  link('preload', to('preload'), { as: 'image' });
  link('prefetch', to('prefetch'));
  link('icon', to('icon'));
  link('manifest', to('manifest'));
  link('preconnect', `http://${ways.preconnect}/`);
  link('dns-prefetch', 'http://dns-prefetch.canary.test/');
  link('preconnect', 'http://preconnect.canary.test/');
  attempt(() => new FontFace('f', `url(${to('font')})`).load());
  attempt(() => navigator.sendBeacon(to('beacon'), 'x'));
  attempt(() => add('a', { href: '#x', ping: to('ping') }).click());
  attempt(() => {
    const frame = add('iframe', { name: scope + '-target' });
    const form = add('form', { action: to('form'), method: 'post', target: frame.name });
    form.submit();
  });
  add('script', {
    type: 'speculationrules',
    textContent: JSON.stringify({
      prefetch: [{ source: 'list', urls: [to('speculative-prefetch')], eagerness: 'immediate' }],
      prerender: [{ source: 'list', urls: ['/prerendered' + query], eagerness: 'immediate' }],
    }),
  });
  const inner = add('iframe', {});
  for (const view of [self, inner.contentWindow]) {
    attempt(() => {
      const peer = new view.RTCPeerConnection({
        iceServers: [
          { urls: `stun:${ways.stun}` },
          { urls: [`turn:${ways.turn_udp}?transport=udp`, `turn:${ways.turn_tcp}?transport=tcp`, `turns:${ways.turn_tls}?transport=tcp`], username: 'u', credential: 'c' },
        ],
      });
      peer.createDataChannel('d');
      peer.createOffer().then((offer) => peer.setLocalDescription(offer));
    });
  }
  attempt(() => new Worker('/worker.js' + query));
  attempt(() => new SharedWorker('/shared.js' + query));
}

function inMainPage() {
  inDocument('page');
  document.documentElement.append(
    Object.assign(document.createElement('iframe'), { src: '/frame' + query }),
    Object.assign(document.createElement('iframe'), { src: `http://localhost:${location.port}/foreign${query}` }),
  );
  attempt(() => window.open('/popup' + query));
  attempt(() => navigator.serviceWorker.register('/service.js' + query).then(() => navigator.serviceWorker.ready).then((registration) => {
    attempt(() => registration.backgroundFetch.fetch('b', [`http://${ways.http}/page/background-fetch`]));
    attempt(() => registration.pushManager.subscribe({ userVisibleOnly: true }));
  }));
}
