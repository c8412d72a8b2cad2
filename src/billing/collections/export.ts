import type { ListExport } from '../../platform/list-export.ts'
import { amountOfCents } from '../../shared/money.ts'
import { toLocal } from '../../shared/zoned-time.ts'
import { profiles } from '../../platform/auth/table.ts'
import { type OutstandingRow, outstandingFilters, type OutstandingFilters } from './account-contract.ts'
import { readOutstanding } from './outstanding.ts'
import { ageLabels, ages } from './rules.ts'

const batchSize = 500

type ExportContext = { timeZone: string; staff: ReadonlyMap<string, string> }

const dollars = (cents: number): string => amountOfCents(cents).toFixed(2)

const columns: Record<string, (row: OutstandingRow, context: ExportContext) => string> = {
  Patient: ({ contact }) => `${contact.firstName} ${contact.lastName}`.trim(),
  'Outstanding for': ({ charges }) => charges.join('; '),
  Procedure: ({ procedure }) => procedure?.name ?? '',
  Surgery: ({ procedure }) => procedure?.surgeryDay ?? '',
  Balance: ({ balanceCents }) => dollars(balanceCents),
  'Before surgery': ({ beforeSurgeryCents }) => dollars(beforeSurgeryCents),
  'Oldest due': ({ nextDueOn }) => nextDueOn,
  ...Object.fromEntries(ages.map((age) => [ageLabels[age], ({ ageing }: OutstandingRow) => dollars(ageing[age])])),
  Promised: ({ promise }) => (promise ? dollars(promise.amountCents ?? 0) : ''),
  'Promised by': ({ promise }) => promise?.dueOn ?? '',
  'On hold': ({ isHeld }) => (isHeld ? 'yes' : 'no'),
  'Last contact': ({ lastContactDate }, { timeZone }) => (lastContactDate ? toLocal(lastContactDate, timeZone).day : ''),
  Owner: ({ ownerId }, { staff }) => staff.get(ownerId ?? '') ?? '',
}

/** GET /api/collections/outstanding.csv or .xlsx with the list's filters: patients with a balance, in the order of the list. */
export const outstandingExport: ListExport<OutstandingFilters> = {
  name: 'outstanding',
  kind: 'ledger',
  input: outstandingFilters,
  head: () => Object.keys(columns),
  async *read(scope, filters) {
    const { db, env } = scope
    const staff = new Map((await db.select({ id: profiles.id, name: profiles.name }).from(profiles)).map(({ id, name }) => [id, name]))
    const { outstanding } = await readOutstanding(scope, filters)
    for (let from = 0; from < outstanding.length; from += batchSize) {
      const batch = outstanding.slice(from, from + batchSize)
      yield {
        rows: batch.map((row) => Object.values(columns).map((cell) => cell(row, { timeZone: env.PRACTICE_TIME_ZONE, staff }))),
        contactIds: batch.map(({ contact }) => contact.id),
      }
    }
  },
}
