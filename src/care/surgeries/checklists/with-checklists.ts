import { differenceInCalendarDays } from 'date-fns/differenceInCalendarDays'
import { parseISO } from 'date-fns/parseISO'
import { and, asc, eq, inArray } from 'drizzle-orm'
import type { Db } from '../../../kernel/postgres/database.ts'
import type { Scope } from '../../../kernel/scope.ts'
import { slot } from '../../../kernel/slot.ts'
import { dayAt } from '../../../shared/zoned-time.ts'
import { appointments } from '../../appointments/table.ts'
import type { contacts } from '../../../crm/contacts/table.ts'
import { consentsInForce } from '../../../chart/consent-forms/service.ts'
import { medicationsOf, reviewsOf } from '../../../chart/health/service.ts'
import { medicationsToReview, reviewedForCase, sections } from '../../../chart/health/rules.ts'
import { maySee } from '../../../kernel/access/information.ts'
import { listStages } from '../../../crm/pipeline/service.ts'
import { withNamesakes } from '../../reservations/service.ts'
import { safetyStates } from '../safety/state.ts'
import { type Facts, shownItems } from '../checklist-rules.ts'
import type { Surgery } from '../contract.ts'
import { blockingStatuses, isSurgeryBooked, shownStatus } from '../rules.ts'
import { surgeries, surgeryItems } from '../table.ts'

interface Found {
  surgery: typeof surgeries.$inferSelect
  contact: typeof contacts.$inferSelect
}

/** An open part of a patient's balance; `dueOn` is 'yyyy-MM-dd'. */
export interface OpenPortion {
  openCents: number
  dueOn: string
  isBeforeSurgery: boolean
}

/** The open balance of each patient, and whether collections holds their surgery. Filled by billing. */
export const owedByContacts =
  slot<
    (
      db: Db,
      env: Scope['env'],
      contactIds: readonly string[],
    ) => Promise<Map<string, { portions: readonly OpenPortion[]; isHeld: boolean }>>
  >('owedByContacts')

/** Adds checklists with their current state to cases. The facts for automatic items are loaded for all cases at once. */
export async function withChecklists(
  db: Db,
  { actor, now, env }: Pick<Scope, 'actor' | 'now' | 'env'>,
  found: readonly Found[],
): Promise<Surgery[]> {
  if (found.length === 0) return []
  const zone = env.PRACTICE_TIME_ZONE
  const contactIds = [...new Set(found.map(({ contact }) => contact.id))]
  const stages = await listStages(db)
  const owedBy = await owedByContacts(db, env, contactIds)
  const [items, visits, cases, reviews, medications, consents, safety] = await Promise.all([
    itemsOf(db, found),
    visitsOf(db, contactIds),
    startsOf(db, contactIds),
    byContact(reviewsOf(db, contactIds)),
    // Others see the weight-loss medication that the record names (spec 3).
    maySee(actor, 'healthSummary') ? byContact(medicationsOf(db, contactIds)) : null,
    consentsInForce(
      db,
      { env },
      found.map(({ surgery }) => surgery),
    ),
    safetyStates(
      db,
      { env },
      found.map(({ surgery }) => surgery),
    ),
  ])

  const withItems = found.map(({ surgery, contact }) => {
    const day = dayAt(surgery.startsAt, zone)
    const visitOn = (type: 'pre_op' | 'post_op') => {
      const visit = visitFor(type, surgery, visits.get(contact.id) ?? [], cases.get(contact.id) ?? [])
      return visit && dayAt(visit, zone)
    }
    const reviewedOn = (wanted: typeof sections | readonly ['medications']) => {
      const at = reviewedForCase(reviews.get(contact.id) ?? [], wanted, surgery)
      return at && dayAt(at, zone)
    }
    const consentsAt = consents.get(surgery.id)
    const { portions, isHeld } = owedBy.get(contact.id) ?? { portions: [], isHeld: false }
    const owed = portions.filter(({ isBeforeSurgery, dueOn }) => isHeld || isBeforeSurgery || dueOn <= day)
    const isWon = stages.find(({ id }) => id === contact.funnelStageId)?.kind === 'won'
    const facts: Facts = {
      ...contact,
      isSurgeryBooked: isSurgeryBooked(isWon, contact),
      owedCents: owed.reduce((sum, { openCents }) => sum + openCents, 0),
      isHeld,
      preOpOn: visitOn('pre_op'),
      postOpOn: visitOn('post_op'),
      historyReviewedOn: reviewedOn(sections),
      medicationsReviewedOn: reviewedOn(['medications']),
      requiresConsents: consentsAt !== undefined,
      consentsOn: consentsAt ? dayAt(consentsAt, zone) : null,
      medications: medicationsToReview(medications?.get(contact.id) ?? []) ?? contact.weightLossMedication,
    }
    const shown = shownItems(items.get(surgery.id) ?? [], facts)
    const missing = shown.filter(({ isMissing }) => isMissing)
    return {
      ...surgery,
      contact,
      shownStatus: shownStatus(surgery.status, missing),
      daysToGo: differenceInCalendarDays(parseISO(day), parseISO(dayAt(now(), zone))),
      missing,
      safety: safety.get(surgery.id)!,
      items: shown,
    }
  })
  return withNamesakes(db, env, withItems)
}

const byContact = async <Row extends { contactId: string }>(rows: Promise<readonly Row[]>): Promise<Map<string, Row[]>> =>
  Map.groupBy(await rows, ({ contactId }) => contactId)

/** By due date. */
async function itemsOf(db: Db, found: readonly Found[]) {
  const rows = await db
    .select()
    .from(surgeryItems)
    .where(
      inArray(
        surgeryItems.surgeryId,
        found.map(({ surgery }) => surgery.id),
      ),
    )
    .orderBy(asc(surgeryItems.dueDays), asc(surgeryItems.id))
  return Map.groupBy(rows, ({ surgeryId }) => surgeryId)
}

/** Completed pre-op and post-op visits, oldest first. */
async function visitsOf(db: Db, contactIds: string[]) {
  const rows = await db
    .select({ contactId: appointments.contactId, type: appointments.type, startsAt: appointments.startsAt })
    .from(appointments)
    .where(
      and(
        inArray(appointments.contactId, contactIds),
        eq(appointments.status, 'completed'),
        inArray(appointments.type, ['pre_op', 'post_op']),
      ),
    )
    .orderBy(asc(appointments.startsAt))
  return Map.groupBy(rows, ({ contactId }) => contactId)
}

/** Starts of the scheduled and completed cases, oldest first. */
async function startsOf(db: Db, contactIds: string[]) {
  const rows = await db
    .select({ contactId: surgeries.contactId, startsAt: surgeries.startsAt })
    .from(surgeries)
    .where(and(inArray(surgeries.contactId, contactIds), inArray(surgeries.status, [...blockingStatuses])))
    .orderBy(asc(surgeries.startsAt))
  return Map.groupBy(rows, ({ contactId }) => contactId)
}

interface Starting {
  startsAt: Date
}

/**
 * The last pre-op visit before this surgery, or the first post-op visit after it. A visit between two surgeries belongs to only one of
 * them.
 */
function visitFor(
  type: 'pre_op' | 'post_op',
  { startsAt }: Starting,
  visits: readonly (Starting & { type: string })[],
  cases: readonly Starting[],
): Date | null {
  const ofType = visits.filter((visit) => visit.type === type)
  if (type === 'pre_op') {
    const before = cases.findLast((other) => other.startsAt < startsAt)
    const visit = ofType.findLast((one) => one.startsAt < startsAt && (!before || one.startsAt > before.startsAt))
    return visit?.startsAt ?? null
  }
  const after = cases.find((other) => other.startsAt > startsAt)
  const visit = ofType.find((one) => one.startsAt > startsAt && (!after || one.startsAt < after.startsAt))
  return visit?.startsAt ?? null
}
