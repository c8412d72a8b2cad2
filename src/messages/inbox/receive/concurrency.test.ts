import { randomUUID } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { useInbox } from '../../../../test/messages/inbox.ts'
import { until } from '../../../../test/until.ts'

describe('emails that arrive at the same moment', () => {
  const server = useInbox()
  const conversationsWith = async (search: string) =>
    (await (await server.as('sales_rep')).inbox.conversations({ show: 'all', search })).data

  /** Posts emails so that each is looked up before any is stored. */
  async function atOnce(mails: Parameters<typeof server.outbox.inbound>[0][]) {
    const holder = await server.hold('lock table messages in share row exclusive mode')
    const calls = Promise.all(mails.map((mail) => server.outbox.inbound(mail)))
    const waiting = `select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`
    await until(async () => (await server.rows(waiting)).length === mails.length)
    await holder.release()
    return calls
  }

  it('stores the same new email once, in one conversation, and creates no empty one', async () => {
    const mail = { from: `${randomUUID()}@unknown-sender.example`, subject: 'Twice', text: 'Hello', messageId: randomUUID() }
    const calls = await atOnce([mail, mail])
    expect(calls.map(({ status }) => status)).toEqual([200, 200])
    expect(calls[0]!.body).toBe(calls[1]!.body)
    expect(await server.rows('select 1 from conversations where address = $1', [mail.from])).toHaveLength(1)
    expect(await conversationsWith(mail.from)).toMatchObject([{ subject: 'Twice', unreadCount: 1 }])
  })

  it('puts two new emails of one sender and subject into one conversation', async () => {
    const mail = { from: `${randomUUID()}@unknown-sender.example`, subject: 'New', text: 'Hello' }
    await atOnce([mail, { ...mail, subject: 're: NEW', text: 'And one more thing' }])
    expect(await conversationsWith(mail.from)).toMatchObject([{ unreadCount: 2 }])
  })
})

describe('a conversation without a message', () => {
  const server = useInbox()

  it('is not listed, and does not hide the ones before it', async () => {
    const client = await server.as('sales_rep')
    const subjects = ['One', 'Two', 'Three', 'Four']
    for (const subject of subjects)
      await server.outbox.inbound({ from: `${subject.toLowerCase()}.ana@work.example`, subject, text: 'A caribou' })
    await server.rows(`delete from messages where subject in ('Two', 'Three')`)
    for (const filter of [{}, { search: 'ana@work' }, { search: 'work.example', show: 'all' as const }]) {
      const found: string[] = []
      for (let cursor: string | null | undefined; cursor !== null;) {
        const page = await client.inbox.conversations({ ...filter, limit: 1, ...(cursor ? { cursor } : {}) })
        found.push(...page.data.map(({ subject }) => subject))
        cursor = page.nextCursor
      }
      expect(found).toEqual(['Four', 'One'])
    }
    const file = await server.request('/api/conversations.csv?show=all', { headers: { cookie: await server.signIn('sales_rep') } })
    expect((await file.text()).trim().split(/\r?\n/)).toHaveLength(3)
  })
})
