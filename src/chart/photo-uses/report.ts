import { and, asc, eq, inArray, or, type SQL } from 'drizzle-orm'
import { letterheadOf, patientFacts, type PdfCell, type PdfDocument, pdfResponse } from '../../kernel/pdf/document.ts'
import { renderPdf } from '../../kernel/pdf/render.ts'
import type { Db } from '../../kernel/postgres/database.ts'
import { type Scope, staff } from '../../kernel/scope.ts'
import { isUuid } from '../../shared/text.ts'
import { formatClockTime, formatMediumDay, formatMediumInstant } from '../../shared/translations.ts'
import { recordChange } from '../../platform/audit/service.ts'
import { profiles } from '../../platform/auth/table.ts'
import { contacts } from '../../crm/contacts/table.ts'
import { isOpen } from '../../crm/tasks/rules.ts'
import { tasks } from '../../crm/tasks/table.ts'
import { consentEvents, consentForms } from '../consent-forms/table.ts'
import { timePoints, views } from '../photos/rules.ts'
import { photos, photoSeries } from '../photos/table.ts'
import { consentsOf, type FoundConsent } from './consent-of-photo.ts'
import { type Purpose, purposeNames, purposes, scopesFor } from './rules.ts'
import { photoConsents, photoLinks, photoUses } from './table.ts'

const answer = (status: number, code: string, message: string): Response => Response.json({ code, message }, { status })
const day = (given: string): string => formatMediumDay(given, 'en')
const namesOf = (list: readonly Purpose[]): string => list.map((purpose) => purposes[purpose]).join(', ')

/**
 * GET /api/photo-consents/{id}.pdf: the proof of a withdrawal, of a signed form or of a consent that was recorded apart: what was withdrawn when and by
 * whom, every place of use that it ended, and what is still open. The audit log records it as an export. 409 NOT_WITHDRAWN: it still counts.
 */
export async function withdrawalReportResponse(scope: Scope, id: string): Promise<Response> {
  const { db, env } = scope
  const contactId = isUuid(id) ? await patientOf(db, id) : null
  const [contact] = contactId === null ? [] : await db.select().from(contacts).where(eq(contacts.id, contactId))
  if (!contact) return answer(404, 'NOT_FOUND', 'This consent does not exist')
  const consents = (await consentsOf(db, scope, contact.id)).filter((consent) => consent.id === id)
  const withdrawn = consents.filter(({ isWithdrawn }) => isWithdrawn)
  const [first] = withdrawn
  if (!first) return answer(409, 'NOT_WITHDRAWN', 'This consent has not been withdrawn')
  await recordChange(db, scope, { action: 'exported', kind: 'photo consent', contactIds: [contact.id], after: { id } })

  const at = (instant: Date) => formatMediumInstant(instant, 'en', env.PRACTICE_TIME_ZONE)
  const dayOf = (instant: Date) => formatMediumDay(instant, 'en', env.PRACTICE_TIME_ZONE)
  const timeOf = (instant: Date) => formatClockTime(instant, 'en', env.PRACTICE_TIME_ZONE)
  const places = await placesOf(db, contact.id, withdrawn)
  const names = await db.select({ id: profiles.id, name: profiles.name }).from(profiles)
  const nameOf = (person: string | null) => names.find((one) => one.id === person)?.name ?? 'Unknown'
  const open = places.filter(({ use }) => use.place !== null && use.removedAt === null)
  const describe = ({ use, photo, series }: Place) =>
    `${views[photo.view]}, ${series.title ?? timePoints[series.timePoint]}: ${purposes[use.purpose]}, ${use.place}`
  const born = contact.dateOfBirth === null ? 'Date of birth not on file' : `Born ${day(contact.dateOfBirth)}`
  const document: PdfDocument = {
    letterhead: letterheadOf(scope, 'en', { isClinical: true }),
    title: 'Withdrawal of consent to use photos',
    head: `${contact.firstName} ${contact.lastName} · ${born}`,
    warning: null,
    facts: [
      ...patientFacts(contact),
      { label: 'Consent', value: first.note },
      { label: 'Allowed', value: namesOf(consents.map(({ purpose }) => purpose)) },
      { label: 'Photos', value: first.photoIds === null ? 'All photos of the patient' : countOf(first.photoIds.length) },
      ...(first.expiresOn === null ? [] : [{ label: 'Last day', value: day(first.expiresOn) }]),
      ...(first.source === 'form' ? await formFacts(db, id, { at, nameOf }) : await recordedFacts(db, id, { at, nameOf })),
      { label: 'Withdrawn uses', value: namesOf(withdrawn.map(({ purpose }) => purpose)) },
    ],
    parts: [
      {
        heading: 'Still open',
        text: open.length === 0 ? 'Nothing. No photo remains in use under this consent.' : open.map(describe).join('\n'),
      },
      {
        heading: 'Where the photos were used under this consent',
        mayBreak: true,
        columns: [
          { label: 'Photo', width: 118 },
          { label: 'Use' },
          { label: 'Begun', width: 92 },
          { label: 'Ended', width: 98 },
          { label: 'Removal', width: 92 },
        ],
        rows:
          places.length === 0
            ? [['No photo was used', '', '', '', '']]
            : places.map((place) => rowOf(place, { at, dayOf, timeOf, nameOf })),
      },
    ],
    notes: [
      'The gallery, the website’s feed and links check the consent with each request: they stopped showing the photos when the withdrawal was recorded. Browsers and caches keep an image of the website for at most 30 seconds.',
      `Report made by ${staff(scope).name} on ${at(scope.now())}`,
    ],
  }
  return pdfResponse(`Withdrawal ${contact.firstName} ${contact.lastName}`, await renderPdf(document))
}

interface Words {
  at: (instant: Date) => string
  nameOf: (person: string | null) => string
}
type RowWords = Words & { dayOf: (instant: Date) => string; timeOf: (instant: Date) => string }
const countOf = (count: number): string => (count === 1 ? '1 photo' : `${count} photos`)

async function patientOf(db: Db, id: string): Promise<string | null> {
  const [recorded] = await db.select({ contactId: photoConsents.contactId }).from(photoConsents).where(eq(photoConsents.id, id))
  if (recorded) return recorded.contactId
  const [form] = await db.select({ contactId: consentForms.contactId }).from(consentForms).where(eq(consentForms.id, id))
  return form?.contactId ?? null
}

async function recordedFacts(db: Db, id: string, { at, nameOf }: Words): Promise<PdfDocument['facts']> {
  const [row] = await db.select().from(photoConsents).where(eq(photoConsents.id, id))
  const { givenOn, recordedBy, recordedAt, withdrawnOn, withdrawnBy, withdrawalRecordedBy, withdrawalRecordedAt } = row!
  return [
    { label: 'Given', value: `${day(givenOn)}, recorded by ${nameOf(recordedBy)} on ${at(recordedAt)}` },
    { label: 'Withdrawn', value: `${day(withdrawnOn!)}, by ${withdrawnBy}` },
    { label: 'Withdrawal recorded', value: `${at(withdrawalRecordedAt!)}, by ${nameOf(withdrawalRecordedBy)}` },
  ]
}

/** From the steps of the form, each of which is sealed by a hash: a form can be withdrawn in parts. */
async function formFacts(db: Db, id: string, { at }: Words): Promise<PdfDocument['facts']> {
  const events = await db.select().from(consentEvents).where(eq(consentEvents.consentFormId, id)).orderBy(asc(consentEvents.id))
  return events.flatMap(({ kind, at: instant, actorId, actorName, detail }) => {
    if (kind === 'signed') return [{ label: 'Signed', value: `${at(instant)}, by ${actorName}` }]
    if (kind === 'recorded')
      return [
        {
          label: 'Signed on paper',
          value: `${day(String(detail.on))}, by ${String(detail.signer)}, recorded by ${actorName} on ${at(instant)}`,
        },
      ]
    if (kind !== 'withdrawn') return []
    const reach = Array.isArray(detail.scopes) ? namesOf(purposesOf(detail.scopes as string[])) : 'the whole consent'
    const who =
      actorId === null
        ? `${at(instant)}, by ${actorName} in the portal`
        : `${day(String(detail.on))}, by ${String(detail.by)}, recorded by ${actorName} on ${at(instant)}`
    return [{ label: 'Withdrawn', value: `${who}: ${reach}` }]
  })
}

const purposesOf = (scopes: readonly string[]): Purpose[] =>
  purposeNames.filter((purpose) => scopesFor[purpose].some((scope) => scopes.includes(scope)))

/** Every use of the patient's photos under what was withdrawn of a consent, in the order in which they began. The undo of a merge parts photos and consents. */
const placesOf = (db: Db, contactId: string, withdrawn: readonly FoundConsent[]) =>
  db
    .select({
      use: photoUses,
      photo: photos,
      series: photoSeries,
      link: photoLinks,
      task: { status: tasks.status, assignedTo: tasks.assignedTo },
    })
    .from(photoUses)
    .innerJoin(photos, eq(photos.id, photoUses.photoId))
    .innerJoin(photoSeries, eq(photoSeries.id, photos.seriesId))
    .leftJoin(photoLinks, eq(photoLinks.id, photoUses.linkId))
    .leftJoin(tasks, eq(tasks.id, photoUses.taskId))
    .where(and(eq(photos.contactId, contactId), or(...withdrawn.map(isUnder))))
    .orderBy(asc(photoUses.begunAt), asc(photoUses.id))
type Place = Awaited<ReturnType<typeof placesOf>>[number]

const isUnder = ({ id, source, purpose }: FoundConsent): SQL =>
  and(eq(source === 'form' ? photoUses.consentFormId : photoUses.photoConsentId, id), inArray(photoUses.purpose, [purpose]))!

function rowOf({ use, photo, series, link, task }: Place, words: RowWords): PdfCell[] {
  const { dayOf, timeOf, nameOf } = words
  const taken = `Series of ${day(series.takenOn)}${photo.deletedAt === null ? '' : ', photo deleted since'}`
  return [
    { text: `${views[photo.view]}, ${series.title ?? timePoints[series.timePoint]}`, detail: taken },
    { text: purposes[use.purpose], detail: whereOf(use, link, words) },
    { text: dayOf(use.begunAt), detail: `${timeOf(use.begunAt)}, by ${nameOf(use.begunBy)}` },
    endOf(use, link, words),
    removalOf({ use, task }, words),
  ]
}

function whereOf({ purpose, place }: Place['use'], link: Place['link'], { at }: RowWords): string {
  if (link) {
    const times = link.opened === 1 ? 'once' : `${link.opened} times`
    const opened = link.openedAt === null ? 'never opened' : `opened ${times}, last ${at(link.openedAt)}`
    return `Link to ${link.recipient} (${link.email}), ${opened}`
  }
  if (place !== null) return place
  return purpose === 'website' ? 'Feed of the website' : 'Gallery of the consult room'
}

function endOf(use: Place['use'], link: Place['link'], words: RowWords): PdfCell {
  const { dayOf, timeOf } = words
  if (link && use.endedAt !== null && link.expiresAt < use.endedAt)
    return { text: dayOf(link.expiresAt), detail: `${timeOf(link.expiresAt)}, the link expired` }
  return use.endedAt === null
    ? 'With the withdrawal'
    : { text: dayOf(use.endedAt), detail: `${timeOf(use.endedAt)}, ${endingOf(use, words)}` }
}

function endingOf({ endReason, endedBy }: Place['use'], { nameOf }: RowWords): string {
  if (endReason === 'withdrawn') return 'by the withdrawal'
  return endReason === 'expired' ? 'after its last day' : `by ${nameOf(endedBy)}`
}

/** Of a place that Refyne cannot reach: the task, its person, and when the photo was marked as removed. */
function removalOf({ use, task }: Pick<Place, 'use' | 'task'>, { dayOf, timeOf, nameOf }: RowWords): PdfCell {
  if (use.place === null) return 'Ended by Refyne'
  const assigned = task ? `Task of ${nameOf(task.assignedTo)}, ${isOpen(task.status) ? 'open' : 'closed'}` : 'No task'
  return use.removedAt === null
    ? { text: 'Not marked as removed', detail: assigned }
    : { text: `Removed ${dayOf(use.removedAt)}`, detail: `${timeOf(use.removedAt)}, by ${nameOf(use.removedBy)}. ${assigned}` }
}
