import { formatMediumDay, formatMediumInstant } from '../../shared/translations.ts'
import type { Env } from '../../kernel/env.ts'
import { type RecordPart, recordParts } from '../../kernel/patient-tables/rules.ts'
import type { RecordFile } from './files.ts'
import type { Found } from './record-json.ts'
import { type Withheld, withheldReasons } from './rules.ts'

export type Outcome = { file: RecordFile; withheld: Withheld | null }
type Practice = Pick<Env, 'PRACTICE_NAME' | 'PRACTICE_ADDRESS' | 'PRACTICE_PHONE' | 'PRACTICE_TIME_ZONE'>
type IndexPageInput = {
  name: string
  dateOfBirth: string | null
  at: Date
  practice: Practice
  counts: Found['counts']
  files: readonly Outcome[]
}

const entities: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' }
const escapeHtml = (text: string): string => text.replace(/[&<>"']/g, (character) => entities[character]!)
/** A relative link from this page to a path in the zip. */
const toHref = (path: string): string => escapeHtml(path.split('/').map(encodeURIComponent).join('/'))
const numberFormat = new Intl.NumberFormat('en-CA')

/** The page that describes the contents of the zip in plain language. It needs only a browser. */
export function indexPage({ name, dateOfBirth, at, practice, counts, files }: IndexPageInput): string {
  const withheld = files.filter((file) => file.withheld !== null)
  const included = files.filter((file) => file.withheld === null)
  const contactLine = [practice.PRACTICE_ADDRESS, practice.PRACTICE_PHONE].filter((line) => line !== '').join(', ')
  const exportedAt = formatMediumInstant(at, 'en', practice.PRACTICE_TIME_ZONE)
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escapeHtml(`${name}: record from ${practice.PRACTICE_NAME}`)}</title>
<style>${styles}</style>
</head>
<body>
<main>
<h1>${escapeHtml(name)}</h1>
${dateOfBirth === null ? '' : `<p>Born ${escapeHtml(formatMediumDay(dateOfBirth, 'en'))}</p>`}
<p>Everything ${escapeHtml(practice.PRACTICE_NAME)} has on file for ${escapeHtml(name)} as of ${escapeHtml(exportedAt)}.</p>
${contactLine === '' ? '' : `<p>Questions: ${escapeHtml(practice.PRACTICE_NAME)}, ${escapeHtml(contactLine)}.</p>`}
${withheld.length === 0 ? '' : `<h2>Files not included</h2>\n<ul>\n${withheld.map(withheldItem).join('\n')}\n</ul>`}
<h2>Documents, receipts and quotes</h2>
${included.length === 0 ? '<p>None.</p>' : `<ul>\n${included.map(fileItem).join('\n')}\n</ul>`}
<h2>All entries</h2>
<p><a href="record.json">record.json</a> lists every entry on its own line, for software or a text editor. Amounts with names ending in “cents” are in
cents. Times include their offset from UTC; dates are in the ${escapeHtml(practice.PRACTICE_TIME_ZONE)} time zone. Staff members are shown by
name.</p>
<table>
<thead><tr><th scope="col">Type</th><th scope="col">In record.json</th><th scope="col" class="count">Entries</th></tr></thead>
<tbody>
${(Object.keys(recordParts) as RecordPart[]).map((part) => partRow(part, counts[part] ?? 0)).join('\n')}
</tbody>
</table>
<h2>Not part of this export</h2>
<ul>
<li>Emails in staff members’ own mailboxes. Only the subjects of fileItem emails are listed.</li>
<li>Deleted documents that are waiting to be erased.</li>
<li>Passwords, codes, keys and links, which are stored only as hashes.</li>
</ul>
</main>
</body>
</html>
`
}

const fileItem = ({ file }: Outcome): string => `<li><a href="${toHref(file.path)}">${escapeHtml(fileName(file))}</a></li>`
const withheldItem = ({ file, withheld }: Outcome): string =>
  `<li>${escapeHtml(fileName(file))}: ${escapeHtml(withheldReasons[withheld!])}</li>`
const fileName = ({ path }: RecordFile): string => path.slice(path.indexOf('/') + 1)
const partRow = (part: RecordPart, count: number): string =>
  `<tr><td>${escapeHtml(recordParts[part])}</td><td><code>${part}</code></td><td class="count">${numberFormat.format(count)}</td></tr>`

const styles = `
:root { color-scheme: light dark; font: 16px/1.6 system-ui, sans-serif; }
body { margin: 0; background: #fff; color: #222; } a { color: #0b5a4e; }
@media (prefers-color-scheme: dark) { body { background: #191817; color: #eee; } a { color: #84d3c5; } }
main { max-width: 44rem; margin: 2rem auto; padding: 0 1rem; overflow-wrap: anywhere; }
h1 { font-size: 1.6rem; margin: 0 0 .5rem; } h2 { font-size: 1.1rem; margin: 2rem 0 .5rem; }
li { padding: .35rem 0; } li a { display: inline-block; min-height: 1.5rem; }
table { border-collapse: collapse; width: 100%; } th { text-align: left; font-weight: 600; }
th, td { padding: .35rem .75rem .35rem 0; border-bottom: 1px solid #8884; vertical-align: top; }
.count { text-align: right; padding-right: 0; font-variant-numeric: tabular-nums; }
`
