/* counts visits */
(window.__m=window.__m||[]).push([1,Date.now()]);
