/**
 * `npm run mutations`: do the tests catch defects? Makes each mutation of mutations.ts in a scratch copy of the working tree, runs the tests that
 * should catch it there, and prints whether they did. Exit code 1 when more than one goes unnoticed, or one can no longer be made.
 *
 *   --only 'two words'   the mutations whose name contains this
 *   --check              only whether each can still be made
 */
import { spawnSync } from 'node:child_process'
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { parseArgs } from 'node:util'
import { type Mutation, mutations } from './mutations.ts'

const maxUnnoticed = 1
const root = path.resolve(import.meta.dirname, '..')
const { values } = parseArgs({ options: { only: { type: 'string', default: '' }, check: { type: 'boolean', default: false } } })
const chosen = mutations.filter(({ name }) => name.includes(values.only))

const gone = chosen.filter((mutation) => readFileSync(path.join(root, mutation.file), 'utf8').split(mutation.find).length !== 2)
for (const { name, file } of gone) console.error(`can no longer be made   ${name} (${file})`)
if (gone.length > 0 || values.check) process.exit(gone.length > 0 ? 1 : 0)

const copy = mkdtempSync(path.join(os.tmpdir(), 'refyne-mutations-'))
let unnoticed = 0
try {
  copyTree()
  for (const mutation of chosen) {
    const begin = performance.now()
    const isNoticed = tests(mutation)
    if (!isNoticed) unnoticed++
    console.log(`${isNoticed ? 'noticed  ' : 'UNNOTICED'}  ${Math.round((performance.now() - begin) / 1000)} s  ${mutation.name}`)
  }
} finally {
  rmSync(copy, { recursive: true, force: true })
}
console.log(`\n${chosen.length - unnoticed} of ${chosen.length} mutations were noticed`)
process.exitCode = unnoticed > maxUnnoticed ? 1 : 0

/** What git knows and what is new, so that neither the build nor anyone's data comes along. */
function copyTree() {
  const { stdout } = spawnSync('git', ['ls-files', '-co', '--exclude-standard', '-z'], { cwd: root, encoding: 'utf8', maxBuffer: 1 << 26 })
  for (const file of stdout.split('\0').filter((name) => name !== '' && name !== 'node_modules')) {
    mkdirSync(path.dirname(path.join(copy, file)), { recursive: true })
    cpSync(path.join(root, file), path.join(copy, file), { force: true })
  }
  symlinkSync(path.join(root, 'node_modules'), path.join(copy, 'node_modules'))
}

/** Whether a test fails for the mutation. That none ran, or that the code did not even load, is no notice. */
function tests({ file, find, replace, tests: paths, titles }: Mutation): boolean {
  const place = path.join(copy, file)
  const whole = readFileSync(place, 'utf8')
  writeFileSync(
    place,
    whole.replace(find, () => replace),
  )
  const filters = [...paths, ...(titles ? ['-t', titles] : [])]
  const env = { ...process.env, NO_COLOR: '1' }
  const { stdout } = spawnSync(process.execPath, ['scripts/test.ts', '--unit', ...filters], {
    cwd: copy,
    env,
    encoding: 'utf8',
    maxBuffer: 1 << 26,
  })
  writeFileSync(place, whole)
  return /^\s*Tests\s+\d+ failed/m.test(stdout)
}
