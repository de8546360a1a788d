const s=document.getElementById("comments");new IntersectionObserver((e,o)=>{if(e[0].isIntersecting){o.disconnect();s.querySelector(".loading").textContent="No comments yet."}}).observe(s);
