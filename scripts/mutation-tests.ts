/**
 * `npm run mutations`: do the tests catch defects? Applies each mutation of mutations.ts to a copy of the working tree, runs the tests that should
 * catch it, and prints whether they did. Exit code 1 if more than one survives, or if one no longer applies.
 *
 *   --only 'two words'   the mutations whose name contains this
 *   --check              only check that each still applies
 */
import { spawnSync } from 'node:child_process'
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { parseArgs } from 'node:util'
import { type Mutation, mutations } from './mutations.ts'

const maxSurvivors = 1
const root = path.resolve(import.meta.dirname, '..')
const { values } = parseArgs({ options: { only: { type: 'string', default: '' }, check: { type: 'boolean', default: false } } })
const chosen = mutations.filter(({ name }) => name.includes(values.only))

const stale = chosen.filter((mutation) => readFileSync(path.join(root, mutation.file), 'utf8').split(mutation.find).length !== 2)
for (const { name, file } of stale) console.error(`no longer applies   ${name} (${file})`)
if (stale.length > 0 || values.check) process.exit(stale.length > 0 ? 1 : 0)

const copy = mkdtempSync(path.join(os.tmpdir(), 'refyne-mutations-'))
let survivors = 0
try {
  copyTree()
  for (const mutation of chosen) {
    const begin = performance.now()
    const isCaught = isCaughtByTests(mutation)
    if (!isCaught) survivors++
    console.log(`${isCaught ? 'caught  ' : 'SURVIVED'}  ${Math.round((performance.now() - begin) / 1000)} s  ${mutation.name}`)
  }
} finally {
  rmSync(copy, { recursive: true, force: true })
}
console.log(`\n${chosen.length - survivors} of ${chosen.length} mutations caught`)
process.exitCode = survivors > maxSurvivors ? 1 : 0

/** Copies tracked and new files, without the build output and data. */
function copyTree() {
  const { stdout } = spawnSync('git', ['ls-files', '-co', '--exclude-standard', '-z'], { cwd: root, encoding: 'utf8', maxBuffer: 1 << 26 })
  for (const file of stdout.split('\0').filter((name) => name !== '' && name !== 'node_modules')) {
    mkdirSync(path.dirname(path.join(copy, file)), { recursive: true })
    cpSync(path.join(root, file), path.join(copy, file), { force: true })
  }
  symlinkSync(path.join(root, 'node_modules'), path.join(copy, 'node_modules'))
}

/** Whether a test fails because of the mutation. A run without tests, or code that does not load, does not count. */
function isCaughtByTests({ file, find, replace, tests: paths, titles }: Mutation): boolean {
  const target = path.join(copy, file)
  const original = readFileSync(target, 'utf8')
  writeFileSync(
    target,
    original.replace(find, () => replace),
  )
  const filters = [...paths, ...(titles ? ['-t', titles] : [])]
  const env = { ...process.env, NO_COLOR: '1' }
  const { stdout } = spawnSync(process.execPath, ['scripts/test.ts', '--unit', ...filters], {
    cwd: copy,
    env,
    encoding: 'utf8',
    maxBuffer: 1 << 26,
  })
  writeFileSync(target, original)
  return /^\s*Tests\s+\d+ failed/m.test(stdout)
}
