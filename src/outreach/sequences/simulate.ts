import { and, eq, isNull } from 'drizzle-orm'
import { isRefusal, refuse } from '../../kernel/refusal.ts'
import type { Scope } from '../../kernel/scope.ts'
import { prepareTemplate } from '../../messages/inbox/send-template.ts'
import { readCalendar } from './facts.ts'
import { quietHoursOf, zoneOf } from '../../messages/inbox/sms/earliest.ts'
import { readNames } from './read.ts'
import { contacts } from '../../crm/contacts/table.ts'
import { day } from '../../shared/durations.ts'
import { type MessageRefusal, messageRefusals } from './rules.ts'
import type { BranchEvent, Trigger } from './definition-contract.ts'
import { sequences } from './table.ts'
import { titleOf } from './title-rules.ts'
import { type Happened, mapOf, type MessageStep, messagesOf, nextMove, type Place, placeAfter } from './walk-rules.ts'

export interface Simulated {
  at: Date
  step: string
  title: string
  outcome: string
  reason: string | null
}

type Event = { after: string; kind: BranchEvent }

/** When the appointment or surgery is that would start the sequence now; one that was booked is taken to be in two weeks. Null: none does. */
function eventOf(trigger: Trigger, startedAt: Date): Date | null {
  const inDays = (days: number) => new Date(startedAt.getTime() + days * day)
  switch (trigger.kind) {
    case 'appointment-before':
    case 'surgery-before':
      return inDays(trigger.days)
    case 'surgery-after':
      return inDays(-trigger.days)
    case 'appointment-booked':
      return inDays(14)
    case 'appointment-missed':
      return startedAt
    default:
      return null
  }
}

/** Why messages would be refused for the patient now, by step: what a real run asks before it sends them. */
async function readRefusals(scope: Scope, steps: readonly MessageStep[], contactId: string): Promise<Map<string, MessageRefusal>> {
  const refusals = new Map<string, MessageRefusal>()
  for (const { id, templateId } of steps) {
    const prepared = await prepareTemplate(scope.db, scope, { contactId, templateId })
    if (isRefusal(prepared)) refusals.set(id, messageRefusals[prepared.refusal])
  }
  return refusals
}

/** The most moves of a simulation: a sequence has no loops, so this is never reached. */
const maxMoves = 500

/**
 * Walks a patient through the draft with a clock that runs ahead, by the same rules as a real run; nothing is sent or written. `events`: what
 * the patient does right after a step. Null: the sequence does not exist.
 */
export async function simulate(
  scope: Scope,
  { id, contactId, events }: { id: string; contactId: string; events: readonly Event[] },
): Promise<{ entries: Simulated[]; end: string } | null | ReturnType<typeof refuse<'NO_PATIENT'>>> {
  const [row] = await scope.db
    .select()
    .from(sequences)
    .where(and(eq(sequences.id, id), isNull(sequences.deletedAt)))
  if (!row) return null
  const [patient] = await scope.db
    .select({ state: contacts.state, zipCode: contacts.zipCode, phone: contacts.phone })
    .from(contacts)
    .where(eq(contacts.id, contactId))
  if (!patient) return refuse('NO_PATIENT')
  await scope.recordView({ kind: 'contact', contactIds: [contactId] })
  const definition = row.draft
  const map = mapOf(definition)
  const [calendar, names] = await Promise.all([readCalendar(scope.db, scope), readNames(scope.db)])
  const startedAt = scope.now()
  const timeZone = zoneOf(scope, patient)
  const quietHours = quietHoursOf(scope.env)
  const refusals = await readRefusals(scope, messagesOf(definition.steps), contactId)
  const happened: Happened = { reply: null, booking: null, link: null, surgery: null, optOut: null, otherStage: null, subjectEnded: null }
  const sent: Date[] = []
  const entries: Simulated[] = []
  let now = startedAt
  let place: Place = { step: map.first, arrivedAt: now }
  const eventAt = eventOf(definition.trigger, startedAt)
  const note = (step: string, outcome: string, reason: string | null = null) => {
    const found = map.find(step)
    entries.push({ at: now, step, title: found ? titleOf(found, names, definition.trigger) : step, outcome, reason })
    if (outcome !== 'held') for (const event of events) if (event.after === step) happened[event.kind] = now
  }
  for (let moves = 0; moves < maxMoves; moves++) {
    const facts = { happened, startedAt, eventAt, calendar, timeZone, quietHours, sent, perWeek: scope.env.MESSAGES_PER_WEEK }
    const move = nextMove(definition, map, place, facts, now)
    if (move.kind === 'finish') return { entries, end: 'finished' }
    if (move.kind === 'leave') return { entries, end: move.reason }
    if (move.kind === 'pause') return { entries, end: 'paused' }
    if (move.kind === 'wait') {
      if (move.why === 'hours' || move.why === 'cap') note(move.place.step!, 'held', move.why)
      now = move.until
    } else if (move.kind === 'pass') {
      note(move.step, move.outcome)
      place = move.to
    } else if (move.kind === 'skip') {
      note(move.step, 'skipped', 'passed')
      place = move.to
    } else if (move.kind === 'taken') {
      happened[move.event] = null
      note(move.step, 'yes')
      place = move.to
    } else {
      const reason = refusals.get(move.step.id) ?? null
      if (reason === null && (move.step.kind === 'text' || move.step.kind === 'email')) sent.push(now)
      note(move.step.id, reason ? 'refused' : move.step.kind === 'text' || move.step.kind === 'email' ? 'sent' : 'done', reason)
      place = placeAfter(map, move.step.id, now)
    }
  }
  return { entries, end: 'finished' }
}
