import { beforeAll, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { calls, encode } from '../../test/access/calls.ts'
import { insertContacts, insertOneOfEach, type OneOfEach } from '../../test/factories.ts'
import { type Account, useServer } from '../../test/server.ts'
import type { CallName } from './contract.ts'
import { contract } from './contract.ts'

type Input = Record<string, unknown>
type Row = Record<string, unknown>
interface Schema {
  type?: string
  properties?: Record<string, Schema>
  maximum?: number
}

const schemaOf = (shape: unknown, io: 'input' | 'output'): Schema =>
  shape instanceof z.ZodType ? (z.toJSONSchema(shape, { io, unrepresentable: 'any' }) as Schema) : {}
const inputOf = ({ inputSchema }: (typeof calls)[number]): Record<string, Schema> => schemaOf(inputSchema, 'input').properties ?? {}
const outputOf = (name: string): Schema => {
  const [feature = '', key = ''] = name.split('.')
  const procedure = (contract as unknown as Record<string, Record<string, { '~orpc': { outputSchema: unknown } }>>)[feature]![key]!
  return schemaOf(procedure['~orpc'].outputSchema, 'output')
}

const walked = calls.filter((call) => call.method === 'GET' && 'cursor' in inputOf(call))
const numbered = calls.filter((call) => 'page' in inputOf(call))

/** Lists that are answered whole, and what bounds them (docs/decisions/page-lists.md). */
const whole: Partial<Record<CallName, string>> = {
  'account.sessions': 'where one person is signed in',
  'people.list': 'the staff',
  'people.accounts': 'the staff',
  'people.invitations': 'the staff, for 7 days each',
  'access.roles': 'roles',
  'pipeline.stages': 'the vocabulary of the practice',
  'pipeline.stageCounts': 'the vocabulary of the practice',
  'pipeline.moveStage': 'the vocabulary of the practice',
  'leadSources.list': 'the vocabulary of the practice',
  'leadSources.spend': 'the vocabulary of the practice',
  'leadSources.setSpend': 'the months of the request',
  'procedures.list': 'the vocabulary of the practice',
  'devices.places': 'the practice',
  'implants.ofContact': 'one patient',
  'implants.explant': 'one patient',
  'sequences.list': 'the sequences of the practice',
  'sequences.ofContact': 'one patient',
  'sequences.closedDays': '400 days',
  'tags.list': 'the vocabulary of the practice',
  'tags.counts': 'the vocabulary of the practice',
  'emailTemplates.list': 'the vocabulary of the practice',
  'inbox.quickReplies': 'the vocabulary of the practice',
  'signatures.mine': 'two languages',
  'signatures.save': 'two languages',
  'surgeries.templates': 'the vocabulary of the practice',
  'practice.rooms': 'the practice',
  'appointments.seriesDates': 'the visits of one series',
  'appointments.bookSeries': 'the visits of one series',
  'availability.visitTypes': 'the vocabulary of the practice',
  'availability.orderVisitTypes': 'the vocabulary of the practice',
  'availability.staffHours': 'the staff',
  'practice.locations': 'the practice',
  'practice.hours': 'seven days',
  'practice.setHours': 'seven days',
  'cardTerminal.readers': 'the practice’s card readers, a few',
  'connections.list': 'one line for each vendor',
  'retention.list': 'one line for each kind',
  'notifications.preferences': 'one line for each kind',
  'notifications.setPreference': 'one line for each kind',
  'apiKeys.list': 'keys that administrators made',
  'signingKeys.list': 'keys that administrators rotated',
  'webhooks.list': '20 webhooks',
  'savedViews.list': 'a limit for each person',
  'reports.saved': 'a limit for each person',
  'mailbox.folders': 'the folders of one mailbox',
  'mailbox.drafts': 'what one person has begun and not sent',
  'mailbox.newMessages': 'limit, in the words of spec 7',
  'contacts.find': '8 matches',
  'contacts.tags': 'one patient',
  'contacts.stageHistory': 'one patient',
  'contacts.merges': 'one patient, for 30 days each',
  'duplicates.ofContact': 'five matches',
  'duplicates.similar': 'five matches',
  'interactions.pinned': '10 pins of a patient',
  'tasks.ofContact': 'one patient',
  'tasks.week': 'seven days, 500 tasks',
  'tasks.assignable': 'the staff',
  'documents.list': 'one patient',
  'appointments.list': 'a time, and isTruncated',
  'appointments.ofContact': 'one patient',
  'availability.equipment': 'the practice’s equipment, at most 200',
  'subscribedCalendars.list': 'the practice’s calendars, at most 100',
  'waitingList.list': 'patients who wait at the same time, at most 1,000',
  'waitingList.ofContact': 'one patient',
  'waitingList.gaps': 'a week, by provider',
  'surgeries.list': 'a time, and isTruncated',
  'surgeries.ofContact': 'one patient',
  'adverseEvents.ofContact': 'one patient',
  'checkIns.ofSurgery': 'one surgery',
  'checkIns.schedules': 'the vocabulary of the practice',
  'quotes.ofContact': 'one patient',
  'payouts.overdue': '50 at most, and how many there are',
  'savedCards.ofContact': 'the cards that a patient saved, a few',
  'prepaid.ofContact': 'the gift cards, packages and credit of a patient, a few',
  'prepaid.giveCredit': 'the gift cards, packages and credit of a patient, a few',
  'prepaid.payCharge': 'the gift cards, packages and credit of a patient, a few',
  'prepaid.takeSession': 'the gift cards, packages and credit of a patient, a few',
  'prepaid.undoSession': 'the gift cards, packages and credit of a patient, a few',
  'savedCards.remove': 'the cards that a patient saved, a few',
  'notes.revisions': '50 of a note',
  'notes.templates': 'the vocabulary of the practice',
  'forms.templates': 'the vocabulary of the practice',
  'forms.toReview': 'the oldest 100',
  'forms.ofContact': 'one patient',
  'consentForms.templates': 'the vocabulary of the practice',
  'consentForms.ofContact': 'one patient',
  'photos.ofContact': 'one patient',
  'photos.seriesOfContact': 'one patient',
  'consultGallery.list': 'the newest 500',
  'gallery.feed': 'the newest 500',
  'photos.layers': 'one photo',
  'consentForms.ofSurgery': 'one surgery',
  'consentForms.sendRequired': 'one surgery',
  'bulkChanges.current': 'one person, for minutes',
  'bulkChanges.deletions': 'one person, for hours',
  'pos.findContacts': 'patients with one email',
  'account.passkeys': 'twenty of a person',
  'portal.fetchMessages': 'pages, which portal/messages.test.ts walks',
  'portal.writeMessage': 'the newest page',
}

describe('page lists', () => {
  const server = useServer()
  let account: Account
  let made: OneOfEach
  beforeAll(async () => {
    account = await server.account({ role: 'admin' })
    made = await insertOneOfEach(server)
  })

  const ask = async (name: string, input: Input) => {
    const call = calls.find((one) => one.name === name)!
    const { path } = encode(call, Object.fromEntries(Object.entries(input).filter(([, value]) => value !== undefined)))
    const answer = await server.send(call.method, path, undefined, account.cookie)
    return { status: answer.status, body: (await answer.json()) as Row & { data: Row[]; nextCursor: string | null } }
  }

  it('every call that returns a list has one of the two shapes, or is known to be bounded', () => {
    expect(walked.map(({ name }) => name).toSorted()).toEqual(Object.keys(walks).concat('mailbox.threads').toSorted())
    const answersList = ({ type, properties }: Schema) => type === 'array' || properties?.data?.type === 'array'
    const others = calls.filter((call) => answersList(outputOf(call.name)) && !walked.includes(call) && !numbered.includes(call))
    expect(others.map(({ name }) => name).toSorted()).toEqual(Object.keys(whole).toSorted())
    for (const { name } of walked)
      expect([name, Object.keys(outputOf(name).properties ?? {})]).toEqual([name, expect.arrayContaining(['nextCursor'])])
    for (const { name } of numbered)
      expect([name, Object.keys(outputOf(name).properties ?? {})]).toEqual([
        name,
        expect.arrayContaining(['data', 'total', 'page', 'limit', 'totalPages']),
      ])
  })

  it.each([...walked, ...numbered].map((call) => [call.name, call] as const))(
    '%s refuses a limit above its maximum with 422',
    async (name, call) => {
      const { maximum } = inputOf(call).limit!
      expect(maximum).toBeLessThanOrEqual(1000)
      for (const limit of [maximum! + 1, 0, 'x'])
        expect([limit, await ask(name, { ...call.validInput(made), limit })]).toMatchObject([
          limit,
          { status: 422, body: { code: 'INVALID_INPUT', data: { fields: { limit: expect.any(String) } } } },
        ])
    },
  )

  it.each(walked.map((call) => [call.name, call] as const))('%s refuses a cursor that no page returned with 422', async (name, call) => {
    for (const cursor of ['', 'x', '%', 'bnVsbA', 'e30', 'W10', 'ey', 'x'.repeat(5_000)])
      expect([cursor.slice(0, 9), await ask(name, { ...call.validInput(made), cursor })]).toMatchObject([
        cursor.slice(0, 9),
        { status: 422, body: { code: 'INVALID_INPUT', data: { fields: { cursor: expect.any(String) } } } },
      ])
  })

  interface Walk {
    input?: Input
    /** Adds the nth row of the list. Three of them share an instant, which ends in a part of a millisecond. */
    add: (n: number) => Promise<unknown>
    idOf?: (row: Row) => unknown
  }
  const instantOf = `timestamptz '2026-03-02 15:00:00.000001Z' + ($1::int / 3) * interval '1 microsecond'`
  const insert =
    (statement: string, ...values: unknown[]) =>
    (n: number) =>
      server.rows(
        statement.replace('$at', () => instantOf),
        [n, ...values],
      )
  const viewed = (kind: string, action: string) => async (n: number) =>
    server.rows(
      `insert into audit_log (at, actor_id, actor_role, action, kind, contact_ids, request_id)
       values (timestamptz '2026-03-02 15:00Z' + ($1::int / 3) * interval '1 day', gen_random_uuid(), 'provider', $2, $3, array[$4::uuid], 'r')`,
      [n, action, kind, made.contactId],
    )
  const contactAt = async (n: number, contact: { leadSourceText?: string; stage?: string }, year = 2018) => {
    const [id] = await insertContacts(server, [contact])
    await server.rows(
      `update contacts set created_at = ${instantOf.replace('2026', String(year))}, stage_entered_at = ${instantOf} where id = $2`,
      [n, id],
    )
    return id!
  }
  const withMail = async (n: number, address: string, conversation?: string) => {
    const [row] = conversation
      ? [{ id: conversation }]
      : await server.rows<{ id: string }>(
          `insert into conversations (contact_id, subject, thread_id, address, subject_key, last_message_at, created_at)
           values (null, 'Hello', gen_random_uuid()::text, $2, 'hello', ${instantOf}, now()) returning id`,
          [n, address],
        )
    await server.rows(
      `insert into messages (conversation_id, direction, from_email, to_email, subject, body, status, created_at)
       values ($2, 'inbound', $3, 'team@refyne.example', 'Hello', 'Hello', 'received', ${instantOf})`,
      [n, row!.id, address],
    )
    return row!.id
  }
  const conversationOf = async (contactId: string | null) => {
    const [row] = await server.rows<{ id: string }>(
      `insert into conversations (contact_id, subject, thread_id, address, subject_key, last_message_at, created_at)
       values ($1, 'Hello', gen_random_uuid()::text, 'one@elsewhere.example', 'hello', now(), now()) returning id`,
      [contactId],
    )
    return row!.id
  }
  const importOf = `insert into imports (file_name, encoding, header_key, columns, status, created_by, asked_by, created_at)
    values ('a.csv', 'utf-8', 'a', '[]', 'done', $2, $2, $at) returning id`
  const reminder = (userId: string) =>
    insert(
      `with task as (
       insert into tasks (title, type, due_date, due_at, remind_at, notification_sent, assigned_to, created_at, updated_at)
       values ('Call', 'Call', '2026-03-01', '2026-03-01', '2026-03-01', true, $2, now(), now()) returning id)
     insert into notifications (user_id, type, created_at, metadata, task_id, remind_at)
     select $2, 'task_overdue', $at, '{}', id, now() from task`,
      userId,
    )
  const receipt = (state: string) =>
    insert(
      `insert into sales_receipts (state, idempotency_key, payload_hash, request_id, realm_id, customer_id, customer_name, lines, taxes,
         subtotal_cents, discount_percent, discount_cents, tax_cents, total_cents, deposit_account_id, deposit_account_name, is_uncertain, created_at)
       values ('${state}', gen_random_uuid(), 'a', gen_random_uuid()::text, 'a', '1', 'Ana Walk', '[]', '[]', 100, 0, 0, 13, 113, '35', 'Chequing', false, $at)`,
    )

  /** For each list that is walked: what is asked for, and how a row comes to be in it. */
  const walks: Partial<Record<CallName, () => Walk | Promise<Walk>>> = {
    'audit.list': () => ({ input: { contactId: made.contactId, kind: 'contact', action: 'exported' }, add: viewed('contact', 'exported') }),
    'audit.seen': () => ({
      input: { contactId: made.contactId },
      add: viewed('task', 'viewed'),
      idOf: ({ day, by }) => `${String(day)} ${String(by)}`,
    }),
    'contacts.history': () => ({ input: { id: made.contactId }, add: viewed('contact', 'restored') }),
    'sequences.runs': () => ({
      input: { id: made.sequenceId, status: 'active' },
      add: async (n) => {
        const [row] = await server.rows<{ id: string }>(
          `insert into automation_state (contact_id, automation, state, sequence_id, number, status, started_at)
           select $1, $2::text, '{}', $2::uuid, 1, 'active', now() - make_interval(secs => 1000 - $3::int) returning id`,
          [(await insertContacts(server, [{}]))[0], made.sequenceId, n],
        )
        return row!.id
      },
    }),
    'contacts.batch': () => ({ add: (n) => contactAt(n, {}) }),
    'contacts.byStage': () => ({ input: { stage: 'consult_done' }, add: (n) => contactAt(n, { stage: 'consult_done' }) }),
    'contacts.bySource': () => ({ input: { source: 'Fair' }, add: (n) => contactAt(n, { leadSourceText: 'Fair' }) }),
    'contacts.withWelcomeTag': () => ({
      add: async (n) =>
        server.rows(`insert into contact_tags (contact_id, tag_id) select $1, id from tags where name = 'Welcome'`, [
          await contactAt(n, {}),
        ]),
    }),
    'contacts.boardColumn': async () => {
      const [stage] = await server.rows<{ id: string }>(`select id from funnel_stages where value = 'quote_sent'`)
      return { input: { stage: stage!.id }, add: (n) => contactAt(n, { stage: 'quote_sent' }) }
    },
    'interactions.list': () => ({
      input: { contactId: made.otherContactId },
      add: insert(`insert into interactions (date, contact_id, type, description) values ($at, $2, 'note', 'Walked')`, made.otherContactId),
    }),
    'adverseEvents.list': () => ({
      input: { kind: 'wound' },
      add: insert(
        `insert into adverse_events (contact_id, kind, severity, occurred_at, learned_at, created_at, created_by)
         select $2, 'wound', 'I', at, at, at, $3 from (select $at as at) as moment`,
        made.otherContactId,
        account.id,
      ),
    }),
    'notes.ofContact': () => ({
      input: { contactId: made.otherContactId },
      add: insert(
        `insert into clinical_notes (contact_id, template_id, kind, title, sections, occurred_on, author_id, needs_cosign, created_at, updated_at, updated_by)
         select $2, id, kind, 'Walked', '[]', date '2026-03-02' + $1::int / 3, $3, false, now(), now(), $3 from note_templates limit 1`,
        made.otherContactId,
        account.id,
      ),
    }),
    'devices.movements': () => ({
      input: { id: made.deviceId },
      add: insert(
        `insert into stock_movements (kind, lot_id, quantity, to_place_id, at) values ('receive', $2, 1, $3, $at)`,
        made.lotId,
        made.stockPlaceId,
      ),
    }),
    'imports.list': () => ({ add: insert(importOf, account.id) }),
    'imports.findings': async () => {
      const [row] = (await insert(importOf, account.id)(0)) as { id: string }[]
      return {
        input: { id: row!.id, kind: 'error' },
        add: (n) => server.rows(`insert into import_findings (import_id, kind, row) values ($1, 'error', $2)`, [row!.id, n + 2]),
        idOf: ({ row: at }) => at,
      }
    },
    'leads.entries': () => ({
      input: { sourceId: made.sourceId },
      add: insert(
        `insert into lead_entries (received_at, source_id, raw_data, raw_body, content_type, status, error_message)
         values ($at, $2, '{}', '{}', 'application/json', 'error', 'Missing required fields')`,
        made.sourceId,
      ),
    }),
    'notifications.list': () => ({ add: reminder(account.id) }),
    'notifications.unread': () => ({ add: reminder(account.id) }),
    'webhooks.deliveries': async () => {
      const [row] = await server.rows<{ id: string }>(
        `insert into webhooks (url, events, sealed_secret, created_by, created_at) values ('https://elsewhere.example', '{}', 'a', $1, now()) returning id`,
        [account.id],
      )
      return {
        input: { id: row!.id },
        add: (n) =>
          server.rows(
            `insert into webhook_deliveries (webhook_id, event, subject_id, state, created_at) values ($2, 'test', gen_random_uuid(), 'delivered', ${instantOf})`,
            [n, row!.id],
          ),
      }
    },
    'inbox.conversations': () => ({ add: (n) => withMail(n, `listed-${n}@elsewhere.example`) }),
    'inbox.conversation': async () => {
      const id = await conversationOf(null)
      return { input: { id }, add: (n) => withMail(n, 'one@elsewhere.example', id) }
    },
    'inbox.unread': () => ({
      add: (n) => withMail(n, `unread-${n}@elsewhere.example`),
      idOf: ({ latest_message }) => (latest_message as Row).id,
    }),
    'inbox.unreadOfContact': async () => {
      const id = await conversationOf(made.contactId)
      return { input: { contactId: made.contactId }, add: (n) => withMail(n, 'one@elsewhere.example', id) }
    },
    'documents.waiting': () => ({
      add: insert(
        `insert into documents (created_at, contact_id, name, mime_type, size, sha256, storage_key, upload_source, document_type, is_shared,
           review_state, scan_state)
         values ($at, $2, 'Scan.pdf', 'application/pdf', 3, 'a', gen_random_uuid()::text, 'patient', 'patient_upload', true, 'pending', 'off')`,
        made.contactId,
      ),
    }),
    'pos.receipts': () => ({ input: { search: 'Ana Walk' }, add: receipt('complete') }),
    'pos.pending': () => ({ add: receipt('failed') }),
    'payouts.list': () => ({
      input: { state: 'reading' },
      add: insert(
        `insert into payouts (stripe_payout_id, status, amount_cents, currency, is_automatic, arrives_on, created_at)
         values (gen_random_uuid()::text, 'paid', 100, 'cad', true, '2026-03-02', $at)`,
      ),
    }),
    'payouts.transactions': async () => {
      const [payout] = await server.rows<{ id: string }>(
        `insert into payouts (stripe_payout_id, status, amount_cents, currency, is_automatic, arrives_on, created_at, reconciled_at)
         values ('po_walked', 'paid', 100, 'cad', true, '2026-03-02', now(), now()) returning id`,
      )
      return {
        input: { id: payout!.id },
        add: insert(
          `insert into payout_lines (id, payout_id, category, amount_cents, fee_cents, net_cents, currency, created_at)
           values (gen_random_uuid()::text, $2, 'fee', -5, 0, -5, 'cad', $at)`,
          payout!.id,
        ),
      }
    },
    'disputes.list': async () => {
      const [payment] = await server.rows<{ id: string }>(
        `insert into card_payments (contact_id, purpose, reference_id, description, amount_cents, status, idempotency_key, payload_hash, created_at, updated_at, paid_at, booked_at)
         values ($1::uuid, 'balance', $1::uuid, 'Payment', 5000, 'paid', gen_random_uuid(), 'hash', now(), now(), now(), now()) returning id`,
        [made.otherContactId],
      )
      return {
        input: { state: 'over' },
        add: insert(
          `insert into card_disputes (stripe_dispute_id, payment_id, amount_cents, reason, status, created_at, updated_at)
           values (gen_random_uuid()::text, $2, 5000, 'fraudulent', 'lost', $at, now())`,
          payment!.id,
        ),
      }
    },
    // Each patient is counted in several stages at one instant, by lines that are the same.
    'reports.records': () => ({
      input: { report: 'funnel', period: 'custom', from: '2019-03-01', to: '2019-03-31', measure: 'reached', isBefore: 'false' },
      add: (n) => contactAt(n, { stage: 'surgery_booked' }, 2019),
    }),
  }

  it.each(Object.entries(walks))('%s: paging visits every row once while rows are added, and ends', async (name, prepare) => {
    const { input = {}, add, idOf = ({ id }) => id } = await prepare()
    let added = 0
    for (; added < 8; added++) await add(added)
    const rowsOf = (body: Row) => (body.data ?? body.messages) as Row[]
    const first = await ask(name, { ...input, limit: 100 })
    expect(first).toMatchObject({ status: 200, body: { nextCursor: null } })
    const before = rowsOf(first.body).map(idOf)
    expect(before.length).toBeGreaterThanOrEqual(8)

    for (const limit of [1, 3]) {
      const seen: unknown[] = []
      let pages = 0
      for (let cursor: string | null | undefined; cursor !== null; pages++) {
        const { status, body } = await ask(name, { ...input, limit, cursor })
        expect([status, body.nextCursor]).toEqual([200, body.nextCursor === null ? null : expect.stringMatching(/^[\w-]+$/)])
        seen.push(...rowsOf(body).map(idOf))
        cursor = body.nextCursor
        if (pages < 4) await add(added++)
        if (pages > 300) throw new Error(`${name} does not end`)
      }
      const timesIn = (ids: readonly unknown[]) => (id: unknown) => ids.filter((other) => other === id).length
      expect(before.filter((id) => timesIn(seen)(id) !== timesIn(before)(id))).toEqual([])
      const now = rowsOf((await ask(name, { ...input, limit: 100 })).body).map(idOf)
      expect(seen.filter((id) => timesIn(seen)(id) > timesIn(now)(id))).toEqual([])
    }
  })
})
