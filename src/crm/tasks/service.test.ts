import { randomUUID } from 'node:crypto'
import { beforeAll, describe, expect, it } from 'vitest'
import { databaseFingerprint } from '../../../test/database-fingerprint.ts'
import { insertContact } from '../../../test/factories.ts'
import { emailsTo } from '../../../test/messages/emails.ts'
import { refusal } from '../../../test/refusal.ts'
import { type Account, type Client, useServer } from '../../../test/server.ts'
import { openStream } from '../../../test/network/stream.ts'
import { until } from '../../../test/until.ts'

// A Saturday, 10:00 in Toronto.
const now = new Date('2026-11-21T15:00:00Z')
const server = useServer({}, { now: () => now })
let [sales, provider, other] = [{} as Account, {} as Account, {} as Account]
let [mine, theirs, admin] = [{} as Client, {} as Client, {} as Client]
beforeAll(async () => {
  sales = await server.account({ role: 'sales_rep' })
  provider = await server.account({ role: 'provider' })
  other = await server.account({ role: 'front_desk' })
  mine = server.client(sales.cookie)
  theirs = server.client(provider.cookie)
  admin = await server.as('admin')
})
const task = (given: object = {}) => ({ title: 'Call about the quote', dueDate: '2026-11-21', assigneeIds: [sales.id], ...given })
const create = (given: object = {}, client = mine) => client.tasks.create(task(given))
/** Waits until no notification emails are queued. */
const emailsSent = () =>
  until(async () => {
    const jobs = await server.rows("select 1 from graphile_worker.jobs where task_identifier in ('tasks.notify-assignee', 'mail.send')")
    return jobs.length === 0
  })
const fieldsOf = async (call: Promise<unknown>) => {
  const { status, data } = await refusal(call)
  expect(status).toBe(422)
  return data.fields
}

describe('tasks (spec 3, 5)', () => {
  it('store and return all fields, with assignees in order and the first one as assigned_to', async () => {
    const contactId = await insertContact(server, { firstName: 'Éloïse', lastName: 'Tremblay', email: 'eloise@elsewhere.example' })
    const made = await create({
      description: ' Ask about dates ',
      type: 'Follow-up',
      priority: 'high',
      status: 'in_progress',
      dueDate: '2026-11-25',
      hasTimeConstraint: true,
      dueTimeConstraint: '14:30',
      assigneeIds: [provider.id, sales.id],
      contactId,
    })
    const expected = {
      title: 'Call about the quote',
      description: 'Ask about dates',
      type: 'Follow-up',
      priority: 'high',
      status: 'in_progress',
      dueDate: '2026-11-25',
      dueTimeConstraint: '14:30',
      dueAt: '2026-11-25T19:30:00.000Z',
      completed: false,
      completedAt: null,
      notificationSent: false,
      contactId,
      contact: { id: contactId, firstName: 'Éloïse', lastName: 'Tremblay', email: 'eloise@elsewhere.example', phone: null },
      assignedTo: provider.id,
      createdBy: sales.id,
    }
    expect(made).toMatchObject(expected)
    expect(made.assignees.map(({ id }) => id)).toEqual([provider.id, sales.id])
    expect(await theirs.tasks.get({ id: made.id })).toEqual(made)
    expect((await mine.interactions.list({ contactId })).data.map(({ description }) => description)).toEqual([
      'Task created: Call about the quote',
    ])
  })

  it('have defaults: Other, medium, pending, no time, no patient', async () => {
    expect(await create({ dueDate: '2026-11-22' })).toMatchObject({
      type: 'Other',
      priority: 'medium',
      status: 'pending',
      dueTimeConstraint: null,
      contact: null,
    })
  })

  it('have a one-line title without hidden characters, because it becomes an email subject', async () => {
    expect((await create({ title: 'Call\r\nBcc: a@b.example\u202e' })).title).toBe('Call Bcc: a@b.example')
    for (const title of ['\u200b', ' \u202e\t']) {
      expect(await refusal(create({ title }))).toMatchObject({ status: 422, data: { fields: { title: 'Title is required' } } })
    }
    expect((await create({ title: '👩‍⚕️ می‌خواهم' })).title).toBe('👩‍⚕️ می‌خواهم')
  })

  it('lose their time when the time constraint is turned off', async () => {
    const made = await create({ dueDate: '2026-11-30', hasTimeConstraint: true, dueTimeConstraint: '16:00' })
    const changed = await mine.tasks.update({ id: made.id, version: made.version, hasTimeConstraint: false })
    expect(changed).toMatchObject({ dueTimeConstraint: null, dueAt: '2026-11-30T14:00:00.000Z' })
    expect(await create({ dueDate: '2026-11-30', dueTimeConstraint: '16:00' })).toMatchObject({ dueTimeConstraint: null })
  })

  it('are never overdue from the start: after 09:00, today without a time means the next full hour (spec 9)', async () => {
    const due = { dueTimeConstraint: '11:00', dueAt: '2026-11-21T16:00:00.000Z' }
    expect(await create()).toMatchObject({ dueDate: '2026-11-21', ...due })
    const moved = await create({ dueDate: '2026-11-25' })
    const changed = await mine.tasks.update({ id: moved.id, version: 1, dueDate: '2026-11-21' })
    expect(changed).toMatchObject(due)
    const [timed, other] = [
      await create({ dueDate: '2026-11-25', hasTimeConstraint: true, dueTimeConstraint: '18:00' }),
      await create({ dueDate: '2026-11-25' }),
    ]
    const { undo } = await mine.tasks.changeMany({ changes: [timed, other].map(({ id }) => ({ id, dueDate: '2026-11-21' })) })
    expect(await mine.tasks.get({ id: timed.id })).toMatchObject({ dueTimeConstraint: '18:00' })
    expect(await mine.tasks.get({ id: other.id })).toMatchObject(due)
    await mine.tasks.undo({ id: undo! })
    expect(await mine.tasks.get({ id: other.id })).toMatchObject({ dueDate: '2026-11-25', dueTimeConstraint: null })
    // A change of another field does not move the due time.
    await server.rows("update tasks set due_date = '2026-11-21', due_time_constraint = null, due_at = '2026-11-21T14:00Z' where id = $1", [
      moved.id,
    ])
    const renamed = await mine.tasks.update({ id: moved.id, version: changed.version, title: 'Renamed' })
    expect(renamed).toMatchObject({ dueTimeConstraint: null, dueAt: '2026-11-21T14:00:00.000Z' })
  })

  it('derive completed and completed_at from the status (spec 4)', async () => {
    const made = await create()
    const done = await mine.tasks.update({ id: made.id, version: 1, status: 'completed' })
    expect(done).toMatchObject({ status: 'completed', completed: true, completedAt: now.toISOString() })
    const again = await mine.tasks.update({ id: made.id, version: done.version, status: 'pending' })
    expect(again).toMatchObject({ status: 'pending', completed: false, completedAt: null })
  })

  it('can’t be changed based on an outdated version', async () => {
    const made = await create()
    await mine.tasks.update({ id: made.id, version: 1, title: 'First' })
    expect(await refusal(admin.tasks.update({ id: made.id, version: 1, title: 'Second' }))).toMatchObject({
      status: 409,
      code: 'CONFLICT',
      data: { current: { title: 'First' } },
    })
  })
})

describe('invalid input, refused by field without changes (spec 5)', () => {
  const invalid: [string, object, string][] = [
    ['title', { title: '  ' }, 'Title is required'],
    ['title', { title: 'x'.repeat(10_000) }, 'Use at most 200 characters'],
    ['dueDate', { dueDate: '' }, 'Due date is required'],
    ['dueDate', { dueDate: '2026-02-30' }, 'Enter a date'],
    ['dueDate', { dueDate: '2026-11-20' }, 'Due date cannot be before today'],
    ['dueTimeConstraint', { hasTimeConstraint: true }, 'Time is required when time constraint is enabled'],
    ['dueTimeConstraint', { hasTimeConstraint: true, dueTimeConstraint: '' }, 'Time is required when time constraint is enabled'],
    ['dueTimeConstraint', { hasTimeConstraint: true, dueTimeConstraint: '24:00' }, 'Enter a time as HH:MM'],
    ['assigneeIds', { assigneeIds: [] }, 'At least one assignee is required'],
    ['assigneeIds', { assigneeIds: [randomUUID()] }, 'An assignee is no longer on the staff'],
    ['contactId', { contactId: randomUUID() }, 'This patient does not exist'],
    ['type', { type: 'Telegram' }, expect.any(String)],
    ['priority', { priority: 'urgent' }, expect.any(String)],
    ['status', { status: 'done' }, expect.any(String)],
  ]
  it.each(invalid)('%s %j', async (field, given, message) => {
    await emailsSent()
    const before = await databaseFingerprint(server)
    expect(await fieldsOf(create(given))).toEqual({ [field]: message })
    expect(await databaseFingerprint(server)).toEqual(before)
  })

  it('includes a new due date in the past, while an existing one may be kept', async () => {
    const made = await create({ title: 'Old' })
    await server.rows("update tasks set due_date = '2026-11-01' where id = $1", [made.id])
    expect(await mine.tasks.update({ id: made.id, version: 1, dueDate: '2026-11-01', title: 'New' })).toMatchObject({ title: 'New' })
    expect(await fieldsOf(mine.tasks.update({ id: made.id, version: 2, dueDate: '2026-11-02' }))).toEqual({
      dueDate: 'Due date cannot be before today',
    })
    expect(await fieldsOf(mine.tasks.changeMany({ changes: [{ id: made.id, dueDate: '2026-11-02' }] }))).toHaveProperty('dueDate')
  })

  it('includes assignees without a company email or whose account is pending (spec 6)', async () => {
    const outside = await server.account({ email: `${randomUUID()}@elsewhere.example` })
    const waiting = await server.account({ status: 'pending' })
    const choices = (await mine.tasks.assignable()).map(({ id }) => id)
    expect(choices).toEqual(expect.arrayContaining([sales.id, provider.id, other.id]))
    for (const { id } of [outside, waiting]) {
      expect(choices).not.toContain(id)
      expect(await fieldsOf(create({ assigneeIds: [id] }))).toHaveProperty('assigneeIds')
    }
  })
})

describe('visibility of tasks (spec 6)', () => {
  it('hides other people’s tasks from all lists, counts, timelines and calls', async () => {
    const contactId = await insertContact(server)
    const secret = await create({ contactId, title: 'Not for everyone' })
    const shared = await create({ contactId, title: 'Shared', assigneeIds: [sales.id, provider.id] })
    const filters = { show: 'everyone', contactId } as const
    for (const client of [mine, admin]) expect((await client.tasks.list(filters)).total).toBe(2)
    const seen = JSON.stringify([
      await theirs.tasks.list(filters),
      await theirs.tasks.ofContact({ contactId }),
      await theirs.tasks.week({ ...filters, from: '2026-11-16' }),
      await theirs.interactions.list({ contactId }),
      await theirs.tasks.list({ show: 'everyone', assigneeId: sales.id }),
    ])
    expect(seen).toContain(shared.id)
    expect(seen).not.toContain(secret.id)
    expect(seen).not.toContain('Not for everyone')
    expect(await theirs.tasks.counts(filters)).toMatchObject({ open: 1 })

    await emailsSent()
    const before = await databaseFingerprint(server)
    const { id } = secret
    const calls = [
      () => theirs.tasks.get({ id }),
      () => theirs.tasks.update({ id, version: 1, title: 'x' }),
      () => theirs.tasks.complete({ id }),
      () => theirs.tasks.snooze({ id }),
    ]
    for (const call of calls) expect(await refusal(call())).toMatchObject({ status: 404, code: 'NOT_FOUND' })
    expect(await theirs.tasks.changeMany({ changes: [{ id, status: 'completed' }] })).toMatchObject({ changed: 0, missing: [id] })
    expect(await databaseFingerprint(server)).toEqual(before)
  })

  it('publishes live events only to people who see the task, including new and former assignees', async () => {
    const streams = await Promise.all([sales, provider, other].map(({ cookie }) => openStream(server.url, cookie)))
    const [salesStream, providerStream, otherStream] = streams as [(typeof streams)[0], (typeof streams)[0], (typeof streams)[0]]
    try {
      const isAbout = (id: string) => (event: { topic: string; id: string }) => event.topic === 'task' && event.id === id
      const { id } = await create({ assigneeIds: [sales.id] })
      await salesStream.next(isAbout(id))
      await mine.tasks.update({ id, version: 1, assigneeIds: [provider.id] })
      await providerStream.next(isAbout(id))
      const receivedBefore = providerStream.received.length
      await mine.tasks.update({ id, version: 2, assigneeIds: [sales.id] })
      await until(() => providerStream.received.slice(receivedBefore).some(isAbout(id)))
      // Events arrive in order, so earlier ones have been delivered by now.
      const last = await create({ assigneeIds: [other.id] })
      await otherStream.next(isAbout(last.id))
      expect(otherStream.received.some(isAbout(id))).toBe(false)
      expect(providerStream.received.some(isAbout(last.id))).toBe(false)
      expect(salesStream.received.some(isAbout(last.id))).toBe(true)
    } finally {
      for (const stream of streams) stream.close()
    }
  })

  it('publishes a live event to every one of several hundred assignees', async () => {
    const people = await server.rows<{ id: string }>(
      `insert into profiles (full_name, first_name, last_name, email, email_verified, status)
       select 'Many ' || n, 'Many', n::text, gen_random_uuid() || '@clinic.example', true, 'active' from generate_series(1, 320) as n returning id`,
    )
    const last = await server.account({ role: 'billing' })
    const stream = await openStream(server.url, last.cookie)
    const { id } = await create({ assigneeIds: [...people.map((person) => person.id), last.id] })
    await stream.next((event) => event.topic === 'task' && event.id === id)
    stream.close()
    await server.rows(`update profiles set status = 'disabled' where id = any($1)`, [people.map((person) => person.id)])
  })

  it('lets only roles that see all tasks delete them', async () => {
    const { id } = await create({ assigneeIds: [provider.id] })
    expect(await refusal(theirs.tasks.delete({ id }))).toMatchObject({ status: 403 })
    await mine.tasks.delete({ id })
    expect(await refusal(theirs.tasks.get({ id }))).toMatchObject({ status: 404 })
    expect(await refusal(mine.tasks.delete({ id }))).toMatchObject({ status: 404 })
  })
})

it('lists tasks by tab with filters and sorting, and counts them consistently', async () => {
  const contactId = await insertContact(server)
  const made = async (title: string, given: object) => (await create({ title, contactId, assigneeIds: [provider.id], ...given })).title
  await made('a due at nine', { type: 'Call', priority: 'low', hasTimeConstraint: true, dueTimeConstraint: '09:00' })
  await made('b due this evening', { hasTimeConstraint: true, dueTimeConstraint: '18:00', priority: 'high' })
  await made('c due tomorrow', { dueDate: '2026-11-22', type: 'Email' })
  const done = await create({ title: 'd done', contactId, assigneeIds: [provider.id] })
  await theirs.tasks.complete({ id: done.id })
  await made('e cancelled', { status: 'cancelled' })

  const titles = async (given: object) => (await theirs.tasks.list({ contactId, ...given })).data.map(({ title }) => title[0]).join('')
  expect(await titles({})).toBe('abc')
  expect(await titles({ due: 'overdue' })).toBe('a')
  expect(await titles({ due: 'today' })).toBe('ab')
  expect(await titles({ due: 'upcoming' })).toBe('c')
  expect(await titles({ due: 'done' })).toBe('de')
  expect(await titles({ sort: 'priority' })).toBe('bca')
  expect(await titles({ sort: 'due-last' })).toBe('cba')
  expect(await titles({ sort: 'newest' })).toBe('cba')
  expect(await titles({ type: 'Email' })).toBe('c')
  expect(await titles({ priority: 'high' })).toBe('b')
  expect(await titles({ limit: 2, page: 2 })).toBe('c')
  expect(await theirs.tasks.counts({ contactId })).toEqual({ open: 3, overdue: 1, today: 2, upcoming: 1, done: 2 })
  expect((await mine.tasks.list({ contactId })).total).toBe(0) // assigned to someone else
  expect((await mine.tasks.list({ contactId, show: 'everyone' })).total).toBe(3)
  const week = await theirs.tasks.week({ contactId, from: '2026-11-16' })
  expect(
    week.data
      .map(({ title }) => title[0])
      .toSorted()
      .join(''),
  ).toBe('abcde')
})

describe('bulk changes of tasks', () => {
  it('are refused if they list a task twice, ignoring case', async () => {
    const { id } = await create()
    for (const again of [id, id.toUpperCase()]) {
      const twice = mine.tasks.changeMany({
        changes: [
          { id, status: 'completed' },
          { id: again, dueDate: '2026-11-25' },
        ],
      })
      expect(await refusal(twice)).toMatchObject({ status: 422, data: { fields: { changes: 'A task is listed twice' } } })
    }
    expect(await mine.tasks.get({ id })).toMatchObject({ status: 'pending', version: 1 })
  })

  it('are not undone for a task whose previous assignee has been disabled', async () => {
    const disabled = await server.account({ role: 'billing' })
    const { id } = await create({ assigneeIds: [disabled.id] })
    const { undo } = await mine.tasks.changeMany({ changes: [{ id, assigneeIds: [provider.id] }] })
    await server.rows(`update profiles set status = 'disabled' where id = $1`, [disabled.id])
    expect(await mine.tasks.undo({ id: undo! })).toEqual({ undone: 0, kept: 1 })
    expect((await mine.tasks.get({ id })).assignees.map((person) => person.id)).toEqual([provider.id])
  })

  it('apply to all tasks or none, and can be undone once by their author, except for tasks changed since', async () => {
    const [a, b, c] = await Promise.all([create({ title: 'a' }), create({ title: 'b' }), create({ title: 'c' })])
    const ids = [a.id, b.id, c.id]
    const changes = ids.map((id) => ({ id, dueDate: '2026-12-01', assigneeIds: [provider.id], status: 'in_progress' as const }))
    const refused = [...changes.slice(0, 2), { id: c.id, dueDate: '2020-01-01' }]
    await emailsSent()
    const before = await databaseFingerprint(server)
    expect(await fieldsOf(mine.tasks.changeMany({ changes: refused }))).toHaveProperty('dueDate')
    expect(await databaseFingerprint(server)).toEqual(before)

    const result = await mine.tasks.changeMany({ changes })
    expect(result).toMatchObject({ changed: 3, missing: [] })
    const after = await Promise.all(ids.map((id) => theirs.tasks.get({ id })))
    for (const task of after) expect(task).toMatchObject({ dueDate: '2026-12-01', assignedTo: provider.id, status: 'in_progress' })
    await theirs.tasks.update({ id: c.id, version: after[2]!.version, title: 'c, changed' })

    expect(await refusal(admin.tasks.undo({ id: result.undo! }))).toMatchObject({ status: 404 })
    expect(await mine.tasks.undo({ id: result.undo! })).toEqual({ undone: 2, kept: 1 })
    expect(await refusal(mine.tasks.undo({ id: result.undo! }))).toMatchObject({ status: 404 })
    expect(await mine.tasks.get({ id: a.id })).toMatchObject({ dueDate: '2026-11-21', assignedTo: sales.id, status: 'pending' })
    expect(await mine.tasks.get({ id: c.id })).toMatchObject({ dueDate: '2026-12-01', title: 'c, changed' })
  })

  it('include completing a task, which can be undone and has no effect when repeated', async () => {
    const { id } = await create()
    const { task: done, undo } = await mine.tasks.complete({ id })
    expect(done).toMatchObject({ completed: true, status: 'completed' })
    expect(await mine.tasks.complete({ id })).toMatchObject({ task: { completedAt: done.completedAt }, undo: null })
    await mine.tasks.undo({ id: undo! })
    expect(await mine.tasks.get({ id })).toMatchObject({ completed: false, completedAt: null, status: 'pending' })
  })

  it('do not deadlock when two people change the same tasks in opposite order', async () => {
    const made = await Promise.all(Array.from({ length: 8 }, () => create()))
    const ids = made.map(({ id }) => id)
    const change = (order: string[], dueDate: string) => mine.tasks.changeMany({ changes: order.map((id) => ({ id, dueDate })) })
    await Promise.all(
      Array.from({ length: 10 }, (_, n) => change(n % 2 ? ids : ids.toReversed(), `2026-12-${String(n + 1).padStart(2, '0')}`)),
    )
    const dates = new Set((await Promise.all(ids.map((id) => mine.tasks.get({ id })))).map(({ dueDate }) => dueDate))
    expect(dates.size).toBe(1)
  })
})

describe('emails about assigned tasks (spec 7)', () => {
  it('are sent once to each assignee who has turned them on, including assignees added later', async () => {
    const [a, b, c] = await Promise.all([server.account(), server.account(), server.account()])
    for (const { cookie } of [a, b]) {
      await server.client(cookie).notifications.setPreference({ notificationType: 'task_assigned', enabled: true })
    }
    const made = await create({ title: 'Order implants', dueDate: '2026-11-25', assigneeIds: [a.id, c.id] })
    await emailsTo(server, a.email)
    await mine.tasks.update({ id: made.id, version: 1, assigneeIds: [b.id, a.id, c.id] })
    await emailsTo(server, b.email)
    const emails = server.outbox.messages.filter(({ To }) => [a, b, c].some(({ email }) => To?.includes(email)))
    expect(emails.map(({ To }) => To).toSorted()).toEqual([a.email, b.email].toSorted())
    expect(emails[0]).toMatchObject({ Subject: 'Task assigned to you: Order implants' })
  })

  it('are not sent for a refused task', async () => {
    const person = await server.account()
    await server.client(person.cookie).notifications.setPreference({ notificationType: 'task_assigned', enabled: true })
    await refusal(create({ assigneeIds: [person.id], contactId: randomUUID() }))
    const waiting = await server.rows(
      "select 1 from graphile_worker.jobs where task_identifier = 'tasks.notify-assignee' and key like $1",
      [`%${person.id}`],
    )
    expect(waiting).toEqual([])
  })
})

it('deletes and restores a patient’s tasks and their assignees with the patient', async () => {
  const contactId = await insertContact(server)
  const made = await create({ contactId, assigneeIds: [provider.id, sales.id] })
  const started = await mine.bulkChanges.start({ selection: { ids: [contactId] }, change: { kind: 'delete' } })
  await until(async () => (await mine.bulkChanges.get({ id: started.id })).status === 'done')
  expect(await refusal(mine.tasks.get({ id: made.id }))).toMatchObject({ status: 404 })
  await mine.bulkChanges.undo({ id: started.id })
  await until(async () => (await mine.bulkChanges.get({ id: started.id })).status === 'undone')
  // The task is due, so its assignees may have been reminded since.
  expect(await theirs.tasks.get({ id: made.id })).toEqual({ ...made, notificationSent: expect.any(Boolean) })
})
