import { beforeAll, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { calls, encode } from '../../../test/access/calls.ts'
import { guardedRawRoutes } from '../../../test/access/raw-routes.ts'
import { insertOneOfEach, type OneOfEach } from '../../../test/factories.ts'
import { portalOf } from '../../../test/portal.ts'
import { type TestServer, useServer } from '../../../test/server.ts'
import { sideBySide } from '../../../test/side-by-side.ts'
import { renderText, exampleValues } from '../../chart/consent-forms/rules.ts'
import { starters } from '../../chart/consent-forms/starters.ts'
import { information, type InformationKind } from '../../kernel/access/information.ts'
import { type KeyFeature, keyScopes } from '../../kernel/access/key-rules.ts'
import { type Role, roles } from '../../kernel/access/rules.ts'

/** A word for each field of each kind of clinical information, which is in no other place. Names of kinds in the audit log count as well. */
const words: Record<InformationKind, readonly string[]> = {
  alerts: ['Zqallergy', 'Zqreaction', 'Zqalert'],
  healthSummary: ['Zqmedication', 'Zqdose', 'Zqcondition', 'Zqoperation', 'Zqanaesthesia', 'Zqhabit'],
  clinicalNote: ['Zqtitle', 'Zqanswer', 'Zqaddendum', 'Zqearlier', '"clinical note"'],
  formAnswer: ['Zqformanswer', 'Zqredflag'],
  formStatus: ['Zqformtitle'],
  consentForm: ['Zqclause', 'Zqsigner'],
  consentStatus: ['Zqconsent'],
  portrait: ['UklGR'],
  healthCard: ['9876543217', '"3217"'],
  photo: ['123212321'],
  implant: ['Zqposition'],
  safetyChecklist: ['Zqsafetynote'],
  adverseEvent: ['Zqinvolved'],
  photoCapture: ['Zqseriestitle'],
}
const consentText = renderText(starters.photo_use.definition, exampleValues, 'en', null)
const onePixel = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=='
/** The features of API keys whose scopes open clinical information. */
const clinicalFeatures: readonly KeyFeature[] = [
  'health',
  'notes',
  'forms',
  'consentForms',
  'healthCards',
  'portraits',
  'surgeries',
  'appointments',
]
/** Inputs that are searched for. */
const searched = /^(search|q|query|term|text)$/

/** Adds one of each record, with a patient whose chart has every word. */
async function plant(server: TestServer): Promise<OneOfEach> {
  const provider = await server.as('provider')
  const made = await insertOneOfEach(server)
  const { contactId } = made
  const add = (entry: object) => provider.health.addEntry({ contactId, ...entry } as Parameters<typeof provider.health.addEntry>[0])
  await add({ kind: 'allergy', name: 'Zqallergy', detail: 'Zqreaction' })
  await add({ kind: 'alert', name: 'Zqalert' })
  await add({ kind: 'medication', name: 'Zqmedication', dose: 'Zqdose', isWeightLoss: true, stopDays: 14 })
  await add({ kind: 'condition', name: 'Zqcondition' })
  await add({ kind: 'surgery', name: 'Zqoperation', anaesthesia: 'Zqanaesthesia', year: 2020 })
  await add({ kind: 'nicotine', name: 'Zqhabit' })
  const note = await provider.notes.create({ contactId, templateId: made.noteTemplateId })
  const earlier = await provider.notes.save({ id: note.id, version: note.version, title: 'Zqtitle', answers: { plan: 'Zqearlier' } })
  const written = await provider.notes.save({ id: note.id, version: earlier.version, answers: { plan: 'Zqanswer' } })
  await provider.notes.sign({ id: note.id, version: written.version })
  await provider.notes.addAddendum({ id: note.id, text: 'Zqaddendum' })
  await provider.portraits.set({ contactId, image: onePixel })
  await provider.healthCards.set({ contactId, number: '9876543217', versionCode: 'ZQ', province: 'ON', version: 0 })
  await server.rows(
    `with template as (insert into form_templates default values returning id),
       version as (insert into form_versions (template_id, number, definition, published_at)
         select id, 1, $2::jsonb, now() from template returning id)
     insert into forms (contact_id, version_id, status, sent_via, sent_at, expires_at, language, answers, progress, submitted_at, red_flags)
     select $1, id, 'submitted', 'link', now(), now() + interval '1 day', 'en', '{"q": "Zqformanswer"}', 100, now(),
       '[{"question": "q", "message": {"en": "Zqredflag", "fr": "Zqredflag"}, "to": "task"}]' from version`,
    [contactId, JSON.stringify({ title: { en: 'Zqformtitle', fr: 'Zqformtitle' }, sections: [] })],
  )
  await server.rows(
    `with series as (insert into photo_series (contact_id, shot_list, time_point, title, taken_on, created_at)
         values ($1, 'face', 'other', 'Zqseriestitle', '2026-01-31', now()) returning id, contact_id)
     insert into photos (id, contact_id, series_id, view, taken_at, mime_type, width, height, size, sha256, created_at)
     select gen_random_uuid(), contact_id, id, 'front', now(), 'image/jpeg', 123212321, 3, 4, 'a', now() from series`,
    [contactId],
  )
  await server.rows("update surgery_devices set position = 'Zqposition' where id = $1", [made.surgeryDeviceId])
  await server.rows(
    `insert into safety_answers (surgery_id, day, phase, item, answer, note, answered_by, answered_at)
     select surgeries.id, (starts_at at time zone 'America/Toronto')::date, 'sign_in', 'allergy', 'yes', 'Zqsafetynote', profiles.id, now()
     from surgeries, (select id from profiles limit 1) as profiles where surgeries.id = $1`,
    [made.surgeryId],
  )
  await server.rows("update adverse_events set others = 'Zqinvolved' where id = $1", [made.adverseEventId])
  const text = {
    ...consentText,
    patientName: 'Zqsigner',
    clauses: [{ id: 'risks', kind: 'risks', title: 'Risks', text: 'Zqclause', needsInitials: false }],
  }
  const [consent] = await server.rows<{ id: string }>(
    `with template as (insert into consent_templates default values returning id),
       version as (insert into consent_template_versions (template_id, number, definition, published_at)
         select id, 1, $2::jsonb, now() from template returning id)
     insert into consent_forms (contact_id, version_id, status, sent_via, sent_at, language, signed_at, text, text_hash, signing)
     select $1, id, 'signed', 'link', now(), 'en', now(), $3::jsonb, 'a', $4::jsonb from version returning id`,
    [
      contactId,
      JSON.stringify({ ...starters.photo_use.definition, title: { en: 'Zqconsent', fr: 'Zqconsent' } }),
      JSON.stringify(text),
      JSON.stringify({
        shown: ['risks'],
        initials: {},
        signature: { kind: 'typed', name: 'Zqsigner' },
        agrees: true,
        scopes: [],
        witness: null,
        interpreter: null,
      }),
    ],
  )
  made.clinicalNoteId = note.id
  made.consentFormId = consent!.id
  return made
}

type Ask = (path: string, init?: { method: string; body: string | null }) => Promise<string>
const asking =
  (server: TestServer, headers: Record<string, string>): Ask =>
  async (path, { method, body } = { method: 'GET', body: null }) => {
    const response = await server.request(path, {
      method,
      headers: { ...headers, ...(body ? { 'content-type': 'application/json' } : {}) },
      ...(body ? { body } : {}),
    })
    return response.text()
  }
const reads = calls.filter(({ method, name }) => method === 'GET' && name !== 'events.subscribe')
const fieldsOf = ({ inputSchema }: (typeof calls)[number]): string[] =>
  inputSchema instanceof z.ZodType
    ? Object.keys((z.toJSONSchema(inputSchema, { io: 'input', unrepresentable: 'any' }) as { properties?: object }).properties ?? {})
    : []

/** Which of these words were answered, and where. */
const leaks = (found: Map<string, string>, kinds: readonly InformationKind[]) =>
  [...found].flatMap(([name, text]) =>
    kinds.flatMap((kind) => words[kind].filter((word) => text.includes(word)).map((word) => `${name}: ${word}`)),
  )
const kinds = Object.keys(information) as InformationKind[]
const unseenBy = (role: Role) => kinds.filter((kind) => !(information[kind].read as readonly Role[]).includes(role))

describe('clinical information reaches no one else, in whatever is answered (issue 26)', () => {
  const server = useServer({ TRUST_PROXY: 'true' })
  const asks = (headers: Record<string, string>) => asking(server, headers)
  let made: OneOfEach
  beforeAll(async () => {
    made = await plant(server)
  })

  /** Everything that is answered to someone, by the name of the call or route. */
  async function answers(ask: Ask): Promise<Map<string, string>> {
    const found = new Map<string, string>()
    await sideBySide(reads, async (call) => void found.set(call.name, await ask(encode(call, call.validInput(made)).path)))
    await sideBySide(Object.entries(guardedRawRoutes), async ([name, [, method, path]]) => {
      if (method === 'GET') found.set(name, await ask(typeof path === 'string' ? path : path(made)))
    })
    return found
  }
  it('an administrator is answered every word, so the walk would notice', async () => {
    const found = await answers(asks({ cookie: await server.signIn('admin') }))
    // A list of the log's newest entries shows only this walk.
    found.set(
      'audit.list',
      await asks({ cookie: await server.signIn('admin') })(`/api/audit?contactId=${made.contactId}&kind=clinical%20note`),
    )
    const patientsForm = (await (await server.as('admin')).forms.ofContact({ contactId: made.contactId }))[0]!
    found.set('forms.get', await asks({ cookie: await server.signIn('admin') })(`/api/forms/${patientsForm.id}`))
    for (const { id } of await (await server.as('admin')).consentForms.ofContact({ contactId: made.contactId }))
      found.set(`consentForms.get ${id}`, await asks({ cookie: await server.signIn('admin') })(`/api/consent-forms/${id}`))
    const seen = leaks(found, kinds).map((leak) => leak.slice(leak.indexOf(': ') + 2))
    // The number of a card is shown on request only, and earlier states of a note by themselves.
    const wanted = kinds.flatMap((kind) => words[kind]).filter((word) => word !== 'Zqearlier')
    expect(wanted.filter((word) => !seen.includes(word))).toEqual([])
  })

  it.each(roles.filter((role) => unseenBy(role).length > 0))(
    '%s: no call, export, PDF or history has what the role may not see',
    async (role) => {
      const found = await answers(asks({ cookie: await server.signIn(role) }))
      expect(found.size).toBeGreaterThan(100)
      expect(leaks(found, unseenBy(role))).toEqual([])
    },
  )

  it.each(roles.filter((role) => unseenBy(role).length > 0))('%s: no search finds a patient by it', async (role) => {
    const ask = asks({ cookie: await server.signIn(role) })
    const searches = reads.flatMap((call) =>
      fieldsOf(call)
        .filter((field) => searched.test(field))
        .map((field) => ({ call, field })),
    )
    expect(searches.length).toBeGreaterThan(5)
    await sideBySide(searches, async ({ call, field }) => {
      const result = async (term: string) =>
        (await ask(encode(call, { ...call.validInput(made), [field]: term }).path)).replaceAll(term, '').replaceAll(/"at":"[^"]*"/g, '')
      const nothing = await result('Zqnothing')
      for (const word of unseenBy(role)
        .flatMap((kind) => words[kind])
        .filter((one) => one.startsWith('Zq')))
        expect([call.name, word, await result(word)]).toEqual([call.name, word, nothing])
    })
  })

  it('an API key without the scopes of the chart reads nothing clinical, not even an administrator’s', async () => {
    const account = await server.account({ role: 'admin' })
    const scopes = keyScopes.filter((scope) => !clinicalFeatures.some((feature) => scope.startsWith(`${feature}:`)))
    const { token } = await server.client(account.cookie).apiKeys.create({ name: 'Warehouse', scopes: [...scopes], days: 30 })
    const found = await answers(asks({ authorization: `Bearer ${token}` }))
    expect(leaks(found, kinds)).toEqual([])
  })

  it('the portal of another patient reads nothing clinical', async () => {
    const portal = portalOf(server)
    const other = await portal.signIn()
    const own = calls.filter(({ name }) => /^(portal|tablet)\./.test(name) && !/(signOut|requestAccess|verifyAccess|pair)$/.test(name))
    const forms = await (await server.as('admin')).forms.ofContact({ contactId: made.contactId })
    const found = new Map<string, string>()
    for (const call of own) {
      for (const contactId of [made.contactId, other.id]) {
        const input = {
          ...call.validInput(made),
          sessionToken: other.token,
          ...(fieldsOf(call).includes('contactId') ? { contactId } : {}),
        }
        for (const { id } of forms) {
          const { path, body } = encode(call, 'id' in input ? { ...input, id } : input)
          found.set(`${call.name} ${contactId} ${id}`, await asks({})(path, { method: call.method, body }))
        }
      }
    }
    expect(found.size).toBeGreaterThan(5)
    expect(leaks(found, kinds)).toEqual([])
  })
})

const withoutAll = roles.filter((role) => unseenBy(role).length > 0)
/** Those that end the session or belong to patients come elsewhere. */
const writes = calls.filter(
  ({ method, name }) =>
    method !== 'GET' && !/^(auth|account|portal|tablet|appointmentLinks|payLinks|selfBooking|textLinks|waitingOffers)\./.test(name),
)
/** Calls after which there is less to see come last. */
const inOrder = writes.toSorted((one, other) => Number(endsSomething(one)) - Number(endsSomething(other)))
function endsSomething({ method, name }: (typeof calls)[number]): boolean {
  return method === 'DELETE' || /(delete|remove|merge|undo|withdraw|discard|cancel|void)/i.test(name)
}

describe.each(['admin', ...withoutAll] as const)('the answers of calls that write, to %s (issue 26)', (role) => {
  const server = useServer({ TRUST_PROXY: 'true' })

  it('have nothing clinical that the role may not see; an administrator’s have some, so the walk would notice', async () => {
    const made = await plant(server)
    const ask = asking(server, { cookie: await server.signIn(role) })
    const found = new Map<string, string>()
    for (const call of inOrder) {
      const { path, body } = encode(call, call.validInput(made))
      found.set(call.name, await ask(path, { method: call.method, body }))
    }
    expect(found.size).toBeGreaterThan(150)
    if (role === 'admin') expect(leaks(found, kinds).length).toBeGreaterThan(5)
    else expect(leaks(found, unseenBy(role))).toEqual([])
  })
})
