import { dayAndTime } from '../../kernel/pdf/document.ts'
import type { Env } from '../../kernel/env.ts'
import { type RecordPart, recordParts } from '../../kernel/patient-tables/rules.ts'
import type { RecordFile } from './files.ts'
import type { Found } from './record-json.ts'
import { type Withheld, withheldReasons } from './rules.ts'

export type Outcome = { file: RecordFile; withheld: Withheld | null }
type Practice = Pick<Env, 'PRACTICE_NAME' | 'PRACTICE_ADDRESS' | 'PRACTICE_PHONE' | 'PRACTICE_TIME_ZONE'>
type Told = { name: string; at: Date; practice: Practice; counts: Found['counts']; files: readonly Outcome[] }

const entities: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' }
const escaped = (text: string): string => text.replace(/[&<>"']/g, (character) => entities[character]!)
/** A place in the zip as an address beside this page. */
const address = (path: string): string => escaped(path.split('/').map(encodeURIComponent).join('/'))
const counted = new Intl.NumberFormat('en-CA')

/** The page that says in plain words what is in the zip, for anyone who unpacks it: it needs nothing but a browser. */
export function indexPage({ name, at, practice, counts, files }: Told): string {
  const withheld = files.filter((file) => file.withheld !== null)
  const given = files.filter((file) => file.withheld === null)
  const reach = [practice.PRACTICE_ADDRESS, practice.PRACTICE_PHONE].filter((line) => line !== '').join(', ')
  const made = dayAndTime(at, practice.PRACTICE_TIME_ZONE)
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escaped(`What ${practice.PRACTICE_NAME} keeps of ${name}`)}</title>
<style>${styles}</style>
</head>
<body>
<main>
<h1>${escaped(name)}</h1>
<p>Everything that ${escaped(practice.PRACTICE_NAME)} keeps of ${escaped(name)}, as it was on ${escaped(made)}.</p>
${reach === '' ? '' : `<p>Questions: ${escaped(practice.PRACTICE_NAME)}, ${escaped(reach)}.</p>`}
${withheld.length === 0 ? '' : `<h2>Not in this file</h2>\n<ul>\n${withheld.map(missing).join('\n')}\n</ul>`}
<h2>Documents, receipts and quotes</h2>
${given.length === 0 ? '<p>None.</p>' : `<ul>\n${given.map(linked).join('\n')}\n</ul>`}
<h2>All entries</h2>
<p><a href="record.json">record.json</a> has them, one to a line, for a program or a text editor. Amounts whose name ends in “cents” are in
cents. Times end in their distance to UTC; days are those of ${escaped(practice.PRACTICE_TIME_ZONE)}. Where one of the staff is meant, their
name stands.</p>
<table>
<thead><tr><th scope="col">What</th><th scope="col">In record.json</th><th scope="col" class="count">Entries</th></tr></thead>
<tbody>
${(Object.keys(recordParts) as RecordPart[]).map((part) => row(part, counts[part] ?? 0)).join('\n')}
</tbody>
</table>
<h2>What is not part of it</h2>
<ul>
<li>Emails in the mailboxes of the staff themselves: of those that were linked, the subject is named.</li>
<li>Documents that were deleted and will be erased.</li>
<li>Passwords, codes, keys and links, of which hashes alone are kept.</li>
</ul>
</main>
</body>
</html>
`
}

const linked = ({ file }: Outcome): string => `<li><a href="${address(file.path)}">${escaped(nameOf(file))}</a></li>`
const missing = ({ file, withheld }: Outcome): string => `<li>${escaped(nameOf(file))}: ${escaped(withheldReasons[withheld!])}</li>`
const nameOf = ({ path }: RecordFile): string => path.slice(path.indexOf('/') + 1)
const row = (part: RecordPart, count: number): string =>
  `<tr><td>${escaped(recordParts[part])}</td><td><code>${part}</code></td><td class="count">${counted.format(count)}</td></tr>`

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
