import { beforeAll, describe, expect, it } from 'vitest'
import { useTexts } from '../../../test/messages/texts.ts'
import { define, insertTemplate, step } from '../../../test/outreach/sequences.ts'
import { refusal } from '../../../test/refusal.ts'
import { type Client, useServer } from '../../../test/server.ts'
import { clinicalWordsIn } from '../../messages/email-templates/clinical-rules.ts'
import { textVariables, templateVariables } from '../../messages/email-templates/rules.ts'
import { placeholdersIn } from '../../shared/placeholders.ts'
import { definition, stepsOf } from './definition-contract.ts'
import { starterKeys, starterNames } from './starter-rules.ts'
import { definitionOf, starterTemplates, templateKeysOf } from './starters.ts'

describe('the words of the examples', () => {
  it('are there in both languages for each step of each example (issue 28)', () => {
    const known = new Set(starterTemplates.map(({ name }) => name))
    const wanted = starterKeys.flatMap((key) => [...templateKeysOf(key, true), ...templateKeysOf(key, false)])
    expect(wanted.flatMap((name) => [name, `${name}_fr`]).filter((name) => !known.has(name))).toEqual([])
    const used = new Set(wanted)
    expect([...known].filter((name) => !used.has(name.replace(/_fr$/, '')))).toEqual([])
  })

  it('name no procedure, and no text says why someone is a patient (issue 28)', () => {
    const ofTexts = starterTemplates.filter(({ channel }) => channel === 'text')
    expect(ofTexts.map(({ body }) => clinicalWordsIn(body, [])).flat()).toEqual([])
    expect(ofTexts.flatMap(({ body }) => placeholdersIn(body)).filter((name) => !textVariables.some((one) => one === name))).toEqual([])
    const all = starterTemplates.flatMap(({ subject, body }) => placeholdersIn(`${subject} ${body}`))
    expect(all.filter((name) => name === 'procedure' || !templateVariables.some((one) => one === name))).toEqual([])
  })

  it('fit into two segments of a text message (issue 28)', () => {
    const long = starterTemplates.filter(({ channel, body }) => channel === 'text' && body.length > 250)
    expect(long.map(({ name }) => name)).toEqual([])
  })

  it.each(starterKeys)('of “%s” make a valid sequence with and without texts (issue 28)', (key) => {
    const ids = new Map(starterTemplates.map(({ name }) => [name, crypto.randomUUID()]))
    let n = 0
    for (const hasTexts of [true, false]) {
      const draft = definitionOf(key, hasTexts, ids, () => `step${String(++n).padStart(4, '0')}`)
      expect(definition.safeParse(draft).error).toBeUndefined()
      expect(stepsOf(draft.steps).some(({ kind }) => kind === 'text')).toBe(
        hasTexts && templateKeysOf(key, true).some((name) => name.endsWith('_text')),
      )
    }
  })
})

describe('an example', () => {
  const server = useServer({ PRACTICE_PHONE: '(905) 555-0118' })
  let sales: Client
  beforeAll(async () => {
    sales = await server.as('sales_rep')
  })

  it.each(starterKeys)('“%s” is added with its templates, and can be published and turned on as it is (issue 28)', async (starter) => {
    const { id } = await sales.sequences.createFromStarter({ starter })
    const added = await sales.sequences.get({ id })
    expect(added).toMatchObject({ name: starterNames[starter], isOn: false, published: null })
    const names = (await sales.emailTemplates.list({})).map(({ name }) => name)
    expect(names).toEqual(expect.arrayContaining(templateKeysOf(starter, false).flatMap((name) => [name, `${name}_fr`])))
    await sales.sequences.publish({ id, version: added.version, moves: false })
    expect(await sales.sequences.setOn({ id, on: true, days: 0 })).toEqual({ started: 0 })
    await sales.sequences.delete({ id })
  })

  it('is added a second time under another name with the same templates, whose words stay (issue 28)', async () => {
    const first = await sales.sequences.createFromStarter({ starter: 'quote' })
    const before = await sales.emailTemplates.list({})
    const template = before.find(({ name }) => name === 'quote_questions')!
    const { version } = await sales.emailTemplates.get({ id: template.id })
    await sales.emailTemplates.update({ id: template.id, version, subject: 'Any questions?' })
    const [second, third] = await Promise.all([
      sales.sequences.createFromStarter({ starter: 'quote' }),
      sales.sequences.createFromStarter({ starter: 'quote' }),
    ])
    const list = await sales.sequences.list()
    const nameOf = ({ id }: { id: string }) => list.find((one) => one.id === id)!.name
    expect(nameOf(first)).toBe('Quote follow-up')
    expect([nameOf(second), nameOf(third)].toSorted()).toEqual(['Quote follow-up 2', 'Quote follow-up 3'])
    expect(await sales.emailTemplates.list({})).toHaveLength(before.length)
    expect(await sales.emailTemplates.get({ id: template.id })).toMatchObject({ subject: 'Any questions?' })
  })
})

describe('an example with texts', () => {
  const texts = useTexts()

  it('texts a new lead first where texts are set up (issue 28)', async () => {
    const admin = await texts.server.as('admin')
    const { id } = await admin.sequences.createFromStarter({ starter: 'new-lead' })
    const { draft } = await admin.sequences.get({ id })
    expect(draft.steps[0]).toMatchObject({ kind: 'text' })
    const list = await admin.emailTemplates.list({ channel: 'text' })
    expect(list.map(({ name }) => name)).toEqual(expect.arrayContaining(['new_lead_hello_text', 'new_lead_hello_text_fr']))
  })
})

describe('a value that no patient has', () => {
  const server = useServer()

  it('keeps a sequence from being turned on, and is named with its template in the dry run (issue 28)', async () => {
    const admin = await server.as('admin')
    const template = await insertTemplate(server, { body: 'Call {{company_phone}} about {{appointment_day}}, {{first_name}}' })
    const [{ name } = { name: '' }] = await server.rows<{ name: string }>('select name from email_templates where id = $1', [template])
    await server.rows(
      `insert into email_templates (name, subject, body, category, channel) values ($1, 'Bonjour', '{{company_name}} {{nick}}', 'lead', 'email')`,
      [`${name}_fr`],
    )
    const { id } = await admin.sequences.create({ name: 'Call', draft: define({ steps: [step.email(template), step.email(template)] }) })
    await admin.sequences.publish({ id, version: 1, moves: false })
    const missing = async () =>
      (await admin.sequences.dryRun({ id, days: 1 })).missing.map(({ variable, isPractice }) => [variable, isPractice])
    expect(await missing()).toEqual([
      ['company_phone', true],
      ['appointment_day', false],
      ['nick', false],
    ])
    expect(await refusal(admin.sequences.setOn({ id, on: true }))).toMatchObject({
      status: 409,
      code: 'MISSING_VALUES',
      message: `“${name}” contains {{company_phone}}, which is empty. Set it in Settings, Practice.`,
    })
    await server.rows(`update email_templates set body = '{{company_phone}}' where name = any($1)`, [[name, `${name}_fr`]])
    expect(await missing()).toEqual([
      ['company_phone', true],
      ['company_phone', true],
    ])
    await admin.practice.changeSettings({ phone: '(905) 555-0118' })
    expect(await missing()).toEqual([])
    expect(await admin.sequences.setOn({ id, on: true })).toEqual({ started: 0 })
  })
})
