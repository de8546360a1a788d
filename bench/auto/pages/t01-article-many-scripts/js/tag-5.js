/* counts visits */
(window.__m=window.__m||[]).push([5,Date.now()]);
