/* counts visits */
(window.__m=window.__m||[]).push([6,Date.now()]);
