import { listLabels } from '../../src/crm/contacts/rules.ts'
import type { CallOutcome, InteractionType } from '../../src/crm/interactions/contract.ts'
import * as calls from './call-texts.ts'
import { concerns } from './concerns.ts'
import { doubts, findings } from './findings.ts'
import { type Clock, day, minute } from '../clock.ts'
import type { Journey, Move, StageValue } from './journey.ts'
import type { Procedure } from '../procedures.ts'
import type { Random } from '../random.ts'
import type { StaffKey } from '../staff.ts'
import type { Writer } from './writer.ts'

export type Entry = {
  type: InteractionType
  at: number
  by: StaffKey | null
  text: string
  outcome: CallOutcome | null
  /** The stages of a stage change. */
  move: Pick<Move, 'from' | 'to'> | null
}

export type TimelineInput = {
  createdAt: number
  createdBy: StaffKey | null
  /** Text of the first entry, as the contacts service writes it. */
  opening: string
  owner: StaffKey
  procedure: Procedure
  journey: Journey
  tags: { name: string; at: number; by: StaffKey | null }[]
}

export const stageNames: Record<StageValue, string> = {
  lead: 'Lead',
  contacted: 'Contacted',
  consult_booked: 'Consult Booked',
  consult_done: 'Consult Done',
  quote_sent: 'Quote Sent',
  surgery_booked: 'Surgery Booked',
  cold_lead: 'Cold Lead',
}
const moveTypes: Partial<Record<StageValue, InteractionType>> = { consult_booked: 'consult_booked', surgery_booked: 'surgery_booked' }

/** Whether an entry counts as contact with the patient: calls, emails and meetings, but not notes by staff or the system. */
export const isContact = ({ type }: Entry): boolean => type === 'call' || type === 'email' || type === 'meeting'

/** Consult notes to choose from; without a quote, they include doubts. */
function consultNotes({ procedure, journey }: TimelineInput): string[] {
  const plain = findings[procedure.concern]
  return journey.quoteCents === null ? [...plain, ...(doubts[procedure.concern] ?? [])] : plain
}

/** Builds a patient's timeline from the journey, in chronological order up to now. */
export function createTimeline(input: TimelineInput, write: Writer, clock: Clock, random: Random): Entry[] {
  const { owner, journey } = input
  const speaksFrench = input.tags.some(({ name }) => name === 'Prefers French')
  const notes = consultNotes(input)
  const entries: Entry[] = []
  const add = (type: InteractionType, at: number, text: string, rest: Partial<Entry> = {}) => {
    if (at <= clock.now) entries.push({ type, at, by: owner, text, outcome: null, move: null, ...rest })
  }
  const addCall = (at: number, outcome: CallOutcome, texts: readonly string[]) =>
    add('call', at, write(random.pick(texts), at), { outcome })
  const addEmail = (at: number, texts: readonly string[]) => add('email', at, write(random.pick(texts), at))
  const addAttempt = (at: number) =>
    random.chance(0.55) ? addCall(at, 'voicemail', calls.voicemails) : addCall(at, 'no_answer', calls.noAnswers)
  const shortlyBefore = (from: number) => from - random.int(60, 200) * 1000

  /** Adds the contacts that led to a move, up to a few minutes before it. */
  const addContactsBefore = (move: Move, last: Move) => {
    const gap = move.at - last.at
    switch (move.to) {
      case 'contacted': {
        if (gap > 4 * 60 * minute && random.chance(0.3)) addAttempt(clock.openTime(last.at + Math.floor(gap * 0.4), random))
        if (random.chance(0.2)) return addEmail(shortlyBefore(move.at), calls.firstEmails)
        const texts = random.chance(0.45) ? concerns[input.procedure.concern] : speaksFrench ? calls.frenchCalls : calls.firstCalls
        return addCall(shortlyBefore(move.at), 'reached', texts)
      }
      case 'consult_booked':
        if (gap < 15 * minute || random.chance(0.45)) return
        return random.chance(0.25)
          ? addEmail(shortlyBefore(move.at), calls.bookingEmails)
          : addCall(shortlyBefore(move.at), 'reached', calls.bookings)
      case 'consult_done':
        if (random.chance(0.2)) return
        return add('meeting', shortlyBefore(move.at), write(random.pick(notes), move.at), { by: 'provider' })
      case 'quote_sent':
        return addEmail(shortlyBefore(move.at), calls.quoteEmails)
      case 'surgery_booked':
        if (gap > 9 * day && random.chance(0.2)) addCall(clock.openTime(last.at + gap / 2, random), 'reached', calls.afterQuote)
        return addCall(shortlyBefore(move.at), 'reached', calls.acceptances)
      case 'cold_lead':
        if (random.chance(0.25)) addAttempt(clock.openTime(last.at + gap / 3, random))
        if (random.chance(0.6)) add('note', shortlyBefore(move.at), write(random.pick(calls.coldNotes), move.at))
        return
      case 'lead':
    }
  }

  add('contact_created', input.createdAt, input.opening, { by: input.createdBy })
  for (const [i, move] of journey.moves.entries()) {
    if (i === 0) continue
    addContactsBefore(move, journey.moves[i - 1]!)
    const { from, to, at, by } = move
    const text = `Stage changed from ${from ? stageNames[from] : ''} to ${stageNames[to]}`
    add(moveTypes[to] ?? 'stage_change', at, text, { by, move: { from, to } })
    if (to === 'surgery_booked') add('contact_updated', at, `${listLabels(['surgicalDate', 'revenueCents'])} changed`, { by })
  }
  addRecentContacts(journey, clock, random, { addCall, addEmail, addAttempt })
  if (random.chance(0.08)) add('note', noteTime(input.createdAt, clock, random), write(random.pick(calls.notes), clock.now))
  for (const tag of input.tags) add('tag', tag.at, `Tag ${tag.name} added`, { by: tag.by })
  return entries.toSorted((a, b) => a.at - b.at)
}

type ContactWriters = {
  addCall: (at: number, outcome: CallOutcome, texts: readonly string[]) => void
  addEmail: (at: number, texts: readonly string[]) => void
  addAttempt: (at: number) => void
}

/** Adds contacts after the last move: call attempts, check-ins, calls around surgery. */
function addRecentContacts({ moves, surgery }: Journey, clock: Clock, random: Random, { addCall, addEmail, addAttempt }: ContactWriters) {
  const last = moves.at(-1)!
  const days = (count: number) => clock.openTime(last.at + count * day, random)
  if (last.to === 'lead') {
    const attempts = random.int(0, 1)
    for (let i = 1; i <= attempts; i++) addAttempt(days(i * i * (0.4 + random.next())))
  } else if (surgery) {
    if (random.chance(0.4)) addCall(clock.at(surgery.day - random.int(6, 14), random.int(550, 1000)), 'reached', calls.preOps)
    const [daysLater, text] = random.pick(calls.postOps)
    if (random.chance(0.5)) addCall(clock.openTime(clock.at(surgery.day + daysLater, random.int(540, 960)), random), 'reached', [text])
  } else if (last.to === 'quote_sent' && random.chance(0.5)) {
    addCall(days(4 + 6 * random.next()), 'reached', calls.afterQuote)
  } else if (last.to !== 'cold_lead' && random.chance(0.3)) {
    const at = days(12 + 60 * random.next())
    if (random.chance(0.3)) addEmail(at, calls.nurtureEmails)
    else if (random.chance(0.35)) addAttempt(at)
    else addCall(at, 'reached', calls.nurtures)
  }
}

const noteTime = (createdAt: number, clock: Clock, random: Random) =>
  clock.openTime(createdAt + (0.1 + 20 * random.next() ** 2) * day, random)
