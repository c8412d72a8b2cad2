import { arrivals } from './arrivals.ts'
import { specialistFields, weightLossDrug } from './care.ts'
import { type Clock, createClock, isoDay } from './clock.ts'
import { createDiary, type Diary } from './diary.ts'
import { followUp } from './follow-ups.ts'
import { type Move, travel } from './journey.ts'
import { createPeople, type Person } from './people.ts'
import { landingPage, type Procedure, pickForMan, pickForWoman, spokenInForms } from './procedures.ts'
import { createRandom, type Random, uuidv7 } from './random.ts'
import { pickOnlineSource, pickSource, type Source } from './sources.ts'
import type { StaffKey } from './staff.ts'
import { pickTags, type TagName } from './tags.ts'
import { type Entry, isContact, tell } from './timeline.ts'
import { nextAppointment, type Visit, visitsOf } from './visits.ts'
import { createWriter } from './writer.ts'

/** A patient of the demo clinic with all that belongs to one. Instants are in milliseconds, days 'YYYY-MM-DD', money in cents. */
export type Patient = Omit<Person, 'isWoman' | 'prefersFrench' | 'isFromAfar'> & {
  id: string
  createdAt: number
  updatedAt: number
  version: number
  notes: string | null
  status: 'new' | 'active'
  source: Source
  procedure: string | null
  procedureText: string | null
  salesRep: StaffKey | null
  provider: StaffKey | null
  lastContactDate: number | null
  nextFollowUpDate: number | null
  consentToCommunicate: boolean
  importSource: string | null
  weightLossMedication: string | null
  requiresSpecialistConsult: boolean
  specialistConsultType: string | null
  specialistConsultReason: string | null
  specialistResultsReceived: boolean
  specialistResultsDate: string | null
  specialistNotes: string | null
  surgicalDate: string | null
  revenueCents: number | null
  appointmentDate: string | null
  appointmentTime: string | null
  appointmentLocation: string | null
  metadata: Record<string, unknown> | null
  /** In time order; the last one's stage is the current one. */
  moves: Move[]
  /** Those to come, and of the last two weeks. */
  visits: Visit[]
  tags: { name: TagName; at: number }[]
  timeline: Entry[]
  /** The form as it arrived, of those who filled one in. */
  form: Record<string, string> | null
}

/** Beyond this many patients a timeline holds its beginning and its last contact alone, and forms are not kept. */
export const fullTimelines = 100_000

/** The patients of the demo clinic in the order in which they were added. The same seed and the same `now` give the same patients. */
export function* generatePatients(count: number, seed: number, now: number): Generator<Patient> {
  const random = createRandom(seed)
  const clock = createClock(now)
  const people = createPeople(count, seed)
  const diary = createDiary()
  for (const createdAt of arrivals(count, clock, random)) {
    const patient = describe(people(!clock.isOpen(createdAt)), createdAt, clock, diary, random)
    yield count > fullTimelines ? essential(patient) : patient
  }
}

function essential(patient: Patient): Patient {
  const last = patient.timeline.findLast(isContact)
  const timeline = patient.timeline.filter((entry) => entry === last || entry.type === 'contact_created')
  return { ...patient, timeline, form: null }
}

function describe(person: Person, createdAt: number, clock: Clock, diary: Diary, random: Random): Patient {
  const { isWoman, prefersFrench, isFromAfar, ...identity } = person
  const source = sourceAt(createdAt, person, clock, random)
  const wanted = (isWoman ? pickForWoman : pickForMan)(random)
  const owner: StaffKey = random.chance(0.56) ? 'mireille' : 'devon'
  const createdBy = source.form ? null : random.chance(0.6) ? owner : 'frontDesk'
  const journey = travel({ createdAt, createdBy, owner, procedure: wanted }, clock, diary, random)
  const visits = visitsOf(journey, clock, diary)
  const tags = pickTags({ prefersFrench, isFromAfar, source, createdAt, owner, procedure: wanted, journey }, clock, random)
  const write = createWriter({ isWoman, procedure: wanted, journey }, clock, random)
  const asked = procedureAsked(wanted, source, random)
  const opening = source.form ? `Lead from ${source.form}, asking about ${asked.procedure ?? asked.procedureText}` : 'Patient added'
  const timeline = tell({ createdAt, createdBy, opening, owner, procedure: wanted, journey, tags }, write, clock, random)
  const stage = journey.moves.at(-1)!
  const told = timeline.find(({ type }) => type === 'note')
  const specialist = specialistFields(wanted, journey, clock, random)
  return {
    ...identity,
    id: uuidv7(createdAt, random.bits(12), random),
    createdAt,
    updatedAt: stage.at,
    version: journey.moves.length,
    ...specialist,
    notes: [told && stage.to !== 'cold_lead' ? told.text : null, specialist.notes].filter((line) => line !== null).join('\n') || null,
    status: source.form && stage.to === 'lead' ? 'new' : 'active',
    source,
    ...asked,
    salesRep: stage.to === 'lead' && random.chance(0.4) ? null : owner,
    provider: journey.consult ? 'provider' : null,
    lastContactDate: timeline.findLast(isContact)?.at ?? null,
    nextFollowUpDate: followUp(stage, journey, clock, random),
    consentToCommunicate: random.chance(source.form ? 0.88 : 0.64),
    importSource: source.form && `Lead form: ${source.form}`,
    weightLossMedication: weightLossDrug(wanted, random),
    surgicalDate: journey.surgery ? isoDay(journey.surgery.day) : null,
    revenueCents: journey.surgery?.revenueCents ?? null,
    ...nextAppointment(visits, journey, clock),
    metadata: source.form && source.name !== 'Agency Test' && random.chance(0.7) ? { landing_page: landingPage(wanted) } : null,
    moves: journey.moves,
    visits,
    tags: tags.map(({ name, at }) => ({ name, at })),
    timeline,
    form: source.form && formOf(person, asked.procedure ?? asked.procedureText, source),
  }
}

/** Outside office hours no one picks up the phone; forms ask for an email address. */
function sourceAt(createdAt: number, { email }: Person, clock: Clock, random: Random): Source {
  if (email === null) return { name: 'Phone Inquiry', text: null, form: null }
  return clock.isOpen(createdAt) ? pickSource(random) : pickOnlineSource(random)
}

function procedureAsked(wanted: Procedure, source: Source, random: Random) {
  const spoken = spokenInForms[wanted.concern]
  if (source.form && spoken && random.chance(0.05)) return { procedure: null, procedureText: random.pick(spoken) }
  return { procedure: source.form || random.chance(0.94) ? wanted.name : null, procedureText: null }
}

function formOf({ firstName, lastName, email, phone }: Person, procedure: string | null, { text }: Source): Record<string, string> {
  const fields = { first_name: firstName, last_name: lastName, email, phone, procedure, source: text }
  return Object.fromEntries(Object.entries(fields).filter((field): field is [string, string] => field[1] !== null))
}
