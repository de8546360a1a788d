document.querySelectorAll("[data-player]").forEach(n=>{const b=document.createElement("button");b.textContent="\u25b6";n.append(b)});
