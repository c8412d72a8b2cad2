import { eq } from 'drizzle-orm'
import { rateLimitKey } from '../../kernel/http/requests.ts'
import { refuse } from '../../kernel/refusal.ts'
import type { Scope } from '../../kernel/scope.ts'
import { openSigned, sign } from '../../kernel/seal.ts'
import { contacts } from '../../crm/contacts/table.ts'
import type { Attempts } from '../../platform/auth/service.ts'
import { patientUrl } from '../../platform/mail/service.ts'
import type { Language } from '../../shared/translations.ts'
import { dayAt } from '../../shared/zoned-time.ts'
import { nameOfProvider } from '../appointments/service.ts'
import { getVisitType } from '../availability/service.ts'
import type { WaitingPlace } from './contract.ts'
import { endEntry, lockEntry } from './entries.ts'
import { waitingPath } from './rules.ts'
import { timesOfWish } from './wish-rules.ts'
import { waitingEntries } from './table.ts'

const purpose = 'waiting list entry'

/** The address where a patient sees what they wait for, and leaves the list. */
export const waitingUrl = ({ env }: Pick<Scope, 'env'>, entryId: string, language: Language): string =>
  patientUrl(env, `${waitingPath}/${sign(env, purpose, entryId)}`, { language })

/** What the patient of a link waits for. Changes nothing, because programs open links too. Null: the link is wrong, or the patient was deleted. */
export async function viewPlace(scope: Scope, attempts: Attempts, token: string) {
  const id = await idOf(scope, attempts, token)
  return typeof id === 'string' ? showPlace(scope, id) : id
}

/** Takes the patient off the waiting list. Idempotent. */
export async function leaveList(scope: Scope, attempts: Attempts, token: string) {
  const id = await idOf(scope, attempts, token)
  if (typeof id !== 'string') return id
  await scope.db.transaction(async (tx) => {
    const entry = await lockEntry(tx, id)
    if (entry?.status === 'waiting') await endEntry(tx, scope, entry, ' by the patient')
  })
  return showPlace(scope, id)
}

async function idOf(scope: Scope, attempts: Attempts, token: string) {
  if (!(await attempts.consume('appointmentLink', rateLimitKey(scope.origin.address)))) return refuse('TOO_MANY_REQUESTS')
  return openSigned(scope.env, purpose, token)
}

async function showPlace(scope: Scope, id: string): Promise<WaitingPlace | null> {
  const [found] = await scope.db
    .select({ entry: waitingEntries, firstName: contacts.firstName })
    .from(waitingEntries)
    .innerJoin(contacts, eq(contacts.id, waitingEntries.contactId))
    .where(eq(waitingEntries.id, id))
  const type = found && (await getVisitType(scope.db, found.entry.visitTypeId))
  if (!found || !type) return null
  const { entry, firstName } = found
  await scope.recordView({ kind: 'waiting list', contactIds: [entry.contactId] })
  return {
    status: entry.status,
    firstName,
    visit: type.name,
    visitFr: type.nameFr,
    provider: await nameOfProvider(scope.db, entry.providerId),
    ...timesOfWish(entry, dayAt(scope.now(), scope.env.PRACTICE_TIME_ZONE)),
    bookableId: type.isActive && type.isOnline ? type.id : null,
  }
}
