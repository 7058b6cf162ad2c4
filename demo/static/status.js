// The status page: one address, other numbers at every look.
const view = document.getElementById('view');
const cell = (tag, text) => Object.assign(document.createElement(tag), { textContent: text });

function row(tag, ...texts) {
  const tr = document.createElement('tr');
  tr.append(...texts.map((text) => cell(tag, text)));
  return tr;
}

async function look() {
  const answer = await fetch('/dashboard/status');
  const { orders, queue, delay, services } = await answer.json();
  const numbers = document.createElement('dl');
  numbers.className = 'numbers';
  for (const [name, value] of [
    ['Orders today 今日订单', orders],
    ['Queue 队列', queue],
    ['Delay 延迟', `${delay} ms`],
  ]) {
    const box = document.createElement('div');
    box.append(cell('dt', name), cell('dd', value));
    numbers.append(box);
  }
  const table = document.createElement('table');
  table.append(row('th', 'Service 服务', 'State 状态', 'Load 负载'));
  for (const { name, state, load } of services) {
    const tr = row('td', name, state, `${load} %`);
    tr.className = state.toLowerCase();
    table.append(tr);
  }
  view.replaceChildren(numbers, table);
}

document.getElementById('refresh').addEventListener('click', () => void look());
void look();
