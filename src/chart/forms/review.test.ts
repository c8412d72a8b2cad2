import { beforeAll, describe, expect, it } from 'vitest'
import { useSurgeryPractice } from '../../../test/care/surgeries.ts'
import { publishForm } from '../../../test/chart/sent-forms.ts'
import { portalOf } from '../../../test/portal.ts'
import { refusal } from '../../../test/refusal.ts'
import type { Client } from '../../../test/server.ts'
import { blankQuestion, type ChartField, type FormDefinition, type Question, type RedFlag } from './definition-rules.ts'

const theatre = useSurgeryPractice({ TRUST_PROXY: 'true' })
const { server } = theatre
const portal = portalOf(server)
let admin: Client
let provider: Client
beforeAll(async () => {
  admin = theatre.admin
  provider = await server.as('provider')
})

const both = (text: string) => ({ en: text, fr: `${text} (fr)` })
const question = (id: string, type: Question['type'], mapsTo: ChartField | null, more: Partial<Question> = {}): Question => ({
  ...blankQuestion,
  id,
  type,
  label: both(`Question ${id}`),
  mapsTo,
  ...more,
})
const flag = (to: RedFlag['to'], message: string): RedFlag => ({ when: { test: 'equals', value: true }, message: both(message), to })
const form: FormDefinition = {
  title: both('Intake'),
  sections: [
    {
      id: 'all',
      title: both('All'),
      help: null,
      showIf: null,
      questions: [
        question('allergies', 'long_text', 'allergies'),
        question('medications', 'long_text', 'medications'),
        question('glp1', 'text', 'weight_loss_medications'),
        question('surgeries', 'long_text', 'past_surgeries'),
        question('height', 'number', 'height'),
        question('weight', 'number', 'weight'),
        question('pharmacy', 'text', 'pharmacy'),
        question('emergency', 'text', 'emergency_contact'),
        question('born', 'date', 'birth_date'),
        question('clots', 'yes_no', null, { redFlag: flag('alert', 'Reports a previous blood clot') }),
        question('fever', 'yes_no', null, { redFlag: flag('task', 'Has a fever') }),
        question('heart', 'yes_no', null, { redFlag: flag('checklist', 'Has a heart murmur') }),
      ],
    },
  ],
}
const answers = {
  allergies: 'Penicillin\nLatex',
  medications: 'Ibuprofen',
  glp1: 'Semaglutide 0.5 mg',
  surgeries: 'Caesarean section 2016',
  height: 168,
  weight: 71.24,
  pharmacy: 'Main Street',
  emergency: 'Bo, 905 555 0142',
  born: '1988-03-14',
}

let templateId = ''
/** A form that a patient has submitted in the portal. */
async function submitted(given: object = answers, contact?: { id: string; token: string }, template?: string) {
  templateId ||= (await publishForm(admin, form)).id
  const patient = contact ?? (await portal.signIn())
  const { id } = await theatre.desk.forms.send({ contactId: patient.id, templateId: template ?? templateId, email: null })
  const own = { contactId: patient.id, sessionToken: patient.token, id, language: 'en' }
  expect(await portal.call('patient-form-save', { ...own, revision: 0, changes: given })).toMatchObject({
    status: 200,
    body: { problems: [] },
  })
  expect(await portal.call('patient-form-submit', { ...own, revision: 1 })).toMatchObject({ status: 200 })
  return { id, patient, contactId: patient.id }
}
type Review = Awaited<ReturnType<Client['forms']['review']>>
const decide = (
  by: Client,
  { id, items }: Review,
  decision: 'accepted' | 'kept',
  of: (item: Review['items'][number]) => boolean = () => true,
) =>
  by.forms.decide({ id, decisions: items.filter(of).map(({ question: asked, part, seen }) => ({ question: asked, part, seen, decision })) })
const entriesOf = async (contactId: string) => (await provider.health.get({ contactId })).entries

describe('the review of a submitted form', () => {
  it('compares each answer with the chart, and writes what is accepted there with its source and reviewer', async () => {
    const { id, contactId } = await submitted()
    await provider.health.addEntry({ contactId, kind: 'allergy', name: 'LATEX' })
    await provider.contacts.update({ id: contactId, version: 1, pharmacy: 'Old Street' })
    expect(await provider.forms.ofContact({ contactId })).toMatchObject([{ id, needsReview: true }])
    expect(await theatre.desk.forms.ofContact({ contactId })).toMatchObject([{ id, needsReview: false }])
    expect((await provider.forms.toReview()).find((one) => one.id === id)).toMatchObject({ contactId, title: { en: 'Intake' } })

    const review = await provider.forms.review({ id })
    expect(review.items.map(({ question: asked, part, state, chart }) => [asked, part, state, chart])).toEqual([
      ['allergies', 0, 'new', ['LATEX']],
      ['allergies', 1, 'same', ['LATEX']],
      ['medications', 0, 'new', []],
      ['glp1', 0, 'new', []],
      ['surgeries', 0, 'new', []],
      ['height', 0, 'new', []],
      ['weight', 0, 'new', []],
      ['pharmacy', 0, 'different', ['Old Street']],
      ['emergency', 0, 'new', []],
      ['born', 0, 'new', []],
    ])
    const kept = await decide(provider, review, 'kept', ({ question: asked }) => asked === 'pharmacy')
    expect(kept).toMatchObject({ reviewedAt: null })
    const after = await decide(provider, kept, 'accepted', ({ decision }) => decision === null)
    expect(after).toMatchObject({ needsReview: false, reviewedAt: expect.any(String), reviewedBy: expect.any(String) })
    expect(after.items.find(({ question: asked }) => asked === 'pharmacy')!.decision).toMatchObject({ decision: 'kept', text: null })
    expect(await provider.forms.ofContact({ contactId })).toMatchObject([{ id, needsReview: false }])
    expect((await provider.forms.toReview()).map((one) => one.id)).not.toContain(id)

    const { entries, measurements } = await provider.health.get({ contactId })
    expect(entries.map(({ kind, name, source, year, isWeightLoss, status }) => [kind, name, source, year, isWeightLoss, status])).toEqual([
      ['allergy', 'LATEX', 'staff', null, false, 'active'],
      ['allergy', 'Penicillin', 'form', null, false, 'active'],
      ['medication', 'Ibuprofen', 'form', null, false, 'active'],
      ['medication', 'Semaglutide 0.5 mg', 'form', null, true, 'active'],
      ['surgery', 'Caesarean section 2016', 'form', 2016, false, 'past'],
    ])
    expect(new Set(entries.map(({ createdBy }) => createdBy))).toEqual(new Set([after.reviewedBy]))
    expect(measurements).toMatchObject([{ heightCm: 168, weightKg: 71.2, source: 'form', measuredBy: after.reviewedBy }])
    expect(await provider.contacts.get({ id: contactId })).toMatchObject({
      pharmacy: 'Old Street',
      emergencyContactName: 'Bo',
      emergencyContactPhone: '905 555 0142',
      dateOfBirth: '1988-03-14',
      weightLossMedication: 'Listed in the chart',
    })
    const log = await server.rows<{ decided: { question: string }[] }>(
      "select after->'decided' as decided from audit_log where kind = 'form' and after ? 'decided' and contact_ids @> array[$1::uuid] order by id",
      [contactId],
    )
    expect(log.map(({ decided }) => decided.length)).toEqual([1, 9])
  })

  it('is decided once: repeating changes nothing, and of two reviewers at the same moment one writes', async () => {
    const { id, contactId } = await submitted()
    const review = await provider.forms.review({ id })
    const both = await Promise.all([
      decide(provider, review, 'accepted'),
      decide(admin, review, 'accepted'),
      decide(provider, review, 'accepted'),
      decide(admin, review, 'kept'),
    ])
    expect(new Set(both.map(({ reviewedBy }) => reviewedBy)).size).toBe(1)
    const first = await entriesOf(contactId)
    expect([0, 5]).toContain(first.length)
    await decide(admin, review, 'accepted')
    expect(await entriesOf(contactId)).toEqual(first)
    expect(await server.rows('select 1 from form_decisions where form_id = $1', [id])).toHaveLength(10)
  })

  it('of which the chart has changed since shows what the chart says now, and writes nothing', async () => {
    const { id, contactId } = await submitted()
    const review = await provider.forms.review({ id })
    await provider.health.addEntry({ contactId, kind: 'allergy', name: 'Tape' })
    const before = await entriesOf(contactId)
    const refused = await refusal(decide(provider, review, 'accepted'))
    expect(refused).toMatchObject({ status: 409, code: 'CHANGED' })
    const { current } = refused.data as { current: Review }
    expect(current.items[0]).toMatchObject({ question: 'allergies', chart: ['Tape'], decision: null })
    expect(await entriesOf(contactId)).toEqual(before)
    expect(await decide(provider, current, 'accepted')).toMatchObject({ needsReview: false })
  })

  it('writes what the reviewer has corrected, and refuses values that the chart does not take', async () => {
    const { id, contactId } = await submitted()
    const [allergy, , medication] = (await provider.forms.review({ id })).items
    const of = ({ question: asked, part, seen }: Review['items'][number]) => ({
      question: asked,
      part,
      seen,
      decision: 'accepted' as const,
    })
    await provider.forms.decide({
      id,
      decisions: [
        { ...of(allergy!), text: 'Amoxicillin', severity: 'severe' },
        { ...of(medication!), stopDays: 7 },
      ],
    })
    expect(await entriesOf(contactId)).toMatchObject([
      { name: 'Amoxicillin', severity: 'severe' },
      { name: 'Ibuprofen', stopDays: 7 },
    ])
    const rest = await provider.forms.review({ id })
    const emergency = rest.items.find(({ question: asked }) => asked === 'emergency')!
    const born = rest.items.find(({ question: asked }) => asked === 'born')!
    for (const wrong of [
      { ...of(emergency), text: 'Bo '.repeat(50) },
      { ...of(born), text: '2199-01-01' },
      { ...of(born), question: 'unknown' },
    ])
      expect(await refusal(provider.forms.decide({ id, decisions: [wrong] }))).toMatchObject({ status: 422 })
    expect((await provider.forms.review({ id })).items.filter(({ decision }) => decision)).toHaveLength(2)
  })

  it('names each answer that the chart does not take, writes none of the others then, and takes the corrected ones', async () => {
    const { id, contactId } = await submitted({ ...answers, height: 20, weight: 900 })
    const review = await provider.forms.review({ id })
    const accept = (texts: Record<string, string> = {}) =>
      provider.forms.decide({
        id,
        decisions: review.items.map(({ question: asked, part, seen }) => ({
          question: asked,
          part,
          seen,
          decision: 'accepted' as const,
          ...(texts[asked] !== undefined && { text: texts[asked] }),
        })),
      })
    expect(await refusal(accept({ pharmacy: 'x'.repeat(200), born: '2199-01-01' }))).toMatchObject({
      status: 422,
      code: 'INVALID_REFERENCE',
      data: {
        fields: {
          'height:0': expect.stringContaining('from 30 to 272 cm'),
          'weight:0': expect.stringContaining('from 1 to 650 kg'),
          'born:0': expect.any(String),
        },
      },
    })
    expect(await refusal(accept({ height: 'tall', weight: '71' }))).toMatchObject({ data: { fields: { 'height:0': expect.any(String) } } })
    expect(await entriesOf(contactId)).toEqual([])
    const after = await accept({ height: '172,4', weight: '71' })
    expect(after).toMatchObject({ needsReview: false })
    expect((await provider.health.get({ contactId })).measurements).toMatchObject([{ heightCm: 172, weightKg: 71, source: 'form' }])
    expect(after.items.find(({ question: asked }) => asked === 'height')!.decision).toMatchObject({ text: '172,4' })
  })

  it('can be ended with answers undecided, which stay out of the chart', async () => {
    const { id, contactId } = await submitted()
    const ended = await provider.forms.endReview({ id })
    expect(await provider.forms.endReview({ id })).toMatchObject({ reviewedAt: ended.reviewedAt, needsReview: false })
    expect(await entriesOf(contactId)).toEqual([])
  })

  it('is refused for a form that was not submitted, and hidden from the front desk', async () => {
    const patient = await portal.signIn()
    const { id } = await theatre.desk.forms.send({ contactId: patient.id, templateId, email: null })
    expect(await refusal(provider.forms.review({ id }))).toMatchObject({ status: 409, code: 'NOT_SUBMITTED' })
    expect(await refusal(provider.forms.endReview({ id }))).toMatchObject({ status: 409, code: 'NOT_SUBMITTED' })
    for (const call of [theatre.desk.forms.review({ id }), theatre.desk.forms.toReview()])
      expect(await refusal(call)).toMatchObject({ status: 403 })
  })
})

describe('an answer that there is nothing', () => {
  const none: FormDefinition = {
    title: both('Nothing'),
    sections: [
      {
        id: 'all',
        title: both('All'),
        help: null,
        showIf: null,
        questions: [
          question('allergic', 'yes_no', 'allergies'),
          question('medications', 'long_text', 'medications'),
          question('surgery', 'yes_no', 'past_surgeries'),
          question('family', 'text', 'family_history'),
          question('pregnancy', 'yes_no', 'pregnancy'),
          question('nicotine', 'choice', 'nicotine', {
            options: ['never', 'now'].map((option) => ({ id: option, label: both(option), isExclusive: false })),
          }),
        ],
      },
    ],
  }
  const noAnswers = { allergic: false, medications: 'none', surgery: false, family: 'No', pregnancy: false, nicotine: 'never' }
  let noneTemplate = ''
  async function submittedNone(contact?: { id: string; token: string }) {
    noneTemplate ||= (await publishForm(admin, none)).id
    return submitted(noAnswers, contact, noneTemplate)
  }

  it('is shown, and accepting it records that in the chart with its source and reviewer', async () => {
    const { id, contactId } = await submittedNone()
    const review = await provider.forms.review({ id })
    expect(review.items.map(({ question: asked, text, isNone, state, chart }) => [asked, text, isNone, state, chart])).toEqual([
      ['allergic', 'No known allergies', true, 'new', []],
      ['medications', 'Takes no medication', true, 'new', []],
      ['surgery', 'No past surgeries', true, 'new', []],
      ['family', 'No family history', true, 'new', []],
      ['pregnancy', 'Not pregnant or breastfeeding', true, 'new', []],
      ['nicotine', 'Never used nicotine', true, 'new', []],
    ])
    const { reviewedBy } = await decide(provider, review, 'accepted')
    const health = await provider.health.get({ contactId })
    expect(health.entries).toEqual([])
    expect(health.reviews).toMatchObject([
      { section: 'allergies', activeEntries: 0, source: 'form', reviewedBy },
      { section: 'medications', activeEntries: 0, source: 'form', reviewedBy },
    ])
    expect(health.negatives.map(({ topic, statement, source, reviewedBy: by }) => [topic, statement, source, by])).toEqual([
      ['family', 'No family history', 'form', reviewedBy],
      ['nicotine', 'Never used nicotine', 'form', reviewedBy],
      ['pregnancy', 'Not pregnant or breastfeeding', 'form', reviewedBy],
      ['surgeries', 'No past surgeries', 'form', reviewedBy],
    ])
    // The front desk sees allergies only.
    expect(await theatre.desk.health.get({ contactId })).toMatchObject({ reviews: [{ section: 'allergies' }], negatives: [] })
    // Asked again, the chart says the same. An entry on the topic says otherwise, also after it has ended.
    const again = await submittedNone({ id: contactId, token: (await portal.signInAs(contactId)).token })
    expect((await provider.forms.review({ id: again.id })).items.map(({ state }) => state)).toEqual(Array.from({ length: 6 }, () => 'same'))
    const { entries } = await provider.health.addEntry({ contactId, kind: 'nicotine', name: 'Vapes' })
    await provider.health.changeEntry({ id: entries[0]!.id, version: 1, status: 'past' })
    expect((await provider.health.get({ contactId })).negatives.map(({ topic }) => topic)).toEqual(['family', 'pregnancy', 'surgeries'])
  })

  it('that contradicts the chart says so, can be kept out, and deletes nothing', async () => {
    const { id, contactId } = await submittedNone()
    await provider.health.addEntry({ contactId, kind: 'allergy', name: 'Latex' })
    await provider.health.addEntry({ contactId, kind: 'surgery', name: 'Hip', year: 2016 })
    const review = await provider.forms.review({ id })
    expect(review.items.filter(({ state }) => state === 'contradiction').map(({ question: asked, chart }) => [asked, chart])).toEqual([
      ['allergic', ['Latex']],
      ['surgery', ['Hip (2016)']],
    ])
    expect(await refusal(decide(provider, review, 'accepted'))).toMatchObject({
      status: 422,
      data: { fields: { 'allergic:0': expect.any(String), 'surgery:0': expect.any(String) } },
    })
    const before = await provider.health.get({ contactId })
    expect([before.reviews, before.negatives]).toEqual([[], []])
    const kept = await decide(provider, review, 'kept', ({ question: asked }) => asked === 'allergic')
    expect((await provider.health.get({ contactId })).entries).toEqual(before.entries)
    // Once the entry was entered in error, the answer can be accepted.
    const hip = before.entries.find(({ name }) => name === 'Hip')!
    await provider.health.changeEntry({ id: hip.id, version: 1, status: 'entered_in_error', errorReason: 'Another patient' })
    const resolved = await provider.forms.review({ id })
    expect(resolved.items.find(({ question: asked }) => asked === 'surgery')).toMatchObject({ state: 'new', chart: [] })
    expect(await decide(provider, resolved, 'accepted', ({ decision }) => decision === null)).toMatchObject({ needsReview: false })
    expect(kept.items[0]!.decision).toMatchObject({ decision: 'kept' })
  })

  it('does not complete a checklist that asks for a review of the whole history', async () => {
    const { id, contactId } = await submittedNone()
    await decide(provider, await provider.forms.review({ id }), 'accepted', ({ field }) => field === 'nicotine')
    expect(await server.rows('select section, topic from health_reviews where contact_id = $1', [contactId])).toEqual([
      { section: 'history', topic: 'nicotine' },
    ])
    expect((await provider.health.get({ contactId })).reviews).toEqual([])
    const surgery = await theatre.operate({ contactId })
    await decide(provider, await provider.forms.review({ id }), 'accepted', ({ field }) => field === 'pregnancy')
    const reviewed = (await theatre.desk.surgeries.get({ id: surgery.id })).items.filter(({ words }) => /reviewed/i.test(words))
    expect(reviewed.length).toBeGreaterThan(0)
    expect(reviewed.every(({ isDone }) => !isDone)).toBe(true)
  })
})

describe('red flags of a submitted form', () => {
  const tasksOf = (contactId: string) => server.rows<{ title: string }>('select title from tasks where contact_id = $1', [contactId])

  it('add an alert to the chart once, as from the form', async () => {
    const { id, patient, contactId } = await submitted({ clots: true })
    expect(await entriesOf(contactId)).toMatchObject([
      { kind: 'alert', name: 'Reports a previous blood clot', source: 'form', createdBy: null, status: 'active' },
    ])
    expect(await server.rows('select source_id from health_entries where contact_id = $1', [contactId])).toEqual([{ source_id: id }])
    await submitted({ clots: true }, patient)
    expect(await entriesOf(contactId)).toHaveLength(1)
    expect(await tasksOf(contactId)).toEqual([])
  })

  it('add a required item to the checklist of the next case, which names no answer, or a task without a case', async () => {
    const patient = await portal.signIn()
    const surgery = await theatre.operate({ contactId: patient.id })
    await submitted({ heart: true }, patient)
    const after = await theatre.desk.surgeries.get({ id: surgery.id })
    const added = after.items.find(({ words }) => words.startsWith('Follow up on the form'))!
    expect(added).toMatchObject({ isRequired: true, isDone: false, ownerRole: 'provider', isMissing: true })
    expect(JSON.stringify(after)).not.toContain('murmur')
    expect(after.missing.map(({ id }) => id)).toContain(added.id)
    expect(await tasksOf(patient.id)).toEqual([])
    await submitted({ heart: true }, patient)
    expect((await theatre.desk.surgeries.get({ id: surgery.id })).items).toHaveLength(after.items.length)
    await provider.surgeries.changeItem({ id: surgery.id, itemId: added.id, isDone: true })
    expect((await theatre.desk.surgeries.get({ id: surgery.id })).missing.map(({ id }) => id)).not.toContain(added.id)

    const { contactId } = await submitted({ heart: true })
    expect(await tasksOf(contactId)).toEqual([{ title: 'A submitted form needs follow-up' }])
  })
})
