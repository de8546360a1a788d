document.getElementById("map").innerHTML="<svg width=\"400\" height=\"300\"><circle cx=\"200\" cy=\"150\" r=\"6\"/></svg>";
