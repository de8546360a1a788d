if(window.PublicKeyCredential)document.documentElement.dataset.passkeys="yes";
