import { eq, type SQL, sql } from 'drizzle-orm'
import type { Scope } from '../../kernel/scope.ts'
import { publish } from '../../kernel/events/events.ts'
import { numberedPage } from '../../shared/page-lists.ts'
import { recordChange } from '../../platform/audit/service.ts'
import type { ContactSummary } from '../contacts/contact-contract.ts'
import { summariesOf } from '../contacts/service.ts'
import { contacts } from '../contacts/table.ts'
import { countedPairs, type DuplicateReason, duplicateReasons, type StoredReason } from './contract.ts'
import { contactMatches, processQueue, weightOf, weightSql } from './find.ts'

/** How many recent additions and changes are checked before the queue is shown, so that it includes what was just entered. */
const checkedBeforeListing = 25

type ListInput = { page: number; limit: number; show: 'open' | 'dismissed'; by: 'any' | 'contact' | 'name' }
type PairRow = { first_id: string; second_id: string; reasons: StoredReason[]; dismissed_at: Date | null; dismissed_by: string | null }

/** A page of pairs with both patients. Pairs with a deleted patient are left out. */
export async function listPairs(scope: Scope, { page, limit, show, by }: ListInput) {
  await processQueue(scope.db, checkedBeforeListing, 'wait')
  const from = sql`from duplicate_pairs as pair
    where ${show === 'open' ? sql`dismissed_at is null` : sql`dismissed_at is not null`}
      ${by === 'any' ? sql`` : by === 'name' ? sql`and weight = ${weightOf.name}` : sql`and weight > ${weightOf.name}`}
      and exists (select 1 from contacts where id = first_id) and exists (select 1 from contacts where id = second_id)`
  const order = show === 'open' ? sql`weight desc, found_at desc, first_id, second_id` : sql`dismissed_at desc, first_id, second_id`
  const [{ rows }, counted] = await Promise.all([
    scope.db.execute<PairRow>(sql`
      select first_id, second_id, reasons, dismissed_at, dismissed_by ${from} order by ${order} limit ${limit} offset ${(page - 1) * limit}`),
    scope.db.execute<{ total: number }>(sql`select count(*)::int as total from (select 1 ${from} limit ${countedPairs + 1}) as pairs`),
  ])
  const known = await summaries(
    scope,
    rows.flatMap((row) => [row.first_id, row.second_id]),
  )
  const data = rows.flatMap((row) => {
    const [first, second] = [known.get(row.first_id), known.get(row.second_id)]
    const dismissal = { dismissedAt: row.dismissed_at && new Date(row.dismissed_at), dismissedBy: row.dismissed_by }
    return first && second ? [{ first, second, reasons: withBirthDate(row.reasons, first, second), ...dismissal }] : []
  })
  const total = counted.rows[0]!.total
  return numberedPage({ data, total: Math.min(total, countedPairs), totalIsExact: total <= countedPairs }, { page, limit })
}

type Born = Pick<ContactSummary, 'dateOfBirth'>

/** Adds the birth date to the reasons of a pair by name. */
function withBirthDate(reasons: readonly StoredReason[], first: Born, second: Born): DuplicateReason[] {
  const isSame = first.dateOfBirth !== null && first.dateOfBirth === second.dateOfBirth
  return isSame && reasons.includes('name') ? [...reasons, 'birthDate'] : [...reasons]
}

/** Contact summaries by id; the views are audited. */
async function summaries(scope: Scope, ids: string[]): Promise<Map<string, ContactSummary>> {
  if (ids.length === 0) return new Map()
  const rows = await summariesOf(scope, [...new Set(ids)])
  return new Map(rows.map((row) => [row.id, row]))
}

type Match = { id: string; reasons: DuplicateReason[] }
type SimilarInput = { firstName: string; lastName: string; email: string; phone: string; dateOfBirth: string | null }
const maxSimilar = 5

/** Patients similar to one being entered: by email, by exactly this name and birth date, by phone or by the name, in this order. */
export async function findSimilar(scope: Scope, input: SimilarInput) {
  const value = (text: string): SQL => (text.trim() === '' ? sql`null::text` : sql`${text.trim()}::text`)
  const [first, last, born] = [value(input.firstName), value(input.lastName), sql`${input.dateOfBirth}::date`]
  const { rows } = await scope.db.execute<Match>(sql`
    select id, array_agg(distinct reason) as reasons
    from (
      select ${value(input.email)} as email, ${value(input.phone)} as phone, '{}'::text[] as other_emails, '{}'::text[] as other_phones,
        ${born} as date_of_birth
    ) as who
    cross join lateral (
      ${contactMatches(sql`who`)}
      union all
      (select id, unnest(case when contacts.date_of_birth = who.date_of_birth then array['name', 'birthDate'] else array['name'] end)
        from contacts
        where sort_name = contact_sort_name(${first}, ${last}) and (contacts.date_of_birth = who.date_of_birth) is not false
        order by contacts.date_of_birth = who.date_of_birth desc nulls last limit ${2 * maxSimilar})
    ) as alike
    group by id order by ${weightSql(sql`array_agg(distinct reason)`)} desc, id desc limit ${maxSimilar}`)
  const found = rows.map(({ id, reasons }) => ({ id, reasons: duplicateReasons.filter((reason) => reasons.includes(reason)) }))
  return withSummaries(scope, found)
}

/** Possible duplicates of a patient that are not dismissed, most likely first. Null: the patient does not exist. */
export async function duplicatesOfContact(scope: Scope, contactId: string) {
  const [contact] = await scope.db.select({ dateOfBirth: contacts.dateOfBirth }).from(contacts).where(eq(contacts.id, contactId))
  if (!contact) return null
  const { rows } = await scope.db.execute<{ id: string; reasons: StoredReason[] }>(sql`
    select other.id, reasons
    from duplicate_pairs join contacts as other on other.id = case when first_id = ${contactId}::uuid then second_id else first_id end
    where (first_id = ${contactId}::uuid or second_id = ${contactId}::uuid) and dismissed_at is null
    order by weight desc, found_at desc, other.id limit ${maxSimilar}`)
  const others = await withSummaries(scope, rows)
  return others.map(({ contact: other, reasons }) => ({ contact: other, reasons: withBirthDate(reasons, contact, other) }))
}

async function withSummaries<Reason>(scope: Scope, rows: readonly { id: string; reasons: Reason[] }[]) {
  const known = await summaries(
    scope,
    rows.map(({ id }) => id),
  )
  return rows.flatMap(({ id, reasons }) => {
    const contact = known.get(id)
    return contact ? [{ contact, reasons }] : []
  })
}

/** Dismisses or restores a pair; repeated calls change nothing. Null: the pair does not exist. */
export async function setDismissed(
  scope: Scope,
  { firstId: one, secondId: other }: { firstId: string; secondId: string },
  dismissed: boolean,
): Promise<true | null> {
  const dismissal = dismissed
    ? sql`dismissed_at = coalesce(dismissed_at, ${scope.now().toISOString()}), dismissed_by = coalesce(dismissed_by, ${scope.actor?.id ?? null}::uuid)`
    : sql`dismissed_at = null, dismissed_by = null`
  return scope.db.transaction(async (tx) => {
    const { rowCount } = await tx.execute(sql`
      update duplicate_pairs set ${dismissal}
      where first_id = least(${one}::uuid, ${other}::uuid) and second_id = greatest(${one}::uuid, ${other}::uuid)`)
    if (!rowCount) return null
    await recordChange(tx, scope, { action: 'changed', kind: 'duplicate', contactIds: [one, other], after: { dismissed } })
    await publish(tx, 'duplicate', one)
    return true
  })
}
