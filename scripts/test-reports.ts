/** Reads the test runners' reports, so that `npm test` can count over all suites and list every failure at the end. */
import { readFileSync } from 'node:fs'
import { stripVTControlCharacters } from 'node:util'
import { z } from 'zod'

export type SuiteResult = { passed: number; skipped: number; failures: Failure[] }
/** `page`: the page content as roles and names. */
type Failure = { name: string; message: string; page?: string | undefined }

const linesOfPage = 60

/** `status`: the runner's exit code. `narrowed`: tests were selected, so an empty suite is not a failure. */
type Run = { suite: string; file: string; status: number | null; narrowed: boolean }

const vitestReport = z.object({
  testResults: z.array(
    z.object({
      name: z.string(),
      status: z.string(),
      message: z.string().optional(),
      assertionResults: z.array(z.object({ fullName: z.string(), status: z.string(), failureMessages: z.array(z.string()).nullish() })),
    }),
  ),
})

export function readVitestReport(run: Run): SuiteResult {
  const report = readJson(run.file, vitestReport)
  const result: SuiteResult = { passed: 0, skipped: 0, failures: [] }
  for (const file of report?.testResults ?? []) {
    const where = file.name.replace(`${process.cwd()}/`, '')
    for (const test of file.assertionResults) {
      if (test.status === 'passed') result.passed++
      else if (test.status === 'failed')
        result.failures.push({ name: `${where} > ${test.fullName}`, message: firstLine(test.failureMessages?.[0]) })
      else result.skipped++
    }
    // The file failed outside a test: it could not be loaded, or a hook threw.
    if (file.status === 'failed' && !file.assertionResults.some((test) => test.status === 'failed')) {
      result.failures.push({ name: where, message: firstLine(file.message) })
    }
  }
  return judged(run, report !== undefined, result)
}

const playwrightTest = z.object({
  title: z.string(),
  file: z.string(),
  line: z.number(),
  tests: z.array(
    z.object({
      status: z.enum(['expected', 'unexpected', 'flaky', 'skipped']),
      results: z.array(
        z.object({
          error: z.object({ message: z.string().optional() }).optional(),
          attachments: z.array(z.object({ name: z.string(), path: z.string().optional() })),
        }),
      ),
    }),
  ),
})
type PlaywrightSuite = { title: string; specs: z.infer<typeof playwrightTest>[]; suites?: PlaywrightSuite[] | undefined }
const playwrightSuite: z.ZodType<PlaywrightSuite> = z.lazy(() =>
  z.object({ title: z.string(), specs: z.array(playwrightTest), suites: z.array(playwrightSuite).optional() }),
)
const playwrightReport = z.object({ suites: z.array(playwrightSuite), errors: z.array(z.object({ message: z.string().optional() })) })

export function readPlaywrightReport(run: Run): SuiteResult {
  const report = readJson(run.file, playwrightReport)
  const result: SuiteResult = { passed: 0, skipped: 0, failures: [] }
  const visit = (suite: PlaywrightSuite) => {
    for (const spec of suite.specs) {
      for (const test of spec.tests) {
        if (test.status === 'expected') result.passed++
        else if (test.status === 'skipped') result.skipped++
        else {
          const attempt = test.results.find(({ error }) => error)
          const context = attempt?.attachments.find(({ name }) => name === 'error-context')?.path
          const name = `${spec.file}:${spec.line} > ${spec.title}`
          result.failures.push({ name, message: firstLine(attempt?.error?.message), page: context && pageOf(context) })
        }
      }
    }
    suite.suites?.forEach(visit)
  }
  report?.suites.forEach(visit)
  // Errors outside any test: a file that could not be loaded, a setup that threw.
  for (const error of report?.errors ?? []) result.failures.push({ name: run.suite, message: firstLine(error.message) })
  return judged(run, report !== undefined, result)
}

/** The page from its first open dialog or menu, or else from `main`, because failures on other machines leave no screenshot. */
function pageOf(context: string): string {
  const [, page = ''] = /```yaml\n(.*?)\n```/s.exec(readFileSync(context, 'utf8')) ?? []
  const lines = page.replaceAll(/ \[(ref=\w+|cursor=pointer)\]/g, '').split('\n')
  const start = [/^ *- '?(dialog|alertdialog|menu|listbox)\b/, /^ *- main\b/].map((role) => lines.findIndex((line) => role.test(line)))
  const from = Math.max(start.find((line) => line >= 0) ?? 0, 0)
  return lines.slice(from, from + linesOfPage).join('\n')
}

/**
 * Counts as a failure: a runner that crashed, wrote no report, failed without naming a test, or ran no tests although all were selected.
 */
function judged(run: Run, reported: boolean, result: SuiteResult): SuiteResult {
  const problem = !reported
    ? 'it wrote no report: it crashed or could not start, see above'
    : run.status !== 0 && result.failures.length === 0
      ? `it ended with code ${run.status ?? 'none (killed)'} though no test failed, see above`
      : result.passed + result.failures.length === 0 && !run.narrowed
        ? 'it ran no test'
        : undefined
  return problem === undefined ? result : { ...result, failures: [...result.failures, { name: run.suite, message: problem }] }
}

function readJson<T>(file: string, shape: z.ZodType<T>): T | undefined {
  try {
    return shape.parse(JSON.parse(readFileSync(file, 'utf8')))
  } catch (error) {
    console.log(`No readable report in ${file}: ${error instanceof Error ? firstLine(error.message) : String(error)}`)
    return undefined
  }
}

/** The first line without terminal colours. */
function firstLine(message: string | undefined): string {
  return (
    stripVTControlCharacters(message ?? '')
      .trim()
      .split('\n', 1)[0] ?? ''
  )
}
