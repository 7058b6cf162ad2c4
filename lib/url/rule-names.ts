/** What people read for each rule, in the words of the glossary. The command line, the dashboard and the docs share it. */
export const RULE_NAMES = {
  trim: { en: 'Trim and make absolute', zh: '去掉首尾空白，补全地址' },
  whole: { en: 'Decode an address that was encoded as a whole', zh: '还原整体编码的地址' },
  'path-session': { en: 'Remove session id from the path', zh: '去掉路径中的会话标识' },
  parse: {
    en: 'Lower-case host, drop default port, resolve dots',
    zh: '主机名转小写，去掉默认端口，整理路径',
  },
  percent: { en: 'One spelling for percent escapes', zh: '统一百分号转义' },
  'merge-schemes': { en: 'Treat http as https', zh: '将 http 视为 https' },
  'strip-www': { en: 'Drop www.', zh: '去掉 www.' },
  'strip-index': { en: 'Drop index file', zh: '去掉默认首页文件名' },
  'strip-slash': { en: 'Drop trailing slash', zh: '去掉末尾斜杠' },
  'imported-raw': { en: 'Cut by imported rules', zh: '按导入规则删减' },
  pairs: { en: 'One spelling for parameters, drop empty ones', zh: '统一参数写法，去掉空参数' },
  'html-entities': { en: 'Undo &amp; before parameters', zh: '还原参数前的 &amp;' },
  'policy-names': { en: 'Remove parameter by your rules', zh: '按自定义规则去掉参数' },
  'imported-names': { en: 'Remove parameter by imported rules', zh: '按导入规则去掉参数' },
  'session-names': { en: 'Remove session id', zh: '去掉会话标识' },
  'tracking-names': { en: 'Remove tracking parameter', zh: '去掉跟踪参数' },
  'soft-names': { en: 'Remove share or referral mark', zh: '去掉分享或来源标记' },
  sort: { en: 'Sort parameters by name', zh: '参数按名称排序' },
  fragment: { en: 'Drop fragment', zh: '去掉片段' },
  'route-query': { en: 'Remove parameters inside the route', zh: '去掉路由中的跟踪参数' },
  unwrap: { en: 'Follow known redirector', zh: '还原跳转链接的目标' },
} as const satisfies Record<string, { en: string; zh: string }>;

export type RuleId = keyof typeof RULE_NAMES;
