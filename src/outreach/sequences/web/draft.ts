import {
  type BranchStep,
  type Definition,
  definition as shape,
  limits,
  type Step,
  stepsOf,
  type Trigger,
  type TriggerKind,
} from '../definition-contract.ts'

/*
 * Changes to a draft. Pure: steps go in, steps come out.
 */

export type Arm = 'yes' | 'no'
/** A list of steps: an arm of a branch; null: the sequence itself. */
export type List = { branch: string; arm: Arm } | null
export interface Place {
  list: List
  index: number
}

/** A new id of a step: never reused, since the log keeps it. */
const newId = (): string => crypto.randomUUID().replaceAll('-', '').slice(0, 12)

export function newStep(kind: Step['kind']): Step {
  const id = newId()
  switch (kind) {
    case 'text':
    case 'email':
      return { id, kind, templateId: '' }
    case 'task':
      return { id, kind, title: '', type: 'Call', hours: 4, people: [] }
    case 'wait':
      return { id, kind, amount: 1, unit: 'days', working: true, at: null }
    case 'until':
      return { id, kind, from: 'start', days: 7, at: '10:00' }
    case 'branch':
      return { id, kind, on: 'reply', days: 1, yes: [], no: [] }
    case 'stage':
      return { id, kind, stageId: '' }
    case 'tag':
      return { id, kind, tagId: '', on: true }
    case 'owner':
      return { id, kind, people: [] }
    case 'hook':
    case 'leave':
      return { id, kind }
  }
}

export function newTrigger(kind: TriggerKind): Trigger {
  switch (kind) {
    case 'lead':
      return { kind, sourceIds: [] }
    case 'stage':
      return { kind, stageId: '', days: 0 }
    case 'tag':
      return { kind, tagId: '' }
    case 'no-contact':
      return { kind, months: 6 }
    case 'appointment-before':
    case 'quote-expiring':
    case 'form-unanswered':
      return { kind, days: 3 }
    case 'surgery-before':
      return { kind, days: 14 }
    case 'surgery-after':
      return { kind, days: 1 }
    default:
      return { kind }
  }
}

export const emptyDefinition: Definition = {
  trigger: { kind: 'lead', sourceIds: [] },
  filter: '',
  steps: [],
  exits: { reply: 'leave', booking: true, surgery: true, stage: false },
  hours: { from: '08:00', to: '20:00' },
  again: null,
  holdOut: 0,
  alertDays: null,
}

const isBranch = (step: Step | undefined): step is BranchStep => step?.kind === 'branch'

const listAt = (steps: readonly Step[], list: List): readonly Step[] => {
  if (list === null) return steps
  const branch = stepsOf(steps).find(({ id }) => id === list.branch)
  return isBranch(branch) ? branch[list.arm] : []
}

/** The steps with one of their lists replaced. */
function withList(steps: readonly Step[], list: List, next: readonly Step[]): Step[] {
  if (list === null) return [...next]
  return steps.map((step) => {
    if (!isBranch(step)) return step
    if (step.id === list.branch) return { ...step, [list.arm]: next }
    return { ...step, yes: withList(step.yes, list, next), no: withList(step.no, list, next) }
  })
}

/** Where a step is; null: it is not there. */
export function placeOf(steps: readonly Step[], id: string, list: List = null): Place | null {
  for (const [index, step] of steps.entries()) {
    if (step.id === id) return { list, index }
    if (!isBranch(step)) continue
    for (const arm of ['yes', 'no'] as const) {
      const found = placeOf(step[arm], id, { branch: step.id, arm })
      if (found) return found
    }
  }
  return null
}

const insertStep = (steps: readonly Step[], { list, index }: Place, step: Step): Step[] =>
  withList(steps, list, listAt(steps, list).toSpliced(index, 0, step))

export const appendStep = (steps: readonly Step[], list: List, step: Step): Step[] =>
  insertStep(steps, { list, index: listAt(steps, list).length }, step)

export function removeStep(steps: readonly Step[], id: string): Step[] {
  const place = placeOf(steps, id)
  return place ? withList(steps, place.list, listAt(steps, place.list).toSpliced(place.index, 1)) : [...steps]
}

export const setStep = (steps: readonly Step[], changed: Step): Step[] =>
  steps.map((step) => {
    if (step.id === changed.id) return changed
    return isBranch(step) ? { ...step, yes: setStep(step.yes, changed), no: setStep(step.no, changed) } : step
  })

/** Puts a removed step back where it was; at the end if its branch is no longer there. */
export function restoreStep(steps: readonly Step[], { place, step }: { place: Place; step: Step }): Step[] {
  const { list, index } = place
  const isThere = list === null || isBranch(stepsOf(steps).find(({ id }) => id === list.branch))
  return isThere ? insertStep(steps, { list, index: Math.min(index, listAt(steps, list).length) }, step) : [...steps, step]
}

const depthOf = (steps: readonly Step[]): number =>
  Math.max(0, ...steps.map((step) => (isBranch(step) ? 1 + Math.max(depthOf(step.yes), depthOf(step.no)) : 0)))

/**
 * Moves a step up (-1) or down (1) as it is shown: past its neighbour, or into a branch, through both of its arms, and out of it. Null: it is at
 * the end, or the branch would be too deep.
 */
export function moveStep(steps: readonly Step[], id: string, by: -1 | 1): Step[] | null {
  const place = placeOf(steps, id)
  if (!place) return null
  const step = listAt(steps, place.list)[place.index]!
  const rest = removeStep(steps, id)
  for (let to = nextPlace(rest, place, by); to; to = nextPlace(rest, to, by)) {
    const moved = insertStep(rest, to, step)
    if (depthOf(moved) <= limits.depth) return moved
  }
  return null
}

/** The next place for a step that is not in the list itself. */
function nextPlace(steps: readonly Step[], { list, index }: Place, by: -1 | 1): Place | null {
  const siblings = listAt(steps, list)
  const neighbour = siblings[by === 1 ? index : index - 1]
  if (isBranch(neighbour)) {
    return by === 1
      ? { list: { branch: neighbour.id, arm: 'yes' }, index: 0 }
      : { list: { branch: neighbour.id, arm: 'no' }, index: neighbour.no.length }
  }
  if (neighbour) return { list, index: index + by }
  if (list === null) return null
  const branch = placeOf(steps, list.branch)!
  if (by === 1) return list.arm === 'yes' ? { list: { ...list, arm: 'no' }, index: 0 } : { ...branch, index: branch.index + 1 }
  return list.arm === 'no' ? { list: { ...list, arm: 'yes' }, index: listAt(steps, { ...list, arm: 'yes' }).length } : branch
}

export interface DraftProblems {
  /** By the id of the step. */
  steps: ReadonlyMap<string, string>
  trigger: string | null
  /** Of the rules of the sequence: hours, exits and so on. */
  rules: string | null
}

/** What keeps a draft from being saved, by the part that it is about. Null: nothing. */
export function problemsOf(draft: Definition): DraftProblems | null {
  const issues = shape.safeParse(draft).error?.issues ?? []
  if (issues.length === 0) return null
  const steps = new Map<string, string>()
  let [trigger, rules]: (string | null)[] = [null, null]
  for (const { path, message } of issues) {
    const step = path[0] === 'steps' ? stepAt(draft.steps, path.slice(1)) : null
    if (step) steps.set(step.id, steps.get(step.id) ?? message)
    else if (path[0] === 'trigger' || path[0] === 'filter') trigger ??= message
    else rules ??= message
  }
  return { steps, trigger: trigger ?? null, rules: rules ?? null }
}

/** The innermost step that a path leads into. */
function stepAt(steps: readonly Step[], [index, arm, ...rest]: readonly PropertyKey[]): Step | null {
  const step = typeof index === 'number' ? (steps[index] ?? null) : null
  if (!isBranch(step ?? undefined) || (arm !== 'yes' && arm !== 'no')) return step
  return stepAt((step as BranchStep)[arm], rest) ?? step
}
