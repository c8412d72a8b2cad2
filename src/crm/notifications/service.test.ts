import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { insertContact } from '../../../test/factories.ts'
import { refusal } from '../../../test/refusal.ts'
import { type Account, type Client, useServer } from '../../../test/server.ts'
import { openStream } from '../../../test/network/stream.ts'
import type { Scope } from '../../kernel/scope.ts'
import { createTaskReminders } from './jobs.ts'

const monday = '2026-11-23T'
let now = new Date(`${monday}13:00:00Z`)
const setNow = (instant: string) => {
  now = new Date(instant)
}
const server = useServer({}, { now: () => now })
const remind = () => createTaskReminders.run(server.running.runtime as unknown as Scope, {}, { last: true })

let [sales, provider] = [{} as Account, {} as Account]
let [mine, theirs] = [{} as Client, {} as Client]
beforeAll(async () => {
  sales = await server.account({ role: 'sales_rep' })
  provider = await server.account({ role: 'provider' })
  mine = server.client(sales.cookie)
  theirs = server.client(provider.cookie)
})
beforeEach(async () => {
  setNow(`${monday}13:00:00Z`) // 8:00 in Toronto
  await server.rows('delete from tasks')
})
const create = (given: object = {}) =>
  mine.tasks.create({ title: 'Call back', dueDate: '2026-11-23', assigneeIds: [sales.id], type: 'Call', ...given })
const unread = async (client = mine) => (await client.notifications.unread({})).data

describe('reminders of overdue tasks', () => {
  it('are created for each assignee when the task is due, with the task’s details (spec 3), and not before', async () => {
    const contactId = await insertContact(server, { firstName: 'Anaïs', lastName: 'Bélanger-Roy', phone: '+16135550187' })
    const { id } = await create({ contactId, description: 'Second reminder', assigneeIds: [provider.id, sales.id] })
    setNow(`${monday}13:59:59Z`)
    await remind()
    expect(await unread()).toEqual([])
    setNow(`${monday}14:00:00Z`)
    await remind()
    for (const [client, user] of [
      [mine, sales],
      [theirs, provider],
    ] as const) {
      expect(await unread(client)).toMatchObject([
        {
          userId: user.id,
          type: 'task_overdue',
          readAt: null,
          createdAt: now.toISOString(),
          taskId: id,
          dueAt: `${monday}14:00:00.000Z`,
          isOpen: true,
          contactId,
          metadata: {
            task_id: id,
            task_title: 'Call back',
            task_description: 'Second reminder',
            due_time_constraint: null,
            contact_name: 'Anaïs Bélanger-Roy',
            contact_phone: '+16135550187',
          },
        },
      ])
    }
    expect(await mine.tasks.get({ id })).toMatchObject({ notificationSent: true })
  })

  it('are listed in one order for every assignee, the task due last first', async () => {
    const times = ['08:40', '08:10', '08:50', '08:30', '08:20']
    const assigneeIds = [sales.id, provider.id]
    for (const [index, dueTimeConstraint] of times.entries())
      await create({
        title: dueTimeConstraint,
        hasTimeConstraint: true,
        dueTimeConstraint,
        assigneeIds: index % 2 ? assigneeIds.toReversed() : assigneeIds,
      })
    // Lets the planner join the assignees by hash, in no particular order.
    await server.rows('analyze')
    setNow(`${monday}14:00:00Z`)
    await remind()
    for (const client of [mine, theirs])
      expect((await unread(client)).map(({ metadata }) => metadata?.task_title)).toEqual(times.toSorted().toReversed())
  })

  it('show the task’s current title and patient, and nothing about a patient removed from it', async () => {
    const contactId = await insertContact(server, { firstName: 'Anaïs', lastName: 'Roy', phone: '+16135550187' })
    const { id, version } = await create({ contactId, title: 'Before', assigneeIds: [sales.id] })
    setNow(`${monday}14:00:00Z`)
    await remind()
    const reminder = async () => (await unread()).find(({ taskId }) => taskId === id)?.metadata
    const changed = await mine.tasks.update({ id, version, title: 'After' })
    expect(await reminder()).toMatchObject({ task_title: 'After', contact_name: 'Anaïs Roy', contact_phone: '+16135550187' })
    await mine.tasks.update({ id, version: changed.version, contactId: null })
    expect(await reminder()).toMatchObject({ task_title: 'After', contact_name: null, contact_phone: null })
  })

  it('are created once, also by several processes at the same time and by repeated runs', async () => {
    await Promise.all(Array.from({ length: 30 }, (_, n) => create({ title: `Task ${n}`, assigneeIds: [sales.id, provider.id] })))
    setNow(`${monday}15:00:00Z`)
    await Promise.all(Array.from({ length: 8 }, remind))
    // A process that died before it had marked the tasks would create the reminders again.
    await server.rows('update tasks set notification_sent = false')
    await Promise.all(Array.from({ length: 8 }, remind))
    expect((await mine.notifications.unread({})).total).toBe(30)
    expect((await theirs.notifications.unread({})).total).toBe(30)
  })

  it.each([
    ['the clocks go forward', '2026-03-08', '2026-03-08T12:59:59Z', '2026-03-08T13:00:00Z'],
    ['the clocks go back', '2026-11-01', '2026-11-01T13:59:59Z', '2026-11-01T14:00:00Z'],
  ])('are created at 09:00 in the practice’s time zone when %s', async (_, dueDate, before, then) => {
    setNow(`${dueDate}T06:00:00Z`)
    await create({ dueDate })
    setNow(before)
    await remind()
    expect(await unread()).toEqual([])
    setNow(then)
    await remind()
    expect(await unread()).toHaveLength(1)
  })

  it('are not created for completed or cancelled tasks or for disabled accounts', async () => {
    await create({ status: 'completed' })
    await create({ status: 'cancelled' })
    const disabled = await server.account()
    await create({ assigneeIds: [disabled.id] })
    await server.rows(`update profiles set status = 'disabled' where id = $1`, [disabled.id])
    setNow(`${monday}15:00:00Z`)
    await remind()
    expect(await server.rows('select * from notifications')).toEqual([])
  })
})

describe('reading, snoozing and completing (spec 4)', () => {
  const overdue = async (given: object = {}) => {
    const task = await create(given)
    setNow(`${monday}14:02:00Z`)
    await remind()
    return task
  }

  it('dismisses a reminder for one person, reads it for everyone on completion, and restores it when that is undone', async () => {
    const { id } = await overdue({ assigneeIds: [sales.id, provider.id] })
    const [reminder] = await unread()
    await mine.notifications.read({ id: reminder!.id })
    expect(await unread()).toEqual([])
    expect(await unread(theirs)).toHaveLength(1)
    expect(await refusal(mine.notifications.read({ id: (await unread(theirs))[0]!.id }))).toMatchObject({ status: 404 })

    setNow(`${monday}14:03:00Z`)
    const { undo } = await mine.tasks.complete({ id })
    expect(await unread(theirs)).toEqual([])
    await mine.tasks.undo({ id: undo! })
    expect(await unread(theirs)).toHaveLength(1)
    expect(await unread()).toEqual([])
    await remind()
    expect((await mine.notifications.list({})).data).toHaveLength(1)
  })

  it('silences a snoozed task for everyone for 15 minutes, then reminds once', async () => {
    const { id } = await overdue({ assigneeIds: [sales.id, provider.id] })
    expect(await mine.tasks.snooze({ id })).toMatchObject({ dueTimeConstraint: '09:15', notificationSent: false })
    expect([...(await unread()), ...(await unread(theirs))]).toEqual([])
    setNow(`${monday}14:16:59Z`)
    await remind()
    expect(await unread()).toEqual([])
    setNow(`${monday}14:17:00Z`)
    await remind()
    await remind()
    expect(await unread()).toMatchObject([{ metadata: { due_time_constraint: '09:15' } }])
    expect(await unread(theirs)).toHaveLength(1)
  })

  it.each([
    ['late in the evening', '2026-11-23T14:00:00Z', '2026-11-24T04:28:00Z', '2026-11-24T04:43:00.000Z'],
    ['over midnight', '2026-11-23T14:00:00Z', '2026-11-24T04:50:00Z', '2026-11-24T05:05:00.000Z'],
    ['while the clocks go forward', '2026-03-07T14:00:00Z', '2026-03-08T06:50:00Z', '2026-03-08T07:05:00.000Z'],
    ['while the clocks go back', '2026-10-31T13:00:00Z', '2026-11-01T05:50:00Z', '2026-11-01T06:05:00.000Z'],
    ['in the hour that the clocks show twice', '2026-10-31T13:00:00Z', '2026-11-01T06:50:00Z', '2026-11-01T07:05:00.000Z'],
  ])('shows until when a task is snoozed %s, and neither popup nor badge returns earlier (spec 4)', async (_, due, then, until) => {
    setNow(due)
    now = new Date(now.getTime() - 60_000)
    const { id } = await create({ dueDate: due.slice(0, 10) })
    setNow(due)
    await remind()
    setNow(then)
    const [reminder] = await unread()
    expect(await mine.tasks.snooze({ id })).toMatchObject({ snoozedUntil: until })
    await mine.notifications.markUnread({ id: reminder!.id })
    const { undo } = await mine.tasks.complete({ id })
    await mine.tasks.undo({ id: undo! })
    now = new Date(Date.parse(until) - 1_000)
    await remind()
    expect(await mine.notifications.unread({})).toEqual({ data: [], nextCursor: null, total: 0 })
    expect((await mine.notifications.list({})).data).toMatchObject([{ snoozedUntil: until }])
    setNow(until)
    await remind()
    expect((await unread()).map(({ taskId }) => taskId)).toContain(id)
  })

  it('moves the due date when a snooze passes midnight (spec 4)', async () => {
    setNow('2026-11-24T04:51:00Z') // 23:51 on Monday
    const { id } = await create({ hasTimeConstraint: true, dueTimeConstraint: '23:50' })
    expect(await mine.tasks.snooze({ id })).toMatchObject({ dueDate: '2026-11-24', dueTimeConstraint: '00:05' })
  })

  it('refuses to snooze a completed task', async () => {
    const { id } = await create({ status: 'completed' })
    expect(await refusal(mine.tasks.snooze({ id }))).toMatchObject({ status: 409, code: 'NOT_OPEN' })
  })

  it('reminds again after a new due date or for a new assignee, and deletes the reminders of former assignees', async () => {
    const task = await overdue({ assigneeIds: [provider.id] })
    const moved = await mine.tasks.update({ id: task.id, version: 1, dueDate: '2026-11-24' })
    expect(await unread(theirs)).toEqual([])
    setNow('2026-11-24T14:00:00Z')
    await remind()
    expect(await unread(theirs)).toHaveLength(1)
    await mine.tasks.update({ id: task.id, version: moved.version, assigneeIds: [sales.id] })
    expect((await theirs.notifications.list({})).data).toEqual([])
    await remind()
    expect(await unread()).toHaveLength(1)
  })
})

it('lists notifications page by page, and marks all as read or one as unread', async () => {
  await Promise.all(Array.from({ length: 5 }, (_, n) => create({ title: `Task ${n}` })))
  setNow(`${monday}15:00:00Z`)
  await remind()
  const first = await mine.notifications.list({ limit: 3 })
  const second = await mine.notifications.list({ limit: 3, cursor: first.nextCursor! })
  expect([second.nextCursor, first.data.length, second.data.length]).toEqual([null, 3, 2])
  expect(new Set([...first.data, ...second.data].map(({ id }) => id)).size).toBe(5)

  expect(await mine.notifications.readAll()).toEqual({ read: 5 })
  expect((await mine.notifications.unread({})).total).toBe(0)
  await mine.notifications.markUnread({ id: first.data[0]!.id })
  expect((await mine.notifications.unread({})).total).toBe(1)
})

it('publishes a reminder only to the browsers of its recipient', async () => {
  const [salesStream, providerStream] = await Promise.all([openStream(server.url, sales.cookie), openStream(server.url, provider.cookie)])
  await create({ assigneeIds: [provider.id] })
  await create({ assigneeIds: [sales.id], dueDate: '2026-11-24' })
  setNow(`${monday}15:00:00Z`)
  await remind()
  await providerStream.next(({ topic, id }) => topic === 'notification' && id === provider.id)
  setNow('2026-11-24T15:00:00Z')
  await remind()
  await salesStream.next(({ topic }) => topic === 'notification')
  expect(salesStream.received.filter(({ topic, id }) => topic === 'notification' && id !== sales.id)).toEqual([])
  salesStream.close()
  providerStream.close()
})

it('sends no emails about assignments until a person turns them on (spec 6)', async () => {
  expect(await mine.notifications.preferences()).toEqual([{ notificationType: 'task_assigned', enabled: false }])
  await mine.notifications.setPreference({ notificationType: 'task_assigned', enabled: true })
  expect(await mine.notifications.preferences()).toEqual([{ notificationType: 'task_assigned', enabled: true }])
  expect(await theirs.notifications.preferences()).toEqual([{ notificationType: 'task_assigned', enabled: false }])
})
