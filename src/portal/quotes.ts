import { and, desc, eq } from 'drizzle-orm'
import { isRefusal, refuse } from '../kernel/refusal.ts'
import type { Scope } from '../kernel/scope.ts'
import { dayAt } from '../shared/zoned-time.ts'
import { recordChange } from '../platform/audit/service.ts'
import type { PatientQuote } from '../billing/quotes/contract.ts'
import { shownStatus } from '../billing/quotes/rules.ts'
import { acceptQuote, declineQuote, surgeryDaysOf } from '../billing/quotes/service.ts'
import { quotes } from '../billing/quotes/table.ts'
import { asPatient } from '../kernel/as-patient.ts'
import { linkLimit } from './rules.ts'
import { type PatientScope, patientScope } from './sessions.ts'
import { isLive, signLink } from './secrets.ts'

/** What was sent to the patient and is neither replaced nor withdrawn: the database shows them nothing else. */
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

/** The patient's quotes, the last that was sent first, each with a link for the next minute. */
export async function listOwnQuotes(scope: PatientScope): Promise<PatientQuote[]> {
  const rows = await readOwn(scope)
  if (rows.length > 0) await scope.recordView({ kind: 'quote', contactIds: [scope.patient] })
  const today = dayAt(scope.now(), scope.env.PRACTICE_TIME_ZONE)
  const expires = scope.now().getTime() + linkLimit
  const surgeryDays = await surgeryDaysOf(
    scope.db,
    scope.env,
    rows.map(({ surgeryId }) => surgeryId),
  )
  return rows.map((row) => {
    const link = { id: row.id, as: 'quote', sessionId: scope.sessionId, expires } as const
    const query = new URLSearchParams({ session: link.sessionId, expires: String(expires), signature: signLink(scope.env, link) })
    // The database lets no one read those of another status here.
    const status = shownStatus(row, today) as PatientQuote['shownStatus']
    const surgeryDay = (row.surgeryId && surgeryDays.get(row.surgeryId)) || null
    return { ...row, surgeryDay, shownStatus: status, fileUrl: `/api/functions/patient-quote-file/${row.id}?${query}` }
  })
}

/** The quote that a link leads to, for as long as link and session live and the patient may see it; else null, whatever was wrong. */
export async function openQuoteLink(scope: Scope, id: string, query: URLSearchParams) {
  const link = { id, as: 'quote', sessionId: query.get('session') ?? '', expires: Number(query.get('expires')) } as const
  if (!isLive(scope, link, query.get('signature') ?? '')) return null
  const own = await patientScope(scope, { id: link.sessionId })
  const [row] = own ? await readOwn(own, id) : []
  return own && row ? { scope: own, row } : null
}

/** Null: there is no such quote of theirs. */
export async function acceptOwnQuote(scope: PatientScope, accepted: { id: string; totalCents: number; name: string }) {
  const result = await acceptQuote(scope, accepted)
  if (result === null) return denied(scope, accepted.id)
  // A patient has no field in which the total could be wrong.
  return isRefusal(result) && result.refusal === 'TOTALS_DIFFER' ? refuse('TOTALS_DIFFER') : result
}

/** Null: there is no such quote of theirs. */
export async function declineOwnQuote(scope: PatientScope, declined: { id: string; reason: string }) {
  return (await declineQuote(scope, declined)) ?? denied(scope, declined.id)
}

/** A quote of someone else is as if there were none, and written down. */
async function denied(scope: PatientScope, id: string): Promise<null> {
  await recordChange(scope.db, scope, { action: 'denied', kind: 'quote', contactIds: [scope.patient], after: { asked: id } })
  return null
}
