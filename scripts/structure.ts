/**
 * `npm run structure`: prints figures about the folders of src, and updates the diagram in docs/ARCHITECTURE.md.
 */
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { cruise } from './checks/cruise.ts'

const page = 'docs/ARCHITECTURE.md'
const [begin, end] = ['<!-- structure: npm run structure -->', '<!-- /structure -->']
/** Each domain imports only those before it. */
const order = JSON.parse(readFileSync('scripts/domains.json', 'utf8')) as string[]

const isTest = (file: string) => /\.test\.tsx?$/.test(file)
const domainOf = (file: string) => file.split('/')[1]!
/** 'from to' → the number of imports. */
const arrows = new Map<string, number>()
let against = 0
for (const { source, dependencies } of cruise().modules) {
  if (!source.startsWith('src/') || isTest(source)) continue
  for (const { resolved } of dependencies) {
    if (!resolved.startsWith('src/')) continue
    const [from, to] = [domainOf(source), domainOf(resolved)]
    if (from === to) continue
    arrows.set(`${from} ${to}`, (arrows.get(`${from} ${to}`) ?? 0) + 1)
    if (order.indexOf(to) > order.indexOf(from)) against++
  }
}

const files = readdirSync('src', { recursive: true, encoding: 'utf8' })
  .filter((name) => /\.tsx?$/.test(name))
  .map((name) => ({ name, lines: readFileSync(path.join('src', name), 'utf8').split('\n').length }))
const folders = Map.groupBy(files, ({ name }) => path.dirname(name))
const largest = [...folders].toSorted(([, a], [, b]) => b.length - a.length).slice(0, 3)

console.log(`${files.length} files in ${folders.size} folders, ${files.filter(({ lines }) => lines > 250).length} of them over 250 lines`)
console.log(`largest folders: ${largest.map(([name, contents]) => `src/${name} (${contents.length})`).join(', ')}`)
console.log(`${arrows.size} arrows between ${order.length} domains, ${sum(arrows.values())} imports, ${against} against the order`)

const [before, rest] = readFileSync(page, 'utf8').split(begin)
const after = rest?.split(end)[1]
if (before === undefined || after === undefined) throw new Error(`${page} has no markers for the diagram: ${begin} and ${end}`)
writeFileSync(page, `${before}${begin}\n\n${diagram()}\n\n${end}${after}`)

/** Each domain with its features. Arrows that follow from others (a → b → c) are left out. */
function diagram(): string {
  const reaches = (from: string, to: string): boolean =>
    order.some((by) => by !== from && arrows.has(`${from} ${by}`) && (by === to || reaches(by, to)))
  const direct = [...arrows.keys()]
    .map((arrow) => arrow.split(' ') as [string, string])
    .filter(([from, to]) => !order.some((by) => by !== from && by !== to && arrows.has(`${from} ${by}`) && reaches(by, to)))
  const boxes = order.toReversed().map((domain) => {
    const features = readdirSync(path.join('src', domain), { withFileTypes: true })
      .filter((entry) => entry.isDirectory() && !['web', 'access'].includes(entry.name) && isDomain(domain))
      .map((entry) => entry.name)
    return `  ${domain}["<b>${domain}</b>${features.length > 0 ? `<br/>${features.join(', ')}` : ''}"]`
  })
  const lines = direct
    .toSorted(([a, b], [c, d]) => order.indexOf(c) - order.indexOf(a) || order.indexOf(d) - order.indexOf(b))
    .map(([from, to]) => `  ${from} --> ${to}`)
  return ['```mermaid', 'flowchart TD', ...boxes, ...lines, '```'].join('\n')
}

/** Whether the subfolders are features rather than mechanisms. */
function isDomain(folder: string): boolean {
  return !['shared', 'kernel', 'ui', 'app', 'record'].includes(folder)
}

function sum(numbers: Iterable<number>): number {
  let total = 0
  for (const number of numbers) total += number
  return total
}
