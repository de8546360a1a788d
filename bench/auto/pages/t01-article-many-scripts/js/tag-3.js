/* counts visits */
(window.__m=window.__m||[]).push([3,Date.now()]);
