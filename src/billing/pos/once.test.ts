import { describe, expect, it } from 'vitest'
import { connectTo, newCustomer, saleOf, useTill } from '../../../test/books.ts'
import type { Client } from '../../../test/server.ts'
import { until } from '../../../test/until.ts'

/** SALES=1000 KEYS=200 asks for as many; fewer in the ordinary run. */
const sales = Number(process.env.SALES ?? 120)
const keysAtOnce = 10
const keyRounds = Math.ceil(Number(process.env.KEYS ?? 10) / keysAtOnce)

type Sale = Awaited<ReturnType<typeof saleOf>>

describe('issue 6: once, exactly', () => {
  const till = useTill({ QUICKBOOKS_TIMEOUT_SECONDS: '0.4' })
  const clerk = () => till.server.as('front_desk')
  const codeOf = async (asking: Promise<unknown>) =>
    asking.then(
      () => 'ok',
      (error: { code?: string }) => error.code,
    )

  /** How often each receipt of the books is on a timeline. */
  const entries = () =>
    till.server.rows<{ qb: string; times: number; contacts: number }>(
      "select qb_sales_receipt_id as qb, count(*)::int as times, count(distinct contact_id)::int as contacts from interactions where type = 'sales_receipt' group by 1",
    )

  /** Presses 'Try again' until it is recorded. */
  async function sell(client: Client, sale: Sale): Promise<string> {
    for (;;) {
      try {
        return (await client.pos.createReceipt(sale)).Id
      } catch (error) {
        if ((error as { status?: number }).status !== 503) throw error
      }
    }
  }

  it(`${sales} receipts with 30 % of the calls failing in every way: as many in the books, each on its patient once`, {
    timeout: 240_000,
  }, async () => {
    const client = await clerk()
    const customers = await Promise.all(Array.from({ length: 20 }, () => newCustomer(client)))
    const base = await Promise.all(customers.map((customer) => saleOf(client, customer, [{ name: 'Consultation', unitPrice: 15_000 }])))
    const before = till.books.receipts().length
    const kinds = ['timeoutBefore', 'timeoutAfter', 'dropBefore', 'dropAfter', 'status', 'badJson'] as const
    till.books.fault({ random: { share: 0.3, kinds: [...kinds], seed: 6, retryAfter: 0 } })
    const ids = new Set<string>()
    let next = 0
    await Promise.all(
      Array.from({ length: 16 }, async () => {
        while (next < sales) {
          const sale = base[next++ % base.length]!
          ids.add(await sell(client, { ...sale, idempotencyKey: crypto.randomUUID() }))
        }
      }),
    )
    till.books.clearFaults()
    expect(ids.size).toBe(sales)
    expect(till.books.receipts().length - before).toBe(sales)
    const logged = (await entries()).filter(({ qb }) => ids.has(qb))
    expect([logged.length, logged.every(({ times, contacts }) => times === 1 && contacts === 1)]).toEqual([sales, true])
    const perCustomer = await till.server.rows<{ times: number }>(
      'select count(*)::int as times from interactions where qb_sales_receipt_id = any($1) group by contact_id',
      [[...ids]],
    )
    expect(perCustomer).toEqual(customers.map(() => ({ times: sales / customers.length })))
  })

  it(`${keyRounds * keysAtOnce} keys, each submitted 50 times at once: as many receipts`, { timeout: 240_000 }, async () => {
    const client = await clerk()
    const customer = await newCustomer(client)
    const sale = await saleOf(client, customer, [{ name: 'Consultation', unitPrice: 15_000 }])
    const before = till.books.receipts().length
    for (let round = 0; round < keyRounds; round++) {
      const keys = Array.from({ length: keysAtOnce }, () => crypto.randomUUID())
      const answers = await Promise.all(
        keys.flatMap((idempotencyKey) =>
          // Of a thousand at once some may be told that the server is busy; anyone who is told presses again.
          Array.from({ length: 50 }, async () => [idempotencyKey, await sell(client, { ...sale, idempotencyKey })] as const),
        ),
      )
      expect(new Set(answers.map(([key, id]) => `${key} ${id}`)).size).toBe(keysAtOnce)
    }
    expect(till.books.receipts().length - before).toBe(keyRounds * keysAtOnce)
  })

  it('QuickBooks is away: the receipt is pending, is not uncertain when nothing was reached, and can be cancelled or tried again', async () => {
    const client = await clerk()
    const customer = await newCustomer(client)
    const sale = await saleOf(client, customer, [{ name: 'Consultation', unitPrice: 15_000 }])
    const before = till.books.receipts().length
    till.books.fault({ kind: 'status', status: 429, retryAfter: 0, times: 2 })
    const failed = (await client.pos.createReceipt(sale).catch((error: unknown) => error)) as {
      code: string
      data: { receiptId: string; isUncertain: boolean }
    }
    expect(failed).toMatchObject({ status: 503, code: 'PENDING', data: { isUncertain: false } })
    const { data: receipts } = await client.pos.pending({})
    expect(receipts).toMatchObject([
      { id: failed.data.receiptId, state: 'pending', nextAttemptAt: expect.any(String), problem: expect.any(String) },
    ])
    expect(await client.pos.cancel({ id: failed.data.receiptId })).toMatchObject({ state: 'cancelled' })
    expect(await codeOf(client.pos.createReceipt(sale))).toBe('CANCELLED')
    expect(await codeOf(client.pos.retry({ id: failed.data.receiptId }))).toBe('CANCELLED')
    expect(till.books.receipts()).toHaveLength(before)

    const again = { ...sale, idempotencyKey: crypto.randomUUID() }
    till.books.fault({ kind: 'dropAfter', match: 'salesreceipt', times: 2 })
    const uncertain = (await client.pos.createReceipt(again).catch((error: unknown) => error)) as typeof failed
    expect(uncertain).toMatchObject({ code: 'PENDING', data: { isUncertain: true } })
    expect(await codeOf(client.pos.cancel({ id: uncertain.data.receiptId }))).toBe('UNCERTAIN')
    // That it cannot be reached at the next try makes it no more certain.
    till.books.fault({ kind: 'status', status: 429, retryAfter: 0, times: 2 })
    expect(await codeOf(client.pos.retry({ id: uncertain.data.receiptId }))).toBe('PENDING')
    expect(await codeOf(client.pos.cancel({ id: uncertain.data.receiptId }))).toBe('UNCERTAIN')
    expect(await client.pos.retry({ id: uncertain.data.receiptId })).toMatchObject({ DocNumber: expect.any(String) })
    expect(till.books.receipts().length - before).toBe(1)
  })

  it('what QuickBooks refuses fails with its reason, and is no receipt', async () => {
    const client = await clerk()
    const customer = await newCustomer(client)
    const sale = await saleOf(client, customer, [{ name: 'Consultation', unitPrice: 15_000 }])
    // Known here, gone there.
    await till.server.rows("update quickbooks_objects set id = '77777' where kind = 'class' and id = $1", [sale.classRef])
    const before = till.books.receipts().length
    const failed = (await client.pos.createReceipt({ ...sale, classRef: '77777' }).catch((error: unknown) => error)) as {
      data: { receiptId: string }
    }
    expect(failed).toMatchObject({ status: 422, code: 'REFUSED', message: expect.stringMatching(/./) })
    expect((await client.pos.pending({})).data.find(({ id }) => id === failed.data.receiptId)).toMatchObject({ state: 'failed' })
    expect(await client.pos.cancel({ id: failed.data.receiptId })).toMatchObject({ state: 'cancelled' })
    expect(till.books.receipts()).toHaveLength(before)
    await till.server.rows("update quickbooks_objects set id = $1 where kind = 'class' and id = '77777'", [sale.classRef])
  })

  it('what no one asks for again is settled by the job, with the same requestid', async () => {
    const client = await clerk()
    const customer = await newCustomer(client)
    const sale = await saleOf(client, customer, [{ name: 'Consultation', unitPrice: 15_000 }])
    const before = till.books.receipts().length
    till.books.fault({ kind: 'dropAfter', match: 'salesreceipt', times: 2 })
    expect(await codeOf(client.pos.createReceipt(sale))).toBe('PENDING')
    await till.server.rows(
      "select graphile_worker.reschedule_jobs(array_agg(id), run_at => now()) from graphile_worker.jobs where task_identifier = 'pos.settle-receipt'",
    )
    await until(async () => (await client.pos.pending({})).total === 0)
    expect(till.books.receipts().length - before).toBe(1)
    const contact = await client.interactions.list({ contactId: customer.contactId, kind: 'payments' })
    expect(contact.data).toHaveLength(1)
  })

  it('a receipt that QuickBooks may have stays uncertain while it is disconnected, and is settled once it is connected again', async () => {
    const client = await clerk()
    const sale = await saleOf(client, await newCustomer(client), [{ name: 'Consultation', unitPrice: 15_000 }])
    const before = till.books.receipts().length
    till.books.fault({ kind: 'dropAfter', match: 'salesreceipt', times: 2 })
    const failed = (await client.pos.createReceipt(sale).catch((error: unknown) => error)) as { data: { receiptId: string } }
    const admin = await till.server.as('admin')
    await admin.quickbooks.disconnect()
    const { receiptId: id } = failed.data
    expect(await codeOf(client.pos.retry({ id }))).toBe('RECONNECT')
    expect(await codeOf(client.pos.cancel({ id }))).toBe('UNCERTAIN')
    await connectTo(admin)
    expect(await codeOf(client.pos.retry({ id }))).toBe('ok')
    expect(till.books.receipts().length - before).toBe(1)
  })

  it('issue 22: the identical sale of the same person without a key, within 10 minutes, is the first one; not that of someone else', async () => {
    const client = await clerk()
    const customer = await newCustomer(client)
    const { idempotencyKey: _, ...sale } = await saleOf(client, customer, [{ name: 'Consultation', unitPrice: 15_000 }])
    const before = till.books.receipts().length
    const made = () => till.books.receipts().length - before
    const first = await client.pos.createReceipt(sale)
    expect(await client.pos.createReceipt(sale)).toEqual(first)
    expect(made()).toBe(1)
    await (await till.server.as('billing')).pos.createReceipt(sale)
    expect(made()).toBe(2)
    await client.pos.createReceipt({ ...sale, memo: 'Another one' })
    expect(made()).toBe(3)
    await till.server.rows("update sales_receipts set created_at = created_at - interval '10 minutes 1 second'")
    expect((await client.pos.createReceipt(sale)).Id).not.toBe(first.Id)
    expect(made()).toBe(4)
  })

  it('issue 22: the same sale without a key, 50 times at once and while QuickBooks is away, is one receipt', async () => {
    const client = await clerk()
    const customer = await newCustomer(client)
    const { idempotencyKey: _, ...sale } = await saleOf(client, customer, [{ name: 'Consultation', unitPrice: 15_000 }])
    const before = till.books.receipts().length
    till.books.fault({ kind: 'dropAfter', match: 'salesreceipt', times: 2 })
    const failed = (await client.pos.createReceipt(sale).catch((error: unknown) => error)) as { code: string; message: string }
    expect(failed).toMatchObject({ code: 'PENDING', message: expect.stringContaining('will be recorded automatically') })
    const { idempotencyKey: __, ...other } = await saleOf(client, await newCustomer(client), [{ name: 'Consultation', unitPrice: 15_000 }])
    const again = async (sent: typeof sale) => {
      for (;;) {
        try {
          return (await client.pos.createReceipt(sent)).Id
        } catch (error) {
          if ((error as { status?: number }).status !== 503) throw error
        }
      }
    }
    const ids = await Promise.all([...Array.from({ length: 50 }, () => again(sale)), ...Array.from({ length: 50 }, () => again(other))])
    expect(new Set(ids).size).toBe(2)
    expect(till.books.receipts().length - before).toBe(2)
  })

  it('issue 22: a sale whose key is in the Idempotency-Key header is one receipt, and is asked for again while QuickBooks is away', async () => {
    const client = await clerk()
    const { idempotencyKey: _, ...sale } = await saleOf(client, await newCustomer(client), [{ name: 'Consultation', unitPrice: 15_000 }])
    const cookie = await till.server.signIn('front_desk')
    const key = crypto.randomUUID()
    const send = () =>
      till.server.request('/api/qbo/salesreceipt/create', {
        method: 'POST',
        headers: { cookie, 'content-type': 'application/json', 'idempotency-key': key },
        body: JSON.stringify(sale),
      })
    const before = till.books.receipts().length
    till.books.fault({ kind: 'dropAfter', match: 'salesreceipt', times: 2 })
    expect((await send()).status).toBe(503)
    await till.server.rows("update sales_receipts set created_at = created_at - interval '1 hour'")
    const answer = await (await send()).json()
    expect(answer).toMatchObject({ Id: expect.any(String) })
    expect(await (await send()).json()).toEqual(answer)
    expect(till.books.receipts().length - before).toBe(1)
  })

  it('not connected: nothing is kept, and it says who can connect', async () => {
    const client = await clerk()
    const sale = await saleOf(client, await newCustomer(client), [{ name: 'Consultation' }])
    await (await till.server.as('admin')).quickbooks.disconnect()
    expect(await codeOf(client.pos.createReceipt(sale))).toBe('NOT_CONNECTED')
    expect((await client.pos.pending({})).total).toBe(0)
  })
})
