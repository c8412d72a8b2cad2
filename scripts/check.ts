/**
 * `npm run check`: everything that can be said about the code without running it, one line per check, and the whole output of those that failed.
 *
 *   npm run check                  all
 *   npm run check -- lint imports  some, by name
 */
import { spawn } from 'node:child_process'
import os from 'node:os'
import path from 'node:path'

const checks = [
  { name: 'types', what: 'the types agree', command: ['tsc', '--project', '.', '--pretty', 'false'] },
  { name: 'lint', what: 'no known mistake (.oxlintrc.json)', command: ['oxlint', '--type-aware', '--deny-warnings'] },
  { name: 'imports', what: 'the import rules hold (depcruise.config.cjs)', command: ['node', 'scripts/check-imports.ts'] },
  { name: 'peers', what: 'every package has the peers it asks for (.npmrc)', command: ['node', 'scripts/check-peers.ts'] },
  { name: 'unused', what: 'no unused file, export or dependency (knip.json)', command: ['knip', '--no-progress'] },
  { name: 'format', what: 'formatted (npm run format)', command: ['biome', 'format', '--reporter=summary', '--max-diagnostics=none', '.'] },
  { name: 'migrations', what: 'the migrations match the tables', command: ['node', 'scripts/check-migrations.ts'] },
  { name: 'words', what: 'no word that was replaced (scripts/check-words.ts)', command: ['node', 'scripts/check-words.ts'] },
  { name: 'paths', what: 'each file that a document names exists', command: ['node', 'scripts/check-paths.ts'] },
  {
    name: 'mutations',
    what: 'each mutation of `npm run mutations` can still be made',
    command: ['node', 'scripts/mutation-tests.ts', '--check'],
  },
]

const names = process.argv.slice(2)
const unknown = names.filter((name) => !checks.some((check) => check.name === name))
if (unknown.length > 0) {
  console.error(`No check is called ${unknown.join(', ')}. There are: ${checks.map((check) => check.name).join(', ')}.`)
  process.exit(2)
}

const waiting = checks.filter((check) => names.length === 0 || names.includes(check.name))
const failed: string[] = []
// Most of the tools use more than one core themselves; more at once would only make each slower.
await Promise.all(Array.from({ length: Math.max(2, Math.floor(os.availableParallelism() / 2)) }, worker))
if (failed.length > 0) console.log(`\nFailed: ${failed.join(', ')}`)
process.exitCode = failed.length > 0 ? 1 : 0

async function worker() {
  for (let check = waiting.shift(); check; check = waiting.shift()) {
    const start = performance.now()
    const { ok, output } = await run(check.command)
    const seconds = ((performance.now() - start) / 1000).toFixed(1)
    console.log(`${ok ? 'ok  ' : 'FAIL'}  ${check.name.padEnd(10)}  ${seconds.padStart(5)} s  ${check.what}`)
    if (ok) continue
    failed.push(check.name)
    console.log(output.trim().replace(/^/gm, '      '))
  }
}

function run([program, ...args]: string[]): Promise<{ ok: boolean; output: string }> {
  const bin = path.resolve(import.meta.dirname, '../node_modules/.bin')
  const child = spawn(program ?? '', args, {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...process.env, PATH: `${bin}${path.delimiter}${process.env.PATH ?? ''}` },
  })
  let output = ''
  const collect = (part: Buffer) => {
    output += part.toString()
  }
  child.stdout.on('data', collect)
  child.stderr.on('data', collect)
  return new Promise((resolve) => {
    child.once('error', (error) => resolve({ ok: false, output: error.message }))
    child.once('close', (code) => resolve({ ok: code === 0, output }))
  })
}
