import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startQuickBooksSimulator, type QuickBooksSimulator } from '../server.ts'

let simulator: QuickBooksSimulator
let token: string
beforeAll(async () => {
  simulator = await startQuickBooksSimulator()
  token = simulator.connect().access_token
})
afterAll(() => simulator.stop())

const line = (account: string, Amount: number) => ({
  DetailType: 'DepositLineDetail',
  Amount,
  DepositLineDetail: { AccountRef: { value: account } },
})
const deposit = {
  DepositToAccountRef: { value: '1' },
  GlobalTaxCalculation: 'NotApplicable',
  TxnDate: '2026-11-30',
  PrivateNote: 'A payout',
}
async function post(body: object, requestId: string = crypto.randomUUID()) {
  const response = await fetch(`${simulator.url}/v3/company/${simulator.realmId}/deposit?requestid=${requestId}&minorversion=75`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })
  const { Deposit, Fault } = (await response.json()) as { Deposit?: object; Fault?: { Error: { code: string }[] } }
  return { status: response.status, Deposit, code: Fault?.Error[0]?.code }
}

describe('deposits of the simulated QuickBooks', () => {
  it('move money between accounts, a fee taken out, once for a requestid (issue 29)', async () => {
    const body = { ...deposit, Line: [line('7', 100), line('26', -3.2)] }
    const first = await post(body, 'once')
    expect(first.Deposit).toMatchObject({
      TotalAmt: 96.8,
      DepositToAccountRef: { name: 'RBC Operating Chequing' },
      Line: [
        { Amount: 100, DepositLineDetail: { AccountRef: { name: 'Stripe clearing' } } },
        { Amount: -3.2, DepositLineDetail: { AccountRef: { name: 'Merchant fees' } } },
      ],
    })
    expect(await post(body, 'once')).toEqual(first)
    expect(simulator.deposits()).toHaveLength(1)
  })

  it.each([
    ['no lines', { ...deposit, Line: [] }, '2020'],
    ['no account', { ...deposit, DepositToAccountRef: undefined, Line: [line('7', 1)] }, '2020'],
    ['an unknown account', { ...deposit, Line: [line('999', 1)] }, '2500'],
    ['an account that takes no deposits', { ...deposit, DepositToAccountRef: { value: '26' }, Line: [line('7', 1)] }, '6000'],
    ['less than nothing', { ...deposit, Line: [line('7', -1)] }, '6000'],
    ['no kind of tax', { ...deposit, GlobalTaxCalculation: undefined, Line: [line('7', 1)] }, '2010'],
  ])('are refused with %s (issue 29)', async (_, body, code) => {
    expect(await post(body)).toMatchObject({ status: 400, code })
  })
})
