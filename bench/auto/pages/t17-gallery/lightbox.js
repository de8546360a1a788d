document.querySelectorAll("[data-lightbox]").forEach(a=>a.addEventListener("click",e=>{e.preventDefault();open(a.href)}));
