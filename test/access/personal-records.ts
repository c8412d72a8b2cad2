import { randomUUID } from 'node:crypto'
import type { Route } from '../../src/kernel/access/policy.ts'
import type { Role } from '../../src/kernel/access/rules.ts'
import { insertContact } from '../factories.ts'
import type { Account, TestServer } from '../server.ts'

/** A row that belongs to someone, and a related record: a patient, a file. */
export interface CreatedRow {
  id: string
  relatedId?: string
}

type ApiCall = [call: Route, method: string, path: (made: CreatedRow) => string, body?: (made: CreatedRow) => object]

/** A kind of record that belongs to one person. */
export interface OwnedKind {
  what: string
  make: (owner: Account) => Promise<CreatedRow>
  /**
   * Calls on the record, least destructive first: each may be refused for other reasons, but returns 403 or 404 only to users without
   * access.
   */
  calls: ApiCall[]
  /** Lists that contain it: the response has `shows`, or the id. */
  lists?: [call: Route, path: (made: CreatedRow) => string, shows?: (made: CreatedRow) => string][]
  /**
   * Calls that skip inaccessible records and report them as missing instead of refusing the request: for users with access the response
   * reports none.
   */
  skipsInaccessible?: [call: Route, method: string, path: string, body: (made: CreatedRow) => object][]
  /** Whether other users of this role have access. */
  isAccessibleTo: (role: Role, call: Route) => boolean
  /** The status for other users where it is not 403 or 404: an id created by another browser is a conflict. */
  refusedWith?: Partial<Record<Route, number>>
}

const noRole = () => false
const onlyAdministrators = (role: Role) => role === 'admin'
const seesAllTasks = (role: Role) => role === 'admin' || role === 'sales_rep'

/** Every kind of record that belongs to one person. */
export function ownedRecords(server: TestServer): OwnedKind[] {
  const one = async (text: string, values: unknown[]): Promise<CreatedRow> => (await server.rows<{ id: string }>(text, values))[0]!

  const task = async ({ id: owner }: Account): Promise<CreatedRow> => {
    const contactId = await insertContact(server)
    const made = await one(
      `with task as (insert into tasks (title, type, due_date, due_at, remind_at, contact_id, assigned_to, created_at, updated_at)
           values ('Call ' || $1::uuid, 'Call', '2199-01-31', '2199-01-31', '2199-01-31', $1, $2, now(), now()) returning id),
         assigned as (insert into task_assignees (task_id, profile_id, position) select id, $2, 0 from task),
         entry as (insert into interactions (contact_id, type, description, metadata)
           select $1, 'task', 'Call ' || $1::uuid, jsonb_build_object('taskId', id) from task)
       select id from task`,
      [contactId, owner],
    )
    return { ...made, relatedId: contactId }
  }
  let lateBy = 0
  const lateTask = async (owner: Account): Promise<CreatedRow> => {
    const made = await task(owner)
    // Each is later than the previous ones, so that it comes first in any list of overdue tasks.
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
       returning id, (select id from profiles where role = 'admin' and status = 'active' limit 1) as "relatedId"`,
      [randomUUID(), isShared, owner.id, isDeleted],
    )
  }
  const view = () => ({ name: 'Mine', isShared: false, list: { filter: 'owner:me' } })
  const report = () => ({ name: 'Mine', isShared: false, ask: { report: 'leads' } })
  const draft = async ({ id: owner }: Account): Promise<CreatedRow> => {
    const made = await one(
      `insert into mailbox_drafts (id, user_id, kind, "to", cc, bcc, subject, text, state, version, updated_at)
       values ($1, $2, 'new', '[]', '[]', '[]', 'Secret', 'Secret', 'draft', 1, now()) returning id`,
      [randomUUID(), owner],
    )
    const { id: relatedId } = await one(
      `insert into mailbox_draft_files (id, draft_id, name, mime_type, size, storage_key) values ($1, $2, 'a.pdf', 'application/pdf', 1, $3) returning id`,
      [randomUUID(), made.id, randomUUID()],
    )
    return { ...made, relatedId }
  }
  const taskPath = ({ id }: CreatedRow) => `/api/tasks/${id}`
  const ofPatient = ({ relatedId }: CreatedRow) => `show=everyone&contactId=${relatedId}`

  return [
    {
      what: 'a task assigned to them',
      make: task,
      lists: [
        ['tasks.list', (made) => `/api/tasks?${ofPatient(made)}`],
        ['tasks.counts', (made) => `/api/tasks/counts?${ofPatient(made)}`, () => '"open":1'],
        ['tasks.week', (made) => `/api/tasks/week?from=2199-01-27&${ofPatient(made)}`],
        ['tasks.ofContact', ({ relatedId }) => `/api/contacts/${relatedId}/tasks`],
        ['tasks.export', (made) => `/api/tasks.csv?${ofPatient(made)}`, ({ relatedId }) => `Call ${relatedId}`],
        ['interactions.list', ({ relatedId }) => `/api/contacts/${relatedId}/interactions`, ({ relatedId }) => `Call ${relatedId}`],
      ],
      calls: [
        ['tasks.get', 'GET', taskPath],
        ['tasks.update', 'PATCH', taskPath, () => ({ version: 1, title: 'Another' })],
        ['tasks.snooze', 'POST', (made) => `${taskPath(made)}/snooze`, () => ({ minutes: 15 })],
        ['tasks.complete', 'POST', (made) => `${taskPath(made)}/complete`],
      ],
      skipsInaccessible: [['tasks.changeMany', 'PATCH', '/api/tasks', ({ id }) => ({ changes: [{ id, dueDate: '2199-02-01' }] })]],
      isAccessibleTo: seesAllTasks,
    },
    {
      what: 'their overdue task',
      make: lateTask,
      lists: [['dashboard.get', () => '/api/dashboard']],
      calls: [],
      isAccessibleTo: seesAllTasks,
    },
    {
      what: 'a task change by them',
      make: async (owner) => {
        const { id } = await task(owner)
        const { undo } = await server.client(owner.cookie).tasks.changeMany({ changes: [{ id, dueDate: '2199-02-01' }] })
        return { id: undo! }
      },
      calls: [['tasks.undo', 'POST', ({ id }) => `/api/tasks/changes/${id}/undo`]],
      isAccessibleTo: noRole,
    },
    ...[false, true].flatMap((isDeleted): OwnedKind[] => {
      const on = (path: string, rest = '') => [({ id }: CreatedRow) => `/api/${path}/${id}${rest}`] as const
      const deleted = isDeleted ? ' (deleted)' : ''
      const viewCalls: ApiCall[] = isDeleted
        ? [['savedViews.restore', 'POST', ...on('saved-views', '/restore')]]
        : [
            ['savedViews.get', 'GET', ...on('saved-views')],
            ['savedViews.update', 'PATCH', ...on('saved-views'), view],
            ['savedViews.delete', 'DELETE', ...on('saved-views')],
          ]
      const schedule = ({ relatedId }: CreatedRow) => ({
        every: 'day',
        weekday: null,
        monthDay: null,
        time: '08:00',
        recipientIds: [relatedId],
      })
      const reportAsks: ApiCall[] = isDeleted
        ? [['reports.restore', 'POST', ...on('saved-reports', '/restore')]]
        : [
            ['reports.change', 'PATCH', ...on('saved-reports'), report],
            ['reports.schedule', 'PUT', ...on('saved-reports', '/schedule'), schedule],
            ['reports.unschedule', 'DELETE', ...on('saved-reports', '/schedule')],
            ['reports.delete', 'DELETE', ...on('saved-reports')],
          ]
      const views: NonNullable<OwnedKind['lists']> = isDeleted ? [] : [['savedViews.list', () => '/api/saved-views']]
      const reports: NonNullable<OwnedKind['lists']> = isDeleted ? [] : [['reports.saved', () => '/api/saved-reports']]
      return [
        { what: `a private view${deleted}`, make: savedView(false, isDeleted), lists: views, calls: viewCalls, isAccessibleTo: noRole },
        {
          what: `a shared view${deleted}`,
          make: savedView(true, isDeleted),
          lists: views,
          calls: viewCalls,
          isAccessibleTo: (role, call) => role === 'admin' || (!isDeleted && (call === 'savedViews.get' || call === 'savedViews.list')),
        },
        {
          what: `a private report${deleted}`,
          make: savedReport(false, isDeleted),
          lists: reports,
          calls: reportAsks,
          isAccessibleTo: noRole,
        },
        {
          what: `a shared report${deleted}`,
          make: savedReport(true, isDeleted),
          lists: reports,
          calls: reportAsks,
          isAccessibleTo: (role, call) => role === 'admin' || call === 'reports.saved',
        },
      ]
    }),
    {
      what: 'their time off',
      make: (owner) =>
        one(
          `insert into staff_exceptions (profile_id, kind, from_day, to_day, created_at) values ($1, 'off', '2199-01-01', '2199-01-02', now()) returning id`,
          [owner.id],
        ),
      calls: [['availability.removeException', 'DELETE', ({ id }) => `/api/staff-exceptions/${id}`]],
      isAccessibleTo: onlyAdministrators,
    },
    {
      what: 'a bulk change they started',
      make: (owner) =>
        one(
          `insert into bulk_changes (change, status, total, created_by, created_at) values ($1, 'done', 0, $2, clock_timestamp()) returning id`,
          [{ kind: 'tag', tagId: randomUUID(), on: true }, owner.id],
        ),
      lists: [['bulkChanges.current', () => '/api/bulk-changes/current']],
      calls: [
        ['bulkChanges.get', 'GET', ({ id }) => `/api/bulk-changes/${id}`],
        ['bulkChanges.cancel', 'POST', ({ id }) => `/api/bulk-changes/${id}/cancel`],
        ['bulkChanges.undo', 'POST', ({ id }) => `/api/bulk-changes/${id}/undo`],
      ],
      isAccessibleTo: noRole,
    },
    {
      what: 'an import they started',
      make: (owner) =>
        one(
          `insert into imports (kind, file_name, encoding, header_key, columns, status, created_by, asked_by, created_at)
           values ('documents', 'documents.csv', 'utf-8', $2, '[]', 'mapping', $1, $1, clock_timestamp()) returning id`,
          [owner.id, randomUUID()],
        ),
      lists: [['imports.list', () => '/api/imports']],
      calls: [
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
      isAccessibleTo: onlyAdministrators,
    },
    {
      what: 'their reminder',
      make: async (owner) => {
        const { id } = await task(owner)
        // A reminder counts as unread only from its task's reminder time.
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
      calls: [
        ['notifications.read', 'POST', ({ id }) => `/api/notifications/${id}/read`],
        ['notifications.markUnread', 'POST', ({ id }) => `/api/notifications/${id}/unread`],
      ],
      isAccessibleTo: noRole,
    },
    {
      what: 'a draft in their mailbox',
      make: draft,
      lists: [['mailbox.drafts', () => '/api/mailbox/drafts']],
      calls: [
        ['mailbox.draft', 'GET', ({ id }) => `/api/mailbox/drafts/${id}`],
        [
          'mailbox.saveDraft',
          'PUT',
          ({ id }) => `/api/mailbox/drafts/${id}`,
          () => ({ to: [], subject: 'Taken', text: 'Taken', version: 1 }),
        ],
        ['mailbox.upload', 'POST', ({ id }) => `/api/mailbox/drafts/${id}/files?name=a.pdf`],
        ['mailbox.removeFile', 'DELETE', ({ id, relatedId }) => `/api/mailbox/drafts/${id}/files/${relatedId}`],
        ['mailbox.sendDraft', 'POST', ({ id }) => `/api/mailbox/drafts/${id}/send`, () => ({ version: 1 })],
        ['mailbox.deleteDraft', 'DELETE', ({ id }) => `/api/mailbox/drafts/${id}`],
      ],
      isAccessibleTo: noRole,
      refusedWith: { 'mailbox.saveDraft': 409 },
    },
    {
      what: 'their session',
      make: async ({ id, email }) => {
        await server.newSession(email)
        return one('select id from sessions where user_id = $1 order by created_at desc, id desc limit 1', [id])
      },
      lists: [['account.sessions', () => '/api/account/sessions']],
      calls: [['account.endSession', 'DELETE', ({ id }) => `/api/account/sessions/${id}`]],
      isAccessibleTo: noRole,
    },
    {
      what: 'their passkey',
      make: ({ id }) =>
        one(
          `insert into passkeys (user_id, credential_id, public_key, counter, transports, name)
           values ($1, gen_random_uuid(), '', 0, '{}', 'Laptop') returning id`,
          [id],
        ),
      lists: [['account.passkeys', () => '/api/account/passkeys']],
      calls: [['account.removePasskey', 'DELETE', ({ id }) => `/api/account/passkeys/${id}`]],
      isAccessibleTo: noRole,
    },
  ]
}
