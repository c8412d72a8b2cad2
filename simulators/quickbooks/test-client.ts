/** The tests' API client, with its own token. */
import type { QuickBooksSimulator } from './server.ts'

export type Answer = { status: number; headers: Headers; body: Record<string, unknown> }

export function callerOf(simulator: QuickBooksSimulator, token: string = simulator.connect().access_token) {
  const company = `${simulator.url}/v3/company/${simulator.realmId}`
  const call = async (method: string, path: string, body?: object, init: RequestInit = {}): Promise<Answer> => {
    const headers = { authorization: `Bearer ${token}`, accept: 'application/json', 'content-type': 'application/json' }
    const answer = await fetch(`${company}/${path}`, { method, headers, ...(body && { body: JSON.stringify(body) }), ...init })
    return { status: answer.status, headers: answer.headers, body: (await answer.json()) as Record<string, unknown> }
  }
  return {
    get: (path: string, init?: RequestInit) => call('GET', path, undefined, init),
    post: (path: string, body: object, init?: RequestInit) => call('POST', path, body, init),
    query: (text: string) => call('GET', `query?minorversion=75&query=${encodeURIComponent(text)}`),
  }
}

/** A fault in QuickBooks' format, for toMatchObject. */
export function fault(code: string, detail?: unknown) {
  return { Fault: { Error: [{ code, ...(detail !== undefined && { Detail: detail }) }], type: 'ValidationFault' } }
}

type SaleLine = { amount: number; code?: string; price?: number; quantity?: number; item?: string }

/** Ids of the seeded tax codes. */
export const code = { hst: '2', gst: '3', gstOnSales: '4', zero: '5', exempt: '6', qst: '8' }

/** A sales receipt for the first seeded customer; lines have HST by default. */
export function sale(lines: readonly SaleLine[], others: Record<string, unknown> = {}, extraLines: readonly object[] = []) {
  return {
    CustomerRef: { value: '1' },
    ...others,
    Line: [
      ...lines.map(({ amount, code: taxCode = code.hst, price, quantity, item = '1' }) => ({
        Amount: amount,
        DetailType: 'SalesItemLineDetail',
        SalesItemLineDetail: {
          ItemRef: { value: item },
          TaxCodeRef: { value: taxCode },
          ...(price !== undefined && { UnitPrice: price }),
          ...(quantity !== undefined && { Qty: quantity }),
        },
      })),
      ...extraLines,
    ],
  }
}
