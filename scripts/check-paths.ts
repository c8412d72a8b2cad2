/**
 * Every file that a document names exists. A path is written from the root, from src, or from a feature's folder ('inbox/send.ts'). Folders,
 * placeholders (`<Name>Page.tsx`) and examples are left alone.
 */
import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'

/** Named as examples, or as what was. */
const notHere = /^(src\/care\/referrals|src\/features)\//
const ending = /\.(tsx?|mjs|cjs|md|sql|css|json)$/

const { stdout } = spawnSync('git', ['ls-files', '--cached', '--others', '--exclude-standard'], { encoding: 'utf8' })
const files = stdout.split('\n').filter(Boolean)
const known = new Set(files)
const ends = new Set(files.flatMap((file) => file.split('/').map((_, index, parts) => parts.slice(index).join('/'))))
if (files.length === 0) throw new Error('git lists no file to read')

let found = 0
for (const file of files.filter((name) => name.endsWith('.md') && name !== 'docs/SPECIFICATION.md')) {
  for (const [index, line] of readFileSync(file, 'utf8').split('\n').entries()) {
    for (const [, path] of line.matchAll(/[`(\s]((?:[\w.-]+\/)+[\w.-]+)[`),:;\s]/g)) {
      if (!path || !ending.test(path) || notHere.test(path) || known.has(path) || ends.has(path)) continue
      found++
      console.error(`${file}:${index + 1}: there is no ${path}`)
    }
  }
}
console.log(`${files.length} files, ${found} paths that lead nowhere`)
process.exitCode = found > 0 ? 1 : 0
