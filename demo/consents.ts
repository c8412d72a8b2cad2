import type { ConsentDefinition } from '../src/chart/consent-forms/definition-rules.ts'
import { initialsOf } from '../src/chart/consent-forms/rules.ts'
import type { StarterKey } from '../src/chart/consent-forms/starter-rules.ts'
import { daysLater } from '../src/shared/zoned-time.ts'
import { type Client, clientOf, signIn } from './billing/quickbooks.ts'
import { answersOf } from './forms.ts'
import { demoPassword, staff } from './staff.ts'

/** What the patient of a case did with the consent forms that it requires. */
type Outcome = 'countersigned' | 'signed' | 'asked' | 'declined'

/** Of the next cases, in their order. The later ones were sent nothing yet. */
const outcomes: Outcome[] = ['countersigned', 'countersigned', 'countersigned', 'signed', 'countersigned', 'asked', 'declined']

/** Loops that flatten towards the end, in thousandths of the field. */
const signatureStrokes = [
  Array.from({ length: 90 }, (_, at) => {
    const [angle, height] = [at / 3, 300 * (1 - at / 90) ** 2 + 30]
    return [160 + at * 7 + 40 * Math.cos(angle), 560 - height * Math.sin(angle)].map(Math.round)
  }).flat(),
]

/**
 * Publishes consent forms, and gives the patients of the next cases what their surgeries require: most signed on a tablet of the practice and
 * countersigned, one signed, one with a question, one declined. The first fills in a form that no one has reviewed. Does nothing if there are some.
 */
export async function writeConsents(url: string, today: string): Promise<void> {
  const [admin, provider, desk] = await Promise.all(
    [staff.admin, staff.provider, staff.frontDesk].map(({ email }) => signIn(url, { email, password: demoPassword })),
  )
  if (!admin || !provider || !desk || (await admin.consentForms.templates()).length > 0) return
  const { data: upcoming } = await desk.surgeries.list({})
  const general = upcoming
    .filter(({ anaesthesia }) => anaesthesia === 'general')
    .flatMap(({ procedures }) => procedures.map(({ id }) => id))
  for (const starter of ['rhinoplasty', 'breast_augmentation', 'abdominoplasty', 'liposuction'] as const) await publish(admin, starter)
  if (general.length > 0) await publish(admin, 'general_anaesthesia', { use: 'procedures', procedureIds: [...new Set(general)] })
  const photos = await publish(admin, 'photo_use')
  await admin.consentForms.createTemplate({ starter: 'injectables' })

  const patient = clientOf(url)
  let next = 0
  for (const one of upcoming) {
    const outcome = outcomes[next]
    if (!outcome) break
    const contactId = one.contact.id
    const isFirst = next === 0
    const { dateOfBirth: known, email, version } = await desk.contacts.get({ id: contactId })
    const dateOfBirth = known ?? '1988-03-14'
    // The texts name the date of birth, and for a minor someone has to choose who signs.
    if (known === null) await desk.contacts.update({ id: contactId, version, dateOfBirth })
    else if (dateOfBirth > daysLater(today, -18 * 366)) continue
    const given = await desk.consentForms.sendRequired({ id: one.id, email: outcome === 'asked' ? email : null })
    const consents = given.flatMap(({ consent }) => consent ?? [])
    if (consents.length === 0) continue
    next++
    if (isFirst) consents.push(await desk.consentForms.send({ contactId, templateId: photos, email: null }))
    const forms = isFirst ? await sendHistory(desk, contactId) : []
    const { id: tabletId, code } = await desk.tablet.open({
      contactId,
      items: [...consents.map(({ id }) => ({ kind: 'consent form' as const, id })), ...forms.map((id) => ({ kind: 'form' as const, id }))],
    })
    const { sessionToken } = await patient.tablet.pair({ code })
    for (const { id } of consents) await decide(patient, { contactId, sessionToken, id }, outcome)
    for (const id of forms) await fillIn(patient, { contactId, sessionToken, id }, { dateOfBirth, today })
    await desk.tablet.end({ id: tabletId })
    if (outcome === 'countersigned')
      for (const { id, use } of consents) if (use !== 'photos') await provider.consentForms.countersign({ id })
  }
}

interface OwnItem {
  contactId: string
  sessionToken: string
  id: string
}

async function decide(patient: Client, own: OwnItem, outcome: Outcome): Promise<void> {
  const { texts, hashes, signerName } = await patient.portal.fetchConsent(own)
  if (outcome === 'asked') await patient.portal.askAboutConsent({ ...own, question: 'How long should I plan to be off work?' })
  else if (outcome === 'declined') await patient.portal.declineConsent({ ...own, reason: 'I would like to think about it until spring.' })
  else {
    const { clauses, scopes } = texts.en
    await patient.portal.signConsent({
      ...own,
      language: 'en',
      textHash: hashes.en,
      signing: {
        shown: clauses.map(({ id }) => id),
        initials: Object.fromEntries(clauses.filter(({ needsInitials }) => needsInitials).map(({ id }) => [id, initialsOf(signerName)])),
        signature: { kind: 'drawn', strokes: signatureStrokes },
        agrees: true,
        scopes: scopes.map(({ scope }) => scope).filter((scope) => scope !== 'social_media'),
      },
    })
  }
}

/** The medical history, if the practice has published it. */
async function sendHistory(desk: Client, contactId: string): Promise<string[]> {
  const found = (await desk.forms.templates()).find(
    ({ title, publishedNumber }) => publishedNumber !== null && title.en === 'Medical history',
  )
  return found ? [(await desk.forms.send({ contactId, templateId: found.id, email: null })).id] : []
}

async function fillIn(patient: Client, own: OwnItem, { dateOfBirth, today }: { dateOfBirth: string; today: string }): Promise<void> {
  const saved = { ...own, language: 'en' } as const
  const { revision } = await patient.portal.saveForm({ ...saved, revision: 0, changes: answersOf({ dateOfBirth, today }) })
  await patient.portal.submitForm({ ...saved, revision })
}

/** A starter, with changes, as patients are given it. */
async function publish(admin: Client, starter: StarterKey, changes: Partial<ConsentDefinition> = {}): Promise<string> {
  const { id, draft } = await admin.consentForms.createTemplate({ starter })
  const { revision, definition } = draft!
  const saved = await admin.consentForms.saveDraft({ id, revision, definition: { ...definition, ...changes } })
  await admin.consentForms.publish({ id, revision: saved.draft!.revision })
  return id
}
