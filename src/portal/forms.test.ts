import { randomUUID } from 'node:crypto'
import { sql } from 'drizzle-orm'
import { beforeAll, describe, expect, it } from 'vitest'
import { healthy, publishForm } from '../../test/chart/sent-forms.ts'
import { pdf, portalOf } from '../../test/portal.ts'
import { type Client, useServer } from '../../test/server.ts'
import { blankQuestion, type FormDefinition } from '../chart/forms/definition-rules.ts'
import { starters } from '../chart/forms/starters.ts'
import { asPatient } from '../kernel/as-patient.ts'
import type { VerifiedContactId } from '../kernel/scope.ts'

type Own = { contactId: string; sessionToken: string; id: string }

const server = useServer({ TRUST_PROXY: 'true' })
const portal = portalOf(server)
let admin: Client
let desk: Client
beforeAll(async () => {
  admin = await server.as('admin')
  desk = await server.as('front_desk')
})
const fetchForm = (own: Own) => portal.call('patient-form-fetch', own)
const save = (own: Own, revision: number, changes: object, language = 'en') =>
  portal.call('patient-form-save', { ...own, revision, language, changes })
const submit = (own: Own, revision: number) => portal.call('patient-form-submit', { ...own, revision, language: 'en' })

async function sentForm(definition = starters.covid) {
  const { id: templateId } = await publishForm(admin, definition)
  const patient = await portal.signIn()
  const { id } = await desk.forms.send({ contactId: patient.id, templateId, email: null })
  return { contactId: patient.id, sessionToken: patient.token, id, templateId }
}
const ownOf = ({ contactId, sessionToken, id }: Own): Own => ({ contactId, sessionToken, id })
const statusOf = async (id: string) => (await server.rows<{ status: string }>('select status from forms where id = $1', [id]))[0]!.status

describe('a form in the portal', () => {
  it('opens with its questions, resumes on another device, and is submitted once', async () => {
    const own = ownOf(await sentForm())
    expect(await fetchForm(own)).toMatchObject({
      status: 200,
      body: { status: 'sent', answers: {}, revision: 0, progress: 0, definition: starters.covid },
    })
    expect(await save(own, 0, { symptoms: false }, 'fr')).toMatchObject({ status: 200, body: { revision: 1, progress: 33, problems: [] } })
    const second = await portal.call('verify-document-access', await codeFor(own.contactId))
    const elsewhere = { ...own, sessionToken: String(second.body!.sessionToken) }
    expect(await fetchForm(elsewhere)).toMatchObject({
      body: { status: 'started', language: 'fr', answers: { symptoms: false }, revision: 1 },
    })
    await save(elsewhere, 1, { tested_positive: false, close_contact: false })
    const done = await submit(own, 2)
    expect(done).toMatchObject({ status: 200, body: { submittedAt: expect.any(String) } })
    expect(await submit(own, 2)).toEqual(done)
    expect(await save(own, 2, { symptoms: true })).toMatchObject({ status: 409, body: { code: 'SUBMITTED' } })
    expect(await fetchForm(own)).toMatchObject({ status: 409, body: { code: 'SUBMITTED' } })
    const changes = await server.rows(
      "select after->>'status' as status, actor_role from audit_log where kind = 'form' and action = 'changed' and contact_ids @> array[$1::uuid] order by id",
      [own.contactId],
    )
    expect(changes).toEqual([
      { status: 'started', actor_role: 'patient' },
      { status: 'submitted', actor_role: 'patient' },
    ])
  })

  const codeFor = async (contactId: string) => {
    const [row] = await server.rows<{ email: string }>('select email from contacts where id = $1', [contactId])
    return { email: row!.email, otp: await portal.newCode(row!.email) }
  }

  it('saves each right answer, names each wrong one, and removes what was there before', async () => {
    const own = ownOf(await sentForm(starters.medical_history))
    await save(own, 0, { height: 170, weight: 70 })
    const answer = await save(own, 1, { height: 'tall', weight: 71, nicotine: 'sometimes', unknown: 1, emergency_contact: ' ' })
    expect(answer).toMatchObject({
      status: 200,
      body: {
        revision: 2,
        problems: [
          { question: 'height', code: 'WRONG_TYPE' },
          { question: 'nicotine', code: 'UNKNOWN_OPTION' },
        ],
      },
    })
    expect((await fetchForm(own)).body).toMatchObject({ answers: { weight: 71 } })
  })

  it.each<[string, unknown]>([
    ['a list', []],
    ['a text', 'x'],
    ['no changes', undefined],
    ['too many', Object.fromEntries(Array.from({ length: 201 }, (_, at) => [`q${at}`, 1]))],
  ])('refuses changes that are %s with the field', async (_name, changes) => {
    const own = ownOf(await sentForm())
    expect(await portal.call('patient-form-save', { ...own, revision: 0, language: 'en', changes })).toMatchObject({
      status: 422,
      body: { data: { fields: { changes: expect.any(String) } } },
    })
    expect(await statusOf(own.id)).toBe('sent')
  })

  it('keeps hostile answers out without losing the others', async () => {
    const own = ownOf(await sentForm())
    const changes = `{"symptoms": true, "__proto__": {"tested_positive": true}, "constructor": true, "close_contact": {"a": [[[1]]]}, "tested_positive": 1e999}`
    const answer = await server.request('/api/functions/patient-form-save', {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-forwarded-for': '10.7.7.7' },
      body: `{"contactId": "${own.contactId}", "sessionToken": "${own.sessionToken}", "id": "${own.id}", "revision": 0, "language": "en", "changes": ${changes}}`,
    })
    expect([
      answer.status,
      ((await answer.json()) as { problems: { question: string }[] }).problems.map(({ question }) => question),
    ]).toEqual([200, ['tested_positive', 'close_contact']])
    expect((await fetchForm(own)).body!.answers).toEqual({ symptoms: true })
  })

  it('that another device has saved since answers 409 with what it contains now', async () => {
    const own = ownOf(await sentForm())
    await save(own, 0, { symptoms: true })
    const late = await save(own, 0, { close_contact: true })
    expect(late).toMatchObject({ status: 409, body: { code: 'CHANGED', data: { current: { revision: 1, answers: { symptoms: true } } } } })
    expect(await submit(own, 0)).toMatchObject({ status: 409, body: { code: 'CHANGED' } })
    const both = await Promise.all(Array.from({ length: 8 }, (_, at) => save(own, 1, { close_contact: at % 2 === 0 })))
    expect(both.map(({ status }) => status).toSorted()).toEqual([200, ...Array.from({ length: 7 }, () => 409)])
  })

  it('is not submitted blank or partly filled, by a replay, from two tabs or after a new version was published', async () => {
    const sent = await sentForm()
    const own = ownOf(sent)
    const missing = (questions: string[]) => ({
      status: 422,
      body: { code: 'INCOMPLETE', data: { problems: questions.map((question) => ({ question, code: 'REQUIRED' })) } },
    })
    expect(await submit(own, 0)).toMatchObject(missing(['symptoms', 'tested_positive', 'close_contact']))
    await save(own, 0, { symptoms: false, tested_positive: true })
    expect(await submit(own, 1)).toMatchObject(missing(['tested_on', 'close_contact']))
    // The second tab takes an answer away while the first submits what it has seen.
    await save(own, 1, { tested_positive: false, close_contact: false })
    await save(own, 2, { symptoms: null })
    expect(await submit(own, 2)).toMatchObject({ status: 409, body: { code: 'CHANGED' } })
    const replays = await Promise.all(Array.from({ length: 10 }, () => submit(own, 3)))
    expect(new Set(replays.map(({ status }) => status))).toEqual(new Set([422]))
    // A version that asks less is published: the form that was sent still asks what it asked.
    const shorter = {
      ...starters.covid,
      sections: [{ ...starters.covid.sections[0]!, questions: starters.covid.sections[0]!.questions.slice(0, 1) }],
    }
    const { revision } = (await admin.forms.template({ id: sent.templateId })).published!
    const draft = await admin.forms.saveDraft({ id: sent.templateId, revision, definition: shorter })
    await admin.forms.publish({ id: sent.templateId, revision: draft.draft!.revision })
    await save(own, 3, { symptoms: false, close_contact: null })
    expect(await submit(own, 4)).toMatchObject(missing(['close_contact']))
    expect(await portal.call('patient-form-submit', { ...own, revision: 4, language: 'en', answers: healthy })).toMatchObject({
      status: 422,
      body: { code: 'INVALID_INPUT' },
    })
    expect(await statusOf(own.id)).toBe('started')
    await save(own, 4, { close_contact: false })
    expect(await submit(own, 5)).toMatchObject({ status: 200 })
  })

  it('is submitted once for simultaneous requests, and none of them changes it afterwards', async () => {
    const own = ownOf(await sentForm())
    await save(own, 0, healthy)
    const answers = await Promise.all([
      ...Array.from({ length: 8 }, () => submit(own, 1)),
      ...Array.from({ length: 4 }, () => save(own, 1, { symptoms: true })),
    ])
    const isSubmitted = (await statusOf(own.id)) === 'submitted'
    const [row] = await server.rows<{ revision: number }>('select revision from forms where id = $1', [own.id])
    // Either a submission was first, and no save succeeded, or one save was, and no submission did.
    expect(isSubmitted ? row!.revision : answers.filter(({ status }) => status === 200).length).toBe(1)
  })

  it('drops answers to questions that a later answer hides', async () => {
    const own = ownOf(await sentForm())
    const today = String((await fetchForm(own)).body!.today)
    await save(own, 0, { tested_positive: true, tested_on: today })
    await save(own, 1, { tested_positive: false })
    expect((await fetchForm(own)).body!.answers).toEqual({ tested_positive: false })
  })
})

describe('another patient’s form', () => {
  it('answers 404 like an unknown one, is audited, and the database shows and changes only own rows', async () => {
    const [own, foreign] = [ownOf(await sentForm()), ownOf(await sentForm())]
    for (const id of [foreign.id, randomUUID()]) {
      const asked = { ...own, id }
      for (const answer of [await fetchForm(asked), await save(asked, 0, { symptoms: true }), await submit(asked, 0)])
        expect(answer).toMatchObject({ status: 404, body: { code: 'NOT_FOUND' } })
    }
    expect(await fetchForm({ ...own, contactId: foreign.contactId })).toMatchObject({ status: 404 })
    expect(await statusOf(foreign.id)).toBe('sent')
    const denied = await server.rows(
      "select 1 from audit_log where kind = 'form' and action = 'denied' and contact_ids @> array[$1::uuid]",
      [own.contactId],
    )
    expect(denied).toHaveLength(7)

    const { db, env } = server.running.runtime
    const as = <Result>(work: Parameters<typeof asPatient<Result>>[3]) =>
      db.transaction((tx) => asPatient(tx, env, own.contactId as VerifiedContactId, work))
    expect((await as((tx) => tx.execute(sql`select id from forms`))).rows).toEqual([{ id: own.id }])
    expect((await as((tx) => tx.execute(sql`update forms set status = 'started' returning id`))).rows).toEqual([{ id: own.id }])
    await expect(as((tx) => tx.execute(sql`update forms set expires_at = now()`))).rejects.toThrow('Failed query')
    await expect(as((tx) => tx.execute(sql`update forms set status = 'withdrawn'`))).rejects.toThrow('Failed query')
    await expect(as((tx) => tx.execute(sql`delete from forms`))).rejects.toThrow('Failed query')
  })

  it('answers 401 without a session, and after sign-out', async () => {
    const own = ownOf(await sentForm())
    for (const call of [fetchForm, (given: Own) => save(given, 0, {}), (given: Own) => submit(given, 0)])
      expect(await call({ ...own, sessionToken: 'made-up' })).toMatchObject({ status: 401, body: { code: 'SESSION_OVER' } })
    await portal.call('patient-sign-out', { sessionToken: own.sessionToken })
    expect(await fetchForm(own)).toMatchObject({ status: 401, body: { code: 'SESSION_OVER' } })
  })
})

describe('a question that asks for a file', () => {
  const both = (text: string) => ({ en: text, fr: `${text} (fr)` })
  const asked = (id: string, type: 'file' | 'photo', isRequired: boolean) => ({ ...blankQuestion, id, type, label: both(id), isRequired })
  const withFiles: FormDefinition = {
    title: both('Files'),
    sections: [
      {
        id: 'all',
        title: both('All'),
        help: null,
        showIf: null,
        questions: [asked('letter', 'file', true), asked('face', 'photo', false)],
      },
    ],
  }
  const uploadFor = (own: Own, text: string, formId = own.id) =>
    portal.upload({ id: own.contactId, token: own.sessionToken }, { name: `${text}.pdf`, bytes: pdf(text) }, { formId })

  it('takes files of this patient only, refuses a wrong kind, and is not complete without one', async () => {
    const own = ownOf(await sentForm(withFiles))
    const missing = { status: 422, body: { code: 'INCOMPLETE', data: { problems: [{ question: 'letter', code: 'REQUIRED' }] } } }
    expect(await submit(own, 0)).toMatchObject(missing)
    const { status, body } = await uploadFor(own, 'referral')
    expect(status).toBe(201)
    const foreign = ownOf(await sentForm(withFiles))
    const other = (await uploadFor(foreign, 'foreign')).body.id
    for (const [letter, code] of [
      [[other], 'UNKNOWN_FILE'],
      [[randomUUID()], 'UNKNOWN_FILE'],
      [[body.id, other], 'UNKNOWN_FILE'],
      [['made-up'], 'WRONG_TYPE'],
      [[body.id, body.id], 'WRONG_TYPE'],
      [Array.from({ length: 6 }, () => randomUUID()), 'TOO_LONG'],
    ] as const) {
      const { body: current } = await fetchForm(own)
      expect(await save(own, Number(current!.revision), { letter })).toMatchObject({
        status: 200,
        body: { problems: [{ question: 'letter', code }] },
      })
    }
    const { revision } = (await fetchForm(own)).body as { revision: number }
    expect(await submit(own, revision)).toMatchObject(missing)
    expect(await save(own, revision, { letter: [body.id], face: [body.id] })).toMatchObject({
      body: { problems: [{ question: 'face', code: 'WRONG_TYPE' }] },
    })
    expect((await fetchForm(own)).body).toMatchObject({ files: [{ id: body.id, name: 'referral.pdf', isPicture: false }] })
    expect(await submit(own, revision + 1)).toMatchObject({ status: 200 })
    const provider = await server.as('provider')
    expect(await provider.forms.get({ id: own.id })).toMatchObject({
      answers: { letter: [body.id] },
      files: [{ id: body.id, name: 'referral.pdf', isInfected: false }],
    })
  })

  it('is open again when the scan rejects the file or staff delete it before the form is submitted', async () => {
    const own = ownOf(await sentForm(withFiles))
    const { body } = await uploadFor(own, 'virus')
    await save(own, 0, { letter: [body.id] })
    const refused = { status: 422, body: { code: 'INCOMPLETE', data: { problems: [{ question: 'letter', code: 'UNKNOWN_FILE' }] } } }
    await server.rows("update documents set scan_state = 'infected' where id = $1", [body.id])
    expect(await submit(own, 1)).toMatchObject(refused)
    await server.rows("update documents set scan_state = 'clean', deleted_at = now() where id = $1", [body.id])
    expect(await submit(own, 1)).toMatchObject(refused)
  })

  it('takes uploads only for an open form of the patient that asks for files, also on a tablet', async () => {
    const own = ownOf(await sentForm(withFiles))
    const plain = ownOf(await sentForm())
    const foreign = ownOf(await sentForm(withFiles))
    expect(await uploadFor(plain, 'plain')).toMatchObject({ status: 404 })
    expect(await uploadFor(own, 'foreign', foreign.id)).toMatchObject({ status: 404 })
    expect(await uploadFor(own, 'odd', 'made-up')).toMatchObject({ status: 404 })

    const { code } = await desk.tablet.open({ contactId: own.contactId, items: [{ kind: 'form', id: own.id }] })
    const { body } = await portal.call('tablet-pair', { code })
    const tablet = { ...own, sessionToken: String(body!.sessionToken) }
    expect(await uploadFor(tablet, 'tablet')).toMatchObject({ status: 201 })
    expect(await uploadFor(tablet, 'tablet', randomUUID())).toMatchObject({ status: 404 })
    expect(await portal.upload({ id: own.contactId, token: tablet.sessionToken }, { name: 'a.pdf', bytes: pdf('a') })).toMatchObject({
      status: 401,
    })
    await desk.forms.withdraw({ id: own.id })
    expect(await uploadFor(tablet, 'late')).toMatchObject({ status: 404 })
  })
})
