/** How a report looks: on a screen in light or dark, on paper in ink. */
export const STYLE = `
:root{color-scheme:light dark;--ink:light-dark(#1a1e25,#e5e8ed);--soft:light-dark(#555e6b,#a1aab6);--page:light-dark(#fff,#14171c);--hair:light-dark(#dde1e7,#2b313a);--edge:light-dark(#7c8593,#737d8b);--link:light-dark(#1a54c2,#8bb2ff);--visited:light-dark(#18794b,#4cc38a);--retrying:light-dark(#955800,#e5a443);--gone:light-dark(#c0262d,#ff7b7b)}
body{margin:0;background:var(--page);color:var(--ink);font:14px/1.5 system-ui,-apple-system,'Segoe UI',Roboto,'Liberation Sans','Noto Sans','PingFang SC','Microsoft YaHei','Noto Sans CJK SC','WenQuanYi Zen Hei',sans-serif;font-variant-numeric:tabular-nums}
main{max-width:960px;margin:0 auto;padding:24px 16px 48px}
h1{margin:0;font-size:22px;overflow-wrap:anywhere}
h2{margin:32px 0 8px;font-size:16px}
p{margin:4px 0}
a{color:var(--link);text-decoration:none}
a:hover,a:focus{text-decoration:underline}
.soft{color:var(--soft)}
.figure{margin-top:12px;font-size:28px;line-height:1.3;font-weight:600}
figure{margin:0}
svg[aria-hidden]{position:absolute}
.chart{display:block;width:100%;max-width:640px;height:auto;font-size:12px}
.chart text{fill:var(--ink)}
.visited{fill:var(--visited)}
.retrying{fill:var(--retrying)}
.gone{fill:var(--gone)}
.bar.retrying{fill:url(#slanted);stroke:var(--retrying)}
.bar.gone{fill:url(#upright);stroke:var(--gone)}
.bar.left{fill:none;stroke:var(--edge)}
.rule{fill:none;stroke:var(--edge);stroke-dasharray:3 3}
.area{fill:url(#dotted)}
.line{fill:none;stroke:var(--visited);stroke-width:2}
table{width:100%;border-collapse:collapse}
.numbers{width:auto}
th,td{padding:6px 16px 6px 0;border-bottom:1px solid var(--hair);text-align:left;vertical-align:top;overflow-wrap:anywhere}
tbody th{font-weight:400;min-width:12em}table:not(.numbers) tbody th{width:60%}
thead th{color:var(--soft);font-size:12px;font-weight:500}
.number{text-align:right}
.note{white-space:pre-line}
.blocks{margin:4px 0 0;padding:0;list-style:none}
.blocks li{margin:2px 0}
.blocks del,.blocks ins{display:block;text-decoration:none}
.blocks del{color:var(--gone)}
.blocks ins{color:var(--visited)}
summary{cursor:pointer;color:var(--link);min-height:24px}
@media (max-width:480px){thead{position:absolute;clip-path:inset(50%);width:1px;height:1px;overflow:hidden}tbody tr,tbody th,tbody td{display:block;border:0;padding:2px 0}tbody tr{padding:8px 0;border-bottom:1px solid var(--hair)}.numbers tr{display:flex;gap:16px}.numbers th{min-width:6em}}
@media print{:root{color-scheme:light}body{font-size:11px}main{max-width:none;padding:0}a{color:inherit}h2{break-after:avoid}tr,figure{break-inside:avoid}thead{display:table-header-group}.chart{max-width:12cm;print-color-adjust:exact}details:not([open])>summary{display:none}}
`;
