import { until } from '../../test/until.ts'
import type { Cluster } from './cluster.ts'

/** Writes that the product has acknowledged, kept in another place. */
export type Ledger = {
  /** Ids of timeline entries and of tasks. */
  notes: string[]
  tasks: string[]
  /** What a patient's city was changed to, by the patient's id. */
  cities: Map<string, string>
  /** Addresses of accepted leads. */
  leads: string[]
  /** Memos of sales: all that were sent, and those acknowledged. */
  sentSales: string[]
  sales: string[]
}

export const emptyLedger = (): Ledger => ({ notes: [], tasks: [], cities: new Map(), leads: [], sentSales: [], sales: [] })

export const acknowledged = ({ notes, tasks, cities, leads, sales }: Ledger): number =>
  notes.length + tasks.length + cities.size + leads.length + sales.length

const settledWithin = 300_000

/** Waits until each lead is processed and each sale recorded. What a killed process was doing is done by another after a while. */
export async function untilSettled({ query }: Cluster): Promise<void> {
  const isSettled = async () => {
    const [row] = await query<{ settled: boolean }>(
      `select not exists (select 1 from lead_entries where status = 'processing')
         and not exists (select 1 from sales_receipts where state = 'pending') as settled`,
    )
    return row!.settled
  }
  await until(isSettled, settledWithin)
}

/** Compares the ledger with the clinic and its books. Returns a sentence for each difference. */
export async function compare(ledger: Ledger, { query, booksUrl }: Cluster): Promise<string[]> {
  const missing = async (what: string, sent: readonly string[], text: string) => {
    const found = new Set((await query<{ found: string }>(text, [sent])).map((row) => row.found))
    return sent.filter((one) => !found.has(one)).map((one) => `${what} ${one} was acknowledged and is missing`)
  }
  const differences = [
    ...(await missing('note', ledger.notes, 'select id as found from interactions where id = any($1)')),
    ...(await missing('task', ledger.tasks, 'select id as found from tasks where id = any($1)')),
    ...(await missing('lead', ledger.leads, 'select email as found from contacts where email = any($1)')),
    ...(await missing(
      'city',
      [...ledger.cities].map(([id, city]) => `${id} ${city}`),
      `select id || ' ' || city as found from unnest($1::text[]) as sent join contacts on id = left(sent, 36)::uuid`,
    )),
  ]
  const receipts = (await (await fetch(`${booksUrl}/_books/receipts`)).json()) as unknown[]
  const booked = new Map<string, number>()
  for (const memo of receipts.flatMap((receipt) => JSON.stringify(receipt).match(/scale-sale-\d+/)?.[0] ?? []))
    booked.set(memo, (booked.get(memo) ?? 0) + 1)
  for (const memo of ledger.sentSales) {
    const times = booked.get(memo) ?? 0
    if (times > 1) differences.push(`${memo} is in QuickBooks ${times} times`)
    if (times === 0 && ledger.sales.includes(memo)) differences.push(`${memo} was acknowledged and is not in QuickBooks`)
  }
  return differences
}
