import { randomUUID } from 'node:crypto'
import { beforeAll, describe, expect, it } from 'vitest'
import { insertOneOfEach } from '../../../test/factories.ts'
import { type Account, useServer } from '../../../test/server.ts'
import { permissions } from './policy.ts'
import { type Role, roles } from './rules.ts'

const server = useServer()
/** Of each role the one whose rows these are, and another. */
const owners = {} as Record<Role, Account>
const others = {} as Record<Role, Account>
beforeAll(async () => {
  for (const role of roles) {
    owners[role] = await server.account({ role })
    others[role] = await server.account({ role })
  }
})

interface Owned {
  what: string
  /** Makes one that is this person's. Its id. */
  make: (owner: string) => Promise<string>
  /** What is asked of it, the mildest first: each with the call that the matrix knows. */
  asks: [call: keyof typeof permissions, method: string, path: (id: string) => string, body?: object][]
  /** Whether others of this role may all the same. */
  opensTo: (role: Role, call: keyof typeof permissions) => boolean
}

const one = async (text: string, values: unknown[]): Promise<string> => (await server.rows<{ id: string }>(text, values))[0]!.id
const nobody = () => false

const taskOf = async (owner: string): Promise<string> => {
  const { taskId } = await insertOneOfEach(server)
  await server.rows('delete from task_assignees where task_id = $1', [taskId])
  await server.rows('insert into task_assignees (task_id, profile_id, position) values ($1, $2, 0)', [taskId, owner])
  return taskId
}
const view = { name: 'Mine', isShared: false, list: { filter: 'owner:me' } }
const savedView = (isShared: boolean) => (owner: string) =>
  one(
    `insert into saved_views (name, is_shared, list, owner_id, created_at, updated_at) values ($1, $2, '{}', $3, now(), now()) returning id`,
    [randomUUID(), isShared, owner],
  )
const savedReport = (isShared: boolean) => (owner: string) =>
  one(
    `insert into saved_reports (name, is_shared, ask, owner_id, created_at, updated_at) values ($1, $2, '{"report":"leads"}', $3, now(), now()) returning id`,
    [randomUUID(), isShared, owner],
  )

const owned: Owned[] = [
  {
    what: 'a task that is assigned to them',
    make: taskOf,
    asks: [
      ['tasks.get', 'GET', (id) => `/api/tasks/${id}`],
      ['tasks.update', 'PATCH', (id) => `/api/tasks/${id}`, { version: 1, title: 'Another' }],
      ['tasks.snooze', 'POST', (id) => `/api/tasks/${id}/snooze`, { minutes: 15 }],
      ['tasks.complete', 'POST', (id) => `/api/tasks/${id}/complete`],
    ],
    opensTo: (role) => role === 'admin' || role === 'sales_rep',
  },
  {
    what: 'a private view',
    make: savedView(false),
    asks: [
      ['savedViews.get', 'GET', (id) => `/api/saved-views/${id}`],
      ['savedViews.update', 'PATCH', (id) => `/api/saved-views/${id}`, view],
      ['savedViews.delete', 'DELETE', (id) => `/api/saved-views/${id}`],
    ],
    opensTo: nobody,
  },
  {
    what: 'a shared view',
    make: savedView(true),
    asks: [
      ['savedViews.get', 'GET', (id) => `/api/saved-views/${id}`],
      ['savedViews.delete', 'DELETE', (id) => `/api/saved-views/${id}`],
    ],
    opensTo: (role, call) => call === 'savedViews.get' || role === 'admin',
  },
  {
    what: 'a private report',
    make: savedReport(false),
    asks: [
      ['reports.unschedule', 'DELETE', (id) => `/api/saved-reports/${id}/schedule`],
      ['reports.delete', 'DELETE', (id) => `/api/saved-reports/${id}`],
    ],
    opensTo: nobody,
  },
  {
    what: 'a change of many patients that they began',
    make: (owner) =>
      one(`insert into bulk_changes (change, status, total, created_by, created_at) values ($1, 'done', 0, $2, now()) returning id`, [
        { kind: 'tag', tagId: randomUUID(), on: true },
        owner,
      ]),
    asks: [
      ['bulkChanges.get', 'GET', (id) => `/api/bulk-changes/${id}`],
      ['bulkChanges.undo', 'POST', (id) => `/api/bulk-changes/${id}/undo`],
    ],
    opensTo: nobody,
  },
  {
    what: 'a reminder of theirs',
    make: async (owner) =>
      one(
        `insert into notifications (user_id, type, created_at, metadata, task_id, remind_at) values ($1, 'task_overdue', now(), '{}', $2, now()) returning id`,
        [owner, await taskOf(owner)],
      ),
    asks: [
      ['notifications.read', 'POST', (id) => `/api/notifications/${id}/read`],
      ['notifications.unreadAgain', 'POST', (id) => `/api/notifications/${id}/unread`],
    ],
    opensTo: nobody,
  },
  {
    what: 'a draft in their own mailbox',
    make: (owner) =>
      one(
        `insert into mailbox_drafts (id, user_id, kind, "to", cc, bcc, subject, text, state, version, updated_at)
         values ($1, $2, 'new', '[]', '[]', '[]', 'Secret', 'Secret', 'draft', 1, now()) returning id`,
        [randomUUID(), owner],
      ),
    asks: [
      ['mailbox.draft', 'GET', (id) => `/api/mailbox/drafts/${id}`],
      ['mailbox.deleteDraft', 'DELETE', (id) => `/api/mailbox/drafts/${id}`],
    ],
    opensTo: nobody,
  },
]

describe('issue 9 "permissions": what belongs to one person, whoever of each role asks', () => {
  const asked = async ({ asks }: Owned, id: string, { cookie }: Account, calls: Owned['asks'] = asks) => {
    const statuses: [string, number][] = []
    for (const [call, method, path, body] of calls)
      statuses.push([call, (await server.send(method, path(id), body ?? (method === 'POST' ? {} : undefined), cookie)).status])
    return statuses
  }
  const isAllowed = (role: Role, call: keyof typeof permissions) => (permissions[call] as readonly Role[]).includes(role)

  it.each(owned.flatMap((thing) => roles.map((role) => ({ thing, role, name: `${thing.what}, of ${role}` }))))(
    '$name',
    async ({ thing, role }) => {
      if (!thing.asks.every(([call]) => isAllowed(role, call))) return
      const mine = await asked(thing, await thing.make(owners[role].id), owners[role])
      expect(mine.filter(([, status]) => status !== 200)).toEqual([])
      const wrong: string[] = []
      for (const reader of roles) {
        for (const ask of thing.asks) {
          const id = await thing.make(owners[role].id)
          const [[call, status] = ['', 0]] = await asked(thing, id, others[reader], [ask])
          const wanted = !isAllowed(reader, ask[0]) ? [403] : thing.opensTo(reader, ask[0]) ? [200] : [403, 404]
          if (!wanted.includes(status)) wrong.push(`${reader} ${call}: ${status}, not ${wanted.join(' or ')}`)
        }
      }
      expect(wrong).toEqual([])
    },
    30_000,
  )
})
