import { clientOf } from '../test/server.ts'
import { connectQuickBooks, createCustomer, prepareSales, quickbooksSettings } from '../test/billing/point-of-sale.ts'
import { openClinic } from './clinic/clinic.ts'
import type { LoadRequest, LoadResult } from './load/protocol.ts'
import type { Options } from './options.ts'
import { startBooks, startLoad, startServer } from './load/processes.ts'
import { type Aim, aimsAt, median, progress, quantile, ratio, type Row, toRow } from './report.ts'
import { signIn } from './clinic/session.ts'

const contacts = 2_500
const rounds = 3
/** Sales of one patient wait for each other. */
const customers = 100
/** Milliseconds a receipt. */
const overheadAims: Aim[] = [
  { of: 'ours', atMost: 12, connections: 1 },
  { of: 'ours', atMost: 25, connections: 8 },
]

/** Measures sales from request to timeline against the same receipts sent to the simulator, and our overhead per receipt. */
export async function benchPos({ seconds }: Options): Promise<Row[]> {
  const clinic = await openClinic(contacts)
  const books = await startBooks()
  const server = await startServer(clinic.ownerUrl, quickbooksSettings(books.url))
  const load = startLoad()
  try {
    const cookie = await signIn(clinic.ownerUrl, server.url)
    const client = clientOf(server.url, cookie)
    await connectQuickBooks(client)
    const cart = [
      { name: 'Consultation', unitPrice: 15_000 },
      { name: 'scar gel', unitPrice: 4_895, quantity: 2 },
    ]
    const saleTo = await prepareSales(
      client,
      cart.map(({ name }) => name),
    )
    const sales = []
    for (let i = 0; i < customers; i++) sales.push(saleTo(await createCustomer(client), cart))
    // The same sale again would be taken for a repeated request.
    const ours = sales.map(({ idempotencyKey: _, ...sale }): LoadRequest => ({
      method: 'POST',
      path: '/api/qbo/salesreceipt/create',
      body: JSON.stringify({ ...sale, memo: '[<id>]' }),
    }))
    const token = await tokenOf(books.url)
    const theirs: LoadRequest[] = [
      { method: 'POST', path: '/v3/company/9341453250000001/salesreceipt?minorversion=75', body: JSON.stringify(bareReceipt(sales[0]!)) },
    ]
    const rows: Row[] = []
    for (const connections of [1, 8]) {
      const [mine, bare]: [LoadResult[], LoadResult[]] = [[], []]
      const ask = (url: string, requests: LoadRequest[], headers: Record<string, string>, long = seconds) =>
        load.ask({ url, connections, seconds: long, headers, requests })
      const askOurs = (long?: number) => ask(server.url, ours, { cookie }, long)
      const askBooks = (long?: number) => ask(books.url, theirs, { authorization: `Bearer ${token}` }, long)
      await askOurs(1)
      await askBooks(1)
      for (let round = 1; round <= rounds; round++) {
        mine.push(await askOurs())
        bare.push(await askBooks())
        progress(
          `  ${connections} at once, round ${round}: ${mine.at(-1)!.perSecond.toFixed(0)} receipts/s, the simulator alone ${bare.at(-1)!.perSecond.toFixed(0)}`,
        )
      }
      rows.push(...rowsOf(connections, mine, bare))
    }
    return rows
  } catch (error) {
    process.stderr.write(server.output() + books.output())
    throw error
  } finally {
    await Promise.all([load.stop(), server.stop()])
    await books.stop()
    await clinic.close()
  }
}

function rowsOf(connections: number, mine: LoadResult[], bare: LoadResult[]): Row[] {
  const rate = (results: LoadResult[]) => median(results.map(({ perSecond }) => perSecond))
  const times = (results: LoadResult[]) => results.flatMap(({ latencies }) => latencies.map(({ ms }) => ms))
  const [all, alone] = [times(mine), times(bare)]
  const quantiles = {
    oursP50: quantile(all, 0.5),
    oursP99: quantile(all, 0.99),
    baselineP50: quantile(alone, 0.5),
    baselineP99: quantile(alone, 0.99),
  }
  const [ours, baseline] = [rate(mine), rate(bare)]
  return [
    {
      case: 'sales receipts, to the timeline',
      connections,
      unit: 'receipts/s',
      ours,
      baseline,
      ratio: ratio(ours, baseline),
      ...quantiles,
      aims: [],
    },
    toRow({
      case: 'overhead of ours a receipt',
      connections,
      unit: 'ms',
      ours: quantiles.oursP50 - quantiles.baselineP50,
      aims: aimsAt(connections, overheadAims),
    }),
  ]
}

async function tokenOf(url: string): Promise<string> {
  const redirect_uri = 'http://localhost/bench'
  const asked = new URLSearchParams({
    client_id: 'refyne-test',
    redirect_uri,
    response_type: 'code',
    scope: 'com.intuit.quickbooks.accounting',
    state: 'bench',
    auto: '1',
  })
  const back = new URL((await fetch(`${url}/connect/oauth2?${asked}`, { redirect: 'manual' })).headers.get('location') ?? '')
  const answer = await fetch(`${url}/oauth2/v1/tokens/bearer`, {
    method: 'POST',
    headers: { authorization: `Basic ${Buffer.from('refyne-test:refyne-test-secret').toString('base64')}` },
    body: new URLSearchParams({ grant_type: 'authorization_code', code: back.searchParams.get('code') ?? '', redirect_uri }),
  })
  return ((await answer.json()) as { access_token: string }).access_token
}

/** The QuickBooks receipt for a sale, without the fields we add. */
const bareReceipt = ({ customerId, depositAccount, lineItems }: ReturnType<Awaited<ReturnType<typeof prepareSales>>>) => ({
  CustomerRef: { value: customerId },
  DepositToAccountRef: { value: depositAccount },
  GlobalTaxCalculation: 'TaxExcluded',
  ApplyTaxAfterDiscount: true,
  Line: lineItems,
})
