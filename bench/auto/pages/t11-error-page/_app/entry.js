document.body.dataset.started="1";
