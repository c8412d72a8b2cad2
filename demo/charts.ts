import type pg from 'pg'
import {
  type EntryKind,
  firstStatus,
  type NegativeTopic,
  type Section,
  sectionKinds,
  sections,
  type Severity,
  chartedWeightLoss,
  hasWeightLoss,
} from '../src/chart/health/rules.ts'
import { type Clock, day, isoDay } from './clock.ts'
import { createRandom, type Random, uuidv7 } from './random.ts'
import type { References } from './rows.ts'

interface Case {
  contact: string
  weight_loss: string | null
  booked_at: Date
  starts_at: Date
}

interface Entry {
  kind: EntryKind
  name: string
  detail?: string
  severity?: Severity
  dose?: string
  stopDays?: number
  isWeightLoss?: boolean
  year?: number
  anaesthesia?: string
  source?: 'form'
}
interface Measured {
  heightCm: number
  weightKg: number
  systolic: number
  diastolic: number
  bloodType: string | null
  asaClass: number
}
interface Chart {
  entries: Entry[]
  measured: Measured
  /** What the patient has reported not to have: the topic and how it is said. */
  negatives?: [NegativeTopic, string][]
}

/** The chart of the next surgical patient: something in each section. */
const nextChart: Chart = {
  entries: [
    { kind: 'allergy', name: 'Penicillin', detail: 'Anaphylaxis, 2014', severity: 'severe', source: 'form' },
    { kind: 'allergy', name: 'Latex', detail: 'Contact rash', severity: 'moderate' },
    { kind: 'medication', name: 'Semaglutide', dose: '0.5 mg weekly', stopDays: 14, isWeightLoss: true, source: 'form' },
    { kind: 'medication', name: 'Escitalopram', dose: '10 mg daily', source: 'form' },
    { kind: 'medication', name: 'Ibuprofen', dose: 'As needed', stopDays: 7 },
    { kind: 'condition', name: 'Hypertension', detail: 'Controlled since 2021', source: 'form' },
    { kind: 'surgery', name: 'Knee arthroscopy', year: 2016, anaesthesia: 'spinal', detail: 'no complications', source: 'form' },
    { kind: 'nicotine', name: 'Nicotine', detail: 'Vapes, agreed to stop 6 weeks before' },
    { kind: 'alert', name: 'Stops semaglutide 14 days before anaesthesia' },
  ],
  measured: { heightCm: 168, weightKg: 71.2, systolic: 128, diastolic: 82, bloodType: 'O+', asaClass: 2 },
  negatives: [
    ['pregnancy', 'Not pregnant or breastfeeding'],
    ['implants', 'No implants'],
  ],
}

const allergies: Entry[] = [
  { kind: 'allergy', name: 'Penicillin', detail: 'Hives as a child', severity: 'moderate' },
  { kind: 'allergy', name: 'Sulfa drugs', detail: 'Rash', severity: 'mild' },
  { kind: 'allergy', name: 'Codeine', detail: 'Nausea and vomiting', severity: 'mild' },
  { kind: 'allergy', name: 'Adhesive tape', detail: 'Blisters', severity: 'moderate' },
  { kind: 'allergy', name: 'Chlorhexidine', detail: 'Rash after a dressing', severity: 'moderate' },
  { kind: 'allergy', name: 'Shellfish', detail: 'Swollen lips, carries epinephrine', severity: 'severe' },
]
const medications: Entry[] = [
  { kind: 'medication', name: 'Levothyroxine', dose: '75 mcg daily' },
  { kind: 'medication', name: 'Sertraline', dose: '50 mg daily' },
  { kind: 'medication', name: 'Metformin', dose: '500 mg twice daily', stopDays: 1 },
  { kind: 'medication', name: 'Combined oral contraceptive', dose: 'Daily' },
  { kind: 'medication', name: 'ASA', dose: '81 mg daily', stopDays: 10 },
  { kind: 'medication', name: 'Fish oil', dose: '1,000 mg daily', stopDays: 14 },
  { kind: 'medication', name: 'Cetirizine', dose: '10 mg as needed' },
  { kind: 'medication', name: 'Salbutamol inhaler', dose: 'As needed', detail: 'brings it on the day' },
]
const histories: Entry[] = [
  { kind: 'condition', name: 'Asthma', detail: 'Mild, no hospital stays' },
  { kind: 'condition', name: 'Hypothyroidism', detail: 'Stable' },
  { kind: 'condition', name: 'Migraine', detail: 'Monthly, without aura' },
  { kind: 'condition', name: 'Reflux', detail: 'Controlled' },
  { kind: 'surgery', name: 'Appendectomy', year: 2009, anaesthesia: 'general', detail: 'no complications' },
  { kind: 'surgery', name: 'Wisdom teeth removed', year: 2013, anaesthesia: 'sedation' },
  { kind: 'surgery', name: 'Tonsillectomy', year: 1998, anaesthesia: 'general', detail: 'nausea afterwards' },
  { kind: 'nicotine', name: 'Nicotine', detail: 'A few cigarettes a week', stopDays: 42 },
  { kind: 'implant', name: 'Screws, left ankle', year: 2017 },
]
const alerts: Entry[] = [
  { kind: 'alert', name: 'Faints at blood draws: lie down first' },
  { kind: 'alert', name: 'Hard of hearing on the left side' },
  { kind: 'alert', name: 'No blood products' },
]

/** Adds charts for the patients with cases, most of them reviewed. Runs in the caller's transaction, after the cases were added. */
export async function addCharts(client: pg.Client, { staff }: References, clock: Clock, seed: number): Promise<void> {
  const random = createRandom(seed)
  const { rows: cases } = await client.query<Case>(
    `select distinct on (contact_id) contact_id as contact, weight_loss_medication as weight_loss, surgeries.created_at as booked_at, starts_at
     from surgeries join contacts on contacts.id = contact_id where surgeries.status <> 'postponed' order by contact_id, starts_at`,
  )
  cases.sort((a, b) => a.starts_at.getTime() - b.starts_at.getTime())
  const next = cases.find(({ starts_at }) => starts_at.getTime() > clock.now)
  const rows: Rows = { health_entries: [], health_reviews: [], measurements: [] }
  for (const one of cases) {
    const chart = one === next ? nextChart : drawChart(one, random)
    const begins = one.booked_at.getTime()
    const ends = Math.min(clock.now, one.starts_at.getTime())
    const at = begins + Math.max(0, ends - begins) * (0.3 + random.next() * 0.4)
    const isOver = one.starts_at.getTime() < clock.now
    const reviewed = sections.filter((section) => one === next || isOver || random.chance(section === 'allergies' ? 0.9 : 0.7))
    addChart(rows, one.contact, chart, { at: Math.floor(at), by: staff.provider, reviewed }, random)
    await markWeightLoss(client, one, chart, staff.provider, Math.floor(at))
  }
  for (const [table, added] of Object.entries(rows))
    await client.query(`insert into ${table} select * from jsonb_populate_recordset(null::${table}, $1)`, [JSON.stringify(added)])
}

function drawChart({ weight_loss }: Case, random: Random): Chart {
  const some = (from: readonly Entry[], most: number, chance: number): Entry[] =>
    random.chance(chance) ? [...new Set(Array.from({ length: random.int(1, most) }, () => random.pick(from)))] : []
  const [, name, dose] = /^([A-Za-z]+),? (.+)$/.exec(weight_loss ?? '') ?? []
  const heightCm = random.int(154, 184)
  const bmi = random.int(195, 300) / 10
  return {
    entries: [
      ...some(allergies, 2, 0.4),
      ...(name && dose ? [{ kind: 'medication', name, dose, stopDays: 14, isWeightLoss: true } as const] : []),
      ...some(medications, 3, 0.6),
      ...some(histories, 3, 0.7),
      ...some(alerts, 1, 0.12),
    ],
    measured: {
      heightCm,
      weightKg: Math.round((bmi * heightCm * heightCm) / 1_000) / 10,
      systolic: random.int(106, 138),
      diastolic: random.int(64, 88),
      bloodType: random.chance(0.5) ? random.pick(['O+', 'A+', 'B+', 'O-', 'A-', 'AB+']) : null,
      asaClass: random.chance(0.6) ? 1 : 2,
    },
  }
}

interface Written {
  at: number
  by: string
  reviewed: readonly Section[]
}

/** Rows by table, in the form of jsonb_populate_recordset. */
type Rows = Record<'health_entries' | 'health_reviews' | 'measurements', object[]>

function addChart(
  rows: Rows,
  contact_id: string,
  { entries, measured, negatives = [] }: Chart,
  { at, by, reviewed }: Written,
  random: Random,
): void {
  let order = 0
  const row = () => ({ id: uuidv7(at, order++, random), contact_id })
  const on = new Date(at)
  for (const { kind, source = 'staff', ...entry } of entries)
    rows.health_entries.push({
      ...row(),
      kind,
      source,
      name: entry.name,
      detail: entry.detail,
      severity: entry.severity,
      dose: entry.dose,
      stop_days: entry.stopDays,
      is_weight_loss: entry.isWeightLoss ?? false,
      year: entry.year,
      anaesthesia: entry.anaesthesia,
      version: 1,
      status: firstStatus(kind),
      created_by: by,
      created_at: on,
      updated_by: by,
      updated_at: on,
    })
  for (const section of reviewed) {
    const active = entries.filter(({ kind }) => sectionKinds[section].includes(kind) && firstStatus(kind) === 'active')
    rows.health_reviews.push({ ...row(), section, active_entries: active.length, source: 'staff', reviewed_by: by, reviewed_at: on })
  }
  for (const [topic, statement] of negatives)
    rows.health_reviews.push({
      ...row(),
      section: 'history',
      active_entries: 0,
      topic,
      statement,
      source: 'form',
      reviewed_by: by,
      reviewed_at: on,
    })
  rows.measurements.push({
    ...row(),
    height_cm: measured.heightCm,
    weight_kg: measured.weightKg,
    systolic: measured.systolic,
    diastolic: measured.diastolic,
    blood_type: measured.bloodType,
    asa_class: measured.asaClass,
    measured_on: isoDay(Math.floor(at / day)),
    source: 'staff',
    measured_by: by,
    created_at: on,
  })
}

/** The record says that the chart lists weight-loss medication, with an entry in its history if that is another text. */
async function markWeightLoss(
  client: pg.Client,
  { contact, weight_loss }: Case,
  { entries }: Chart,
  by: string,
  at: number,
): Promise<void> {
  const listed = entries.map(({ kind, isWeightLoss = false }) => ({ kind, isWeightLoss, status: firstStatus(kind) }))
  if (!hasWeightLoss(listed)) return
  await client.query('update contacts set weight_loss_medication = $2, weight_loss_from_chart = true where id = $1', [
    contact,
    chartedWeightLoss,
  ])
  if (weight_loss === chartedWeightLoss) return
  await client.query(
    `insert into audit_log (at, actor_id, actor_role, action, kind, contact_ids, before, after, request_id)
     values ($1, $2, 'provider', 'changed', 'contact', array[$3]::uuid[], jsonb_build_object('weightLossMedication', $4::text),
       jsonb_build_object('weightLossMedication', $5::text), 'demo')`,
    [new Date(at), by, contact, weight_loss, chartedWeightLoss],
  )
}
