import { and, desc, eq } from 'drizzle-orm'
import { isRefusal, refuse } from '../kernel/refusal.ts'
import type { Scope } from '../kernel/scope.ts'
import { dayAt } from '../shared/zoned-time.ts'
import type { PatientQuote } from '../billing/quotes/quote-contract.ts'
import { dueNow, isPayable, payPath, portalLinkMs, unbookedCents } from '../billing/cards/service.ts'
import { remaining } from '../billing/collections/rules.ts'
import { shownStatus } from '../billing/quotes/rules.ts'
import { acceptQuote, declineQuote, surgeryDaysOf } from '../billing/quotes/service.ts'
import { quotes } from '../billing/quotes/table.ts'
import { frenchTitle } from '../crm/procedures/rules.ts'
import { frenchProcedures } from '../crm/procedures/service.ts'
import { asPatient } from '../kernel/as-patient.ts'
import type { PatientScope } from './sessions.ts'
import { openSigned, signedQuery } from './file-links.ts'
import { denied } from './own-scope.ts'
import { openPortions } from './receipts.ts'

/** Quotes sent to the patient and neither replaced nor withdrawn. The database enforces this. */
const readOwn = (scope: PatientScope, id?: string) =>
  scope.db.transaction((tx) =>
    asPatient(tx, scope.env, scope.patient, (own) =>
      own
        .select()
        .from(quotes)
        .where(and(id === undefined ? undefined : eq(quotes.id, id)))
        .orderBy(desc(quotes.sentAt), desc(quotes.id)),
    ),
  )

/** The patient's quotes, latest sent first, each with a link that works for one minute. */
export async function listOwnQuotes(scope: PatientScope): Promise<PatientQuote[]> {
  const rows = await readOwn(scope)
  if (rows.length > 0) await scope.recordView({ kind: 'quote', contactIds: [scope.patient] })
  const today = dayAt(scope.now(), scope.env.PRACTICE_TIME_ZONE)
  const surgeryDays = await surgeryDaysOf(
    scope.db,
    scope.env,
    rows.map(({ surgeryId }) => surgeryId),
  )
  const french = rows.length > 0 ? await frenchProcedures(scope.db) : []
  const portions = rows.some(({ status }) => status === 'accepted') ? await openPortions(scope) : []
  const unbooked = portions.length > 0 ? await unbookedCents(scope.db, scope.patient) : 0
  return rows.map((row) => {
    // The database returns no other statuses here.
    const status = shownStatus(row, today) as PatientQuote['shownStatus']
    const surgeryDay = (row.surgeryId && surgeryDays.get(row.surgeryId)) || null
    const lines = row.lines.map((line) => ({ ...line, wordsFr: frenchTitle(line.words, french) }))
    return {
      ...row,
      lines,
      titleFr: frenchTitle(row.title, french),
      surgeryDay,
      shownStatus: status,
      payment: paymentOf(
        scope,
        row.id,
        portions.filter(({ chargeId }) => chargeId === row.chargeId),
        unbooked,
      ),
      fileUrl: `/api/functions/patient-quote-file/${row.id}?${signedQuery(scope, { id: row.id, as: 'quote' })}`,
    }
  })
}

/** @param portions of the quote's charge. @param unbooked paid by card and not in the ledger yet, in cents. */
function paymentOf(scope: PatientScope, id: string, portions: Awaited<ReturnType<typeof openPortions>>, unbooked: number) {
  const dueCents = dueNow(remaining(portions, unbooked), dayAt(scope.now(), scope.env.PRACTICE_TIME_ZONE))
  return isPayable(scope.env, dueCents) ? { dueCents, path: payPath(scope, { kind: 'quote', id, isFromPortal: true }, portalLinkMs) } : null
}

/** The quote of a link, if link and session are valid and the patient may see it; otherwise null. */
export async function openQuoteLink(scope: Scope, id: string, query: URLSearchParams) {
  const own = await openSigned(scope, { id, as: 'quote' }, query)
  const [row] = own ? await readOwn(own, id) : []
  return own && row ? { scope: own, row } : null
}

/** Null if the patient has no such quote. */
export async function acceptOwnQuote(scope: PatientScope, accepted: { id: string; totalCents: number; name: string }) {
  const result = await acceptQuote(scope, accepted)
  if (result === null) return denied(scope, 'quote', accepted.id)
  // The portal has no field for the total, so no field error.
  return isRefusal(result) && result.refusal === 'TOTALS_DIFFER' ? refuse('TOTALS_DIFFER') : result
}

/** Null if the patient has no such quote. */
export async function declineOwnQuote(scope: PatientScope, declined: { id: string; reason: string }) {
  return (await declineQuote(scope, declined)) ?? denied(scope, 'quote', declined.id)
}
