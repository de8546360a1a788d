/* counts visits */
(window.__m=window.__m||[]).push([8,Date.now()]);
