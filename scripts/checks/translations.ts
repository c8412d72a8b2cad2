/**
 * Checks what patients read (docs/decisions/translations.md). Texts: both languages use the same variables, none was left in English, and the
 * French follows the typography of Canada. Pages, PDFs and emails: no text is written in the code itself.
 */
import { readFileSync } from 'node:fs'
import { spawnSync } from 'node:child_process'
import path from 'node:path'
import { parseAst } from 'vite'

/** Pages and parts that only patients see. */
const pages = [
  'src/ui/patient/',
  'src/portal/web/',
  'src/portal/tablet/web/CodeStage.tsx',
  'src/portal/tablet/web/ItemsStage.tsx',
  'src/portal/tablet/web/TabletPage.tsx',
  'src/chart/forms/web/fill/',
  'src/chart/forms/web/embed/FormSections.tsx',
  'src/chart/forms/web/embed/SignatureField.tsx',
  'src/chart/consent-forms/web/embed/ConsentClauses.tsx',
  'src/care/appointments/web/public/',
  'src/care/appointments/web/embed/RescheduleForm.tsx',
  'src/crm/consent/web/unsubscribe/',
  'src/platform/seals/web/VerifyPage.tsx',
  'src/chart/photo-uses/web/public/',
]
/** PDFs that patients do not read. Every other file that renders one is checked. */
const staffPdfs = ['src/chart/notes/pdf.ts', 'src/care/adverse-events/report.ts', 'src/chart/photo-uses/report.ts']
/** Parts whose texts patients do not see. */
const labelledByCaller = ['src/ui/forms/Field.tsx']
/** Words that are the same in both languages. */
const sameInBoth = new Set([
  'Abdomen',
  'Code',
  'Consultation',
  'Message',
  'Messages',
  'Documents',
  'Photos',
  'Date',
  'Type',
  'Description',
  'PDF',
  'Word',
  'Photo',
  'Image',
  'Document',
  'Total',
  'Question',
  'Signature',
  'Lot {{lot}}',
])

const { stdout } = spawnSync('git', ['ls-files', '--cached', '--others', '--exclude-standard', 'src'], { encoding: 'utf8' })
const files = stdout.split('\n').filter(Boolean)
const textFiles = files.filter((file) => file.endsWith('/texts.ts'))
const pageFiles = files.filter((file) => file.endsWith('.tsx') && pages.some((page) => file.startsWith(page)))
const unmatched = [...pages, ...staffPdfs].filter((page) => !files.some((file) => file.startsWith(page)))
const writers = files.filter(
  (file) => file.endsWith('.ts') && !file.endsWith('.test.ts') && !staffPdfs.includes(file) && writesToPatients(file),
)
if (textFiles.length === 0 || unmatched.length > 0) throw new Error(`No files to check: ${unmatched.join(', ') || 'texts.ts'}`)

const problems: string[] = []
let total = 0
for (const file of textFiles) {
  const { en, fr } = (await import(path.resolve(file))) as { en?: object; fr?: object }
  if (!en || !fr) problems.push(`${file}: has to export \`en\` and \`fr\``)
  else compare(file, flatten(en), flatten(fr))
}
for (const file of pageFiles) findTexts(file)
for (const file of writers) findWords(file)
for (const file of partsOf(pageFiles)) if (!labelledByCaller.includes(file)) findTexts(file)
for (const problem of problems) console.error(problem)
console.log(
  `${total} texts in ${textFiles.length} files, ${pageFiles.length} pages and parts, ${writers.length} PDFs and emails, ${problems.length} problems`,
)
process.exitCode = problems.length > 0 ? 1 : 0

function compare(file: string, en: Map<string, string>, fr: Map<string, string>) {
  for (const key of fr.keys()) if (!en.has(key)) problems.push(`${file}: ${key} is missing in English`)
  for (const [key, english] of en) {
    total++
    const french = fr.get(key)
    if (french === undefined) problems.push(`${file}: ${key} is missing in French`)
    else {
      const faults = [
        french.trim() === '' && 'is empty',
        french === english && /\p{L}{3}/u.test(withoutVariables(english)) && !sameInBoth.has(english) && 'is not translated',
        variables(english) !== variables(french) &&
          `uses ${variables(french) || 'no variables'} instead of ${variables(english) || 'none'}`,
        /\s[?!;]/.test(french) && 'has a space before ?, ! or ;',
        /\p{L}:(\s|$)/u.test(french) && 'has no space before a colon',
        /\p{L}'\p{L}/u.test(french) && 'has a straight apostrophe',
        /\bvisites?\b/i.test(french) && 'calls an appointment “visite” instead of “rendez-vous”',
        /"/.test(french) && 'has straight quotation marks instead of « »',
      ]
      for (const fault of faults) if (fault) problems.push(`${file}: ${key} ${fault} in French: ${french}`)
    }
  }
}

/** Every text by its path. */
function flatten(texts: object, at = ''): Map<string, string> {
  const found = new Map<string, string>()
  for (const [key, value] of Object.entries(texts)) {
    if (typeof value === 'string') found.set(at + key, value)
    else for (const [inner, text] of flatten(value as object, `${at}${key}.`)) found.set(inner, text)
  }
  return found
}

function variables(text: string): string {
  const names = [...text.matchAll(/\{\{(\w+)\}\}/g)].map(([, name]) => name!)
  return [...new Set(names)].toSorted((one, other) => one.localeCompare(other)).join(', ')
}
function withoutVariables(text: string): string {
  return text.replace(/\{\{\w+\}\}/g, '')
}

interface Node {
  type: string
  start: number
  [field: string]: unknown
}

/** Texts between tags, and in the attributes that people read or hear. */
function findTexts(file: string) {
  const code = readFileSync(file, 'utf8')
  const read = /^(aria-(label|description|valuetext|roledescription)|title|placeholder|label|alt|\w+Label|announcement|heading|hint|error)$/
  const report = (node: Node, text: string) => {
    if (!/\p{L}{2}/u.test(text)) return
    const line = code.slice(0, node.start).split('\n').length
    problems.push(`${file}:${line}: move this text to texts.ts: ${text.trim()}`)
  }
  /** The texts that an expression can have as its value. */
  const literals = (node: Node | null): void => {
    if (node?.type === 'Literal' && typeof node.value === 'string') report(node, node.value)
    if (node?.type === 'TemplateLiteral')
      report(node, (node.quasis as { value: { raw: string } }[]).map(({ value }) => value.raw).join(' '))
    if (node?.type === 'JSXExpressionContainer') literals(node.expression as Node)
    if (node?.type === 'ConditionalExpression') for (const part of [node.consequent, node.alternate]) literals(part as Node)
    if (node?.type === 'LogicalExpression') literals(node.right as Node)
  }
  const visit = (value: unknown): void => {
    if (Array.isArray(value)) return value.forEach(visit)
    if (typeof value !== 'object' || value === null) return
    const node = value as Node
    if (node.type === 'JSXText') report(node, node.value as string)
    if (node.type === 'JSXAttribute') {
      if (read.test((node.name as { name: string }).name)) literals(node.value as Node | null)
      return visit(node.value)
    }
    if (node.type === 'JSXElement' || node.type === 'JSXFragment')
      for (const child of node.children as Node[]) if (child.type !== 'JSXText') literals(child)
    Object.values(node).forEach(visit)
  }
  visit(parseAst(code, { lang: 'tsx' }))
}

/** The components of src/ui that these pages show, with their own. */
function partsOf(pageFiles: readonly string[]): string[] {
  const found = new Set(pageFiles)
  for (const file of found) {
    for (const [, imported] of readFileSync(file, 'utf8').matchAll(/(?:from |import\()'(\.[^']+\.tsx)'/g)) {
      const part = path.posix.join(path.posix.dirname(file), imported!)
      if (part.startsWith('src/ui/')) found.add(part)
    }
  }
  return [...found].filter((file) => !pageFiles.includes(file))
}

/** Whether a file renders a PDF or writes an email that patients read. */
function writesToPatients(file: string): boolean {
  const code = readFileSync(file, 'utf8')
  return /from '[./]*\/pdf\/render\.ts'|\bPdfDocument\b/.test(code) || (file.endsWith('emails.ts') && /\bpatientMail\(/.test(code))
}

/** Words in the code of a PDF or an email. A refusal is for staff or programs. */
function findWords(file: string) {
  const code = readFileSync(file, 'utf8')
  const report = (node: Node, text: string, words: RegExp) => {
    if (!words.test(text) || text === 'Refyne' || text.startsWith('inline; ')) return
    const line = code.slice(0, node.start).split('\n').length
    problems.push(`${file}:${line}: move this text to texts.ts: ${text.trim()}`)
  }
  const visit = (value: unknown): void => {
    if (Array.isArray(value)) return value.forEach(visit)
    if (typeof value !== 'object' || value === null) return
    const node = value as Node
    if (/^(ImportDeclaration|ExportNamedDeclaration|TS\w+|ThrowStatement)$/.test(node.type) && !('declaration' in node && node.declaration))
      return
    if (node.type === 'CallExpression' && code.slice(node.start).startsWith('Response.json')) return
    if (node.type === 'Literal' && typeof node.value === 'string') report(node, node.value, /(^|\s)\p{Lu}\p{Ll}/u)
    if (node.type === 'TemplateElement') report(node, (node.value as { raw: string }).raw, /\s\p{L}{2}|\p{L}{2}\s/u)
    Object.values(node).forEach(visit)
  }
  visit(parseAst(code, { lang: 'ts' }))
}
