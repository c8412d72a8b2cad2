import { branchEvents, type BranchStep, type Definition, type PlainStep, type Step, stepsOf } from './definition-contract.ts'
import { afterQuietHours, type QuietHours } from '../../messages/inbox/quiet-rules.ts'
import { day } from '../../shared/durations.ts'
import { type Anchors, type Calendar, endOfUntil, endOfWait, underCap, withinHours } from './timing-rules.ts'

/*
 * How a patient walks through a sequence. Pure: what is known about the patient goes in, and what is to be done and where the patient stands
 * afterwards comes out. The server carries it out (advance.ts), and the test run of the editor shows it (simulate.ts).
 */

/**
 * Where a patient stands: at a step since a moment; null: past the last one. The moment lies before the start of a run that began late, until the
 * steps have been passed whose time was over by then.
 */
export interface Place {
  step: string | null
  arrivedAt: Date
}

/** What has happened to the patient since the sequence started or was resumed; null: it has not. */
export interface Happened {
  /** The patient wrote. */
  reply: Date | null
  /** An appointment was booked. */
  booking: Date | null
  /** A link in a message of this run was opened. */
  link: Date | null
  surgery: Date | null
  /** The patient stopped texts, unsubscribed or complained. */
  optOut: Date | null
  /** The patient is in another stage than when it started. */
  otherStage: Date | null
  /** The appointment, surgery, quote or form that started it no longer counts: it was cancelled, answered or deleted. */
  subjectEnded: Date | null
}

export interface Facts extends Anchors {
  happened: Happened
  calendar: Calendar
  /** The patient's time zone. */
  timeZone: string
  /** In which no text is sent, on the patient's clock. */
  quietHours: QuietHours
  /** Automatic messages in the last days, those of other sequences and of campaigns included. */
  sent: readonly Date[]
  /** The practice's limit of automatic messages to a patient in seven days. */
  perWeek: number
}

export type MessageStep = Extract<PlainStep, { kind: 'text' | 'email' }>
export type Action = Exclude<PlainStep, { kind: 'wait' | 'until' | 'leave' }>

export type ExitReason = 'reply' | 'booking' | 'surgery' | 'opt-out' | 'stage' | 'subject' | 'step'

/** What happens next. `act` is carried out, and the walk goes on from there. */
export type Move =
  | { kind: 'act'; step: Action }
  /** Passed at once: a wait that is over, or a branch that is decided. */
  | { kind: 'pass'; step: string; outcome: 'waited' | 'no'; to: Place }
  /** Its time had passed before the run began. */
  | { kind: 'skip'; step: string; to: Place }
  /** A reply, booking or opened link decided a branch. It does not count again: not for an exit, and not for a later branch. */
  | { kind: 'taken'; step: string; event: BranchStep['on']; to: Place }
  | { kind: 'wait'; place: Place; until: Date; why: 'wait' | 'branch' | 'hours' | 'cap' }
  | { kind: 'pause' }
  | { kind: 'leave'; reason: ExitReason; step: string | null }
  | { kind: 'finish' }

/** Finds steps and their neighbours in a definition. */
export function mapOf({ steps }: Pick<Definition, 'steps'>) {
  const byId = new Map(stepsOf(steps).map((step) => [step.id, step]))
  const after = new Map<string, string | null>()
  const link = (list: readonly Step[], then: string | null) =>
    list.forEach((step, i) => {
      const next = list[i + 1]?.id ?? then
      after.set(step.id, next)
      if (step.kind === 'branch') for (const arm of [step.yes, step.no]) link(arm, next)
    })
  link(steps, null)
  return {
    first: steps[0]?.id ?? null,
    find: (id: string): Step | null => byId.get(id) ?? null,
    /** The step that follows; of a branch, the one after both ways. */
    after: (id: string): string | null => after.get(id) ?? null,
  }
}
export type StepMap = ReturnType<typeof mapOf>

/** The branch that an event is for: the patient stands at it, or only waits lie before it. */
function branchAhead(map: StepMap, id: string | null, on: BranchStep['on']): BranchStep | null {
  for (let step = id === null ? null : map.find(id); step;) {
    if (step.kind === 'branch') return step.on === on ? step : null
    if (step.kind !== 'wait' && step.kind !== 'until') return null
    const next = map.after(step.id)
    step = next === null ? null : map.find(next)
  }
  return null
}

const startOf = (map: StepMap, arm: readonly Step[], branch: BranchStep): string | null => arm[0]?.id ?? map.after(branch.id)

/** Why the patient leaves now, if so. A reply or booking that a branch asks about is taken by that branch instead. */
function exitOf({ exits, trigger }: Definition, map: StepMap, id: string | null, happened: Happened): Move | null {
  if (happened.optOut) return { kind: 'leave', reason: 'opt-out', step: id }
  if (happened.subjectEnded) return { kind: 'leave', reason: 'subject', step: id }
  if (happened.surgery && exits.surgery && trigger.kind !== 'surgery-before' && trigger.kind !== 'surgery-after')
    return { kind: 'leave', reason: 'surgery', step: id }
  if (happened.booking && exits.booking && !branchAhead(map, id, 'booking')) return { kind: 'leave', reason: 'booking', step: id }
  if (happened.otherStage && exits.stage) return { kind: 'leave', reason: 'stage', step: id }
  if (happened.reply && exits.reply !== 'continue' && !branchAhead(map, id, 'reply'))
    return exits.reply === 'pause' ? { kind: 'pause' } : { kind: 'leave', reason: 'reply', step: id }
  return null
}

/** The next move of a patient at a moment. `place.step` is the step at which the patient stands; null: past the last one. */
export function nextMove(definition: Definition, map: StepMap, place: Place, facts: Facts, now: Date): Move {
  const exit = exitOf(definition, map, place.step, facts.happened)
  if (exit) return exit
  if (place.step === null) return { kind: 'finish' }
  const step = map.find(place.step)
  if (!step) return { kind: 'finish' }
  const { happened, calendar } = facts
  if (isAction(step) && isPast(definition, place, facts))
    return { kind: 'skip', step: step.id, to: { step: map.after(step.id), arrivedAt: place.arrivedAt } }
  switch (step.kind) {
    case 'wait':
    case 'until': {
      const branch = branchEvents.some((event) => happened[event] && branchAhead(map, step.id, event))
      const until = step.kind === 'wait' ? endOfWait(step, place.arrivedAt, calendar) : endOfUntil(step, facts, calendar)
      const isOver = until !== null && until <= now
      const to: Place = { step: map.after(step.id), arrivedAt: isOver ? arrivalAt(until, facts, now) : now }
      if (branch || until === null || isOver) return { kind: 'pass', step: step.id, outcome: 'waited', to }
      return { kind: 'wait', place, until, why: 'wait' }
    }
    case 'branch': {
      if (happened[step.on])
        return { kind: 'taken', step: step.id, event: step.on, to: { step: startOf(map, step.yes, step), arrivedAt: now } }
      const until = endOfBranch(step, place.arrivedAt, calendar)
      if (until > now) return { kind: 'wait', place, until, why: 'branch' }
      return {
        kind: 'pass',
        step: step.id,
        outcome: 'no',
        to: { step: startOf(map, step.no, step), arrivedAt: arrivalAt(until, facts, now) },
      }
    }
    case 'text':
    case 'email': {
      const allowed = underCap(now, facts.sent, facts.perWeek)
      const at = openTime(allowed, step, definition, facts)
      if (at > now) return { kind: 'wait', place, until: at, why: allowed > now ? 'cap' : 'hours' }
      return { kind: 'act', step }
    }
    case 'leave':
      return { kind: 'leave', reason: 'step', step: step.id }
    default:
      return { kind: 'act', step }
  }
}

const isAction = (step: Step): step is Action => !['wait', 'until', 'branch', 'leave'].includes(step.kind)

/** In milliseconds: what is over by less when a run starts is carried out. */
const grace = day
const dueOnTime = ({ startedAt }: Facts): Date => new Date(startedAt.getTime() - grace)

/** Since when a patient stands at what follows a wait: what was over before the run began keeps its moment, so that the steps after it are passed too. */
const arrivalAt = (until: Date, facts: Facts, now: Date): Date => (facts.eventAt && until < dueOnTime(facts) ? until : now)

/** When the trigger’s own moment was: for surgery that is booked late, it lies before the start. */
function triggeredAt({ trigger }: Definition, facts: Facts): Date {
  const { startedAt, eventAt } = facts
  if (!eventAt || (trigger.kind !== 'appointment-before' && trigger.kind !== 'surgery-before')) return startedAt
  const at = new Date(eventAt.getTime() - trigger.days * day)
  return at < dueOnTime(facts) ? at : startedAt
}

/** Where a run begins. */
export const firstPlace = (definition: Definition, map: StepMap, facts: Facts): Place => ({
  step: map.first,
  arrivedAt: triggeredAt(definition, facts),
})

/** Whether the time of the next step had passed before the run began. The last steps are carried out all the same if all have passed. */
function isPast(definition: Definition, { arrivedAt }: Place, facts: Facts): boolean {
  if (!facts.eventAt || arrivedAt >= dueOnTime(facts)) return false
  return arrivedAt < lastMoment(definition.steps, triggeredAt(definition, facts), facts).last
}

/** When the last of these steps is due for a patient who arrives at a moment and does nothing, and when the steps after them are. */
function lastMoment(steps: readonly Step[], arrived: Date, facts: Facts): { last: Date; end: Date } {
  let [last, end] = [new Date(0), arrived]
  for (const step of steps) {
    if (step.kind === 'wait') end = endOfWait(step, end, facts.calendar)
    else if (step.kind === 'until') {
      const until = endOfUntil(step, facts, facts.calendar)
      if (until && (until > end || until < dueOnTime(facts))) end = until
    } else if (step.kind === 'branch') {
      const no = lastMoment(step.no, endOfBranch(step, end, facts.calendar), facts)
      last = latest(last, no.last)
      end = no.end
    } else if (isAction(step)) last = latest(last, end)
  }
  return { last, end }
}
const latest = (one: Date, other: Date): Date => (one > other ? one : other)

const endOfBranch = ({ id, days }: BranchStep, arrived: Date, calendar: Calendar): Date =>
  endOfWait({ id, kind: 'wait', amount: days, unit: 'days', working: false, at: null }, arrived, calendar)

/** The first moment in the hours of the sequence and, for a text, outside the practice's quiet hours. If there is none in a day, the latter. */
function openTime(from: Date, { kind }: MessageStep, { hours }: Definition, { timeZone, quietHours }: Facts): Date {
  const within = withinHours(from, hours, timeZone)
  if (kind === 'email') return within
  const awake = afterQuietHours(within, timeZone, quietHours)
  const again = withinHours(awake, hours, timeZone)
  return again > awake ? afterQuietHours(again, timeZone, quietHours) : awake
}

/** The step that follows one that staff skip: after a branch, the way “No”. */
export function stepAfterSkip(map: StepMap, id: string): string | null {
  const step = map.find(id)
  return step?.kind === 'branch' ? startOf(map, step.no, step) : map.after(id)
}

/** Where a patient stands after a step was carried out. */
export const placeAfter = (map: StepMap, id: string, now: Date): Place => ({ step: map.after(id), arrivedAt: now })

/** The messages of a sequence, by which the check before the start judges whether a patient can be reached. */
export const messagesOf = (steps: readonly Step[]): MessageStep[] =>
  stepsOf(steps).filter((step): step is MessageStep => step.kind === 'text' || step.kind === 'email')
