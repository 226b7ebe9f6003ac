import { describeField, LIMITS } from './describe-profile';
import type { FieldSummary } from './field-profile';
import type { FileProfile } from './profile-file';

const STYLE = `
:root { color-scheme: light dark; font: 15px/1.5 system-ui, sans-serif; }
body { max-width: 72rem; margin: 2rem auto; padding: 0 1rem; }
table { border-collapse: collapse; width: 100%; }
th, td { text-align: left; vertical-align: top; padding: 0.3rem 0.8rem 0.3rem 0; border-bottom: 1px solid #8884; }
td.number, th.number { text-align: right; font-variant-numeric: tabular-nums; }
section { margin-top: 2rem; }
section th { width: 6rem; font-weight: normal; opacity: 0.7; }
td { overflow-wrap: anywhere; }
meter { width: 6rem; }
.doubt { color: #b45309; }
`;

/** The profile as one HTML page without any external resource. All texts of the file are escaped. */
export function profilePage(profile: FileProfile): string {
  const { file, format, rows, problem, fields } = profile;
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
<meta name="viewport" content="width=device-width">
<title>Profile of ${escape(file)}</title>
<style>${STYLE}</style>
</head>
<body>
<h1>Profile of ${escape(file)}</h1>
<p>${rows} rows, ${fields.length} fields. ${escape(format)}.</p>
${problem === undefined ? '' : `<p class="doubt">${escape(problem)}</p>\n`}<p>${escape(LIMITS)}</p>
<table>
<thead><tr><th>Field</th><th>Filled</th><th class="number">Different</th><th>Range</th><th>Doubts</th></tr></thead>
<tbody>
${fields.map((field, index) => overview(field, index, rows)).join('\n')}
</tbody>
</table>
${fields.map((field, index) => details(field, index, rows)).join('\n')}
</body>
</html>
`;
}

function overview(field: FieldSummary, index: number, rows: number): string {
  const { name, filled, distinct, isMore, smallest, largest, doubts, exceptions } = field;
  const share = Math.min(1, rows === 0 ? 0 : filled / rows);
  const count = doubts.reduce((sum, one) => sum + one.count, exceptions?.count ?? 0);
  const range = filled === 0 ? '' : `${short(smallest)} to ${short(largest)}`;
  return `<tr><td><a href="#f${index}">${escape(name)}</a></td><td><meter value="${share.toFixed(3)}"></meter> ${filled}</td><td class="number">${isMore ? 'more than ' : ''}${distinct}</td><td>${escape(range)}</td><td class="doubt">${count === 0 ? '' : count}</td></tr>`;
}

function details(field: FieldSummary, index: number, rows: number): string {
  const lines = describeField(field, rows).map(([label, text]) => {
    const isDoubt = label === 'doubt' || label === 'other';
    return `<tr><th>${label}</th><td${isDoubt ? ' class="doubt"' : ''}>${escape(text)}</td></tr>`;
  });
  return `<section id="f${index}"><h2>${escape(field.name)}</h2><table>${lines.join('')}</table></section>`;
}

function short(text: string): string {
  return text.length > 30 ? `${text.slice(0, 30)}…` : text;
}

function escape(text: string): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
    .replaceAll("'", '&#39;');
}
