/**
 * `npm test`: runs the tests, building what they need, and ends with a summary on the last line: `N passed, N failed`.
 *
 *   npm test                          every unit and HTTP test, and the browser tests of the main jobs (tagged @journey)
 *   npm run test:all                  the other browser tests too
 *   npm test -- --unit                without a browser (only the server is built)
 *   npm test -- --e2e                 all browser tests only
 *   npm test -- --changed             unit and HTTP tests that import what is not committed, and changed browser tests;
 *                                     --changed=main: since that branch
 *   npm test -- src/crm/tasks         tests whose path contains this, details included
 *   npm test -- --unit -t 'overdue'   other arguments go to the runner: here Vitest's -t; with --e2e Playwright's, such as -g
 *
 * A suite that crashed, or that ran no tests although all were selected, counts as one failure.
 */
import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { buildIfStale } from './built.ts'
import { readPlaywrightReport, readVitestReport, type SuiteResult } from './test-reports.ts'

const args = process.argv.slice(2)
const only = args.find((arg) => arg === '--unit' || arg === '--e2e')
const isAll = args.includes('--all') || only === '--e2e'
const filters = args.filter((arg) => !['--unit', '--e2e', '--all'].includes(arg))
const reports = mkdtempSync(path.join(os.tmpdir(), 'refyne-test-'))
const results: SuiteResult[] = []

if (only !== '--e2e') results.push(runVitest())
if (only !== '--unit') results.push(runBrowserTests())
rmSync(reports, { recursive: true, force: true })

const failures = results.flatMap((result) => result.failures)
const passed = results.reduce((sum, result) => sum + result.passed, 0)
if (passed + failures.length === 0)
  failures.push({ name: 'no test ran', message: filters.length > 0 ? `nothing matches ${filters.join(' ')}` : '' })

if (failures.length > 0) console.log('\nFailed:')
for (const { name, message, page } of failures)
  console.log(
    [name, message, page]
      .filter(Boolean)
      .join('\n')
      .replace(/^(?!\s*$)/gm, '  '),
  )
const skipped = results.reduce((sum, result) => sum + result.skipped, 0)
if (skipped > 0) console.log(`\nSkipped: ${skipped}`)
console.log(`\n${passed} passed, ${failures.length} failed`)
process.exitCode = failures.length > 0 ? 1 : 0

function runVitest(): SuiteResult {
  heading('Unit and HTTP tests')
  const report = path.join(reports, 'vitest.json')
  const status = run('vitest', [
    'run',
    '--reporter=default',
    '--reporter=json',
    `--outputFile.json=${report}`,
    '--passWithNoTests',
    ...filters,
  ])
  return readVitestReport({ suite: 'unit and HTTP tests', file: report, status, narrowed: filters.length > 0 })
}

function runBrowserTests(): SuiteResult {
  heading('Build')
  if (!buildIfStale('web', 'server')) {
    return { passed: 0, skipped: 0, failures: [{ name: 'browser tests', message: 'the build failed, see above' }] }
  }
  heading('Browser tests')
  const report = path.join(reports, 'playwright.json')
  const projects = isAll || filters.length > 0 ? [] : ['--project=journeys']
  const named = filters.map((filter) => filter.replace(/^--changed/, '--only-changed'))
  const status = run('playwright', ['test', '--reporter=list,json', '--pass-with-no-tests', ...projects, ...named], {
    PLAYWRIGHT_JSON_OUTPUT_FILE: report,
  })
  return readPlaywrightReport({ suite: 'browser tests', file: report, status, narrowed: filters.length > 0 })
}

function heading(text: string) {
  console.log(`\n== ${text}`)
}

/** @returns the exit code; null if the program could not be started or was killed. */
function run(program: string, programArgs: string[], env: Record<string, string> = {}): number | null {
  const bin = path.resolve(import.meta.dirname, '../node_modules/.bin')
  const { status, error } = spawnSync(path.join(bin, program), programArgs, {
    stdio: ['ignore', 'inherit', 1], // one stream, so that the summary is always last
    env: { ...process.env, PATH: `${bin}${path.delimiter}${process.env.PATH ?? ''}`, ...env },
  })
  if (error) console.error(`${program}: ${error.message}`)
  return status
}
