import type { Step } from './definition-contract.ts'

/** The names behind the ids of steps. */
export interface Names {
  templates: ReadonlyMap<string, string>
  stages: ReadonlyMap<string, string>
  tags: ReadonlyMap<string, string>
}

const named = (names: ReadonlyMap<string, string>, id: string) => `“${names.get(id) ?? 'deleted'}”`

const count = (amount: number, unit: string) => `${amount} ${amount === 1 ? unit.replace(/s$/, '') : unit}`

/** A step in a few words, as the editor and the log show it. */
export function titleOf(step: Step, names: Names): string {
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
      return `Wait ${amount}${step.at === null ? '' : ` until ${step.at}`}`
    }
    case 'until':
      return step.from === 'start'
        ? `Wait until day ${step.days}, ${step.at}`
        : `Wait until ${step.days === 0 ? 'the day of it' : `${count(Math.abs(step.days), 'days')} ${step.days < 0 ? 'before' : 'after'} it`}, ${step.at}`
    case 'branch':
      return step.on === 'reply' ? 'Did they reply?' : 'Did they book?'
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
