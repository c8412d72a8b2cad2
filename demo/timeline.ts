import { listLabels } from '../src/crm/contacts/rules.ts'
import type { CallOutcome, InteractionType } from '../src/crm/interactions/contract.ts'
import * as calls from './call-texts.ts'
import { concerns } from './concerns.ts'
import { doubts, findings } from './findings.ts'
import { type Clock, day, minute } from './clock.ts'
import type { Journey, Move, StageValue } from './journey.ts'
import type { Procedure } from './procedures.ts'
import type { Random } from './random.ts'
import type { StaffKey } from './staff.ts'
import type { Writer } from './writer.ts'

export type Entry = {
  type: InteractionType
  at: number
  by: StaffKey | null
  text: string
  outcome: CallOutcome | null
  /** Of a stage change: which stages. */
  move: Pick<Move, 'from' | 'to'> | null
}

export type Story = {
  createdAt: number
  createdBy: StaffKey | null
  /** What the first entry says, as the contacts' service writes it. */
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

/** Calls, mails and meetings count as contact with the patient; what the system notes and what staff note for themselves do not. */
export const isContact = ({ type }: Entry): boolean => type === 'call' || type === 'email' || type === 'meeting'

/** A consult that no quote followed may have ended in doubt. */
function foundIn({ procedure, journey }: Story): string[] {
  const plain = findings[procedure.concern]
  return journey.quoteCents === null ? [...plain, ...(doubts[procedure.concern] ?? [])] : plain
}

/** What a patient's timeline holds, in time order and up to now, in keeping with the journey. */
export function tell(story: Story, write: Writer, clock: Clock, random: Random): Entry[] {
  const { owner, journey } = story
  const speaksFrench = story.tags.some(({ name }) => name === 'Prefers French')
  const found = foundIn(story)
  const entries: Entry[] = []
  const add = (type: InteractionType, at: number, text: string, rest: Partial<Entry> = {}) => {
    if (at <= clock.now) entries.push({ type, at, by: owner, text, outcome: null, move: null, ...rest })
  }
  const call = (at: number, outcome: CallOutcome, texts: readonly string[]) => add('call', at, write(random.pick(texts), at), { outcome })
  const mail = (at: number, texts: readonly string[]) => add('email', at, write(random.pick(texts), at))
  const attempt = (at: number) => (random.chance(0.55) ? call(at, 'voicemail', calls.voicemails) : call(at, 'no_answer', calls.noAnswers))
  const briefly = (from: number) => from - random.int(60, 200) * 1000

  /** What led to a move, up to some minutes before it. */
  const before = (move: Move, last: Move) => {
    const gap = move.at - last.at
    switch (move.to) {
      case 'contacted': {
        if (gap > 4 * 60 * minute && random.chance(0.3)) attempt(clock.openTime(last.at + Math.floor(gap * 0.4), random))
        if (random.chance(0.2)) return mail(briefly(move.at), calls.firstMails)
        const texts = random.chance(0.45) ? concerns[story.procedure.concern] : speaksFrench ? calls.frenchCalls : calls.firstCalls
        return call(briefly(move.at), 'reached', texts)
      }
      case 'consult_booked':
        if (gap < 15 * minute || random.chance(0.45)) return
        return random.chance(0.25) ? mail(briefly(move.at), calls.bookingMails) : call(briefly(move.at), 'reached', calls.bookings)
      case 'consult_done':
        if (random.chance(0.2)) return
        return add('meeting', briefly(move.at), write(random.pick(found), move.at), { by: 'provider' })
      case 'quote_sent':
        return mail(briefly(move.at), calls.quoteMails)
      case 'surgery_booked':
        if (gap > 9 * day && random.chance(0.2)) call(clock.openTime(last.at + gap / 2, random), 'reached', calls.afterQuote)
        return call(briefly(move.at), 'reached', calls.acceptances)
      case 'cold_lead':
        if (random.chance(0.25)) attempt(clock.openTime(last.at + gap / 3, random))
        if (random.chance(0.6)) add('note', briefly(move.at), write(random.pick(calls.coldNotes), move.at))
        return
      case 'lead':
    }
  }

  add('contact_created', story.createdAt, story.opening, { by: story.createdBy })
  for (const [i, move] of journey.moves.entries()) {
    if (i === 0) continue
    before(move, journey.moves[i - 1]!)
    const { from, to, at, by } = move
    const text = `Stage changed from ${from ? stageNames[from] : ''} to ${stageNames[to]}`
    add(moveTypes[to] ?? 'stage_change', at, text, { by, move: { from, to } })
    if (to === 'surgery_booked') add('contact_updated', at, `${listLabels(['surgicalDate', 'revenueCents'])} changed`, { by })
  }
  sinceThen(journey, clock, random, { call, mail, attempt })
  if (random.chance(0.08)) add('note', noteTime(story.createdAt, clock, random), write(random.pick(calls.notes), clock.now))
  for (const tag of story.tags) add('tag', tag.at, `Tag ${tag.name} added`, { by: tag.by })
  return entries.toSorted((a, b) => a.at - b.at)
}

type Ways = {
  call: (at: number, outcome: CallOutcome, texts: readonly string[]) => void
  mail: (at: number, texts: readonly string[]) => void
  attempt: (at: number) => void
}

/** What has happened since the last move: attempts, checking in, the days around surgery. */
function sinceThen({ moves, surgery }: Journey, clock: Clock, random: Random, { call, mail, attempt }: Ways) {
  const last = moves.at(-1)!
  const days = (count: number) => clock.openTime(last.at + count * day, random)
  if (last.to === 'lead') {
    const tries = random.int(0, 1)
    for (let i = 1; i <= tries; i++) attempt(days(i * i * (0.4 + random.next())))
  } else if (surgery) {
    if (random.chance(0.4)) call(clock.at(surgery.day - random.int(6, 14), random.int(550, 1000)), 'reached', calls.preOps)
    const [daysLater, text] = random.pick(calls.postOps)
    if (random.chance(0.5)) call(clock.openTime(clock.at(surgery.day + daysLater, random.int(540, 960)), random), 'reached', [text])
  } else if (last.to === 'quote_sent' && random.chance(0.5)) {
    call(days(4 + 6 * random.next()), 'reached', calls.afterQuote)
  } else if (last.to !== 'cold_lead' && random.chance(0.3)) {
    const at = days(12 + 60 * random.next())
    if (random.chance(0.3)) mail(at, calls.nurtureMails)
    else if (random.chance(0.35)) attempt(at)
    else call(at, 'reached', calls.nurtures)
  }
}

const noteTime = (createdAt: number, clock: Clock, random: Random) =>
  clock.openTime(createdAt + (0.1 + 20 * random.next() ** 2) * day, random)
