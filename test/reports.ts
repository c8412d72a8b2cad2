import { randomUUID } from 'node:crypto'

type Query = <Row extends object>(text: string, values?: unknown[]) => Promise<Row[]>

/**
 * A small practice with figures that can be checked by hand, in March 2025 and the 31 days before. Toronto's clocks go forward on
 * March 9.
 */
export interface ReportData {
  /** Ids of staff accounts. */
  reps: [amelie: string, ben: string]
  providers: [nguyen: string, okafor: string]
  procedures: [rhinoplasty: string, facelift: string]
  /** A unique suffix of every name and source, to find the data among others. */
  mark: string
  contacts: Record<string, string>
}

interface Lead {
  name: string
  at: string
  source?: string
  text?: string
  rep?: string
  provider?: string
  procedure?: string
  procedureText?: string
  stage?: string
  enteredAt?: string
  importSource?: string
}

/** Inserts the data directly into the database. `mark` is a suffix of the names that must be unique. */
export async function insertReportData(given: Query, year = 2025, mark = randomUUID().slice(0, 8)): Promise<ReportData> {
  // 2014 had the same weekdays and clock changes.
  const inYear = (value: unknown) => (typeof value === 'string' ? value.replace(/^2025-/, `${year}-`) : value)
  const query: Query = (text, values) => given(text, values?.map(inYear))
  const insertPerson = async (first: string, last: string, role: string) => {
    const [row] = await query<{ id: string }>(
      `insert into profiles (full_name, first_name, last_name, email, email_verified, status, role)
       values ($1 || ' ' || $2, $1, $2, $3, true, 'active', $4) returning id`,
      [first, last, `${randomUUID()}@clinic.example`, role],
    )
    return row!.id
  }
  const insertNamed = async (table: string, name: string) => {
    const [row] = await query<{ id: string }>(`insert into ${table} (name) values ($1) returning id`, [name])
    return row!.id
  }
  const reps: ReportData['reps'] = [
    await insertPerson('Amélie', `Ångström ${mark}`, 'sales_rep'),
    await insertPerson('Ben', `Lee ${mark}`, 'sales_rep'),
  ]
  const providers: ReportData['providers'] = [
    await insertPerson('Thị', `Nguyễn ${mark}`, 'provider'),
    await insertPerson('Ada', `Okafor ${mark}`, 'provider'),
  ]
  const procedures: ReportData['procedures'] = [
    await insertNamed('procedures', `Rhinoplasty ${mark}`),
    await insertNamed('procedures', `Facelift ${mark}`),
  ]
  await insertNamed('lead_sources', `Facebook Ads ${mark}`)
  await insertNamed('lead_sources', `Friends ${mark}`)
  for (const [name, location] of [
    ['Blue', 'Oakville'],
    ['Red', 'Whitby'],
  ])
    await query(
      `with place as (insert into locations (name) values ($2) returning id)
       insert into rooms (name, kind, location_id) select $1, 'consult', id from place`,
      [`${name} ${mark}`, `${location} ${mark}`],
    )

  const contacts: Record<string, string> = {}
  const lead = async ({
    name,
    at,
    source,
    text,
    rep,
    provider,
    procedure,
    procedureText,
    stage = 'lead',
    enteredAt,
    importSource,
  }: Lead) => {
    const [row] = await query<{ id: string }>(
      `insert into contacts (first_name, last_name, created_at, lead_source, lead_source_text, assigned_sales_rep_id, assigned_provider_id,
         procedure_of_interest, procedure_text, funnel_stage, stage_entered_at, import_source)
       values ($1, $2, $3, (select id from lead_sources where name = $4), $5, $6, $7, $8, $9, (select id from funnel_stages where value = $10), $11, $12)
       returning id`,
      [name, mark, at, source && `${source} ${mark}`, text, rep, provider, procedure, procedureText, stage, enteredAt ?? at, importSource],
    )
    contacts[name] = row!.id
  }
  /** Inserts a stage history; the contact must be in the last stage. */
  const moves = async (name: string, path: [stage: string, at: string][], isMistake = false) => {
    for (const [index, [stage, at]] of path.entries()) {
      const from = path[index - 1]
      await query(
        `insert into contact_stage_history (contact_id, from_stage, to_stage, changed_at, from_entered_at)
         values ($1, (select id from funnel_stages where value = $2), (select id from funnel_stages where value = $3), $4, $5)`,
        [contacts[name], from?.[0] ?? null, stage, at, from && !isMistake ? from[1] : null],
      )
    }
  }
  const addInteraction = (name: string, type: string, at: string, by: string | null = reps[0]) =>
    query('insert into interactions (contact_id, type, description, date, created_by) values ($1, $2, $2, $3, $4)', [
      contacts[name],
      type,
      at,
      by,
    ])

  const [amelie, ben] = reps
  const [nguyen, okafor] = providers
  const [rhinoplasty, facelift] = procedures
  await lead({
    name: 'Łucja',
    at: '2025-03-01T05:00:00Z',
    source: 'Facebook Ads',
    rep: amelie,
    provider: nguyen,
    procedure: rhinoplasty,
    stage: 'surgery_booked',
    enteredAt: '2025-03-19T12:00:00Z',
  })
  await moves('Łucja', [
    ['lead', '2025-03-01T05:00:00Z'],
    ['contacted', '2025-03-02T05:00:00Z'],
    ['consult_booked', '2025-03-05T05:00:00Z'],
    ['consult_done', '2025-03-09T12:00:00Z'],
    ['surgery_booked', '2025-03-19T12:00:00Z'],
  ])
  await lead({
    name: 'Ives',
    at: '2025-03-09T06:59:59Z',
    text: `instagram_story ${mark}`,
    rep: amelie,
    provider: nguyen,
    procedure: facelift,
    stage: 'lead',
    enteredAt: '2025-03-13T06:00:00Z',
  })
  await moves('Ives', [
    ['lead', '2025-03-09T06:59:59Z'],
    ['contacted', '2025-03-11T06:00:00Z'],
    ['lead', '2025-03-13T06:00:00Z'],
  ])
  await lead({
    name: 'Cold',
    at: '2025-03-09T07:00:00Z',
    source: 'Friends',
    rep: ben,
    provider: okafor,
    procedure: rhinoplasty,
    stage: 'cold_lead',
    enteredAt: '2025-03-12T07:00:00Z',
  })
  await moves('Cold', [
    ['lead', '2025-03-09T07:00:00Z'],
    ['cold_lead', '2025-03-12T07:00:00Z'],
  ])
  await lead({ name: 'Late', at: '2025-04-01T03:59:59Z', procedureText: 'Botox, lips' })
  await lead({
    name: 'Imported',
    at: '2025-03-20T12:00:00Z',
    source: 'Friends',
    rep: ben,
    procedure: rhinoplasty,
    stage: 'surgery_booked',
    importSource: 'Import: old.csv',
  })
  await lead({ name: 'Slip', at: '2025-03-15T12:00:00Z', source: 'Friends', rep: amelie, procedure: facelift })
  await moves(
    'Slip',
    [
      ['lead', '2025-03-15T12:00:00Z'],
      ['surgery_booked', '2025-03-16T12:00:00Z'],
      ['lead', '2025-03-16T12:00:20Z'],
    ],
    true,
  )
  await lead({
    name: 'Before',
    at: '2025-02-10T12:00:00Z',
    source: 'Facebook Ads',
    rep: amelie,
    provider: nguyen,
    procedure: rhinoplasty,
    stage: 'surgery_booked',
    enteredAt: '2025-03-12T12:00:00Z',
  })
  await moves('Before', [
    ['lead', '2025-02-10T12:00:00Z'],
    ['surgery_booked', '2025-03-12T12:00:00Z'],
  ])
  await lead({ name: 'First', at: '2025-01-29T05:00:00Z', source: 'Friends', rep: ben })
  await lead({ name: 'Earlier', at: '2025-01-29T04:59:59Z', source: 'Friends' })
  await lead({ name: 'April', at: '2025-04-01T04:00:00Z', source: 'Friends' })

  await addInteraction('Łucja', 'note', '2025-03-01T05:01:00Z')
  await addInteraction('Łucja', 'call', '2025-03-01T05:10:00Z')
  await addInteraction('Łucja', 'call', '2025-03-01T09:00:00Z')
  await addInteraction('Ives', 'email', '2025-03-09T08:59:59Z') // two hours: the clocks went forward in between
  await addInteraction('Cold', 'stage_change', '2025-03-12T07:00:00Z', null)
  await addInteraction('Slip', 'meeting', '2025-03-18T12:00:00Z', ben)
  await addInteraction('Imported', 'call', '2025-03-20T12:01:00Z')
  await addInteraction('Before', 'call', '2025-02-10T12:30:00Z')

  const visit = (
    name: string,
    at: string,
    status: string,
    given: { type?: string; provider?: string; room?: string; reason?: string } = {},
  ) =>
    query(
      `insert into appointments (contact_id, type, provider_id, room_id, starts_at, ends_at, status, cancel_reason, created_at, updated_at)
       values ($1, $2, $3, (select id from rooms where name = $4), $5, $5::timestamptz + interval '30 minutes', $6, $7, $5, $5)`,
      [
        contacts[name],
        given.type ?? 'consult',
        given.provider ?? nguyen,
        given.room && `${given.room} ${mark}`,
        at,
        status,
        given.reason ?? null,
      ],
    )
  await visit('Łucja', '2025-03-09T12:00:00Z', 'completed', { room: 'Blue' })
  await visit('Łucja', '2025-03-20T14:00:00Z', 'completed', { room: 'Red' })
  await visit('Ives', '2025-03-14T14:00:00Z', 'arrived', { room: 'Red' })
  await visit('Cold', '2025-03-11T14:00:00Z', 'no_show', { provider: okafor })
  await visit('Cold', '2025-03-18T14:00:00Z', 'cancelled', { provider: okafor, reason: ' too far away' })
  await visit('Slip', '2025-03-18T15:00:00Z', 'cancelled', { reason: 'Too Far Away' })
  await visit('Slip', '2025-03-24T14:00:00Z', 'booked')
  await visit('Slip', '2025-03-26T14:00:00Z', 'cancelled', { type: 'follow_up', reason: '=SUM(A1)' })
  await visit('Before', '2025-02-20T14:00:00Z', 'completed', { room: 'Blue' })
  await visit('First', '2025-02-21T14:00:00Z', 'no_show', { provider: okafor })

  const surgery = (
    name: string,
    at: string,
    status: string,
    given: { price?: number; reason?: string; procedure?: [string, string]; surgeon?: string; createdAt?: string; room?: string } = {},
  ) =>
    query(
      `insert into surgeries (contact_id, procedures, surgeon_id, room_id, anaesthesia, starts_at, ends_at, status, cancel_reason, price_cents, created_at, updated_at)
       values ($1, $2, $3, (select id from rooms where name = $4), 'general', $5, $5::timestamptz + interval '2 hours', $6, $7, $8, $9, $9)`,
      [
        contacts[name],
        JSON.stringify([
          given.procedure ? { id: given.procedure[0], name: given.procedure[1] } : { id: rhinoplasty, name: `Rhinoplasty ${mark}` },
        ]),
        given.surgeon ?? okafor,
        given.room && `${given.room} ${mark}`,
        at,
        status,
        given.reason ?? null,
        given.price ?? null,
        given.createdAt ?? at,
      ],
    )
  await surgery('Łucja', '2025-04-10T12:00:00Z', 'confirmed', { price: 900_000, createdAt: '2025-03-19T12:00:00Z', room: 'Blue' })
  await surgery('Before', '2025-03-27T12:00:00Z', 'completed', {
    price: 700_000,
    createdAt: '2025-03-12T12:00:00Z',
    procedure: [randomUUID(), `Chin ${mark}`],
  })
  await surgery('Before', '2025-03-25T12:00:00Z', 'cancelled', { price: 100, reason: 'Fever', createdAt: '2025-03-12T12:00:00Z' })
  await surgery('First', '2025-03-28T12:00:00Z', 'postponed', { createdAt: '2025-02-01T12:00:00Z' })

  for (const [name, customer] of [
    ['Łucja', 'lucja'],
    ['Before', 'before'],
    ['Ives', 'ives'],
  ] as const)
    await query(`insert into contact_customers (contact_id, customer_id, linked_at) values ($1, $2, now())`, [
      contacts[name],
      `${customer} ${mark}`,
    ])
  const receipts: Record<string, string> = {}
  const receipt = async (
    key: string,
    customer: string,
    at: string,
    before: number,
    tax: number,
    given: { state?: string; method?: string; refundOf?: string; discount?: number; code?: [string, number] } = {},
  ) => {
    const discount = given.discount ?? 0
    const [row] = await query<{ id: string }>(
      `insert into sales_receipts (kind, refund_of, state, idempotency_key, payload_hash, request_id, realm_id, customer_id, customer_name, lines, taxes,
         subtotal_cents, discount_percent, discount_cents, tax_cents, total_cents, deposit_account_id, deposit_account_name, payment_method, is_uncertain, created_by, created_at)
       values ($1, $2, $3, gen_random_uuid(), '', gen_random_uuid()::text, '', $4, $5, '[]', $6, $7, 0, $8, $9, $10, '1', 'Bank', $11, false, $12, $13) returning id`,
      [
        given.refundOf ? 'refund' : 'sale',
        given.refundOf ? receipts[given.refundOf] : null,
        given.state ?? 'complete',
        `${customer} ${mark}`,
        `${customer} Çelik`,
        JSON.stringify([
          { taxCodeId: '1', name: given.code?.[0] ?? 'HST ON', rate: given.code?.[1] ?? 130_000, base: before - discount, tax },
        ]),
        before,
        discount,
        tax,
        before - discount + tax,
        given.method ?? null,
        ben,
        at,
      ],
    )
    receipts[key] = row!.id
  }
  await receipt('deposit', 'lucja', '2025-03-19T15:00:00Z', 100_000, 13_000, { method: 'Visa' })
  await receipt('surgery', 'before', '2025-03-27T15:00:00Z', 700_000, 78_000, { method: 'Transfer', discount: 100_000 })
  await receipt('back', 'lucja', '2025-03-30T15:00:00Z', -40_000, -5_200, { method: 'Visa', refundOf: 'deposit' })
  await receipt('exempt', 'ives', '2025-03-09T07:30:00Z', 5_001, 0, { code: ['Exempt', 0] })
  await receipt('stranger', 'nobody', '2025-04-01T03:59:59Z', 10_000, 500, { code: ['GST 5%', 50_000] })
  await receipt('pending', 'ives', '2025-03-10T15:00:00Z', 99_999, 0, { state: 'pending' })
  await receipt('february', 'before', '2025-02-15T15:00:00Z', 20_000, 2_600)

  const task = async (
    title: string,
    due: string,
    given: { time?: string; done?: string; status?: string; who?: string[]; contact?: string } = {},
  ) => {
    const who = given.who ?? [ben]
    const [row] = await query<{ id: string }>(
      `insert into tasks (title, type, status, completed, completed_at, due_date, due_time_constraint, due_at, remind_at, contact_id, assigned_to, created_at, updated_at)
       values ($1, 'Call', $2, $3, $4, $5::text::date, $6, ($5::text || ' ' || coalesce($6, '09:00'))::timestamp at time zone 'America/Toronto', now(), $7, $8, now(), now()) returning id`,
      [
        title,
        given.status ?? (given.done ? 'completed' : 'pending'),
        given.done !== undefined,
        given.done ?? null,
        due,
        given.time ?? null,
        given.contact ? contacts[given.contact] : null,
        who[0],
      ],
    )
    for (const [position, id] of who.entries())
      await query('insert into task_assignees (task_id, profile_id, position) values ($1, $2, $3)', [row!.id, id, position])
  }
  await task('Call back', '2025-03-09', { done: '2025-03-09T13:00:00Z' }) // 9:00 a.m. on a 23-hour day
  await task('Send quote', '2025-03-09', { done: '2025-03-09T13:00:01Z' })
  await task('At noon', '2025-03-14', { time: '12:00', done: '2025-03-14T16:00:00Z', who: [amelie, ben] })
  await task('At one', '2025-03-14', { time: '13:00', done: '2025-03-14T17:00:01Z', who: [amelie], contact: 'Łucja' })
  await task('Forgotten', '2025-03-31', { who: [amelie] })
  await task('Given up', '2025-03-20', { status: 'cancelled' })
  await task('In February', '2025-02-20', { done: '2025-02-20T12:00:00Z' })
  return { reps, providers, procedures, mark, contacts }
}
