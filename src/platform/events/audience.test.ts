import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { insertContact } from '../../../test/factories.ts'
import { type Account, useServer } from '../../../test/server.ts'
import { openStream } from '../../../test/network/stream.ts'
import { publish } from '../../kernel/events/events.ts'
import { type Role, roles } from '../../kernel/access/rules.ts'
import { type Topic, topics } from '../../kernel/events/contract.ts'

const all = 'admin sales_rep provider front_desk billing'
const clinical = 'admin sales_rep provider front_desk'
const sales = 'admin sales_rep'
const money = 'admin sales_rep front_desk billing'

/** The recipients of each topic, written out by hand: PRODUCT.md's permission matrix, for streams. */
const expected: Record<Topic, string> = {
  contact: all,
  vocabulary: all,
  people: all,
  'bulk-change': all, // patients per stage; the change itself opens for its author
  duplicate: sales,
  'email-template': all,
  form: 'admin provider front_desk',
  'form-template': 'admin provider front_desk',
  'consent-form': 'admin provider front_desk',
  'consent-template': 'admin provider front_desk',
  import: sales,
  'saved-view': all,
  'saved-report': 'admin sales_rep billing',
  task: all,
  notification: all,
  document: clinical,
  quickbooks: all, // connection status
  receipt: money,
  payout: money,
  dispute: money,
  inbox: sales,
  replying: sales,
  mailbox: all,
  appointment: clinical,
  'waiting-list': clinical,
  surgery: clinical,
  tablet: 'admin provider front_desk',
  chart: 'admin provider front_desk', // sales and billing see nothing of a chart
  quote: money,
  practice: all,
  photo: 'admin provider front_desk',
  gallery: 'admin sales_rep provider',
  stock: 'admin provider front_desk',
  recall: 'admin provider',
  sequence: 'admin sales_rep front_desk',
  campaign: 'admin sales_rep',
  'adverse-event': 'admin provider',
  note: 'admin provider',
  lead: sales,
  'api-key': 'admin',
  'signing-key': 'admin',
  webhook: 'admin',
  retention: 'admin',
}
const hears = (role: Role, topic: Topic) => expected[topic].split(' ').includes(role)

type Listener = Account & { role: Role; stream: Awaited<ReturnType<typeof openStream>> }

describe('live streams: every topic for every role', () => {
  const server = useServer()
  const owners = {} as Record<Role, Listener>
  const others = {} as Record<Role, Listener>
  const listener = async (role: Role): Promise<Listener> => {
    const account = await server.account({ role })
    return { ...account, role, stream: await openStream(server.url, account.cookie) }
  }
  beforeAll(async () => {
    for (const role of roles) {
      owners[role] = await listener(role)
      others[role] = await listener(role)
    }
  })
  afterAll(() => {
    for (const { stream } of everybody()) stream.close()
  })
  const everybody = () => [...Object.values(owners), ...Object.values(others)]
  const db = () => server.running.runtime.db

  /** Who has received this so far; events arrive in publishing order. */
  async function whoHeard(topic: Topic, id: string): Promise<Listener[]> {
    const last = randomUUID()
    await publish(db(), 'contact', last)
    await Promise.all(everybody().map(({ stream }) => stream.next((event) => event.id === last)))
    return everybody().filter(({ stream }) => stream.received.some((event) => event.topic === topic && event.id === id))
  }
  const names = (listeners: readonly Listener[]) =>
    listeners.map((one) => `${one.role} ${owners[one.role] === one ? 'owner' : 'other'}`).toSorted()

  it.each(topics)('%s: an event for all reaches only those with permission', async (topic) => {
    const id = randomUUID()
    await publish(db(), topic, id)
    expect(names(await whoHeard(topic, id))).toEqual(names(everybody().filter(({ role }) => hears(role, topic))))
  })

  it.each(topics)('%s: an event for one person reaches no one else, and them only with permission', async (topic) => {
    for (const role of roles) {
      const id = randomUUID()
      await publish(db(), topic, id, { accounts: [owners[role].id], roles: [] })
      expect([role, names(await whoHeard(topic, id))]).toEqual([role, hears(role, topic) ? [`${role} owner`] : []])
    }
  })

  it.each(roles)('private changes of one user (%s) are hidden from users without access', async (role) => {
    const owner = owners[role]
    const client = server.client(owner.cookie)
    const seers = (...allowed: Role[]) => names([owner, ...everybody().filter((one) => one !== owner && allowed.includes(one.role))])

    const view = await client.savedViews.create({ name: randomUUID(), isShared: false, list: {} })
    expect(names(await whoHeard('saved-view', view.id))).toEqual(seers())

    if (hears(role, 'saved-report')) {
      const report = await client.reports.save({ name: randomUUID(), isShared: false, ask: { report: 'leads' } })
      expect(names(await whoHeard('saved-report', report.id))).toEqual(seers())
    }

    const admin = await server.as('admin')
    const contactId = await insertContact(server)
    const task = await admin.tasks.create({ title: 'Call', type: 'Call', dueDate: '2199-01-31', assigneeIds: [owner.id], contactId })
    expect(names(await whoHeard('task', task.id))).toEqual(seers('admin', 'sales_rep'))

    const [reminder] = await server.rows<{ id: string }>(
      `insert into notifications (user_id, type, created_at, metadata, task_id, remind_at) values ($1, 'task_overdue', now(), '{}', $2, now()) returning id`,
      [owner.id, task.id],
    )
    await client.notifications.read({ id: reminder!.id })
    expect(names(await whoHeard('notification', owner.id))).toEqual(seers())

    await server.rows(
      `insert into mailbox_connections (user_id, provider, email, sealed, state, connected_at) values ($1, 'nylas', $2, 'nothing', 'connected', now())`,
      [owner.id, owner.email],
    )
    const draft = await client.mailbox.saveDraft({ id: randomUUID(), to: [], subject: 'Secret', text: 'Secret', version: 0 })
    expect(names(await whoHeard('mailbox', draft.id))).toEqual(seers())

    if (hears(role, 'import')) {
      const [started] = await server.rows<{ id: string }>(
        `insert into imports (file_name, encoding, header_key, columns, status, created_by, asked_by, created_at)
         values ('a.csv', 'utf-8', 'a', '[]', 'checking', $1, $1, now()) returning id`,
        [owner.id],
      )
      await client.imports.cancel({ id: started!.id })
      expect(names(await whoHeard('import', started!.id))).toEqual(seers('admin'))
    }
  })
})
