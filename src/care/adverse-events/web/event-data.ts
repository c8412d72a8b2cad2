import type { InferClientErrors } from '@orpc/client'
import { isDefinedError } from '@orpc/client'
import type { Client } from '../../../ui/client/api.ts'
import type { BadgeTone } from '../../../ui/display/Badge.tsx'
import { type Clock, formatDay, today } from '../../../ui/format.ts'
import { reportState } from '../rules.ts'

/** An adverse event as the API returns it: instants are ISO strings. */
export type EventData = Awaited<ReturnType<Client['adverseEvents']['get']>>

/** The patient and surgery that a new event is about. */
export interface EventSubject {
  contact: { id: string; firstName: string; lastName: string } | null
  surgeryId: string | null
}

/** 'Report due Dec 4, 2026', 'Report overdue since …', 'Report filed …'; null if the event need not be reported. */
export function formatReport(event: EventData, clock: Clock): { label: string; tone: BadgeTone } | null {
  if (event.voidedAt !== null) return { label: 'Recorded in error', tone: 'neutral' }
  switch (reportState(event, today(clock))) {
    case 'none':
      return null
    case 'filed':
      return { label: `Report filed ${formatDay(event.filedOn!)}`, tone: 'success' }
    case 'overdue':
      return { label: `Report overdue since ${formatDay(event.dueOn!)}`, tone: 'danger' }
    case 'near':
      return { label: `Report due ${event.dueOn === today(clock) ? 'today' : formatDay(event.dueOn!)}`, tone: 'danger' }
    case 'due':
      return { label: `Report due ${formatDay(event.dueOn!)}`, tone: 'warning' }
  }
}

/** The event as someone else has changed it, if a change was refused for that. */
export function conflictOf(thrown: unknown): EventData | null {
  const error = thrown as InferClientErrors<Client>['adverseEvents']['change']
  return isDefinedError(error) && error.code === 'CONFLICT' ? error.data.current : null
}
