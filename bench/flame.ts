/**
 * Draws a flame graph (SVG) from a CPU profile of our server:
 *
 *   BENCH_NODE_FLAGS='--cpu-prof --cpu-prof-dir=/tmp/profiles' npm run bench -- peers --only create
 *   node bench/flame.ts /tmp/profiles docs/decisions/flames/create.svg 'Adding a patient'
 */
import fs from 'node:fs'
import path from 'node:path'

type Node = { id: number; children?: number[]; callFrame: { functionName: string; url: string; lineNumber: number } }
type Profile = { nodes: Node[]; samples: number[]; timeDeltas: number[] }
/** Calls of one function from one caller, with all that they call; times in microseconds. */
type Frame = { name: string; own: number; total: number; calls: Map<string, Frame> }

const [folder, target, title = ''] = process.argv.slice(2)
if (!folder || !target) throw new Error('Name the folder of the profile, the SVG file and its title')
const profiles = fs.readdirSync(folder).filter((file) => file.endsWith('.cpuprofile'))
const profile = JSON.parse(fs.readFileSync(path.join(folder, profiles.toSorted().at(-1)!), 'utf8')) as Profile

const width = 1200
const rowHeight = 17
/** Narrower frames, in parts of the whole, are left out. */
const narrowest = 0.004
/** Not work: waiting, and the frames of Node that surround everything. */
const ignored = new Set(['(idle)', '(program)'])
const transparent = new Set(['(root)', '(anonymous)', ''])

const root = read(profile)
const rows = depthOf(root)
const height = (rows + 3) * rowHeight
const parts: string[] = []
draw(root, 0, 0)
fs.mkdirSync(path.dirname(target), { recursive: true })
fs.writeFileSync(
  target,
  `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" font-family="sans-serif" font-size="11">
<rect width="${width}" height="${height}" fill="#fff"/><text x="4" y="13" font-weight="bold">${escape(title)}</text>
${parts.join('\n')}
</svg>
`,
)

/** Merges calls of the same function from the same caller. Anonymous functions count as their caller. */
function read({ nodes, samples, timeDeltas }: Profile): Frame {
  const byId = new Map(nodes.map((node) => [node.id, node]))
  const parents = new Map(nodes.flatMap((node) => (node.children ?? []).map((child) => [child, node.id] as const)))
  const own = new Map<number, number>()
  for (const [i, id] of samples.entries()) own.set(id, (own.get(id) ?? 0) + timeDeltas[i]!)
  const whole: Frame = { name: 'the server process', own: 0, total: 0, calls: new Map() }
  for (const [id, time] of own) {
    const stack: string[] = []
    for (let at: number | undefined = id; at !== undefined; at = parents.get(at)) stack.unshift(byId.get(at)!.callFrame.functionName)
    if (ignored.has(stack.at(-1)!)) continue
    let frame = whole
    frame.total += time
    for (const name of stack.filter((one) => !transparent.has(one))) {
      const next: Frame = frame.calls.get(name) ?? { name, own: 0, total: 0, calls: new Map() }
      frame.calls.set(name, next)
      frame = next
      frame.total += time
    }
    frame.own += time
  }
  return whole
}

function depthOf(frame: Frame): number {
  return 1 + Math.max(0, ...shownOf(frame).map(depthOf))
}

function shownOf({ calls }: Frame): Frame[] {
  return [...calls.values()].filter(({ total }) => total >= narrowest * root.total).toSorted((a, b) => b.total - a.total)
}

function draw(frame: Frame, x: number, row: number): void {
  const size = (frame.total / root.total) * width
  const y = height - (row + 2) * rowHeight
  const percent = `${((100 * frame.total) / root.total).toFixed(1)} %`
  const letters = Math.floor((size - 4) / 6)
  const label = letters < 3 ? '' : `<text x="${(x + 2).toFixed(1)}" y="${y + 12}">${escape(frame.name.slice(0, letters))}</text>`
  parts.push(
    `<g><title>${escape(frame.name)}: ${percent}</title><rect x="${x.toFixed(1)}" y="${y}" width="${Math.max(size - 0.5, 0.5).toFixed(1)}" height="${rowHeight - 1}" fill="${colourOf(frame.name)}"/>${label}</g>`,
  )
  let at = x
  for (const call of shownOf(frame)) {
    draw(call, at, row + 1)
    at += (call.total / root.total) * width
  }
}

/** The same colour for the same name. */
function colourOf(name: string): string {
  let hash = 0
  for (const letter of name) hash = (hash * 31 + letter.charCodeAt(0)) % 360
  return `hsl(${20 + (hash % 40)} 85% ${68 + (hash % 12)}%)`
}

function escape(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
}
