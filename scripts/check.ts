/**
 * `npm run check`: checks the code without running it. Prints a line per check and the output of those that failed.
 *
 *   npm run check                  all
 *   npm run check -- lint imports  some, by name
 */
import { spawn } from 'node:child_process'
import os from 'node:os'
import path from 'node:path'

const checks = [
  { name: 'types', what: 'type check', command: ['tsc', '--project', '.', '--pretty', 'false'] },
  { name: 'lint', what: 'lint rules (.oxlintrc.json)', command: ['oxlint', '--type-aware', '--deny-warnings'] },
  { name: 'imports', what: 'import rules (depcruise.config.cjs)', command: ['node', 'scripts/checks/imports.ts'] },
  { name: 'peers', what: 'peer dependencies (.npmrc)', command: ['node', 'scripts/checks/peers.ts'] },
  { name: 'unused', what: 'unused files, exports and dependencies (knip.json)', command: ['knip', '--no-progress'] },
  { name: 'format', what: 'formatting (npm run format)', command: ['oxfmt', '--check'] },
  { name: 'migrations', what: 'migrations match the tables', command: ['node', 'scripts/checks/migrations.ts'] },
  { name: 'upgrades', what: 'migrations can run beside the previous release', command: ['node', 'scripts/checks/upgrades.ts'] },
  { name: 'words', what: 'vocabulary (scripts/checks/words.ts)', command: ['node', 'scripts/checks/words.ts'] },
  { name: 'translations', what: 'texts for patients in both languages', command: ['node', 'scripts/checks/translations.ts'] },
  { name: 'api', what: 'the OpenAPI document, by the rules of Redocly', command: ['node', 'scripts/checks/api.ts'] },
  { name: 'client', what: 'a client generated from the OpenAPI document', command: ['node', 'scripts/checks/client.ts'] },
  { name: 'paths', what: 'files named in documents exist', command: ['node', 'scripts/checks/paths.ts'] },
  {
    name: 'mutations',
    what: 'the mutations of `npm run mutations` still apply',
    command: ['node', 'scripts/mutation-tests.ts', '--check'],
  },
]

const names = process.argv.slice(2)
const unknown = names.filter((name) => !checks.some((check) => check.name === name))
if (unknown.length > 0) {
  console.error(`Unknown check: ${unknown.join(', ')}. The checks are: ${checks.map((check) => check.name).join(', ')}.`)
  process.exit(2)
}

const waiting = checks.filter((check) => names.length === 0 || names.includes(check.name))
const failed: string[] = []
// Most of these tools use several cores themselves; more at once would only slow each down.
await Promise.all(Array.from({ length: Math.max(2, Math.floor(os.availableParallelism() / 2)) }, worker))
if (failed.length > 0) console.log(`\nFailed: ${failed.join(', ')}`)
process.exitCode = failed.length > 0 ? 1 : 0

async function worker() {
  for (let check = waiting.shift(); check; check = waiting.shift()) {
    const start = performance.now()
    const { ok, output } = await run(check.command)
    const seconds = ((performance.now() - start) / 1000).toFixed(1)
    console.log(`${ok ? 'ok  ' : 'FAIL'}  ${check.name.padEnd(12)}  ${seconds.padStart(5)} s  ${check.what}`)
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
