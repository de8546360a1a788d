/* counts visits */
(window.__m=window.__m||[]).push([4,Date.now()]);
