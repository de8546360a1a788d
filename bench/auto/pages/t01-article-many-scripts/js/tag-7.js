/* counts visits */
(window.__m=window.__m||[]).push([7,Date.now()]);
