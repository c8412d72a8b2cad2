import { randomUUID } from 'node:crypto'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { cardProblems, sealPurpose } from '../src/crm/health-cards/rules.ts'
import { sourceGroup } from '../src/crm/lead-sources/rules.ts'
import { startQuickBooksSimulator } from '../simulators/quickbooks/server.ts'
import { openLocalStore } from '../src/integrations/storage/local.ts'
import { unseal } from '../src/kernel/seal.ts'
import { appRolePassword } from '../src/kernel/postgres/migrate.ts'
import { copyTemplate, testSecret } from '../test/database.ts'
import { zone } from './clock.ts'
import { type FillResult, fillDemo } from './fill.ts'
import { conversations, findSender } from './messages/conversations.ts'
import { type SurgeryPatient, writePayments } from './billing/past-receipts.ts'
import { generatePatients, type Patient } from './patients/patients.ts'
import { sourceNames } from './sources.ts'

const now = new Date('2026-11-20T19:30:00Z')
const contacts = 2_000

const generate = (count: number, seed: number): Patient[] => [...generatePatients(count, seed, now.getTime())]

describe('generated patients', () => {
  const patients = generate(contacts, 1)

  test('are identical for the same seed and differ for another', () => {
    expect(generate(contacts, 1)).toEqual(patients)
    expect(generate(contacts, 2)[0]).not.toEqual(patients[0])
  })

  test('are the same people at any time of day', () => {
    const names = (at: number) =>
      [...generatePatients(contacts, 1, at)].map(({ firstName, lastName, phone }) => [firstName, lastName, phone])
    const [morning, evening, monthLater] = ['2026-11-20T14:05:00Z', '2026-11-21T02:40:00Z', '2026-12-24T20:00:00Z'].map((at) =>
      names(Date.parse(at)),
    )
    expect(evening).toEqual(morning)
    expect(monthLater).toEqual(morning)
  })

  test('are ordered by creation date, none in the future', () => {
    const times = patients.map(({ createdAt }) => createdAt)
    expect(times).toEqual(times.toSorted((a, b) => a - b))
    expect(patients.map(({ id }) => id.slice(0, 13))).toEqual(patients.map(({ id }) => id.slice(0, 13)).toSorted())
    expect(times.at(-1)).toBeLessThanOrEqual(now.getTime())
  })

  test('have unique email addresses and phone numbers', () => {
    const emails = patients.flatMap(({ email }) => email ?? [])
    const phones = patients.flatMap(
      ({ phone }) =>
        phone
          ?.replace(/ x.*| ext.*/, '')
          .replace(/\D/g, '')
          .slice(-10) ?? [],
    )
    expect(new Set(emails).size).toBe(emails.length)
    expect(new Set(phones).size).toBe(phones.length)
    expect(emails.every((email) => /^[a-z0-9._]+@[a-z.]+\.[a-z]+$/.test(email))).toBe(true)
  })

  test('have chronological timelines without future entries, consistent with the last contact date', () => {
    for (const { timeline, lastContactDate } of patients) {
      const times = timeline.map(({ at }) => at)
      expect(times).toEqual(times.toSorted((a, b) => a - b))
      expect(times.at(-1)).toBeLessThanOrEqual(now.getTime())
      const lastContact = timeline.filter(({ type }) => type === 'call' || type === 'email' || type === 'meeting').at(-1)
      expect(lastContactDate).toBe(lastContact?.at ?? null)
      expect(timeline.every(({ text }) => text.length > 3 && !/[{}]|undefined|null/.test(text))).toBe(true)
    }
  })

  test('form a funnel: about an eighth have booked surgery with a date and revenue, and about a fifth are cold', () => {
    const share = (stage: string) => patients.filter(({ moves }) => moves.at(-1)!.to === stage).length / contacts
    expect(share('surgery_booked')).toBeGreaterThan(0.09)
    expect(share('surgery_booked')).toBeLessThan(0.16)
    expect(share('cold_lead')).toBeGreaterThan(0.16)
    expect(share('cold_lead')).toBeLessThan(0.25)
    for (const { moves, surgicalDate, revenueCents } of patients) {
      expect(surgicalDate !== null && revenueCents !== null && revenueCents > 0).toBe(moves.at(-1)!.to === 'surgery_booked')
    }
  })

  test('have unique phone numbers and email addresses in large numbers', () => {
    const [emails, phones] = [new Set<string>(), new Set<string>()]
    let count = 0
    for (const { email, phone } of generatePatients(30_000, 3, now.getTime())) {
      if (email) emails.add(email)
      if (phone) phones.add(phone.replace(/ x.*/, '').replace(/\D/g, '').slice(-10))
      count += Number(email !== null) + Number(phone !== null)
    }
    expect(emails.size + phones.size).toBe(count)
  })
})

describe('the filled database', () => {
  let database: Awaited<ReturnType<typeof copyTemplate>>
  let client: pg.Client
  let result: FillResult

  const rows = async <Row extends object>(text: string, values: unknown[] = []): Promise<Row[]> =>
    (await client.query<Row>(text, values)).rows
  const definitions = () =>
    rows(`select indexdef as text from pg_indexes where schemaname = 'public'
      union all select conrelid::regclass || conname || pg_get_constraintdef(oid) from pg_constraint where connamespace = 'public'::regnamespace order by text`)

  beforeAll(async () => {
    database = await copyTemplate(inject('postgres'))
    client = new pg.Client({ connectionString: database.url })
    await client.connect()
  })
  afterAll(async () => {
    await client.end()
    await database.drop()
  })

  test('is unchanged after a killed fill, and filled completely by the next one', async () => {
    const before = await definitions()
    const kill = () =>
      void client.query(
        `select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'refyne demo' and datname = current_database()`,
      )
    const killed = fillDemo(database.url, { contacts, now, onProgress: ({ phase }) => (phase === 'indexes' ? kill() : undefined) })
    // The error depends on what the fill was doing at that moment.
    await expect(killed).rejects.toThrow(/terminating connection|connection error|EPIPE|ECONNRESET/)
    expect(await rows('select 1 from contacts union all select 1 from profiles')).toEqual([])
    expect(await definitions()).toEqual(before)

    result = await fillDemo(database.url, { contacts, now, secret: testSecret })
    expect(result.filled).toBe(true)
    expect(await definitions()).toEqual(before)
    expect(await rows('select min(seq) as first, max(seq) as last from contacts')).toEqual([{ first: '1', last: String(contacts) }])
  })

  test('is not filled twice', async () => {
    expect(await fillDemo(database.url, { contacts: 10, seed: 5, now })).toEqual({ filled: false, counts: result.counts })
  })

  test('contains the generated patients, numbered in the order of their creation', async () => {
    const stored = await rows<{ id: string; first_name: string; created_at: Date }>(
      'select id, first_name, created_at from contacts order by seq',
    )
    const generated = generate(contacts, 1)
    expect(stored.map(({ id, created_at }) => ({ id, created_at }))).toEqual(
      generated.map(({ id, createdAt }) => ({ id, created_at: new Date(createdAt) })),
    )
    // One was given the name of another patient of the same day.
    const renamed = stored.filter(({ first_name }, index) => first_name !== generated[index]!.firstName)
    expect(renamed).toHaveLength(1)
    // Each postponed surgery adds an entry to the generated ones.
    const [postponed] = await rows<{ count: number }>("select count(*)::int as count from surgeries where status = 'postponed'")
    expect(result.counts.interactions).toBe(generated.reduce((sum, { timeline }) => sum + timeline.length, postponed!.count))
  })

  test('has two patients with the same name and different birth dates on one day', async () => {
    const pairs = await rows(
      `select 1 from contacts as one join contacts as two on two.id > one.id and two.date_of_birth <> one.date_of_birth
         and fold(two.first_name) = fold(one.first_name) and two.last_name = one.last_name
       join appointments as first on first.contact_id = one.id join appointments as second on second.contact_id = two.id
       where (first.starts_at at time zone $1)::date = (second.starts_at at time zone $1)::date and first.starts_at >= $2`,
      [zone, now],
    )
    expect(pairs).toHaveLength(1)
  })

  test('has valid health cards of a third of the patients, which the server can open', async () => {
    const cards = await rows<{ contact_id: string; province: 'ON' | 'QC'; sealed_number: string; version_code: string | null }>(
      'select * from health_cards',
    )
    expect(cards.length / contacts).toBeGreaterThan(0.25)
    expect(cards.length / contacts).toBeLessThan(0.4)
    const problems = cards.filter(({ province, sealed_number, version_code: versionCode }) => {
      const number = unseal({ APP_SECRET: testSecret, OLD_APP_SECRETS: [] }, sealPurpose, sealed_number)
      return number === null || Object.keys(cardProblems({ province, number, versionCode })).length > 0
    })
    expect(problems).toEqual([])
  })

  test('has chronological stage histories without gaps that end in the current stage', async () => {
    const wrong = await rows(
      `
      with history as (
        select contact_id, from_stage, to_stage, changed_at, lag(to_stage) over moves as before, lag(changed_at) over moves as before_at, lead(to_stage) over moves as next
        from contact_stage_history window moves as (partition by contact_id order by changed_at, id)
      )
      select contact_id from history join contacts on contacts.id = contact_id
      where from_stage is distinct from before or changed_at <= before_at or changed_at > $1
        or (next is null and (to_stage <> funnel_stage or changed_at <> stage_entered_at)) or (before is null and changed_at <> created_at)
      union all select id from contacts where not exists (select 1 from contact_stage_history where contact_id = contacts.id)`,
      [now],
    )
    expect(wrong).toEqual([])
  })

  test('has every display group of sources (spec 9), free texts and unknown sources', async () => {
    const sources = await rows<{ source: string | null }>(
      'select distinct coalesce(lead_sources.name, lead_source_text) as source from contacts left join lead_sources on lead_sources.id = lead_source',
    )
    const groups = sources.map(({ source }) => sourceGroup(source))
    expect(groups).toEqual(expect.arrayContaining([...sourceNames, 'Unknown', 'TikTok']))
  })

  test('keeps accents and finds names without them', async () => {
    const accented = await rows<{ count: number }>(
      `select count(*)::int as count from contacts where first_name || last_name ~ '[^\\x01-\\x7f]'`,
    )
    expect(accented[0]!.count).toBeGreaterThan(contacts / 20)
    expect(await rows(`select 1 from contacts where last_name = 'Bélanger' and search_text like '%belanger%' limit 1`)).toHaveLength(1)
  })

  test('has contact counts per stage, day and source that match its contacts', async () => {
    const stored = await rows('select funnel_stage, sum(change)::int as count from contact_counts group by 1 order by 1')
    expect(stored).toEqual(await rows('select funnel_stage, count(*)::int as count from contacts group by 1 order by 1'))
    // Folded, as in a clinic that has been running for a while: the last 62 days by day, all older ones in one row.
    for (const table of ['contact_day_counts', 'contact_source_counts'])
      expect(await rows(`select sum(change)::int as count from ${table}`)).toEqual([{ count: contacts }])
    const days = await rows<{ days: number }>('select count(distinct since)::int as days from contact_day_counts')
    expect(days[0]!.days).toBeLessThanOrEqual(64)
  })

  test('has a calendar of the last two weeks and of upcoming visits that agrees with every record', async () => {
    const counted = await rows<{ status: string; past: boolean; count: number }>(
      `select status, starts_at < $1 as past, count(*)::int as count from appointments group by 1, 2`,
      [now],
    )
    const statuses = (past: boolean) => counted.filter((row) => row.past === past).map(({ status }) => status)
    expect(statuses(true)).toEqual(expect.arrayContaining(['completed', 'no_show']))
    expect(statuses(false).toSorted()).toEqual(['booked', 'confirmed'])
    const wrong = await rows(
      `select contacts.id from contacts
       left join lateral (
         select to_char(starts_at at time zone 'America/Toronto', 'YYYY-MM-DD HH24:MI ') || rooms.name as place
         from appointments join rooms on rooms.id = room_id
         where contact_id = contacts.id and status in ('booked', 'confirmed', 'arrived') and ends_at > $1 order by starts_at limit 1) as next on true
       where to_char(appointment_date, 'YYYY-MM-DD ') || appointment_time || ' ' || appointment_location is distinct from next.place`,
      [now],
    )
    expect(wrong).toEqual([])
    const early = await rows(
      `select 1 from appointments join contacts on contacts.id = contact_id join funnel_stages on funnel_stages.id = funnel_stage
       where type = 'consult' and sort_order < 3 and kind = 'open'`,
    )
    expect(early).toEqual([])
    // Every no-show has a rebooking task.
    const missed = await rows(
      "select tasks.status from appointments left join tasks on tasks.id = rebook_task_id where appointments.status = 'no_show'",
    )
    expect(missed.every((row) => (row as { status: string | null }).status === 'pending')).toBe(true)
  })

  test('has surgeries with checklists that agree with the records, some with overdue items', async () => {
    const cases = await rows<{ status: string; agrees: boolean; items: number; done: number }>(
      `select surgeries.status, to_char(starts_at at time zone 'America/Toronto', 'YYYY-MM-DD') = to_char(surgical_date, 'YYYY-MM-DD')
           and price_cents = revenue as agrees,
         count(item.id)::int as items, count(item.done_on)::int as done
       from surgeries join contacts on contacts.id = contact_id join surgery_items as item on item.surgery_id = surgeries.id
       group by surgeries.id, surgical_date, revenue`,
    )
    const withStatus = (status: string) => cases.filter((surgery) => surgery.status === status)
    for (const status of ['completed', 'confirmed', 'tentative'])
      expect(withStatus(status).length, `${status} surgeries`).toBeGreaterThan(0)
    expect(cases.filter(({ status, agrees }) => !agrees && status !== 'postponed')).toEqual([])
    expect(cases.every(({ items }) => items >= 10)).toBe(true)
    expect(withStatus('confirmed').some(({ items, done }) => done < items)).toBe(true)
  })

  test('has a chart for each patient with a surgery, and records that say that it lists weight-loss medication', async () => {
    const charts = await rows<{ kinds: string[]; reviews: number; measurements: number }>(
      `select array(select distinct kind from health_entries where health_entries.contact_id = patients.contact_id order by kind) as kinds,
         (select count(*)::int from health_reviews where health_reviews.contact_id = patients.contact_id and topic is null) as reviews,
         (select count(*)::int from measurements where measurements.contact_id = patients.contact_id) as measurements
       from (select contact_id from surgeries where status <> 'postponed' group by contact_id) as patients`,
    )
    expect(charts.every(({ measurements }) => measurements === 1)).toBe(true)
    expect(charts.some(({ kinds, reviews }) => kinds.length >= 6 && reviews === 3)).toBe(true)
    expect(charts.some(({ reviews }) => reviews < 3)).toBe(true)
    const [records] = await rows<{ named: number; differ: number }>(
      `select count(*)::int as named, count(*) filter (where weight_loss_medication is distinct from 'Listed in the chart' or not weight_loss_from_chart)::int as differ
       from health_entries join contacts on contacts.id = contact_id where is_weight_loss`,
    )
    expect(records!.named).toBeGreaterThan(0)
    expect(records!.differ).toBe(0)
    expect(await rows('select id from contacts where weight_loss_from_chart and weight_loss_medication is null')).toEqual([])
  })

  test('has a history for each record with who added the patient and every move, in log order', async () => {
    const wrong = await rows(
      `with entries as (
         select contact_ids[1] as contact, at, actor_id, action, after->>'funnelStageId' as stage, after->>'surgicalDate' as surgery,
           row_number() over (partition by contact_ids[1] order by id) as place
         from audit_log where kind = 'contact' and (action = 'created' or after->>'funnelStageId' is not null)
       ),
       moves as (
         select contact_id, from_stage, to_stage, changed_at, changed_by, row_number() over (partition by contact_id order by changed_at) as place
         from contact_stage_history
       )
       select * from moves full join entries on contact = contact_id and entries.place = moves.place
       where entries.stage is distinct from to_stage::text or at is distinct from changed_at or actor_id is distinct from changed_by
         or action is distinct from case when from_stage is null then 'created' else 'changed' end`,
    )
    expect(wrong).toEqual([])
    const [surgery] = await rows<{ n: number }>(
      `select count(*)::int as n from contacts where surgical_date is not null and not exists (
         select 1 from audit_log where contact_ids[1] = contacts.id and after->>'surgicalDate' = to_char(surgical_date, 'YYYY-MM-DD'))`,
    )
    expect(surgery).toEqual({ n: 0 })
    expect(await rows(`select 1 from audit_log where kind = 'contact' and action = 'changed' and before is null`)).toEqual([])
  })

  test('has at least six open tasks for each member of staff, at least five of them not overdue', async () => {
    const open = await rows<{ email: string; open: number; not_overdue: number }>(
      `select email, count(*)::int as open, count(*) filter (where due_at > $1)::int as not_overdue
       from task_assignees join profiles on profiles.id = profile_id join tasks on tasks.id = task_id where not completed group by email`,
      [now],
    )
    expect(open).toHaveLength(6)
    for (const { open: count, not_overdue: notOverdue } of open) expect([count >= 6, notOverdue >= 5]).toEqual([true, true])
  })

  test('has one member of staff per role and a second sales rep, and stores the webhook key only as a hash', async () => {
    const staff = await rows<{ role: string }>(`select role from profiles where status = 'active' and email_verified order by role`)
    expect(staff.map(({ role }) => role)).toEqual(['admin', 'billing', 'front_desk', 'provider', 'sales_rep', 'sales_rep'])
    const [source] = await rows<{ webhook_key_hash: string }>(`select webhook_key_hash from lead_sources where name = 'Website Form'`)
    expect(source!.webhook_key_hash).toMatch(/^[\w-]{43}$/)
  })

  test('records what lead sources cost in the current month and the 25 before it', async () => {
    const spend = await rows<{ source: string; months: number; last: string }>(
      `select lead_sources.name as source, count(*)::int as months, max(month)::text as last
       from source_spend join lead_sources on lead_sources.id = source_id where cents > 0 group by 1 order by 1`,
    )
    expect(spend.map(({ source, months }) => [source, months])).toEqual([
      ['Agency Test', 3],
      ['Google CPC', 26],
      ['Google Local', 26],
      ['Google Organic', 26],
      ['Social Media', 26],
      ['Website', 26],
    ])
    expect(new Set(spend.map(({ last }) => last)).size).toBe(1)
  })

  test('says of patients of the source Referral which patient, practice or person referred them', async () => {
    const [found] = await rows<{ named: number; patients: number; several: number; orphans: number }>(
      `select (select count(*)::int from contacts where referred_by is not null) as named,
         (select count(*)::int from referrals where side = 'referred') as patients,
         (select count(*)::int from (select 1 from referrals where side = 'referrer' group by contact_id having count(*) > 1) as of) as several,
         (select count(*)::int from (select 1 from referrals group by referral_id having count(*) <> 2) as of) as orphans`,
    )
    expect(found!.named).toBeGreaterThan(5)
    expect(found!.patients).toBeGreaterThan(found!.named)
    expect(found!.several).toBeGreaterThan(0)
    expect(found!.orphans).toBe(0)
  })

  test('refuses a database with other accounts', async () => {
    const other = await copyTemplate(inject('postgres'))
    const outsider = new pg.Client({ connectionString: other.url })
    await outsider.connect()
    await outsider.query(`insert into profiles (full_name, first_name, last_name, email) values ('A B', 'A', 'B', 'a@clinic.example')`)
    await outsider.end()
    await expect(fillDemo(other.url, { contacts: 10, now })).rejects.toThrow('already has user accounts')
    await other.drop()
  })

  test('adds documents for some patients, some of them to review, and two forms when there is a file store', async () => {
    const [other, folder] = [await copyTemplate(inject('postgres')), fs.mkdtempSync(path.join(os.tmpdir(), 'refyne-demo-files-'))]
    const files = openLocalStore(folder)
    await fillDemo(other.url, { contacts: 60, now, files })
    const client = new pg.Client({ connectionString: other.url })
    await client.connect()
    const { rows: documents } = await client.query<{ key: string; size: number; state: string; patient: string }>(
      'select storage_key as key, size, review_state as state, contact_id as patient from documents',
    )
    const { rows: forms } = await client.query('select status, jsonb_array_length(red_flags) as flags from forms order by status')
    await client.end()
    expect(forms).toEqual([
      { status: 'started', flags: 0 },
      { status: 'submitted', flags: 2 },
    ])
    expect(new Set(documents.map(({ patient }) => patient)).size).toBe(24)
    expect(new Set(documents.map(({ state }) => state))).toEqual(new Set(['pending', 'accepted', 'rejected']))
    for (const { key, size } of documents) {
      const stored = await files.get(key)
      await stored?.bytes.cancel()
      expect(stored?.size).toBe(size)
    }
    expect(Math.min(...documents.map(({ size }) => size))).toBeGreaterThan(2_000)
    await other.drop()
    fs.rmSync(folder, { recursive: true })
  })

  test('picks senders whose records match what they write', async () => {
    const other = await copyTemplate(inject('postgres'))
    // Each fill draws other days: of fewer patients, nobody may have had surgery in a given week.
    await fillDemo(other.url, { contacts: 10_000, withHistory: false })
    const owner = new pg.Client({ connectionString: other.url })
    await owner.connect()
    const usedPatientIds: string[] = []
    for (const conversation of conversations) {
      const patient = await findSender(owner, conversation, usedPatientIds)
      usedPatientIds.push(patient!.id!)
      const { rows: matching } = await owner.query(
        `select 1 from contacts as c join funnel_stages as stages on stages.id = funnel_stage
         where c.id = $1 and ${conversation.patientCondition} and c.created_at < now() - make_interval(hours => $2)`,
        [patient!.id, Math.ceil(Math.max(...conversation.messages.map(({ hoursAgo }) => hoursAgo)))],
      )
      expect([conversation.subject, matching.length]).toEqual([conversation.subject, 1])
    }
    expect(new Set(usedPatientIds).size).toBe(conversations.length)
    await owner.end()
    await other.drop()
  })

  test('records past surgeries as paid: receipts in QuickBooks too, timeline entries and a balance of zero', async () => {
    const quickBooks = await startQuickBooksSimulator()
    const other = await copyTemplate(inject('postgres'))
    await fillDemo(other.url, { contacts: 60, now, withHistory: false })
    const owner = new pg.Client({ connectionString: other.url })
    await owner.connect()
    const line = {
      itemId: '1',
      name: 'Consultation',
      quantity: 1,
      unitPriceCents: 10_000,
      amountCents: 10_000,
      taxCodeId: '2',
      taxRate: 130_000,
      taxCents: 1_300,
    }
    await owner.query(
      `insert into sales_receipts (state, idempotency_key, payload_hash, request_id, realm_id, customer_id, customer_name, lines, taxes, subtotal_cents,
         discount_percent, discount_cents, tax_cents, total_cents, deposit_account_id, deposit_account_name, is_uncertain, created_at)
       values ('complete', gen_random_uuid(), '', 'first', 'realm', '1', 'Ana', $1, '[{"taxCodeId": "2", "name": "HST ON", "rate": 130000, "rateId": "3"}]', 10000, 0, 0, 1300, 11300, '6', 'Moneris clearing', false, now())`,
      [JSON.stringify([line])],
    )
    const {
      rows: [patient],
    } = await owner.query<SurgeryPatient>('select id, first_name, last_name, email from contacts where email is not null limit 1')
    await owner.query(
      "insert into quickbooks_objects (kind, id, name, is_active, facts, read_at) values ('item', '1', 'Rhinoplasty', true, '{}', now())",
    )
    const payment = { patient: { ...patient!, procedure: 'Rhinoplasty' }, chargeId: randomUUID(), customerId: '7', at: new Date(now) }
    const payments = [
      { ...payment, cents: 200_003, description: 'Rhinoplasty, deposit' },
      { ...payment, cents: 799_997, description: 'Rhinoplasty, balance' },
    ]
    await writePayments(owner, payments, quickBooks, 'America/Toronto')
    const {
      rows: [sums],
    } = await owner.query(
      `select (select sum(subtotal_cents)::int from sales_receipts where customer_id = '7' and state = 'complete') as revenue,
         (select count(*)::int from interactions where contact_id = $1 and type = 'sales_receipt' and qb_sales_receipt_id is not null) as entries,
         (select sum(amount_cents)::int from ledger_entries where contact_id = $1) as balance`,
      [patient!.id],
    )
    expect(sums).toEqual({ revenue: 1_000_000, entries: 2, balance: 0 })
    // Each is in QuickBooks with the same number, date, patient, item and total.
    const { rows: stored } = await owner.query(
      `select qb_id, doc_number, total_cents::int as total, interactions.qb_sales_receipt_id as entry_qb_id from sales_receipts
       join interactions on metadata->>'receiptId' = sales_receipts.id::text where customer_id = '7' order by doc_number desc`,
    )
    expect(quickBooks.receipts().map(({ Id, DocNumber, TotalAmt }) => [Id, DocNumber, Math.round(Number(TotalAmt) * 100), Id])).toEqual(
      stored.map(({ qb_id: id, doc_number: number, total, entry_qb_id: entryId }) => [id, number, total, entryId]),
    )
    expect(quickBooks.receipts()[0]).toMatchObject({
      TxnDate: '2026-11-20',
      CustomerRef: { value: '7' },
      Line: [{ Description: 'Rhinoplasty, balance', SalesItemLineDetail: { ItemRef: { value: '1', name: 'Rhinoplasty' } } }, {}],
    })
    await quickBooks.stop()
    await owner.end()
    await other.drop()
  })

  test('can be filled by the application role', async () => {
    const other = await copyTemplate(inject('postgres'))
    const url = other.url.replace('postgres@', `refyne_app:${appRolePassword(testSecret)}@`)
    const filled = await fillDemo(url, { contacts: 50, now })
    expect(filled.counts.contacts).toBe(50)
    await other.drop()
  })
})
