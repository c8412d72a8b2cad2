import { randomUUID } from 'node:crypto'
import { beforeAll, describe, expect, it } from 'vitest'
import { healthy, publishForm } from '../../../test/chart/sent-forms.ts'
import { insertContact } from '../../../test/factories.ts'
import { portalOf } from '../../../test/portal.ts'
import { refusal } from '../../../test/refusal.ts'
import { type Client, useServer } from '../../../test/server.ts'
import { until } from '../../../test/until.ts'
import { starters } from './starters.ts'

let now = new Date('2026-11-27T15:00:00Z')
const server = useServer({ TRUST_PROXY: 'true', PRACTICE_NAME: 'Harbourview' }, { now: () => now })
const portal = portalOf(server)
let admin: Client
let desk: Client
let provider: Client
beforeAll(async () => {
  admin = await server.as('admin')
  desk = await server.as('front_desk')
  provider = await server.as('provider')
})
const title = (en: string) => ({ ...starters.covid, title: { en, fr: en } })

describe('form templates', () => {
  it('begin as a draft of a starter, are published once nothing is missing, and can be sent from then on', async () => {
    const { id, draft, published } = await admin.forms.createTemplate({ starter: 'medical_history' })
    expect(published).toBeNull()
    expect(draft).toMatchObject({ number: 1, revision: 1, definition: { title: { fr: 'Antécédents médicaux' } } })
    const contactId = await insertContact(server)
    expect(await refusal(desk.forms.send({ contactId, templateId: id, email: null }))).toMatchObject({
      status: 422,
      data: { fields: { templateId: 'This form is not available' } },
    })
    const after = await admin.forms.publish({ id, revision: 1 })
    expect(after).toMatchObject({ draft: null, published: { number: 1, definition: starters.medical_history } })
    expect(await refusal(admin.forms.publish({ id, revision: 1 }))).toMatchObject({ status: 409, code: 'NO_DRAFT' })
    expect(await desk.forms.send({ contactId, templateId: id, email: null })).toMatchObject({ status: 'sent', versionNumber: 1 })
  })

  it('are copied with their draft under a title of their own, which changes nothing of the original', async () => {
    const { id } = await publishForm(admin, starters.medical_history)
    const before = await admin.forms.template({ id })
    const copy = await admin.forms.createTemplate({ copyOf: id })
    expect(copy).toMatchObject({
      published: null,
      draft: {
        number: 1,
        revision: 1,
        definition: { ...starters.medical_history, title: { en: 'Medical history (copy)', fr: 'Antécédents médicaux (copie)' } },
      },
    })
    await admin.forms.publish({ id: copy.id, revision: 1 })
    expect(await admin.forms.template({ id })).toEqual(before)
    expect(await refusal(admin.forms.createTemplate({ copyOf: randomUUID() }))).toMatchObject({ status: 404 })
  })

  it('are not published with a missing translation, and name the place', async () => {
    const { id } = await admin.forms.createTemplate({})
    const refused = await refusal(admin.forms.publish({ id, revision: 1 }))
    expect(refused).toMatchObject({ status: 422, code: 'NOT_PUBLISHABLE' })
    expect((refused.data as { problems: object[] }).problems).toContainEqual({ at: null, field: 'title', code: 'NO_FRENCH' })
  })

  it('refuse a draft over one that someone else has saved, and one with a wrong shape', async () => {
    const { id } = await admin.forms.createTemplate({ starter: 'covid' })
    const saved = await admin.forms.saveDraft({ id, revision: 1, definition: title('First') })
    expect(saved.draft).toMatchObject({ revision: 2 })
    expect(await refusal(admin.forms.saveDraft({ id, revision: 1, definition: title('Second') }))).toMatchObject({
      status: 409,
      code: 'CONFLICT',
    })
    const wrong = { ...starters.covid, sections: [{ ...starters.covid.sections[0]!, more: 1 }] }
    expect(await refusal(admin.forms.saveDraft({ id, revision: 2, definition: wrong }))).toMatchObject({ status: 422 })
    expect((await admin.forms.template({ id })).draft!.definition.title.en).toBe('First')
  })

  it('keep what was published: a change makes the next version, and the database refuses to alter the old one', async () => {
    const first = await publishForm(admin, title('Before'))
    const contactId = await insertContact(server)
    const sent = await desk.forms.send({ contactId, templateId: first.id, email: null })
    const draft = await admin.forms.saveDraft({ id: first.id, revision: first.published!.revision, definition: title('After') })
    expect(draft).toMatchObject({ published: { number: 1 }, draft: { number: 2 } })
    expect(await admin.forms.publish({ id: first.id, revision: draft.draft!.revision })).toMatchObject({
      draft: null,
      published: { number: 2 },
    })
    expect((await desk.forms.ofContact({ contactId }))[0]).toMatchObject({ id: sent.id, title: { en: 'Before' }, versionNumber: 1 })
    const version = first.published!.id
    await expect(server.rows(`update form_versions set definition = '{}' where id = $1`, [version])).rejects.toThrow(
      'A published form stays',
    )
    await expect(server.rows('delete from form_versions where id = $1', [version])).rejects.toThrow('A published form stays')
  })

  it('that are not active are not sent', async () => {
    const { id } = await publishForm(admin)
    const contactId = await insertContact(server)
    await admin.forms.setActive({ id, isActive: false })
    expect(await refusal(desk.forms.send({ contactId, templateId: id, email: null }))).toMatchObject({ status: 422 })
    expect((await desk.forms.templates()).find((line) => line.id === id)).toMatchObject({ isActive: false, questionCount: 4 })
    await admin.forms.setActive({ id, isActive: true })
    await desk.forms.send({ contactId, templateId: id, email: null })
  })
})

describe('sending a form', () => {
  it('emails the link in the patient’s language, without the name of the form', async () => {
    const { id: templateId } = await publishForm(admin, title('Secret questions'))
    // Without a preference the page follows the browser.
    for (const [language, subject, words, query] of [
      ['fr', 'Un formulaire à remplir pour Harbourview', 'Remplir le formulaire', '?language=fr'],
      ['en', 'A form to fill in for Harbourview', 'Fill in the form', '?language=en'],
      [null, 'A form to fill in for Harbourview', 'Fill in the form', ''],
    ] as const) {
      const email = `${randomUUID()}@mail.example`
      const contactId = await insertContact(server, { email })
      await server.rows('update contacts set preferred_language = $2 where id = $1', [contactId, language])
      const sent = await desk.forms.send({ contactId, templateId, email: email.toUpperCase() })
      expect(sent).toMatchObject({ sentVia: 'email', sentTo: email, language: language ?? 'en', progress: 0, redFlagCount: null })
      await until(() => portal.emailsTo(email).length === 1)
      const [mail] = portal.emailsTo(email)
      expect(mail!.Subject).toBe(subject)
      expect(sent.link).toMatch(new RegExp(`/forms/${sent.id}${query.replace('?', '[?]')}$`))
      expect(mail!.TextBody).toContain(words)
      expect(mail!.TextBody).toContain(`/forms/${sent.id}${query}${query ? '&' : '?'}email=`)
      expect(`${mail!.TextBody}${mail!.Subject}`).not.toContain('Secret questions')
    }
  })

  it('refuses an address that is not the patient’s, an unknown patient, and the same form twice', async () => {
    const { id: templateId } = await publishForm(admin)
    const contactId = await insertContact(server)
    expect(await refusal(desk.forms.send({ contactId, templateId, email: 'other@mail.example' }))).toMatchObject({
      status: 422,
      data: { fields: { email: expect.any(String) } },
    })
    expect(await refusal(desk.forms.send({ contactId: randomUUID(), templateId, email: null }))).toMatchObject({
      status: 422,
      data: { fields: { contactId: expect.any(String) } },
    })
    const answers = await Promise.all(
      Array.from({ length: 5 }, () =>
        desk.forms.send({ contactId, templateId, email: null }).then(
          () => 'sent',
          () => 'refused',
        ),
      ),
    )
    expect(answers.filter((answer) => answer === 'sent')).toHaveLength(1)
    expect(await refusal(desk.forms.send({ contactId, templateId, email: null }))).toMatchObject({ status: 409, code: 'ALREADY_SENT' })
  })

  it('shows that the email could not be sent, and leaves nothing on the timeline', async () => {
    const { id: templateId } = await publishForm(admin)
    const email = `${randomUUID()}@mail.example`
    const contactId = await insertContact(server, { email })
    await server.rows(`insert into suppressed_addresses (address, reason, since) values ($1, 'bounce', now())`, [email])
    await desk.forms.send({ contactId, templateId, email })
    const form = await until(async () => {
      const [one] = await desk.forms.ofContact({ contactId })
      return one!.emailProblem !== null && one
    })
    expect(form.emailProblem).toBe('an email to this address bounced permanently')
    expect((await desk.interactions.list({ contactId, kind: 'emails' })).data).toEqual([])
  })

  it('emails an open form again, and refuses one that was not emailed or is closed', async () => {
    const { id: templateId } = await publishForm(admin)
    const email = `${randomUUID()}@mail.example`
    const contactId = await insertContact(server, { email })
    const { id } = await desk.forms.send({ contactId, templateId, email })
    await until(() => portal.emailsTo(email).length === 1)
    expect(await desk.forms.resend({ id })).toMatchObject({ id, emailProblem: null })
    await until(() => portal.emailsTo(email).length === 2)
    await desk.forms.withdraw({ id })
    expect(await refusal(desk.forms.resend({ id }))).toMatchObject({ status: 409, code: 'WITHDRAWN' })
    const link = await desk.forms.send({ contactId, templateId, email: null })
    expect(await refusal(desk.forms.resend({ id: link.id }))).toMatchObject({ status: 409, code: 'NOT_EMAILED' })
    expect(await refusal(desk.forms.resend({ id: randomUUID() }))).toMatchObject({ status: 404 })
  })

  it('can be undone by withdrawing, which deletes the answers and closes the form for the patient', async () => {
    const { id: templateId } = await publishForm(admin)
    const patient = await portal.signIn()
    const { id } = await desk.forms.send({ contactId: patient.id, templateId, email: null })
    const own = { contactId: patient.id, sessionToken: patient.token, id }
    await portal.call('patient-form-save', { ...own, revision: 0, language: 'en', changes: { symptoms: true } })
    expect(await desk.forms.withdraw({ id })).toMatchObject({ status: 'withdrawn' })
    expect(await desk.forms.withdraw({ id })).toMatchObject({ status: 'withdrawn' })
    for (const [call, more] of [
      ['fetch', {}],
      ['save', { revision: 1, language: 'en', changes: {} }],
      ['submit', { revision: 1, language: 'en' }],
    ] as const)
      expect([call, await portal.call(`patient-form-${call}`, { ...own, ...more })]).toMatchObject([
        call,
        { status: 409, body: { code: 'WITHDRAWN' } },
      ])
    expect(await server.rows('select answers from forms where id = $1', [id])).toEqual([{ answers: {} }])
    await desk.forms.send({ contactId: patient.id, templateId, email: null })
  })
})

describe('a submitted form', () => {
  async function submitted(answers: object) {
    const { id: templateId } = await publishForm(admin)
    const patient = await portal.signIn()
    const { id } = await desk.forms.send({ contactId: patient.id, templateId, email: null })
    const own = { contactId: patient.id, sessionToken: patient.token, id, language: 'fr' }
    await portal.call('patient-form-save', { ...own, revision: 0, changes: answers })
    expect(await portal.call('patient-form-submit', { ...own, revision: 1 })).toMatchObject({ status: 200 })
    return { id, contactId: patient.id }
  }

  it('shows its answers and red flags to providers, with a view in the audit log', async () => {
    const { id, contactId } = await submitted({ ...healthy, close_contact: true })
    expect(await provider.forms.get({ id })).toMatchObject({
      status: 'submitted',
      language: 'fr',
      answers: { symptoms: false, tested_positive: false, close_contact: true },
      redFlags: [{ question: 'close_contact', to: 'task' }],
      redFlagCount: 1,
    })
    const views = await server.rows(
      "select 1 from audit_log where kind = 'form' and action = 'viewed' and actor_role = 'provider' and contact_ids @> array[$1::uuid]",
      [contactId],
    )
    expect(views).toHaveLength(1)
  })

  it('creates one task that names neither form nor answer for the person who sent it, if a red flag asks for one', async () => {
    const { id, contactId } = await submitted({ ...healthy, close_contact: true })
    const tasks = await admin.tasks.ofContact({ contactId })
    expect(tasks).toMatchObject([{ title: 'A submitted form needs follow-up', description: null, createdBy: null }])
    const [sent] = await server.rows<{ sent_by: string }>('select sent_by from forms where id = $1', [id])
    expect(tasks[0]!.assignedTo).toBe(sent!.sent_by)
    expect(await admin.tasks.ofContact({ contactId: (await submitted(healthy)).contactId })).toEqual([])
  })

  it('shows the front desk its status without answers and flags, and sales and billing nothing', async () => {
    const { id, contactId } = await submitted({ ...healthy, close_contact: true })
    expect(await desk.forms.ofContact({ contactId })).toMatchObject([{ status: 'submitted', progress: 100, redFlagCount: null }])
    expect(JSON.stringify(await desk.forms.ofContact({ contactId }))).not.toContain('close_contact')
    expect(await refusal(desk.forms.get({ id }))).toMatchObject({ status: 403 })
    for (const role of ['sales_rep', 'billing'] as const) {
      const client = await server.as(role)
      expect(await refusal(client.forms.ofContact({ contactId }))).toMatchObject({ status: 403 })
      expect(await refusal(client.forms.get({ id }))).toMatchObject({ status: 403 })
    }
  })

  it('stays as it is, whatever asks the database to change it, until the patient is deleted', async () => {
    const { id, contactId } = await submitted(healthy)
    for (const change of [
      "answers = '{}'",
      "status = 'started', submitted_at = null",
      "red_flags = '[]', language = 'en'",
      'expires_at = now()',
    ])
      await expect(server.rows(`update forms set ${change} where id = $1`, [id])).rejects.toThrow('A submitted or withdrawn form stays')
    expect(await refusal(desk.forms.withdraw({ id }))).toMatchObject({ status: 409, code: 'SUBMITTED' })
    await admin.contacts.delete({ id: contactId })
    expect(await server.rows('select 1 from forms where id = $1', [id])).toEqual([])
  })

  it('is not shown before it was submitted', async () => {
    const { id: templateId } = await publishForm(admin)
    const { id } = await desk.forms.send({ contactId: await insertContact(server), templateId, email: null })
    expect(await refusal(provider.forms.get({ id }))).toMatchObject({ status: 409, code: 'NOT_SUBMITTED' })
  })

  it('says nothing of the answers in the audit log', async () => {
    const { contactId } = await submitted({ ...healthy, close_contact: true })
    const entries = await server.rows<{ text: string }>(
      "select coalesce(before::text, '') || coalesce(after::text, '') as text from audit_log where contact_ids @> array[$1::uuid]",
      [contactId],
    )
    expect(entries.length).toBeGreaterThan(3)
    expect(entries.filter(({ text }) => text.includes('close_contact'))).toEqual([])
  })
})

it('expires 60 days after it was sent, and can then be sent again', async () => {
  const { id: templateId } = await publishForm(admin)
  const email = `${randomUUID()}@mail.example`
  const contactId = await insertContact(server, { email })
  const sent = await desk.forms.send({ contactId, templateId, email: null })
  const before = now
  now = new Date(before.getTime() + 61 * 24 * 3_600_000)
  try {
    const { body } = await portal.call('verify-document-access', { email, otp: await portal.newCode(email) })
    const own = { contactId, sessionToken: String(body!.sessionToken), id: sent.id }
    expect(await portal.call('patient-form-fetch', own)).toMatchObject({ status: 409, body: { code: 'EXPIRED' } })
    expect(await portal.call('patient-form-submit', { ...own, revision: 0, language: 'en' })).toMatchObject({
      status: 409,
      body: { code: 'EXPIRED' },
    })
    await (await server.as('front_desk')).forms.send({ contactId, templateId, email: null })
  } finally {
    now = before
  }
})
