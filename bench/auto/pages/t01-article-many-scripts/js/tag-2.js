/* counts visits */
(window.__m=window.__m||[]).push([2,Date.now()]);
