import { randomUUID } from 'node:crypto'
import type { Route } from '../src/kernel/access/policy.ts'
import type { Role } from '../src/kernel/access/rules.ts'
import { insertContact } from './factories.ts'
import type { Account, TestServer } from './server.ts'

/** A row of someone's, and what goes with it: a patient, a file. */
export interface Made {
  id: string
  also?: string
}

type Ask = [call: Route, method: string, path: (made: Made) => string, body?: (made: Made) => object]

/** Something that belongs to one person. */
export interface Owned {
  what: string
  make: (owner: Account) => Promise<Made>
  /** What is asked of it, the mildest first: each may refuse for reasons of its own, but says 403 or 404 to those alone who may not. */
  asks: Ask[]
  /** Where it is listed among others: the answer has `shows`, or the id. */
  lists?: [call: Route, path: (made: Made) => string, shows?: (made: Made) => string][]
  /** Asks that leave out what is foreign and name it as missing, instead of refusing all: the answer of anyone who may has no such name. */
  partly?: [call: Route, method: string, path: string, body: (made: Made) => object][]
  /** Whether others of this role may all the same. */
  opensTo: (role: Role, call: Route) => boolean
  /** What someone else is told, where that is not 403 or 404: an id that another browser has made is taken. */
  refusedWith?: Partial<Record<Route, number>>
}

const nobody = () => false
const administrators = (role: Role) => role === 'admin'
const seersOfAllTasks = (role: Role) => role === 'admin' || role === 'sales_rep'

/** One of each kind of thing that belongs to one person. */
export function ownedThings(server: TestServer): Owned[] {
  const one = async (text: string, values: unknown[]): Promise<Made> => (await server.rows<{ id: string }>(text, values))[0]!

  const task = async ({ id: owner }: Account): Promise<Made> => {
    const admin = await server.as('admin')
    const contactId = await insertContact(server)
    const made = await admin.tasks.create({
      title: `Call ${contactId}`,
      type: 'Call',
      dueDate: '2199-01-31',
      assigneeIds: [owner],
      contactId,
    })
    return { id: made.id, also: contactId }
  }
  let lateBy = 0
  const lateTask = async (owner: Account): Promise<Made> => {
    const made = await task(owner)
    // Each is later than the ones before, so that it comes first on any list of late ones.
    await server.rows(`update tasks set due_at = timestamptz '2000-01-01' - make_interval(days => $2) where id = $1`, [made.id, ++lateBy])
    return made
  }
  const savedView = (isShared: boolean, isDeleted: boolean) => (owner: Account) =>
    one(
      `insert into saved_views (name, is_shared, list, owner_id, created_at, updated_at, deleted_at)
       values ($1, $2, '{}', $3, now(), now(), case when $4 then now() end) returning id`,
      [randomUUID(), isShared, owner.id, isDeleted],
    )
  const savedReport = (isShared: boolean, isDeleted: boolean) => async (owner: Account) => {
    await server.signIn('admin')
    return one(
      `insert into saved_reports (name, is_shared, ask, owner_id, created_at, updated_at, deleted_at)
       values ($1, $2, '{"report":"leads"}', $3, now(), now(), case when $4 then now() end)
       returning id, (select id from profiles where role = 'admin' and status = 'active' limit 1) as also`,
      [randomUUID(), isShared, owner.id, isDeleted],
    )
  }
  const view = () => ({ name: 'Mine', isShared: false, list: { filter: 'owner:me' } })
  const report = () => ({ name: 'Mine', isShared: false, ask: { report: 'leads' } })
  const draft = async ({ id: owner }: Account): Promise<Made> => {
    const made = await one(
      `insert into mailbox_drafts (id, user_id, kind, "to", cc, bcc, subject, text, state, version, updated_at)
       values ($1, $2, 'new', '[]', '[]', '[]', 'Secret', 'Secret', 'draft', 1, now()) returning id`,
      [randomUUID(), owner],
    )
    const { id: also } = await one(
      `insert into mailbox_draft_files (id, draft_id, name, mime_type, size, storage_key) values ($1, $2, 'a.pdf', 'application/pdf', 1, $3) returning id`,
      [randomUUID(), made.id, randomUUID()],
    )
    return { ...made, also }
  }
  const taskPath = ({ id }: Made) => `/api/tasks/${id}`
  const ofPatient = ({ also }: Made) => `whose=everyone&contactId=${also}`

  return [
    {
      what: 'a task that is assigned to them',
      make: task,
      lists: [
        ['tasks.list', (made) => `/api/tasks?${ofPatient(made)}`],
        ['tasks.counts', (made) => `/api/tasks/counts?${ofPatient(made)}`, () => '"open":1'],
        ['tasks.week', (made) => `/api/tasks/week?from=2199-01-27&${ofPatient(made)}`],
        ['tasks.ofContact', ({ also }) => `/api/contacts/${also}/tasks`],
        ['tasks.export', (made) => `/api/tasks.csv?${ofPatient(made)}`, ({ also }) => `Call ${also}`],
        ['interactions.list', ({ also }) => `/api/contacts/${also}/interactions`, ({ also }) => `Call ${also}`],
      ],
      asks: [
        ['tasks.get', 'GET', taskPath],
        ['tasks.update', 'PATCH', taskPath, () => ({ version: 1, title: 'Another' })],
        ['tasks.snooze', 'POST', (made) => `${taskPath(made)}/snooze`, () => ({ minutes: 15 })],
        ['tasks.complete', 'POST', (made) => `${taskPath(made)}/complete`],
      ],
      partly: [['tasks.changeMany', 'PATCH', '/api/tasks', ({ id }) => ({ changes: [{ id, dueDate: '2199-02-01' }] })]],
      opensTo: seersOfAllTasks,
    },
    {
      what: 'a task of theirs that is late',
      make: lateTask,
      lists: [['dashboard.get', () => '/api/dashboard']],
      asks: [],
      opensTo: seersOfAllTasks,
    },
    {
      what: 'a change of tasks that they made',
      make: async (owner) => {
        const { id } = await task(owner)
        const { undo } = await server.client(owner.cookie).tasks.changeMany({ changes: [{ id, dueDate: '2199-02-01' }] })
        return { id: undo! }
      },
      asks: [['tasks.undo', 'POST', ({ id }) => `/api/tasks/undo/${id}`]],
      opensTo: nobody,
    },
    ...[false, true].flatMap((isDeleted): Owned[] => {
      const on = (path: string, rest = '') => [({ id }: Made) => `/api/${path}/${id}${rest}`] as const
      const deleted = isDeleted ? ' that was deleted' : ''
      const viewAsks: Ask[] = isDeleted
        ? [['savedViews.restore', 'POST', ...on('saved-views', '/restore')]]
        : [
            ['savedViews.get', 'GET', ...on('saved-views')],
            ['savedViews.update', 'PATCH', ...on('saved-views'), view],
            ['savedViews.delete', 'DELETE', ...on('saved-views')],
          ]
      const schedule = ({ also }: Made) => ({ every: 'day', weekday: null, monthDay: null, time: '08:00', recipientIds: [also] })
      const reportAsks: Ask[] = isDeleted
        ? [['reports.restore', 'POST', ...on('saved-reports', '/restore')]]
        : [
            ['reports.change', 'PATCH', ...on('saved-reports'), report],
            ['reports.schedule', 'PUT', ...on('saved-reports', '/schedule'), schedule],
            ['reports.unschedule', 'DELETE', ...on('saved-reports', '/schedule')],
            ['reports.delete', 'DELETE', ...on('saved-reports')],
          ]
      const views: NonNullable<Owned['lists']> = isDeleted ? [] : [['savedViews.list', () => '/api/saved-views']]
      const reports: NonNullable<Owned['lists']> = isDeleted ? [] : [['reports.saved', () => '/api/saved-reports']]
      return [
        { what: `a private view${deleted}`, make: savedView(false, isDeleted), lists: views, asks: viewAsks, opensTo: nobody },
        {
          what: `a shared view${deleted}`,
          make: savedView(true, isDeleted),
          lists: views,
          asks: viewAsks,
          opensTo: (role, call) => role === 'admin' || (!isDeleted && (call === 'savedViews.get' || call === 'savedViews.list')),
        },
        { what: `a private report${deleted}`, make: savedReport(false, isDeleted), lists: reports, asks: reportAsks, opensTo: nobody },
        {
          what: `a shared report${deleted}`,
          make: savedReport(true, isDeleted),
          lists: reports,
          asks: reportAsks,
          opensTo: (role, call) => role === 'admin' || call === 'reports.saved',
        },
      ]
    }),
    {
      what: 'a change of many patients that they began',
      make: (owner) =>
        one(
          `insert into bulk_changes (change, status, total, created_by, created_at) values ($1, 'done', 0, $2, clock_timestamp()) returning id`,
          [{ kind: 'tag', tagId: randomUUID(), on: true }, owner.id],
        ),
      lists: [['bulkChanges.current', () => '/api/bulk-changes/current']],
      asks: [
        ['bulkChanges.get', 'GET', ({ id }) => `/api/bulk-changes/${id}`],
        ['bulkChanges.cancel', 'POST', ({ id }) => `/api/bulk-changes/${id}/cancel`],
        ['bulkChanges.undo', 'POST', ({ id }) => `/api/bulk-changes/${id}/undo`],
      ],
      opensTo: nobody,
    },
    {
      what: 'an import that they began',
      make: (owner) =>
        one(
          `insert into imports (kind, file_name, encoding, header_key, columns, status, created_by, asked_by, created_at)
           values ('documents', 'documents.csv', 'utf-8', $2, '[]', 'mapping', $1, $1, clock_timestamp()) returning id`,
          [owner.id, randomUUID()],
        ),
      lists: [['imports.list', () => '/api/imports']],
      asks: [
        ['imports.get', 'GET', ({ id }) => `/api/imports/${id}`],
        ['imports.files', 'GET', ({ id }) => `/api/imports/${id}/files`],
        ['imports.sendFile', 'POST', ({ id }) => `/api/imports/${id}/files?path=a.pdf`],
        ['imports.findings', 'GET', ({ id }) => `/api/imports/${id}/findings?kind=error`],
        ['imports.errors', 'GET', ({ id }) => `/api/imports/${id}/errors.csv`],
        ['imports.check', 'POST', ({ id }) => `/api/imports/${id}/check`, () => ({ columns: [] })],
        ['imports.run', 'POST', ({ id }) => `/api/imports/${id}/run`, () => ({ onMatch: 'skip' })],
        ['imports.cancel', 'POST', ({ id }) => `/api/imports/${id}/cancel`],
        ['imports.undo', 'POST', ({ id }) => `/api/imports/${id}/undo`],
        ['imports.discard', 'DELETE', ({ id }) => `/api/imports/${id}`],
      ],
      opensTo: administrators,
    },
    {
      what: 'a reminder of theirs',
      make: async (owner) => {
        const { id } = await task(owner)
        // A reminder is unread only once its task is to be reminded of.
        await server.rows('update tasks set remind_at = now() where id = $1', [id])
        return one(
          `insert into notifications (user_id, type, created_at, metadata, task_id, remind_at)
           values ($1, 'task_overdue', clock_timestamp(), '{}', $2, now()) returning id`,
          [owner.id, id],
        )
      },
      lists: [
        ['notifications.list', () => '/api/notifications'],
        ['notifications.unread', () => '/api/notifications/unread'],
      ],
      asks: [
        ['notifications.read', 'POST', ({ id }) => `/api/notifications/${id}/read`],
        ['notifications.unreadAgain', 'POST', ({ id }) => `/api/notifications/${id}/unread`],
      ],
      opensTo: nobody,
    },
    {
      what: 'a draft in their own mailbox',
      make: draft,
      lists: [['mailbox.drafts', () => '/api/mailbox/drafts']],
      asks: [
        ['mailbox.draft', 'GET', ({ id }) => `/api/mailbox/drafts/${id}`],
        [
          'mailbox.saveDraft',
          'PUT',
          ({ id }) => `/api/mailbox/drafts/${id}`,
          () => ({ to: [], subject: 'Taken', text: 'Taken', version: 1 }),
        ],
        ['mailbox.upload', 'POST', ({ id }) => `/api/mailbox/drafts/${id}/files?name=a.pdf`],
        ['mailbox.removeFile', 'DELETE', ({ id, also }) => `/api/mailbox/drafts/${id}/files/${also}`],
        ['mailbox.sendDraft', 'POST', ({ id }) => `/api/mailbox/drafts/${id}/send`, () => ({ version: 1 })],
        ['mailbox.deleteDraft', 'DELETE', ({ id }) => `/api/mailbox/drafts/${id}`],
      ],
      opensTo: nobody,
      refusedWith: { 'mailbox.saveDraft': 409 },
    },
    {
      what: 'a session of theirs',
      make: async ({ id, email }) => {
        await server.newSession(email)
        return one('select id from sessions where user_id = $1 order by created_at desc, id desc limit 1', [id])
      },
      lists: [['account.sessions', () => '/api/account/sessions']],
      asks: [['account.endSession', 'DELETE', ({ id }) => `/api/account/sessions/${id}`]],
      opensTo: nobody,
    },
  ]
}
