// Runs in every page before its own scripts: what would leave by another way than ours does not exist.
(() => {
  const take = (from, name) => {
    try { delete from[name]; } catch { /* It stays where it cannot be taken away. */ }
  };
  for (const name of ['RTCPeerConnection', 'webkitRTCPeerConnection', 'RTCDataChannel', 'WebTransport']) {
    take(globalThis, name);
  }
  if (globalThis.Navigator) take(Navigator.prototype, 'serviceWorker');
})();
