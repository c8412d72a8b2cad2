import { createHash } from 'node:crypto'
import fs from 'node:fs'
import path from 'node:path'

const root = path.join(import.meta.dirname, '..')
const stamp = path.join(root, 'dist/sources-hash')
/** The inputs of the web build. */
const sources = ['src', 'index.html', 'vite.config.ts', 'package-lock.json']

/** Whether dist/ was built from the current sources: an upgraded checkout must not serve old screens. */
export const isBuilt = (): boolean => fs.existsSync(stamp) && fs.readFileSync(stamp, 'utf8') === sourcesHash()

/** Records in dist/ which sources it was built from. */
export const markBuilt = (): void => fs.writeFileSync(stamp, sourcesHash())

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
    .map((entry) => path.relative(root, path.join(entry.parentPath, entry.name)))
    .toSorted()
}
