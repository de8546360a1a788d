// A tree whose branches open by a click, and whose leaves show their products in place.
(() => {
  const tree = document.getElementById('tree');
  const root = {};
  for (const path of tree.dataset.tree.split(';')) {
    let at = root;
    for (const name of path.split('/')) at = at[name] ??= {};
  }
  const grow = (holder, branch, level) => {
    for (const [name, below] of Object.entries(branch)) {
      const item = document.createElement('div');
      item.setAttribute('role', 'treeitem');
      item.setAttribute('aria-level', String(level));
      item.setAttribute('aria-label', name);
      item.tabIndex = 0;
      item.style.paddingLeft = level + 'rem';
      item.textContent = name;
      holder.append(item);
      const leaf = Object.keys(below).length === 0;
      if (leaf) {
        item.onclick = async () => {
          document.getElementById('chosen').textContent = name;
          const answer = await fetch('/tree/rows?leaf=' + encodeURIComponent(name));
          document.getElementById('products').innerHTML = await answer.text();
        };
        continue;
      }
      const group = document.createElement('div');
      group.setAttribute('role', 'group');
      group.hidden = true;
      holder.append(group);
      item.setAttribute('aria-expanded', 'false');
      item.onclick = () => {
        group.hidden = !group.hidden;
        item.setAttribute('aria-expanded', String(!group.hidden));
        if (!group.hidden && !group.hasChildNodes()) grow(group, below, level + 1);
      };
    }
  };
  grow(tree, root, 1);
})();
