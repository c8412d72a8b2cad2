import { fork } from 'node:child_process'
import path from 'node:path'
import type pg from 'pg'
import { startTwilioSimulator } from '../../simulators/twilio/server.ts'
import { define, step } from '../../test/outreach/sequences.ts'
import type { Definition, Step, Trigger } from '../../src/outreach/sequences/definition-contract.ts'
import { testSecret } from '../../test/database.ts'
import { until } from '../../test/until.ts'
import { expected, type Kind, type Plan, type World } from './model.ts'

interface Drill {
  patients: number
  days: number
  tickHours: number
  kills: number
  seed: number
  databaseUrl: string
  /** Not connected yet. */
  owner: pg.Client
}

export interface Figures {
  patients: number
  ticks: number
  kills: number
  steps: number
  /** Patients for whom something else was done, or at another time, than the model says; a few of them in words. */
  different: number
  examples: string[]
  /** Patients who have other than one message for each step that sent one, or other than one task for each step that created one. */
  twice: number
  texts: number
  /** Patients whom more texts reached than steps sent. */
  sentTwice: number
  uncertain: number
  /** Texts that were written outside the hours of the sequence or in the practice's quiet hours, on the patient's clock. */
  atNight: number
  seconds: number
}

const hour = 3_600_000
const day = 24 * hour
/** In this period the clocks change on November 1, and October 12 and November 11 are holidays. */
const from = Date.parse('2026-10-05T12:00:00Z')
const holidays = new Set(['2026-10-12', '2026-11-11', '2026-11-27'])
const zones = [
  ['416', 'America/Toronto'],
  ['604', 'America/Vancouver'],
  ['902', 'America/Halifax'],
] as const
const kinds: Kind[] = ['lead', 'tag', 'evening', 'appointment', 'surgery']

/** A small generator of numbers from a seed (mulberry32), so that a run can be repeated. */
function random(seed: number): () => number {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }
}

type Patient = Plan & { id: string; number: string; names: Map<string, string> }

/** The steps of the product that mean the same as those of the model; `names`: the model's name of each. */
function definitions(text: string, tagId: string): Record<Kind, { definition: Definition; names: Map<string, string> }> {
  const names = new Map<string, string>()
  const named = (name: string, given: Step): Step => {
    names.set(given.id, name)
    return given
  }
  const [texted, task] = [(name: string) => named(name, step.text(text)), (name: string) => named(name, step.task(name))]
  const at = (given: Step, time: string, working = false): Step => (given.kind === 'wait' ? { ...given, at: time, working } : given)
  const working = (given: Step): Step => ({ ...given, working: true }) as Step
  const exits = (reply: boolean, booking: boolean): Definition['exits'] => ({
    reply: reply ? 'leave' : 'continue',
    booking,
    surgery: false,
    stage: false,
  })
  const make = (trigger: Trigger, steps: Step[], leaves: Definition['exits']) => ({
    definition: define({ trigger, steps, exits: leaves, hours: { from: '08:00', to: '20:00' } }),
    names,
  })
  const yes = [task('task yes'), step.leave()]
  const no = [task('task no'), at(step.wait(2), '10:00'), texted('text 2')]
  return {
    lead: make(
      { kind: 'lead', sourceIds: [] },
      [texted('text 1'), working(step.wait(1)), step.branch('reply', yes, no), task('task end')],
      exits(true, true),
    ),
    tag: make(
      { kind: 'tag', tagId },
      [texted('text 1'), step.wait(3, 'hours'), task('task'), step.wait(7), texted('text 2')],
      exits(true, true),
    ),
    evening: make(
      { kind: 'follow-up' },
      [step.wait(14), texted('text 1'), step.until('start', 20, '20:30'), texted('text 2')],
      exits(false, false),
    ),
    appointment: make(
      { kind: 'appointment-before', days: 5 },
      [step.until('event', -2, '09:00'), texted('text 1'), step.until('event', -1, '17:00'), task('task')],
      exits(true, false),
    ),
    surgery: make(
      { kind: 'surgery-after', days: 1 },
      [texted('text 1'), step.wait(2), texted('text 2'), step.branch('booking', [task('task yes')], [texted('text no')], 5)],
      exits(true, true),
    ),
  }
}

/** Jobs that still have to end before the next look. */
const pending = `select from graphile_worker.jobs where task_identifier in ('sequences.signals', 'sequences.advance', 'inbox.text') and attempts < max_attempts limit 1`

/** Runs five sequences over days of a simulated clock, kills the server, and compares what was done with the model. */
export async function drill(given: Drill): Promise<Figures> {
  const begun = performance.now()
  const { owner, patients: count } = given
  const tick = given.tickHours * hour
  const world: World = { from, to: from + given.days * day, tick, holidays }
  const draw = random(given.seed)
  await owner.connect()
  const rows = async <Row extends pg.QueryResultRow>(text: string, values: unknown[] = []) => (await owner.query<Row>(text, values)).rows
  const twilio = await startTwilioSimulator()
  twilio.setDeliveries({ isDoubled: true, isReversed: true })
  let child: Child | null = null
  let killed = 0
  try {
    const patients = await fill()
    const byTick = <Value>(key: (one: Patient) => number | null, value: (one: Patient) => Value) =>
      Map.groupBy(
        patients.filter((one) => key(one) !== null),
        (one) => key(one)!,
      )
        .entries()
        .map(([at, ones]) => [at, ones.map(value)] as const)
    const starts = new Map(
      byTick(
        (one) => one.start,
        (one) => one,
      ),
    )
    const replies = new Map(
      byTick(
        (one) => one.reply,
        (one) => one,
      ),
    )
    const stops = new Map(
      byTick(
        (one) => one.stop,
        (one) => one,
      ),
    )
    const bookings = new Map(
      byTick(
        (one) => one.booking,
        (one) => one,
      ),
    )
    const cancels = new Map(
      byTick(
        (one) => one.cancel,
        (one) => one,
      ),
    )
    child = await start(from)
    let ticks = 0
    const total = Math.floor((world.to - world.from) / tick)
    for (let now = world.from; now <= world.to; now += tick, ticks++) {
      const at = new Date(now).toISOString()
      await child.tell({ clock: at }, 'set')
      for (const one of starts.get(now) ?? []) await begin(one, at)
      await run(now, killed < given.kills && ticks % Math.max(1, Math.floor(total / given.kills)) === 1)
      const reacting = [replies, stops, bookings, cancels].some((events) => events.has(now))
      if (!reacting) continue
      for (const { number } of replies.get(now) ?? []) await receive(number, 'Thursday, please')
      for (const { number } of stops.get(now) ?? []) await receive(number, 'Arrêt')
      for (const { id } of bookings.get(now) ?? []) await book(id, at)
      for (const { id } of cancels.get(now) ?? [])
        await rows(`update appointments set status = 'cancelled', cancel_reason = 'ill', version = version + 1 where contact_id = $1`, [id])
      await run(now, false)
    }
    await twilio.settled()
    return await compare(patients, ticks)
  } finally {
    child?.process.kill('SIGKILL')
    await owner.end()
    await twilio.stop()
  }

  async function fill(): Promise<Patient[]> {
    await rows(`insert into profiles (full_name, first_name, last_name, email, email_verified, status, role)
      values ('A Admin', 'A', 'Admin', 'admin@clinic.example', true, 'active', 'admin')`)
    for (const date of holidays) await rows(`insert into closed_days (day, name) values ($1, 'Holiday')`, [date])
    const [template] = await rows<{ id: string }>(
      `insert into email_templates (name, subject, body, category, channel) values ('drill', 'Drill', 'Hello {{first_name}}', 'lead', 'text') returning id`,
    )
    const [tag] = await rows<{ id: string }>(`insert into tags (name) values ('Drill') returning id`)
    await rows(`insert into lead_sources (name) values ('Drill')`)
    const made = definitions(template!.id, tag!.id)
    for (const kind of kinds)
      await rows(
        `with sequence as (insert into sequences (name, draft, published, on_since, scanned_until, created_at, updated_at) values ($1, $2, 1, $3, $3, $3, $3) returning id)
         insert into sequence_versions (sequence_id, number, definition, published_at) select id, 1, $2, $3 from sequence`,
        [kind, JSON.stringify(made[kind].definition), new Date(from - 100 * day).toISOString()],
      )
    const ids = await rows<{ id: string }>(
      `insert into contacts (first_name, last_name, phone, email, created_at, funnel_stage)
       select 'Ana', 'Drill ' || n, '+1' || (array['416', '604', '902'])[1 + n % 3] || (2000000 + n), 'drill.' || n || '@fastmail.example', $2::timestamptz,
         (select id from funnel_stages where value = 'lead')
       from generate_series(0, $1::int - 1) as n returning id, last_name`,
      [count, new Date(from - 30 * day).toISOString()],
    )
    const onTick = (at: number) => from + Math.round((at - from) / tick) * tick
    const days = (most: number) => draw() * most * day
    const maybe = (share: number, at: () => number) => (draw() < share ? onTick(at()) : null)
    return ids.map(({ id }, n): Patient => {
      const kind = kinds[n % kinds.length]!
      const [area, zone] = zones[n % 3]!
      const begins = onTick(from + 6 * hour + days(given.days - 10))
      const after = () => begins + 2 * tick + days(12)
      return {
        id,
        kind,
        zone,
        number: `+1${area}${2_000_000 + n}`,
        names: made[kind].names,
        start: begins,
        // A quarter past, so that nothing is due exactly on a tick.
        eventAt: kind === 'appointment' ? begins + 5 * day - hour / 4 : begins - 1 * day - hour / 4,
        reply: maybe(0.35, after),
        booking: maybe(0.25, after),
        stop: maybe(0.1, after),
        cancel: kind === 'appointment' ? maybe(0.15, () => begins + 2 * tick + days(2)) : null,
      }
    })
  }

  /** Writes the event that starts the sequence of a patient. */
  async function begin({ id, kind, eventAt, start: begins }: Patient, at: string): Promise<void> {
    const just = new Date(begins - 1_000).toISOString()
    switch (kind) {
      case 'lead':
        await rows(
          `with lead as (insert into lead_entries (source_id, raw_data, raw_body, content_type, status, received_at)
             select id, '{}', '', '', 'processing', $1::timestamptz from lead_sources where name = 'Drill' returning id) select id from lead`,
          [just],
        ).then(([lead]) => rows(`update lead_entries set status = 'completed', contact_id = $1 where id = $2`, [id, lead!.id]))
        return
      case 'tag':
        await rows(
          `insert into contact_tags (contact_id, tag_id, created_at) select $1, id, $2::timestamptz from tags where name = 'Drill'`,
          [id, just],
        )
        return
      case 'evening':
        await rows(`update contacts set next_follow_up_date = $2 where id = $1`, [id, just])
        return
      case 'appointment':
        await rows(
          `insert into appointments (contact_id, type, starts_at, ends_at, created_at, updated_at) values ($1, 'consult', $2, $3, $4, $4)`,
          [id, new Date(eventAt).toISOString(), new Date(eventAt + hour).toISOString(), new Date(from - 50 * day).toISOString()],
        )
        return
      case 'surgery':
        await rows(
          `insert into surgeries (contact_id, procedures, anaesthesia, starts_at, ends_at, status, created_at, updated_at)
           values ($1, '[]', 'local', $2, $3, 'completed', $4, $4)`,
          [
            id,
            new Date(eventAt - hour).toISOString(),
            new Date(begins - day - 1_000).toISOString(),
            new Date(from - 50 * day).toISOString(),
          ],
        )
        return
      default:
        throw new Error(`${String(kind)} ${at}`)
    }
  }

  async function receive(number: string, body: string): Promise<void> {
    await twilio.receive({ from: number, body })
  }
  async function book(id: string, at: string): Promise<void> {
    await rows(
      `insert into appointments (contact_id, type, starts_at, ends_at, created_at, updated_at) values ($1, 'other', '2199-02-01', '2199-02-02', $2, $2)`,
      [id, new Date(Date.parse(at) + 1_000).toISOString()],
    )
  }

  /** Runs what is due, kills the server on the way if wanted, and waits until its jobs have ended. */
  async function run(now: number, isKilled: boolean): Promise<void> {
    if (isKilled) {
      child!.process.send('run')
      await new Promise((resolve) => setTimeout(resolve, draw() * 60))
      child!.process.kill('SIGKILL')
      await child!.exited
      killed++
      child = await start(now)
    }
    await child!.tell('run', 'ran')
    await until(async () => (await rows(pending)).length === 0, 60_000)
  }

  async function start(now: number): Promise<Child> {
    const started = await startChild({
      DRILL_CLOCK: new Date(now).toISOString(),
      DRILL_DATABASE: given.databaseUrl,
      TWILIO_ACCOUNT_SID: twilio.accountSid,
      TWILIO_AUTH_TOKEN: twilio.authToken,
      TWILIO_NUMBER: twilio.number,
      TWILIO_URL: twilio.url,
      TEXTS_PER_DAY: '1000000',
    })
    twilio.setHooks({ inbound: 'https://clinic.example/api/hooks/twilio/inbound', via: started.url })
    return started
  }

  async function compare(patients: readonly Patient[], ticks: number): Promise<Figures> {
    const done = await rows<{ contact_id: string; step: string; at: Date }>(
      `select contact_id, steps.step, steps.at from sequence_steps as steps join automation_state on automation_state.id = state_id
       where outcome in ('sent', 'done') order by steps.id`,
    )
    const byPatient = Map.groupBy(done, (row) => row.contact_id)
    const differing = patients.flatMap((one) => {
      const wanted = expected(one, world)
      const found = (byPatient.get(one.id) ?? []).map((row) => `${one.names.get(row.step)} ${row.at.getTime()}`)
      if (wanted.join() === found.join()) return []
      const words = (all: readonly string[]) =>
        all.map((entry) => entry.replace(/\d{13}$/, (at) => new Date(Number(at)).toISOString().slice(5, 16))).join(', ')
      return [
        `${one.kind} in ${one.zone}: expected ${words(wanted)}; found ${words(found)}; ${words([`reply ${one.reply}`, `booking ${one.booking}`, `stop ${one.stop}`, `cancel ${one.cancel}`, `start ${one.start}`])}`,
      ]
    })
    const texts = twilio.messages.filter(({ direction, body }) => direction !== 'inbound' && body.includes('Hello Ana'))
    const textsTo = Map.groupBy(texts, ({ to }) => to)
    const counts = await rows<{ contact_id: string; sent: number; done: number; messages: number; tasks: number }>(
      `select state.contact_id, count(*) filter (where outcome = 'sent')::int as sent, count(*) filter (where outcome = 'done')::int as done,
         (select count(*)::int from messages join conversations on conversations.id = conversation_id
           where conversations.contact_id = state.contact_id and direction = 'outbound' and body like '%Hello Ana%') as messages,
         (select count(*)::int from tasks where tasks.contact_id = state.contact_id and title like 'task%') as tasks
       from automation_state as state join sequence_steps on state_id = state.id group by state.contact_id`,
    )
    const sentTo = new Map(counts.map((row) => [row.contact_id, row.sent]))
    const [uncertain] = await rows<{ n: number }>(`select count(*)::int as n from messages where status = 'uncertain'`)
    const night = await rows<{ at: Date; contact_id: string }>(
      `select steps.at, contact_id from sequence_steps as steps join automation_state on automation_state.id = state_id where outcome = 'sent'`,
    )
    const zoneOf = new Map(patients.map(({ id, zone }) => [id, zone]))
    const hourOf = (at: Date, zone: string) =>
      Number(new Intl.DateTimeFormat('en-CA', { timeZone: zone, hour: '2-digit', hourCycle: 'h23' }).format(at))
    return {
      patients: patients.length,
      ticks,
      kills: killed,
      steps: done.length,
      different: differing.length,
      examples: differing.slice(0, 5),
      twice: counts.filter(({ sent, done: created, messages, tasks }) => messages !== sent || tasks !== created).length,
      texts: texts.length,
      sentTwice: patients.filter(({ id, number }) => (textsTo.get(number)?.length ?? 0) > (sentTo.get(id) ?? 0)).length,
      uncertain: uncertain!.n,
      atNight: night.filter((row) => {
        const at = hourOf(row.at, zoneOf.get(row.contact_id)!)
        return at >= 20 || at < 9
      }).length,
      seconds: Math.round((performance.now() - begun) / 1_000),
    }
  }
}

type Child = Awaited<ReturnType<typeof startChild>>

async function startChild(settings: Record<string, string>) {
  const env = {
    PATH: process.env.PATH ?? '',
    PORT: '0',
    APP_SECRET: testSecret,
    LOG_LEVEL: 'silent',
    COMPANY_DOMAINS: 'clinic.example',
    PRACTICE_ADDRESS: '1 Lakeshore Road, Oakville, ON',
    APP_URL: 'https://clinic.example',
    ...settings,
  }
  const forked = fork(path.join(import.meta.dirname, 'server.ts'), { env, stdio: ['ignore', 'inherit', 'inherit', 'ipc'] })
  const exited = new Promise<void>((resolve) => forked.once('exit', () => resolve()))
  const ended = exited.then(() => Promise.reject(new Error('The server of the drill ended')))
  ended.catch(() => {}) // it is killed on purpose
  const next = () => Promise.race([new Promise<unknown>((resolve) => forked.once('message', resolve)), ended])
  const { url } = (await next()) as { url: string }
  return {
    url,
    process: forked,
    exited,
    async tell(order: { clock: string } | 'run', answer: string): Promise<void> {
      const answered = next()
      forked.send(order)
      const given = await answered
      if (given !== answer) throw new Error(`The server of the drill answered ${JSON.stringify(given)}`)
    },
  }
}
