import { arrivals } from './arrivals.ts'
import { specialistFields, weightLossDrug } from './care.ts'
import { type Clock, createClock, isoDay } from '../clock.ts'
import { createDiary, type Diary } from '../diary.ts'
import { followUp } from './follow-ups.ts'
import { type Move, createJourney } from './journey.ts'
import { createPeople, type Person } from '../people/people.ts'
import { landingPage, type Procedure, pickForMan, pickForWoman, spokenInForms } from '../procedures.ts'
import { createRandom, type Random, uuidv7 } from '../random.ts'
import { pickOnlineSource, pickSource, type Source } from '../sources.ts'
import type { StaffKey } from '../staff.ts'
import { pickTags, type TagName } from './tags.ts'
import { type Entry, isContact, createTimeline } from './timeline.ts'
import { nextAppointment, type Visit, visitsOf } from './visits.ts'
import { createWriter } from './writer.ts'

/** A patient of the demo clinic with everything that belongs to them. Instants are in milliseconds, days 'YYYY-MM-DD', amounts in cents. */
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
  /** In chronological order; the stage of the last move is the current one. */
  moves: Move[]
  /** Upcoming visits and those of the last two weeks. */
  visits: Visit[]
  tags: { name: TagName; at: number }[]
  timeline: Entry[]
  /** The submitted form, if the patient came in through one. */
  form: Record<string, string> | null
}

/** Beyond this many patients, a timeline holds only its first entry and the last contact, and forms are not stored. */
export const maxFullTimelines = 100_000

/**
 * Yields the patients of the demo clinic in the order in which they were added. The same seed and the same `now` give the same patients.
 */
export function* generatePatients(count: number, seed: number, now: number): Generator<Patient> {
  const random = createRandom(seed)
  const clock = createClock(now)
  const people = createPeople(count, seed)
  const diary = createDiary()
  for (const createdAt of arrivals(count, clock, random)) {
    const patient = createPatient(people(!clock.isOpen(createdAt)), createdAt, clock, diary, random)
    yield count > maxFullTimelines ? withoutDetails(patient) : patient
  }
}

function withoutDetails(patient: Patient): Patient {
  const last = patient.timeline.findLast(isContact)
  const timeline = patient.timeline.filter((entry) => entry === last || entry.type === 'contact_created')
  return { ...patient, timeline, form: null }
}

function createPatient(person: Person, createdAt: number, clock: Clock, diary: Diary, random: Random): Patient {
  const { isWoman, prefersFrench, isFromAfar, ...identity } = person
  const source = pickSourceAt(createdAt, person, clock, random)
  const procedure = (isWoman ? pickForWoman : pickForMan)(random)
  const owner: StaffKey = random.chance(0.56) ? 'mireille' : 'devon'
  const createdBy = source.form ? null : random.chance(0.6) ? owner : 'frontDesk'
  const journey = createJourney({ createdAt, createdBy, owner, procedure }, clock, diary, random)
  const visits = visitsOf(journey, clock, diary)
  const tags = pickTags({ prefersFrench, isFromAfar, source, createdAt, owner, procedure, journey }, clock, random)
  const write = createWriter({ isWoman, procedure, journey }, clock, random)
  const requested = requestedProcedure(procedure, source, random)
  const opening = source.form ? `Lead from ${source.form}, asking about ${requested.procedure ?? requested.procedureText}` : 'Patient added'
  const timeline = createTimeline({ createdAt, createdBy, opening, owner, procedure, journey, tags }, write, clock, random)
  const stage = journey.moves.at(-1)!
  const firstNote = timeline.find(({ type }) => type === 'note')
  const specialist = specialistFields(procedure, journey, clock, random)
  return {
    ...identity,
    id: uuidv7(createdAt, random.bits(12), random),
    createdAt,
    updatedAt: stage.at,
    version: journey.moves.length,
    ...specialist,
    notes:
      [firstNote && stage.to !== 'cold_lead' ? firstNote.text : null, specialist.notes].filter((line) => line !== null).join('\n') || null,
    status: source.form && stage.to === 'lead' ? 'new' : 'active',
    source,
    ...requested,
    salesRep: stage.to === 'lead' && random.chance(0.4) ? null : owner,
    provider: journey.consult ? 'provider' : null,
    lastContactDate: timeline.findLast(isContact)?.at ?? null,
    nextFollowUpDate: followUp(stage, journey, clock, random),
    consentToCommunicate: random.chance(source.form ? 0.88 : 0.64),
    importSource: source.form && `Lead form: ${source.form}`,
    weightLossMedication: weightLossDrug(procedure, random),
    surgicalDate: journey.surgery ? isoDay(journey.surgery.day) : null,
    revenueCents: journey.surgery?.revenueCents ?? null,
    ...nextAppointment(visits, journey, clock),
    metadata: source.form && source.name !== 'Agency Test' && random.chance(0.7) ? { landing_page: landingPage(procedure) } : null,
    moves: journey.moves,
    visits,
    tags: tags.map(({ name, at }) => ({ name, at })),
    timeline,
    form: source.form && formOf(person, requested.procedure ?? requested.procedureText, source),
  }
}

/** Picks a source. Outside office hours no one answers the phone; forms require an email address. */
function pickSourceAt(createdAt: number, { email }: Person, clock: Clock, random: Random): Source {
  if (email === null) return { name: 'Phone Inquiry', text: null, form: null }
  return clock.isOpen(createdAt) ? pickSource(random) : pickOnlineSource(random)
}

function requestedProcedure(procedure: Procedure, source: Source, random: Random) {
  const spoken = spokenInForms[procedure.concern]
  if (source.form && spoken && random.chance(0.05)) return { procedure: null, procedureText: random.pick(spoken) }
  return { procedure: source.form || random.chance(0.94) ? procedure.name : null, procedureText: null }
}

function formOf({ firstName, lastName, email, phone }: Person, procedure: string | null, { text }: Source): Record<string, string> {
  const fields = { first_name: firstName, last_name: lastName, email, phone, procedure, source: text }
  return Object.fromEntries(Object.entries(fields).filter((field): field is [string, string] => field[1] !== null))
}
