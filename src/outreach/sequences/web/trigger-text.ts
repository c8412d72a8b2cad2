import { byId, type Directory } from '../../../crm/contacts/web/embed/directory.ts'
import type { Definition, Trigger } from '../definition-contract.ts'
import { countOf } from './labels.ts'

const quoted = (entries: readonly { id: string; name: string }[], id: string): string => `“${byId(entries, id)?.name ?? '…'}”`

/** '3 days before an appointment', 'On the day of an appointment' */
const around = (days: number, side: 'before' | 'after', event: string): string =>
  days === 0 ? `On the day of ${event}` : `${countOf(days, 'day')} ${side} ${event}`

/** When a sequence starts, as the heading of its first card. */
export function describeTrigger(trigger: Trigger, { stages, tags }: Directory): string {
  switch (trigger.kind) {
    case 'lead':
      return 'When a lead arrives'
    case 'stage': {
      const stage = trigger.stageId === '' ? 'a stage' : quoted(stages, trigger.stageId)
      return trigger.days === 0
        ? `When a patient enters ${stage}`
        : `When a patient has been in ${stage} for ${countOf(trigger.days, 'day')}`
    }
    case 'appointment-booked':
      return 'When an appointment is booked'
    case 'appointment-missed':
      return 'When a patient misses an appointment'
    case 'appointment-before':
      return around(trigger.days, 'before', 'an appointment')
    case 'quote-sent':
      return 'When a quote is sent'
    case 'quote-expiring':
      return trigger.days === 0 ? 'On the day a quote expires' : `${countOf(trigger.days, 'day')} before a quote expires`
    case 'surgery-before':
      return around(trigger.days, 'before', 'surgery')
    case 'surgery-after':
      return around(trigger.days, 'after', 'surgery')
    case 'form-unanswered':
      return `When a form has been unanswered for ${countOf(trigger.days, 'day')}`
    case 'tag':
      return `When the tag ${trigger.tagId === '' ? '' : `${quoted(tags, trigger.tagId)} `}is added`
    case 'birthday':
      return 'On a patient’s birthday'
    case 'follow-up':
      return 'On the follow-up date'
    case 'no-contact':
      return `When there has been no contact for ${countOf(trigger.months, 'month')}`
  }
}

/** 'from Website Form or Google CPC' for a lead; null for other triggers. */
export function describeSources(trigger: Trigger, { sources }: Directory): string | null {
  if (trigger.kind !== 'lead') return null
  const names = trigger.sourceIds.map((id) => byId(sources, id)?.name ?? '…')
  return names.length === 0 ? 'from any source' : `from ${new Intl.ListFormat('en-CA', { type: 'disjunction' }).format(names)}`
}

/** 'reply, booking, opt-out, complaint' */
export function describeExits({ exits, trigger }: Pick<Definition, 'exits' | 'trigger'>): string {
  const surgeryStarts = trigger.kind === 'surgery-before' || trigger.kind === 'surgery-after'
  return [
    exits.reply === 'leave' && 'reply',
    exits.booking && 'booking',
    exits.surgery && !surgeryStarts && 'surgery booked',
    exits.stage && 'leaving the stage',
    'opt-out',
    'complaint',
  ]
    .filter((part) => part !== false)
    .join(', ')
}
