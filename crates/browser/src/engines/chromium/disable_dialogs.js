// Takes the dialogs away from a page that does not stop opening them.
window.alert = () => undefined;
window.confirm = () => false;
window.prompt = () => null;
