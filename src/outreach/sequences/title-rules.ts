import type { Step, Trigger } from './definition-contract.ts'

/** The names behind the ids of steps; null while they load. */
export interface Names {
  templates: ReadonlyMap<string, string> | null
  stages: ReadonlyMap<string, string> | null
  tags: ReadonlyMap<string, string> | null
}

/** What starts a sequence, as far as days are counted from it. */
const eventOf = ({ kind }: Pick<Trigger, 'kind'>): string => (kind.startsWith('surgery') ? 'surgery' : 'the appointment')

const named = (names: ReadonlyMap<string, string> | null, id: string) => `“${names ? (names.get(id) ?? 'deleted') : '…'}”`

const count = (amount: number, unit: string) => `${amount} ${amount === 1 ? unit.replace(/s$/, '') : unit}`

/** A time of day, 'HH:mm', as '10:00 a.m.' */
const clock = (time: string): string => {
  const hours = Number(time.slice(0, 2))
  return `${hours % 12 || 12}:${time.slice(3)} ${hours < 12 ? 'a.m.' : 'p.m.'}`
}

/** A step in a few words, as the editor and the log show it. */
export function titleOf(step: Step, names: Names, trigger: Pick<Trigger, 'kind'>): string {
  switch (step.kind) {
    case 'text':
      return `Text ${named(names.templates, step.templateId)}`
    case 'email':
      return `Email ${named(names.templates, step.templateId)}`
    case 'task':
      return `Task “${step.title}”`
    case 'wait': {
      const amount =
        step.amount === 0 && step.unit === 'days' ? 'for the same day' : count(step.amount, step.working ? 'working days' : step.unit)
      return `Wait ${amount}${step.at === null ? '' : ` until ${clock(step.at)}`}`
    }
    case 'until':
      return step.from === 'start'
        ? `Wait until day ${step.days}, ${clock(step.at)}`
        : `Wait until ${step.days === 0 ? `the day of ${eventOf(trigger)}` : `${count(Math.abs(step.days), 'days')} ${step.days < 0 ? 'before' : 'after'} ${eventOf(trigger)}`}, ${clock(step.at)}`
    case 'branch':
      return { reply: 'Did they reply?', booking: 'Did they book?', link: 'Did they open a link?' }[step.on]
    case 'stage':
      return `Move to ${named(names.stages, step.stageId)}`
    case 'tag':
      return `${step.on ? 'Add' : 'Remove'} tag ${named(names.tags, step.tagId)}`
    case 'owner':
      return 'Assign an owner'
    case 'hook':
      return 'Notify webhooks'
    case 'leave':
      return 'Leave the sequence'
  }
}
