import { randomUUID } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { insertContact } from '../../../test/factories.ts'
import { type Account, useServer } from '../../../test/server.ts'
import type { Job } from '../../kernel/jobs.ts'
import type { Scope } from '../../kernel/scope.ts'
import { jobs } from '../serve.ts'
import type { Role } from '../../kernel/access/rules.ts'

/** Jobs that act for a user, and what the user must still be when they run. All other jobs run as the system, no matter who caused them. */
const inSomebodysName = {
  'bulk-changes.run': 'the person who began it; tried below',
  'imports.work': 'the person who asked for it last; tried below',
  'inbox.send-scheduled': 'the author; inbox/scheduled.test.ts',
  'mailbox.send': 'the owner of the mailbox; mailbox/drafts.test.ts',
  'mailbox.log-linked': 'the owner of the mailbox; mailbox/threads.test.ts',
  'tasks.notify-assignee': 'the assignee; tried below',
  'reports.send-due': 'the owner and each recipient; saved.test.ts',
  'reports.mail': 'the recipient; saved.test.ts',
  'notifications.remind': 'each assignee; notifications/service.test.ts',
} as const

describe('jobs queued by a user who has since lost the permission (spec 9)', () => {
  const server = useServer()
  const run = (name: keyof typeof inSomebodysName, payload: object) => {
    const job = jobs.find((one) => one.name === name) as Job
    const scope = { ...(server.running.runtime as unknown as Scope), actor: null, origin: { requestId: 'test', address: null } }
    return job.run({ ...scope, recordView: async () => {} }, payload, { last: true })
  }
  const withdraw = ({ id }: Account, what: { status?: string; role?: Role }) =>
    server.rows('update profiles set status = coalesce($2, status), role = coalesce($3, role) where id = $1', [
      id,
      what.status ?? null,
      what.role ?? null,
    ])
  const one = async <Row extends object>(text: string, values: unknown[]): Promise<Row> => (await server.rows<Row>(text, values))[0]!

  it('lists every job that acts for a user', () => {
    const names = jobs.map(({ name }) => name)
    expect(Object.keys(inSomebodysName).filter((name) => !names.includes(name))).toEqual([])
    // Add a new job that reads or acts for an account to the list above; add a system job here.
    expect(names.filter((name) => !Object.hasOwn(inSomebodysName, name)).toSorted()).toEqual(systems.toSorted())
  })

  it.each([{ status: 'disabled' }, { status: 'pending' }, { role: 'provider' as const }])(
    'deletes no one when the user who requested a bulk deletion is now %o',
    async (change) => {
      const account = await server.account({ role: 'sales_rep' })
      const contactId = await insertContact(server)
      const { id } = await one<{ id: string }>(
        `insert into bulk_changes (change, status, total, created_by, created_at) values ('{"kind":"delete","forGood":true}', 'running', 1, $1, now())
         returning id`,
        [account.id],
      )
      await server.rows('insert into bulk_change_items (bulk_change_id, contact_id) values ($1, $2)', [id, contactId])
      await withdraw(account, change)
      await run('bulk-changes.run', { id })
      expect(await one('select status from bulk_changes where id = $1', [id])).toEqual({ status: 'cancelled' })
      expect(await server.rows('select 1 from contacts where id = $1', [contactId])).toHaveLength(1)
    },
  )

  it.each([{ status: 'disabled' }, { role: 'front_desk' as const }])('stops an import when its user is now %o', async (change) => {
    const account = await server.account({ role: 'sales_rep' })
    const { id } = await one<{ id: string }>(
      `insert into imports (file_name, encoding, header_key, columns, row_count, status, on_match, created_by, asked_by, created_at)
       values ('a.csv', 'utf-8', 'a', '[{"header":"Name","field":"fullName","dateOrder":null,"dates":null,"samples":[]}]', 1, 'running', 'skip', $1, $1, now())
       returning id`,
      [account.id],
    )
    const name = `Mallory ${randomUUID()}`
    await server.rows('insert into import_batches (import_id, first_row, rows) values ($1, 2, $2)', [id, JSON.stringify([[2, [name]]])])
    await withdraw(account, change)
    await run('imports.work', { id })
    expect(await one('select status from imports where id = $1', [id])).toEqual({ status: 'cancelled' })
    expect(await server.rows("select 1 from contacts where first_name = 'Mallory'")).toEqual([])
  })

  it('does not email a new task to a disabled user', async () => {
    const account = await server.account()
    const admin = await server.as('admin')
    const task = await admin.tasks.create({ title: 'Call', type: 'Call', dueDate: '2199-01-31', assigneeIds: [account.id] })
    await withdraw(account, { status: 'disabled' })
    await server.rows(`insert into notification_recipients (user_id, notification_type, enabled) values ($1, 'task_assigned', true)`, [
      account.id,
    ])
    await run('tasks.notify-assignee', { taskId: task.id, assigneeId: account.id })
    expect(await server.rows(`select 1 from graphile_worker.jobs where task_identifier = 'mail.send'`)).toEqual([])
    expect(server.outbox.messages.filter((mail) => mail.To?.includes(account.email))).toEqual([])
  })
})

/** Decided when it was requested, or requested by no one. */
const systems: readonly string[] = [
  'self-booking.end',
  'self-booking.release-time',
  'self-booking.complete-paid',
  'self-booking.send-code',
  'adverse-events.warn-of-reports',
  'photos.watch-viewing',
  'photo-uses.end-expired',
  'check-ins.run',
  'appointments.follow-clock',
  'appointments.purge-links',
  'appointments.remind-patients',
  'appointments.rename-room',
  'appointments.notify-patient',
  'waiting-list.offer',
  'subscribed-calendars.read',
  'subscribed-calendars.read-all',
  'forms.mail-form',
  'consent-forms.catch-up',
  'consent-forms.mail-consent',
  'consent-forms.mail-copy',
  'consent-forms.seal',
  'consent-forms.timestamp',
  'audit.seal',
  'self-test.pass',
  'auth.purge',
  'auth.mail-password-reset',
  'auth.mail-verification',
  'bulk-changes.erase-deleted',
  'campaigns.begin',
  'campaigns.send',
  'collections.mail-reminder',
  'contacts.fold-counts',
  'documents.scan',
  'documents.scan-left',
  'documents.sweep-files',
  'files.record-damage',
  'files.reencrypt',
  'duplicates.find',
  'idempotency.purge',
  'imports.calm',
  'imports.purge',
  'inbox.answer-notice',
  'inbox.end-snooze',
  'inbox.purge-pictures',
  'inbox.purge-text-links',
  'inbox.send',
  'inbox.text',
  'inbox.text-media',
  'inbox.welcome',
  'leads.purge-claims',
  'leads.process',
  'mail.send',
  'merges.purge',
  'notifications.purge',
  'portal.purge',
  'portal.send-code',
  'pos.log-receipt',
  'pos.mail-receipt',
  'pos.settle-receipt',
  'cards.follow-payment',
  'cards.watch-payments',
  'cards.book-payment',
  'cards.send-refund',
  'cards.give-back',
  'visit-fees.end-paid',
  'visit-fees.settle',
  'cards.follow-dispute',
  'cards.warn-of-expiry',
  'quotes.remind-financing',
  'cards.charge-instalments',
  'cards.charge-instalment',
  'payouts.read-payout',
  'payouts.watch-payouts',
  'payouts.settle-deposit',
  'disputes.send-evidence',
  'quickbooks.refresh-lists',
  'quickbooks.refresh-lists-hourly',
  'quotes.mail-quote',
  'recalls.prepare',
  'recalls.email',
  'retention.purge',
  'sequences.advance',
  'sequences.signals',
  'sequences.start',
  'sequences.watch',
  'tasks.purge-undos',
  'webhooks.deliver',
  'webhooks.purge',
]
