import { randomUUID } from 'node:crypto'
import { beforeAll, describe, expect, it } from 'vitest'
import { insertContact } from '../../../test/factories.ts'
import { refusal } from '../../../test/refusal.ts'
import { type Client, useServer } from '../../../test/server.ts'
import { openStream } from '../../../test/network/stream.ts'
import { templateFailures } from './contract.ts'

describe('email templates (spec 7)', () => {
  let now = new Date('2026-11-22T15:00:00Z')
  const server = useServer(
    { PRACTICE_NAME: 'Refyne', PRACTICE_PHONE: '416-555-0100', MAIL_REPLY_TO: 'team@refyne.example' },
    { now: () => now },
  )
  let desk: Client
  let provider: Client
  beforeAll(async () => {
    desk = await server.as('front_desk')
    provider = await server.as('provider')
  })
  const draft = { subject: 'Hello {{first_name}}', body: 'Dear {{first_name}}' }
  const named = (name: string) => ({ ...draft, name: `${name} ${randomUUID().slice(0, 8)}` })

  it('adds a template in the category general without HTML by default, and records who added it and when', async () => {
    const account = await server.account({ role: 'front_desk' })
    const template = await server.client(account.cookie).emailTemplates.create({ ...draft, name: '  Hello  ' })
    expect(template).toMatchObject({
      ...draft,
      name: 'Hello',
      category: 'general',
      variables: { html_content: null },
      version: 1,
      createdAt: now.toISOString(),
      createdBy: account.id,
      updatedBy: account.id,
    })
    expect(await provider.emailTemplates.get({ id: template.id })).toEqual(template)
  })

  it('lists templates by name, all or one category', async () => {
    const category = randomUUID()
    for (const name of ['zeta', 'Éclair', 'alpha']) await desk.emailTemplates.create({ ...draft, category, name: `${name} ${category}` })
    const list = await provider.emailTemplates.list({ category })
    expect(list.map(({ name }) => name.split(' ')[0])).toEqual(['alpha', 'Éclair', 'zeta'])
    expect(list[0]).not.toHaveProperty('body')
    expect((await provider.emailTemplates.list({})).length).toBeGreaterThan(3)
    expect(await provider.emailTemplates.list({ category: 'no such' })).toEqual([])
  })

  it('says which templates still have the words that a new clinic starts with', async () => {
    const find = async (name: string) => (await provider.emailTemplates.list({})).find((one) => one.name === name)!
    const [english, french] = [await find('post_op_check'), await find('post_op_check_fr')]
    expect([english.isDefault, french.isDefault]).toEqual([true, true])
    await desk.emailTemplates.update({ id: english.id, version: 1, subject: 'How are you?' })
    expect([(await find('post_op_check')).isDefault, (await find('post_op_check_fr')).isDefault]).toEqual([false, true])
    const { id } = await desk.emailTemplates.create(named('Own'))
    expect((await provider.emailTemplates.list({})).find((one) => one.id === id)!.isDefault).toBe(false)
  })

  it('previews values in French: of a sample patient, and the French name of a patient’s procedure', async () => {
    const body = '{{procedure}}, {{appointment_day}}, {{balance_due}}'
    const sample = await provider.emailTemplates.preview({ ...draft, body, language: 'fr' })
    expect(sample.text.replaceAll('\u00a0', ' ')).toBe('Rhinoplastie, mardi 1er décembre 2026, 1 500,00 $')
    const admin = await server.as('admin')
    const { id: procedureId } = await admin.procedures.create({ name: randomUUID(), nameFr: 'Implant de menton' })
    const contactId = await insertContact(server, {})
    await server.rows('update contacts set procedure_of_interest = $1 where id = $2', [procedureId, contactId])
    const own = { ...draft, body: '{{procedure}}', contactId }
    expect((await provider.emailTemplates.preview({ ...own, language: 'fr' })).text).toBe('Implant de menton')
    await server.rows('update procedures set name_fr = null where id = $1', [procedureId])
    expect((await provider.emailTemplates.preview({ ...own, language: 'fr' })).text).toMatch(/^[0-9a-f-]{36}$/)
    const form = new FormData()
    for (const [name, value] of Object.entries({ body, html: '', language: 'fr' })) form.set(name, value)
    const cookie = await server.signIn('provider')
    const frame = await server.request('/api/email-templates/preview.html', { method: 'POST', body: form, headers: { cookie } })
    expect(await frame.text()).toContain('Rhinoplastie')
  })

  it('answers 404 with the id of a template that does not exist (spec 8)', async () => {
    const id = randomUUID()
    const calls = [
      () => desk.emailTemplates.get({ id }),
      () => desk.emailTemplates.update({ id, version: 1, name: 'x' }),
      () => desk.emailTemplates.delete({ id }),
      () => desk.emailTemplates.duplicate({ id }),
    ]
    for (const call of calls) expect(await refusal(call())).toMatchObject({ status: 404, message: `Template with ID ${id} not found` })
    expect(Object.values(templateFailures)).toEqual([
      'Failed to list templates',
      'Failed to create template',
      'Failed to update template',
      'Failed to delete template',
    ])
  })

  it('refuses a taken name with 409, in any case, and one of two simultaneous requests', async () => {
    const template = named('Taken')
    await desk.emailTemplates.create(template)
    expect(await refusal(desk.emailTemplates.create({ ...template, name: template.name.toUpperCase() }))).toMatchObject({
      code: 'NAME_TAKEN',
    })
    const other = await desk.emailTemplates.create(named('Other'))
    expect(await refusal(desk.emailTemplates.update({ id: other.id, version: 1, name: template.name }))).toMatchObject({
      code: 'NAME_TAKEN',
    })
    const twice = named('Twice')
    const results = await Promise.allSettled([desk.emailTemplates.create(twice), desk.emailTemplates.create(twice)])
    expect(results.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected'])
  })

  it('answers 422 naming the empty fields', async () => {
    const error = await refusal(desk.emailTemplates.create({ name: ' ', subject: '', body: '' }))
    expect(error).toMatchObject({
      status: 422,
      data: { fields: { name: 'Name is required', subject: 'Subject is required', body: 'Body is required' } },
    })
    expect(await refusal(desk.emailTemplates.create({ ...named('x'), subject: 'x'.repeat(301) }))).toMatchObject({ status: 422 })
  })

  it('raises the version with each change, and answers a change to an older version with 409 and the current template', async () => {
    const template = await desk.emailTemplates.create(named('Change'))
    now = new Date('2026-11-22T16:00:00Z')
    const changed = await desk.emailTemplates.update({ id: template.id, version: 1, variables: { html_content: '<p>Hi</p>' } })
    expect(changed).toMatchObject({
      ...draft,
      version: 2,
      variables: { html_content: '<p>Hi</p>' },
      createdAt: template.createdAt,
      updatedAt: now.toISOString(),
    })
    const stale = await refusal(desk.emailTemplates.update({ id: template.id, version: 1, subject: 'Mine' }))
    expect(stale).toMatchObject({ status: 409, code: 'CONFLICT', data: { current: { version: 2, subject: draft.subject } } })
  })

  it('keeps a subject on one line', async () => {
    const template = await desk.emailTemplates.create({ ...named('Line'), subject: 'Hello\r\nBcc: all@example.com' })
    expect(template.subject).toBe('Hello Bcc: all@example.com')
  })

  it('copies everything but the name, and gives the next copy another name', async () => {
    const template = await desk.emailTemplates.create({ ...named('Copied'), category: 'lead', variables: { html_content: '<b>x</b>' } })
    const copies = [await desk.emailTemplates.duplicate({ id: template.id }), await desk.emailTemplates.duplicate({ id: template.id })]
    expect(copies).toMatchObject([
      { ...draft, name: `${template.name} (copy)`, category: 'lead', variables: { html_content: '<b>x</b>' }, version: 1 },
      { name: `${template.name} (copy 2)` },
    ])
  })

  it('adds an audit entry for each change, and notifies open pages', async () => {
    const account = await server.account({ role: 'sales_rep' })
    const stream = await openStream(server.url, account.cookie)
    const { id } = await desk.emailTemplates.create(named('Heard'))
    await stream.next((event) => event.topic === 'email-template' && event.id === id)
    stream.close()
    await desk.emailTemplates.delete({ id })
    const rows = await server.rows<{ action: string }>(
      "select action from audit_log where kind = 'email-template' and coalesce(after, before)->>'id' = $1 order by id",
      [id],
    )
    expect(rows.map(({ action }) => action)).toEqual(['created', 'deleted'])
  })

  it('lets users who cannot write email read templates but not change them', async () => {
    expect(await refusal(provider.emailTemplates.create(named('No')))).toMatchObject({ status: 403 })
    const billing = await server.as('billing')
    expect(await billing.emailTemplates.list({})).toEqual(expect.any(Array))
  })

  it('gives a new clinic the starter templates', async () => {
    const names = (await desk.emailTemplates.list({})).map(({ name }) => name)
    expect(names).toEqual(expect.arrayContaining(['consult_reminder', 'follow_up', 'payment_reminder', 'post_op_check', 'welcome_email']))
  })

  it('previews the patient’s values, escaped in the HTML, and lists what is missing', async () => {
    const contactId = await insertContact(server, {
      firstName: '<script>',
      lastName: "$& O'Neil",
      email: 'ana@patient.example',
      leadSourceText: 'Referral',
    })
    const preview = await provider.emailTemplates.preview({
      subject: '{{first_name}} at {{company_name}}',
      body: 'Dear {{patient_name}},\n{{nick}} {{phone}} {{lead_source}} {{procedure}} {{company_phone}} {{company_email}}',
      variables: { html_content: '<p title="{{last_name}}">{{ first_name }}</p>' },
      contactId,
    })
    expect(preview).toEqual({
      clinicalWords: [],
      subject: '<script> at Refyne',
      text: "Dear <script> $& O'Neil,\n{{nick}}  Referral  416-555-0100 team@refyne.example",
      html: '<p title="$&amp; O&#39;Neil">&lt;script&gt;</p>',
      missing: { unknown: ['nick'], empty: ['phone', 'procedure'] },
    })
    const [view] = await server.rows(
      "select 1 from audit_log where action = 'viewed' and kind = 'contact' and $1::uuid = any(contact_ids)",
      [contactId],
    )
    expect(view).toBeDefined()
  })

  it('invents no appointment in a patient’s preview: its variables are missing, so no patient gets a false date', async () => {
    const contactId = await insertContact(server, { firstName: 'Ana' })
    const appointment = { ...draft, subject: 'On {{appointment_day}}', body: 'At {{appointment_time}}: {{appointment_link}}', contactId }
    expect(await provider.emailTemplates.preview(appointment)).toMatchObject({
      subject: 'On',
      text: 'At : ',
      missing: { unknown: [], empty: ['appointment_day', 'appointment_time', 'appointment_link'] },
    })
    expect((await provider.emailTemplates.preview({ ...appointment, contactId: null })).missing.empty).toEqual([])
  })

  it('previews a sample patient if no patient is given, and builds missing HTML from the text', async () => {
    expect(await provider.emailTemplates.preview(draft)).toMatchObject({
      subject: 'Hello Olivia',
      html: '<p>Dear Olivia</p>',
      missing: { unknown: [], empty: [] },
    })
    expect(await refusal(provider.emailTemplates.preview({ ...draft, contactId: randomUUID() }))).toMatchObject({
      status: 404,
      code: 'NO_CONTACT',
    })
  })
})

describe('templates of text messages', () => {
  const server = useServer({ PRACTICE_NAME: 'Harbourview Plastic Surgery' })
  let desk: Client
  let admin: Client
  beforeAll(async () => {
    desk = await server.as('front_desk')
    admin = await server.as('admin')
  })
  const text = (body: string, more: object = {}) => ({ channel: 'text' as const, name: randomUUID(), subject: '', body, ...more })

  it('have no subject and no HTML, and are listed by channel with their beginning (issue 28)', async () => {
    const category = randomUUID()
    const added = await desk.emailTemplates.create(
      text('Hello {{first_name}}', { category, subject: 'Left out', variables: { html_content: '<p>Left out</p>' } }),
    )
    expect(added).toMatchObject({ channel: 'text', subject: '', variables: { html_content: null } })
    const changed = await desk.emailTemplates.update({ id: added.id, version: 1, subject: 'No', body: 'Good morning' })
    expect(changed).toMatchObject({ channel: 'text', subject: '', body: 'Good morning' })
    expect(await desk.emailTemplates.list({ category, channel: 'text' })).toMatchObject([{ id: added.id, beginning: 'Good morning' }])
    expect(await desk.emailTemplates.list({ category, channel: 'email' })).toEqual([])
    expect(await desk.emailTemplates.duplicate({ id: added.id })).toMatchObject({ channel: 'text', body: 'Good morning' })
  })

  it('are refused with the clinical word named: a procedure of the practice in both languages, a common word or a variable (issue 28)', async () => {
    await admin.procedures.create({ name: 'Zygoma contouring', nameFr: 'Remodelage des pommettes' })
    const refused = async (body: string) => {
      const problem = await refusal(desk.emailTemplates.create(text(body)))
      return [problem.status, problem.code, (problem.data as { fields: { body: string } }).fields.body.split(':')[0]]
    }
    expect(await refused('Your zygoma contouring is booked.')).toEqual([422, 'INVALID_TEXT', 'Leave out “Zygoma contouring”'])
    expect(await refused('Votre REMODELAGE DES POMMETTES')).toEqual([422, 'INVALID_TEXT', 'Leave out “Remodelage des pommettes”'])
    expect(await refused('Questions about {{ procedure }}? After your surgery')).toEqual([
      422,
      'INVALID_TEXT',
      'Leave out “{{procedure}}” and “surgery”',
    ])
    const { id } = await desk.emailTemplates.create(text('{{company_name}}: see you soon. Harbourview Plastic Surgery'))
    expect((await refusal(desk.emailTemplates.update({ id, version: 1, body: 'Your surgery' }))).code).toBe('INVALID_TEXT')
    expect((await desk.emailTemplates.get({ id })).version).toBe(1)
    await desk.emailTemplates.create({ name: randomUUID(), subject: 'Your surgery', body: 'Emails may say {{procedure}}' })
  })

  it('are refused beyond the length of a text, and an email without a subject (issue 28)', async () => {
    expect(await refusal(desk.emailTemplates.create(text('a'.repeat(1_601))))).toMatchObject({
      code: 'INVALID_TEXT',
      data: { fields: { body: 'A text message has 1,600 characters at most' } },
    })
    const response = await server.send('POST', '/api/email-templates', { name: 'x', body: 'y' }, await server.signIn('front_desk'))
    expect(response.status).toBe(422)
    expect(await response.json()).toMatchObject({ data: { fields: { subject: 'Subject is required' } } })
  })

  it('are previewed with plain characters, and with the clinical words that values would bring (issue 28)', async () => {
    await admin.procedures.create({ name: 'Otoplasty' })
    const contactId = await insertContact(server, { firstName: 'Otoplasty', lastName: 'Scar' })
    await server.rows(`update contacts set procedure_text = 'Otoplasty' where id = $1`, [contactId])
    const preview = await desk.emailTemplates.preview({ channel: 'text', body: '{{first_name}}’s time', contactId })
    expect(preview).toMatchObject({ subject: '', text: "Otoplasty's time", html: '', clinicalWords: [] })
    expect((await desk.emailTemplates.preview({ channel: 'text', body: '{{procedure}} news', contactId })).clinicalWords).toEqual([
      'Otoplasty',
    ])
  })
})
