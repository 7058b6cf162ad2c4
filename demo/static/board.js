// The board: routes in the fragment.
const TABS = { overview: 'Overview 总览', hosts: 'Hosts 主机', alerts: 'Alerts 告警', 'hosts/db-1': 'db-1' };
const view = document.getElementById('view');

function draw() {
  const route = location.hash.replace(/^#\//, '') || 'overview';
  const name = TABS[route] ?? 'Nothing here 无此页';
  document.title = `${name} · Board`;
  const tabs = Object.keys(TABS).map((path) => `<a href="#/${path}">${TABS[path]}</a>`);
  view.innerHTML = `<nav class="pages" aria-label="Board">${tabs.join(' ')}</nav><h2></h2><p>12 charts 图表</p>`;
  view.querySelector('h2').textContent = name;
}

addEventListener('hashchange', draw);
draw();
