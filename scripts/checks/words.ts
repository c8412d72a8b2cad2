/**
 * Rejects words that were replaced by plainer ones, in code, on screens, in tests and in documents (CONTRIBUTING.md). Quotes of the
 * specification are exempt.
 */
import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'

const words: readonly (readonly [RegExp, string])[] = [
  [/(?<![a-z])[dD]eeds?(?![a-z])/, 'action'],
  [/\banew\b/, 'again'],
  [/\bfor good\b/, 'permanently'],
  [/\bmeanwhile\b/, 'in the meantime'],
  [/\b(Some|Any|Every|No)body\b/, 'someone, anyone, everyone, no one'],
  [/[\w}] did not load\b(?=[.'"`])/, 'Couldn’t load …'],
  [/\bworks no more\b/, 'no longer works'],
  [/\bstands? here\b/, 'appears here'],
  [/\b(most|longest)[A-Z]\w*/, 'maxX, maxXLength'],
  [/\b\w+InWords\b/, 'formatX'],
  [/\bforget[A-Z]\w*/, 'purgeX'],
  [/\busual[A-Z]\w*/, 'defaultX'],
  [/\btell[A-Z]\w*/, 'notifyX'],
  [/\bis(Cut|Away)\b/, 'isTruncated, isUnavailable'],
  [/\blazyLayer\b|\buse\w+Layers\b/, 'lazyDialog, useXDialogs'],
]

/** The same, but only for names in code: in sentences these words are fine. */
const names: readonly (readonly [RegExp, string])[] = [
  [/^(said|Said|setSaid)$/, 'message, body, response'],
  [/^(told|untold|isTold|Told|tells?[A-Z]\w*)$/, 'notified, sentEmails'],
  [/^[wW]hose\w*$/, 'patientRef, owner'],
  [/^(looks|[a-z]\w*Looks)$/, 'styles, variants'],
  [/^(stranger|strangers)$/, 'unknownSender'],
  [/^(owing|Owing|owes)$/, 'outstanding'],
  [/^(brought|inHand|inSight)$/, 'imported, active, visible'],
  [/^papers(Of)?$/, 'document, pdf'],
  [/^patience$/, 'timeoutMs'],
  [/^waits(For)?$/, 'isPending, waitingFor'],
]
const paths = [
  'src',
  'test',
  'demo',
  'simulators',
  'bench',
  'experiments',
  'scripts',
  'docs',
  'README.md',
  'CONTRIBUTING.md',
  'CHANGELOG.md',
]
const excluded = /^(docs\/SPECIFICATION\.md|scripts\/checks\/words\.ts|src\/shared\/common-passwords\.ts)$/

const { stdout } = spawnSync('git', ['ls-files', '--cached', '--others', '--exclude-standard', ...paths], { encoding: 'utf8' })
const files = stdout.split('\n').filter((file) => /\.(tsx?|md)$/.test(file) && !excluded.test(file))
if (files.length === 0) throw new Error('git ls-files returned no files to check')

let found = 0
for (const file of files) {
  const text = readFileSync(file, 'utf8')
  for (const [index, line] of text.split('\n').entries()) {
    for (const [word, plainer] of words) {
      const [hit] = word.exec(line) ?? []
      if (hit === undefined) continue
      found++
      console.error(`${file}:${index + 1}: "${hit}" — write: ${plainer}`)
    }
  }
  if (!file.endsWith('.md')) found += checkNames(file, text)
}
console.log(`${files.length} files, ${found} words to replace`)
process.exitCode = found > 0 ? 1 : 0

/** Prints the names to replace, ignoring comments and strings. Returns their number. */
function checkNames(file: string, text: string): number {
  const blank = (part: string) => part.replace(/[^\n]/g, ' ')
  const code = text.replace(/\/\*[^]*?\*\/|\/\/[^\n]*|'(?:\\.|[^'\\\n])*'|"(?:\\.|[^"\\\n])*"/g, blank)
  let count = 0
  for (const [index, line] of code.split('\n').entries()) {
    // A name is followed by an operator or bracket; a word of a text on screen is next to other words.
    for (const [, name = ''] of line.matchAll(/(?<![\w$] ?)([A-Za-z_$][\w$]*)(?=\s*(?:[=.,:;()[\]}?!&|<>]|$))/g)) {
      const [, plainer] = names.find(([word]) => word.test(name)) ?? []
      if (plainer === undefined) continue
      count++
      console.error(`${file}:${index + 1}: "${name}" — write: ${plainer}`)
    }
  }
  return count
}
