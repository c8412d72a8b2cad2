import type pg from 'pg'
import { addDays } from 'date-fns/addDays'
import { format } from 'date-fns/format'
import { parseISO } from 'date-fns/parseISO'
import { isAutomatic, type ItemKind } from '../src/care/surgeries/checklist-rules.ts'
import { type Clock, day, isoDay, minute, workday } from './clock.ts'
import { createRandom, type Random, uuidv7 } from './random.ts'
import type { References } from './rows.ts'
import { addSafetyChecklist } from './safety.ts'

type Booked = { contact: string; procedure: string; name: string; on: string; revenue: number; booked_at: Date }
type Template = { procedure_id: string | null; kind: ItemKind; words: string; owner_role: string; due_days: number; is_required: boolean }
type Status = 'tentative' | 'confirmed' | 'completed' | 'postponed'
type Interval = { from: number; to: number }

/** Days around today with cases in the calendar; records hold the dates of all surgeries. */
const [daysBack, daysAhead] = [28, 60]
/** Minutes since midnight; surgery starts before the practice opens. */
const [begins, ends] = [7 * 60 + 30, 16 * 60 + 30]
/** Minutes to prepare the room between two cases. */
const turnover = 30

/** Additional checklist items of some procedures. */
const procedureTemplates: [procedure: string, kind: string, words: string, role: string, dueDays: number][] = [
  ['Breast augmentation', 'other', 'Implants ordered, two sizes', 'front_desk', -21],
  ['Breast augmentation', 'labs', 'Breast imaging reviewed', 'provider', -21],
  ['Implant exchange', 'other', 'Implants ordered, two sizes', 'front_desk', -21],
  ['Mastopexy, implants', 'other', 'Implants ordered, two sizes', 'front_desk', -21],
  ['Chin implant', 'other', 'Implant ordered', 'front_desk', -14],
  ['Septorhinoplasty', 'other', 'CT of the nose available in the OR', 'provider', -3],
  ['Abdominoplasty', 'other', 'Compression garment fitted', 'provider', -7],
  ['Liposuction, 360', 'other', 'Compression garment fitted', 'provider', -7],
]

/**
 * Adds a case with its checklist for each surgery booked for these weeks, if the surgeon and the operating room are free that day.
 * Postpones one. Runs in the caller's transaction.
 */
export async function addSurgeries(client: pg.Client, { staff, procedures }: References, clock: Clock, seed: number): Promise<void> {
  const random = createRandom(seed)
  for (const [procedure, ...template] of procedureTemplates)
    await client.query('insert into checklist_templates (procedure_id, kind, words, owner_role, due_days) values ($1, $2, $3, $4, $5)', [
      procedures[procedure],
      ...template,
    ])
  const { rows: templates } = await client.query<Template>(
    'select * from checklist_templates order by procedure_id nulls first, due_days, words',
  )
  const { rows: rooms } = await client.query<{ id: string }>(`select id from rooms where kind = 'operating' order by sort_order limit 1`)
  const today = clock.dayOf(clock.now)
  const { rows: booked } = await client.query<Booked>(
    `select contacts.id as contact, procedures.id as procedure, procedures.name, to_char(surgical_date, 'YYYY-MM-DD') as on,
       revenue::float8 as revenue, stage_entered_at as booked_at
     from contacts join procedures on procedures.id = procedure_of_interest
     where surgical_date between $1 and $2 and revenue > 0 order by surgical_date, contacts.seq limit 400`,
    [isoDay(today - daysBack), isoDay(today + daysAhead)],
  )
  const busy = await loadSurgeonVisits(client, staff.provider, clock, today)
  for (const [i, { contact, procedure, name, on, revenue, booked_at }] of booked.entries()) {
    const dayNumber = Math.floor(Date.parse(on) / day)
    const length = lengthOf(revenue)
    const taken = busy.get(dayNumber) ?? []
    const minutes = freeFrom(length, taken)
    if (minutes === null || workday(dayNumber) !== dayNumber) continue
    busy.set(dayNumber, [...taken, { from: minutes - turnover, to: minutes + length + turnover }])
    const startsAt = clock.at(dayNumber, minutes)
    const bookedAt = booked_at.getTime()
    const daysToGo = dayNumber - today
    const status =
      i === booked.length - 1 && daysToGo > 14 ? 'postponed' : statusOf(startsAt + length * minute, daysToGo, clock.now, random)
    const id = uuidv7(bookedAt, random.bits(12), random)
    await client.query(
      `insert into surgeries (id, version, contact_id, procedures, surgeon_id, assistant_ids, anaesthesia, room_id, starts_at, ends_at, status,
         implants, price_cents, notes, created_by, created_at, updated_at)
       values ($1, $2, $3, $4, $5, '{}', $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $15)`,
      [
        id,
        status === 'tentative' ? 1 : 2,
        contact,
        JSON.stringify([{ id: procedure, name }]),
        staff.provider,
        length < 90 ? 'local' : random.chance(0.2) ? 'sedation' : 'general',
        rooms[0]!.id,
        new Date(startsAt),
        new Date(startsAt + length * minute),
        status,
        /implant|augmentation/i.test(name) ? random.pick(implants) : null,
        revenue,
        random.chance(0.3) ? random.pick(notes) : null,
        staff.frontDesk,
        new Date(bookedAt),
      ],
    )
    if (status === 'completed' || status === 'confirmed') {
      const endsAt = startsAt + length * minute
      await addSafetyChecklist(client, { id, contact, dayNumber, startsAt, endsAt, surgeon: staff.provider, now: clock.now })
    }
    if (status === 'postponed') await postpone(client, contact, staff.frontDesk, clock.now - day)
    const wanted = templates.filter((template) => template.procedure_id === null || template.procedure_id === procedure)
    for (const [order, template] of wanted.entries())
      await addItem(client, { id: uuidv7(bookedAt, order, random), surgery: id, on, today, template, doneBy: staff.provider }, random)
  }
}

/** Clears the record's surgical date, with entries in its history and timeline. */
async function postpone(client: pg.Client, contact: string, by: string, at: number): Promise<void> {
  await client.query(
    `with before as (select id, surgical_date, revenue from contacts where id = $1),
     changed as (update contacts set surgical_date = null, revenue = null where id = $1),
     entry as (
       insert into interactions (contact_id, type, description, date, created_by, created_at)
       values ($1, 'contact_updated', 'Surgical date and Revenue changed', $3, $2, $3)
     )
     insert into audit_log (at, actor_id, actor_role, action, kind, contact_ids, before, after, request_id)
     select $3, $2, 'front_desk', 'changed', 'contact', array[id], jsonb_build_object('surgicalDate', surgical_date, 'revenueCents', revenue),
       '{"surgicalDate": null, "revenueCents": null}', 'demo' from before`,
    [contact, by, new Date(at)],
  )
}

const implants = ['Smooth round, 300 cc, moderate', 'Smooth round, 330 cc, moderate plus', 'Silicone, medium, as templated']
const notes = [
  'Wants to be first of the day.',
  'Allergic to adhesive tape: paper tape only.',
  'Her sister is driving her home.',
  'Had nausea after the last anaesthesia.',
]

/** Duration by price, from 45 minutes to four hours. */
const lengthOf = (cents: number): number => Math.min(240, Math.max(45, 15 * Math.round(cents / 100_000)))

function statusOf(endsAt: number, daysToGo: number, now: number, random: Random): Status {
  if (endsAt <= now) return 'completed'
  return daysToGo <= 10 || random.chance(0.4) ? 'confirmed' : 'tentative'
}

function freeFrom(length: number, taken: readonly Interval[]): number | null {
  for (let from = begins; from + length <= ends; from += 15)
    if (taken.every((other) => from >= other.to || from + length <= other.from)) return from
  return null
}

/** The surgeon's appointments by calendar day, in minutes since midnight. */
async function loadSurgeonVisits(client: pg.Client, surgeon: string, clock: Clock, today: number): Promise<Map<number, Interval[]>> {
  const { rows } = await client.query<{ starts_at: Date; ends_at: Date }>(
    `select starts_at, ends_at from appointments
     where provider_id = $1 and status in ('booked', 'confirmed', 'arrived', 'completed') and starts_at between $2 and $3`,
    [surgeon, new Date(clock.at(today - daysBack - 1, 0)), new Date(clock.at(today + daysAhead + 1, 0))],
  )
  const busy = new Map<number, Interval[]>()
  for (const { starts_at, ends_at } of rows) {
    const [from, to] = [starts_at.getTime(), ends_at.getTime()]
    const key = clock.dayOf(from)
    busy.set(key, [...(busy.get(key) ?? []), { from: clock.minuteOf(from), to: clock.minuteOf(to) }])
  }
  return busy
}

interface NewItem {
  id: string
  surgery: string
  /** Date of the surgery. */
  on: string
  today: number
  template: Template
  doneBy: string
}

/** Adds a checklist item: most that are due are done, few that are due later. */
async function addItem(client: pg.Client, { id, surgery, on, today, template, doneBy }: NewItem, random: Random): Promise<void> {
  const dueOn = format(addDays(parseISO(on), template.due_days), 'yyyy-MM-dd')
  const isPast = on < isoDay(today) && template.due_days <= 0
  const isDone = !isAutomatic(template.kind) && (isPast || random.chance(dueOn <= isoDay(today) ? 0.9 : 0.1))
  const doneOn = isDone ? (dueOn < isoDay(today) ? dueOn : isoDay(today)) : null
  await client.query(
    `insert into surgery_items (id, surgery_id, procedure_id, kind, words, owner_role, due_days, due_on, is_required, done_on, done_by)
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11)`,
    [
      id,
      surgery,
      template.procedure_id,
      template.kind,
      template.words,
      template.owner_role,
      template.due_days,
      dueOn,
      template.is_required,
      doneOn,
      doneOn && doneBy,
    ],
  )
}
