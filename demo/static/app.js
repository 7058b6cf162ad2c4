// The console: routes by pushState, search as you type by replaceState.
const HOSTS = ['db-1', 'db-2', 'web-1', 'web-2', 'cache-1', '备份-1'];
const ALERTS = ['disk 91 % on db-2', 'web-1 restarted', '备份-1 late by 2 h'];
const view = document.getElementById('view');
const escapeHtml = (text) => text.replace(/[&<>"]/g, (char) => `&#${char.charCodeAt(0)};`);
const anchor = (path, text) => `<a href="${escapeHtml(path)}" data-route>${escapeHtml(text)}</a>`;
const list = (items) => `<ul class="links">${items.map((item) => `<li>${item}</li>`).join('')}</ul>`;
const hosts = (names) => list(names.map((name) => anchor(`/app/hosts/${encodeURIComponent(name)}`, name)));
const TABS = [
  ['/app/hosts', 'Hosts 主机'],
  ['/app/alerts', 'Alerts 告警'],
  ['/app/search', 'Search 搜索'],
];

function draw() {
  const [, , area = 'hosts', name] = location.pathname.split('/').map(decodeURIComponent);
  const words = new URLSearchParams(location.search).get('q') ?? '';
  document.title = `${name ?? area} · Console`;
  const tabs = `<nav class="pages" aria-label="Console">${TABS.map(([path, text]) => anchor(path, text)).join(' ')}</nav>`;
  const found = () => HOSTS.filter((host) => host.includes(words));
  const body = {
    hosts: () => (name ? `<h2>${escapeHtml(name)}</h2><p>UP, 37 days</p>` : hosts(HOSTS)),
    alerts: () => list(ALERTS.map(escapeHtml)),
    search: () =>
      `<label>Host 主机 <input id="q" value="${escapeHtml(words)}"></label><div id="found">${hosts(found())}</div>`,
  }[area];
  view.innerHTML = tabs + (body?.() ?? '');
  document.getElementById('q')?.addEventListener('input', ({ target }) => {
    history.replaceState(
      null,
      '',
      target.value ? `/app/search?q=${encodeURIComponent(target.value)}` : '/app/search',
    );
    document.getElementById('found').innerHTML = hosts(HOSTS.filter((host) => host.includes(target.value)));
  });
}

document.addEventListener('click', (event) => {
  const route = event.target.closest('a[data-route]');
  if (!route || event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey)
    return;
  event.preventDefault();
  history.pushState(null, '', route.href);
  draw();
});
addEventListener('popstate', draw);
draw();
