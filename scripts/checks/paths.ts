/**
 * Checks that every file named in a document exists. Paths are relative to the root, to src or to a domain ('inbox/send.ts'). Ignores
 * folders, placeholders (`<Name>Page.tsx`) and examples.
 */
import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'

/** Examples and former files. */
const excluded = /^(src\/care\/referrals|src\/features)\//
const ending = /\.(tsx?|mjs|cjs|md|sql|css|json)$/

const { stdout } = spawnSync('git', ['ls-files', '--cached', '--others', '--exclude-standard'], { encoding: 'utf8' })
const files = stdout.split('\n').filter(Boolean)
const known = new Set(files)
const ends = new Set(files.flatMap((file) => file.split('/').map((_, index, parts) => parts.slice(index).join('/'))))
if (files.length === 0) throw new Error('git ls-files returned no files to check')

let found = 0
for (const file of files.filter((name) => name.endsWith('.md') && name !== 'docs/SPECIFICATION.md')) {
  for (const [index, line] of readFileSync(file, 'utf8').split('\n').entries()) {
    for (const [, path] of line.matchAll(/[`(\s]((?:[\w.-]+\/)+[\w.-]+)[`),:;\s]/g)) {
      if (!path || !ending.test(path) || excluded.test(path) || known.has(path) || ends.has(path)) continue
      found++
      console.error(`${file}:${index + 1}: ${path} does not exist`)
    }
  }
}
console.log(`${files.length} files, ${found} paths to missing files`)
process.exitCode = found > 0 ? 1 : 0
