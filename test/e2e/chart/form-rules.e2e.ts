import path from 'node:path'
import fc from 'fast-check'
import { build } from 'vite'
import type * as FormRules from '../../../src/chart/forms/rules.ts'
import type { FormDefinition } from '../../../src/chart/forms/definition-rules.ts'
import { allQuestions } from '../../../src/chart/forms/rules.ts'
import { arbitraryAnswers, arbitraryDefinition } from '../../chart/forms.ts'
import { createPatient, signInToPortal } from '../pages/patient.ts'
import { expect, test } from '../support/clinic.ts'

/** Sets of answers, made from a seed. Each costs two calls, so the suite has fewer than `FORM_SETS=10000`. */
const total = Number(process.env.FORM_SETS ?? 1_000)
const [seed, forms] = [26, 50] as const
const setsOfEach = Math.ceil(total / forms)

interface Case {
  definition: FormDefinition
  sets: Record<string, unknown>[]
}
/** What the browser or the server decides of a set of answers. */
interface Decision {
  problems: unknown
  progress: number
  missing: unknown
}

/** As the API takes them: what is no JSON becomes null, and each question is answered or cleared. */
function toJson(definition: FormDefinition, answers: object): Record<string, unknown> {
  const text = JSON.stringify(answers, (_, value: unknown) => (typeof value === 'bigint' ? String(value) : value))
  const blank = Object.fromEntries(allQuestions(definition).map(({ id }) => [id, null]))
  return { ...blank, ...(JSON.parse(text) as object) }
}

function makeCases(): Case[] {
  const cases = fc.tuple(arbitraryDefinition, arbitraryAnswers).chain(([definition, others]) => {
    const own = fc.record(Object.fromEntries(allQuestions(definition).map((asked) => [asked.id, others.value(asked)])), {
      requiredKeys: [],
    })
    const set = fc.tuple(others.hostile, own).map(([hostile, answers]) => toJson(definition, { ...hostile, ...answers }))
    return fc.array(set, { minLength: setsOfEach, maxLength: setsOfEach }).map((sets) => ({ definition, sets }))
  })
  return fc.sample(cases, { seed, numRuns: forms })
}

/** The rules as the browser gets them: bundled and minified by the product's bundler. */
async function bundledRules(): Promise<string> {
  const output = await build({
    configFile: false,
    logLevel: 'silent',
    build: {
      write: false,
      minify: true,
      lib: { entry: path.join(import.meta.dirname, '../../../src/chart/forms/rules.ts'), formats: ['iife'], name: 'formRules' },
    },
  })
  const [bundle] = Array.isArray(output) ? output : [output]
  if (!bundle || !('output' in bundle)) throw new Error('Nothing was built')
  return bundle.output[0].code
}

test('random sets of answers are decided alike by the browser and the server (issue 26)', async ({ page, open, clinic, browser }) => {
  test.setTimeout(120_000 + total * 120)
  const cases = makeCases()
  const admin = await open('admin', '/contacts')
  const headers = { origin: clinic.url }
  const email = 'form-rules@fastmail.example'
  const contactId = await createPatient(admin, clinic, { firstName: 'Ana', email }, [])
  const sessionToken = await signInToPortal(page, clinic, email)
  const staff = async (method: 'POST' | 'PUT', route: string, data: object) => {
    const response = await admin.request.fetch(`/api${route}`, { method, data, headers })
    expect(response.status(), await response.text()).toBe(200)
    return (await response.json()) as { id: string; draft: { revision: number } | null }
  }
  const patient = async (name: string, data: object) => {
    const response = await fetch(`${clinic.url}/api/functions/patient-form-${name}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ contactId, sessionToken, ...data }),
    })
    return { status: response.status, body: (await response.json()) as Record<string, never> }
  }

  const blank = await (await browser.newContext()).newPage()
  await blank.addScriptTag({ content: await bundledRules() })
  const inBrowser = (given: Case & { today: string }) =>
    blank.evaluate(({ definition, sets, today }) => {
      const rules = (globalThis as unknown as { formRules: typeof FormRules }).formRules
      return sets.map((changes): Decision => {
        const { answers, problems } = rules.applyChanges(definition, {}, changes, today)
        return { problems, progress: rules.progressOf(definition, answers), missing: rules.checkAnswers(definition, answers, today) }
      })
    }, given)

  let [compared, complete, submitted] = [0, 0, 0]
  async function compare({ definition, sets }: Case) {
    const template = await staff('POST', '/form-templates', {})
    const { draft } = await staff('PUT', `/form-templates/${template.id}/draft`, { revision: 1, definition })
    await staff('POST', `/form-templates/${template.id}/publish`, { revision: draft!.revision })
    const { id } = await staff('POST', `/contacts/${contactId}/forms`, { templateId: template.id, email: null })
    const { body: form } = await patient('fetch', { id })
    const decisions = await inBrowser({ definition, sets, today: form.today! })
    const own = { id, language: 'en' }
    // A complete set would be submitted and end the form: one of them is, at the end.
    let last: number | null = null
    let revision = 0
    const save = async (at: number) => {
      const saved = await patient('save', { ...own, revision: revision++, changes: sets[at]! })
      expect([at, saved]).toMatchObject([
        at,
        { status: 200, body: { problems: decisions[at]!.problems, progress: decisions[at]!.progress } },
      ])
    }
    for (const [at, decision] of decisions.entries()) {
      await save(at)
      compared++
      if ((decision.missing as unknown[]).length === 0) {
        complete++
        last = at
        continue
      }
      const refused = await patient('submit', { ...own, revision })
      expect([at, refused]).toMatchObject([at, { status: 422, body: { code: 'INCOMPLETE', data: { problems: decision.missing } } }])
    }
    if (last === null) return
    await save(last)
    expect(await patient('submit', { ...own, revision })).toMatchObject({ status: 200 })
    submitted++
  }
  const waiting = [...cases]
  const worker = async () => {
    for (let next = waiting.shift(); next; next = waiting.shift()) await compare(next)
  }
  await Promise.all(Array.from({ length: 4 }, worker))
  expect(compared).toBe(forms * setsOfEach)
  // Both kinds occur often enough to mean something.
  expect(Math.min(complete, compared - complete, submitted)).toBeGreaterThan(forms / 5)
})
