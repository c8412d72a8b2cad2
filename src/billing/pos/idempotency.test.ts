import { describe, expect, it } from 'vitest'
import { connectQuickBooks, createCustomer, newSale, prepareSales, usePointOfSale } from '../../../test/billing/point-of-sale.ts'
import { makeDue } from '../../../test/jobs.ts'
import type { Client } from '../../../test/server.ts'
import { until } from '../../../test/until.ts'

/** SALES=1000 KEYS=200 sets these numbers; the default run uses fewer. */
const sales = Number(process.env.SALES ?? 60)
const keysAtOnce = 10
const keyRounds = Math.ceil(Number(process.env.KEYS ?? 10) / keysAtOnce)

type Sale = Awaited<ReturnType<typeof newSale>>

describe('exactly-once receipts', () => {
  const till = usePointOfSale({ QUICKBOOKS_TIMEOUT_SECONDS: '0.4' })
  const clerk = () => till.server.as('front_desk')
  const codeOf = async (asking: Promise<unknown>) =>
    asking.then(
      () => 'ok',
      (error: { code?: string }) => error.code,
    )

  /** How many timeline entries each QuickBooks receipt has. */
  const entries = () =>
    till.server.rows<{ qb: string; times: number; contacts: number }>(
      "select qb_sales_receipt_id as qb, count(*)::int as times, count(distinct contact_id)::int as contacts from interactions where type = 'sales_receipt' group by 1",
    )

  /** Retries until the receipt is recorded. */
  async function sell(client: Client, sale: Sale): Promise<string> {
    for (;;) {
      try {
        return (await client.pos.createReceipt(sale)).Id
      } catch (error) {
        if ((error as { status?: number }).status !== 503) throw error
      }
    }
  }

  it(
    `${sales} receipts while 30 % of the calls fail: QuickBooks has each once, and so has its patient`,
    {
      timeout: 240_000,
    },
    async () => {
      const client = await clerk()
      const customers = await Promise.all(Array.from({ length: 20 }, () => createCustomer(client)))
      const saleOf = await prepareSales(client, ['Consultation'])
      const base = customers.map((customer) => saleOf(customer, [{ name: 'Consultation', unitPrice: 15_000 }]))
      const before = till.quickBooks.receipts().length
      const kinds = ['timeoutBefore', 'timeoutAfter', 'dropBefore', 'dropAfter', 'status', 'badJson'] as const
      till.quickBooks.fault({ random: { share: 0.3, kinds: [...kinds], seed: 6, retryAfter: 0 } })
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
      till.quickBooks.clearFaults()
      expect(ids.size).toBe(sales)
      expect(till.quickBooks.receipts().length - before).toBe(sales)
      const logged = (await entries()).filter(({ qb }) => ids.has(qb))
      expect([logged.length, logged.every(({ times, contacts }) => times === 1 && contacts === 1)]).toEqual([sales, true])
      const perCustomer = await till.server.rows<{ times: number }>(
        'select count(*)::int as times from interactions where qb_sales_receipt_id = any($1) group by contact_id',
        [[...ids]],
      )
      expect(perCustomer).toEqual(customers.map(() => ({ times: sales / customers.length })))
    },
  )

  it(`${keyRounds * keysAtOnce} keys, each sent 50 times at once: one receipt per key`, { timeout: 240_000 }, async () => {
    const client = await clerk()
    const customer = await createCustomer(client)
    const sale = await newSale(client, customer, [{ name: 'Consultation', unitPrice: 15_000 }])
    const before = till.quickBooks.receipts().length
    for (let round = 0; round < keyRounds; round++) {
      const keys = Array.from({ length: keysAtOnce }, () => crypto.randomUUID())
      const answers = await Promise.all(
        keys.flatMap((idempotencyKey) =>
          // Of a thousand concurrent requests some are answered that the server is busy; those are retried.
          Array.from({ length: 50 }, async () => [idempotencyKey, await sell(client, { ...sale, idempotencyKey })] as const),
        ),
      )
      expect(new Set(answers.map(([key, id]) => `${key} ${id}`)).size).toBe(keysAtOnce)
    }
    expect(till.quickBooks.receipts().length - before).toBe(keyRounds * keysAtOnce)
  })

  it('keeps a receipt pending while QuickBooks is down, and lets staff retry or cancel it if the call never connected', async () => {
    const client = await clerk()
    const customer = await createCustomer(client)
    const sale = await newSale(client, customer, [{ name: 'Consultation', unitPrice: 15_000 }])
    const before = till.quickBooks.receipts().length
    till.quickBooks.fault({ kind: 'status', status: 429, retryAfter: 0, times: 2 })
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
    expect(till.quickBooks.receipts()).toHaveLength(before)

    const again = { ...sale, idempotencyKey: crypto.randomUUID() }
    till.quickBooks.fault({ kind: 'dropAfter', match: 'salesreceipt', times: 2 })
    const uncertain = (await client.pos.createReceipt(again).catch((error: unknown) => error)) as typeof failed
    expect(uncertain).toMatchObject({ code: 'PENDING', data: { isUncertain: true } })
    expect(await codeOf(client.pos.cancel({ id: uncertain.data.receiptId }))).toBe('UNCERTAIN')
    // Failing to connect on the next attempt does not make it more certain.
    till.quickBooks.fault({ kind: 'status', status: 429, retryAfter: 0, times: 2 })
    expect(await codeOf(client.pos.retry({ id: uncertain.data.receiptId }))).toBe('PENDING')
    expect(await codeOf(client.pos.cancel({ id: uncertain.data.receiptId }))).toBe('UNCERTAIN')
    expect(await client.pos.retry({ id: uncertain.data.receiptId })).toMatchObject({ DocNumber: expect.any(String) })
    expect(till.quickBooks.receipts().length - before).toBe(1)
  })

  it('fails a receipt that QuickBooks refuses, with the reason', async () => {
    const client = await clerk()
    const customer = await createCustomer(client)
    const sale = await newSale(client, customer, [{ name: 'Consultation', unitPrice: 15_000 }])
    // Still in our list, gone from QuickBooks.
    await till.server.rows("update quickbooks_objects set id = '77777' where kind = 'class' and id = $1", [sale.classRef])
    const before = till.quickBooks.receipts().length
    const failed = (await client.pos.createReceipt({ ...sale, classRef: '77777' }).catch((error: unknown) => error)) as {
      data: { receiptId: string }
    }
    expect(failed).toMatchObject({ status: 422, code: 'REFUSED', message: expect.stringMatching(/./) })
    expect((await client.pos.pending({})).data.find(({ id }) => id === failed.data.receiptId)).toMatchObject({ state: 'failed' })
    expect(await client.pos.cancel({ id: failed.data.receiptId })).toMatchObject({ state: 'cancelled' })
    expect(till.quickBooks.receipts()).toHaveLength(before)
    await till.server.rows("update quickbooks_objects set id = $1 where kind = 'class' and id = '77777'", [sale.classRef])
  })

  it('settles an abandoned receipt in the job, with the same requestid', async () => {
    const client = await clerk()
    const customer = await createCustomer(client)
    const sale = await newSale(client, customer, [{ name: 'Consultation', unitPrice: 15_000 }])
    const before = till.quickBooks.receipts().length
    till.quickBooks.fault({ kind: 'dropAfter', match: 'salesreceipt', times: 2 })
    expect(await codeOf(client.pos.createReceipt(sale))).toBe('PENDING')
    await makeDue(till.server, "id in (select id from graphile_worker.jobs where task_identifier = 'pos.settle-receipt')")
    await until(async () => (await client.pos.pending({})).total === 0)
    expect(till.quickBooks.receipts().length - before).toBe(1)
    const contact = await client.interactions.list({ contactId: customer.contactId, kind: 'payments' })
    expect(contact.data).toHaveLength(1)
  })

  it('keeps a receipt uncertain while QuickBooks is disconnected, and settles it after reconnecting', async () => {
    const client = await clerk()
    const sale = await newSale(client, await createCustomer(client), [{ name: 'Consultation', unitPrice: 15_000 }])
    const before = till.quickBooks.receipts().length
    till.quickBooks.fault({ kind: 'dropAfter', match: 'salesreceipt', times: 2 })
    const failed = (await client.pos.createReceipt(sale).catch((error: unknown) => error)) as { data: { receiptId: string } }
    const admin = await till.server.as('admin')
    await admin.quickbooks.disconnect()
    const { receiptId: id } = failed.data
    expect(await codeOf(client.pos.retry({ id }))).toBe('RECONNECT')
    expect(await codeOf(client.pos.cancel({ id }))).toBe('UNCERTAIN')
    await connectQuickBooks(admin)
    expect(await codeOf(client.pos.retry({ id }))).toBe('ok')
    expect(till.quickBooks.receipts().length - before).toBe(1)
  })

  it('treats an identical sale without a key by the same user within 10 minutes as the first one, but not another user’s', async () => {
    const client = await clerk()
    const customer = await createCustomer(client)
    const { idempotencyKey: _, ...sale } = await newSale(client, customer, [{ name: 'Consultation', unitPrice: 15_000 }])
    const before = till.quickBooks.receipts().length
    const made = () => till.quickBooks.receipts().length - before
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

  it('creates one receipt for 50 concurrent identical sales without a key, also while QuickBooks is down', async () => {
    const client = await clerk()
    const customer = await createCustomer(client)
    const { idempotencyKey: _, ...sale } = await newSale(client, customer, [{ name: 'Consultation', unitPrice: 15_000 }])
    const before = till.quickBooks.receipts().length
    till.quickBooks.fault({ kind: 'dropAfter', match: 'salesreceipt', times: 2 })
    const failed = (await client.pos.createReceipt(sale).catch((error: unknown) => error)) as { code: string; message: string }
    expect(failed).toMatchObject({ code: 'PENDING', message: expect.stringContaining('will be recorded automatically') })
    const { idempotencyKey: __, ...other } = await newSale(client, await createCustomer(client), [
      { name: 'Consultation', unitPrice: 15_000 },
    ])
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
    expect(till.quickBooks.receipts().length - before).toBe(2)
  })

  it('accepts the key in the Idempotency-Key header, creates one receipt, and retries while QuickBooks is down', async () => {
    const client = await clerk()
    const { idempotencyKey: _, ...sale } = await newSale(client, await createCustomer(client), [
      { name: 'Consultation', unitPrice: 15_000 },
    ])
    const cookie = await till.server.signIn('front_desk')
    const key = crypto.randomUUID()
    const send = () =>
      till.server.request('/api/qbo/salesreceipt/create', {
        method: 'POST',
        headers: { cookie, 'content-type': 'application/json', 'idempotency-key': key },
        body: JSON.stringify(sale),
      })
    const before = till.quickBooks.receipts().length
    till.quickBooks.fault({ kind: 'dropAfter', match: 'salesreceipt', times: 2 })
    expect((await send()).status).toBe(503)
    await till.server.rows("update sales_receipts set created_at = created_at - interval '1 hour'")
    const answer = await (await send()).json()
    expect(answer).toMatchObject({ Id: expect.any(String) })
    expect(await (await send()).json()).toEqual(answer)
    expect(till.quickBooks.receipts().length - before).toBe(1)
  })

  it('stores nothing when QuickBooks is not connected, and says who can connect it', async () => {
    const client = await clerk()
    const sale = await newSale(client, await createCustomer(client), [{ name: 'Consultation' }])
    await (await till.server.as('admin')).quickbooks.disconnect()
    expect(await codeOf(client.pos.createReceipt(sale))).toBe('NOT_CONNECTED')
    expect((await client.pos.pending({})).total).toBe(0)
  })
})
