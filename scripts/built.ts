import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import fs from 'node:fs'
import path from 'node:path'

/** `web`: the screens; `server`: the server. */
type Part = 'web' | 'server'

const root = path.join(import.meta.dirname, '..')
const stampOf = (part: Part) => path.join(root, `dist/${part}.sources-hash`)
/** The inputs of both builds. */
const sources = [
  'src',
  'docs/guide',
  'index.html',
  'book.html',
  'scripts/guide.ts',
  'vite.config.ts',
  'vite.book.config.ts',
  'vite.server.config.ts',
  'package-lock.json',
]

const vite = ['node_modules/vite/bin/vite.js', 'build', '--logLevel', 'warn']
/** What builds a part, in order: programs for Node with their arguments. */
const steps: Record<Part, readonly (readonly string[])[]> = {
  web: [vite, [...vite, '--config', 'vite.book.config.ts'], ['scripts/compress-assets.ts']],
  server: [[...vite, '--config', 'vite.server.config.ts']],
}

/** Builds these parts, unless they are built. False: it failed, and says why on the standard error. */
export const buildIfStale = (...parts: Part[]): boolean =>
  parts
    .filter((part) => !areBuilt(part))
    .flatMap((part) => steps[part])
    .every((args) => spawnSync(process.execPath, args, { cwd: root, stdio: ['ignore', 2, 'inherit'] }).status === 0)

/** Whether the parts were built from the current sources: an upgraded checkout must not run its previous build. */
export function areBuilt(...parts: Part[]): boolean {
  const hash = sourcesHash()
  return parts.every((part) => fs.existsSync(stampOf(part)) && fs.readFileSync(stampOf(part), 'utf8') === hash)
}

/** Records in dist/ which sources a part was built from. */
export const markBuilt = (part: Part): void => fs.writeFileSync(stampOf(part), sourcesHash())

/** Says that a part is being built, or is not what `npm start` needs. */
export const unmarkBuilt = (part: Part): void => fs.rmSync(stampOf(part), { force: true })

function sourcesHash(): string {
  const hash = createHash('sha256')
  for (const name of sources.flatMap(filesIn)) hash.update(`${name}\n`).update(fs.readFileSync(path.join(root, name)))
  return hash.digest('base64url')
}

function filesIn(source: string): string[] {
  if (!fs.statSync(path.join(root, source)).isDirectory()) return [source]
  return fs
    .readdirSync(path.join(root, source), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && !/\.test\.tsx?$/.test(entry.name))
    .map((entry) => path.relative(root, path.join(entry.parentPath, entry.name)).replaceAll(path.sep, '/'))
    .toSorted()
}
