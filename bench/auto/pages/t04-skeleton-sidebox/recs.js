setTimeout(()=>{document.getElementById("recs").innerHTML=["Pumps under 30 euros","Which lock?","Lights that last"].map(t=>`<p><a href="#">${t}</a></p>`).join("")},150);
