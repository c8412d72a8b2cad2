import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { limits, type Step, stepsOf, triggerKinds } from '../definition-contract.ts'
import {
  appendStep,
  emptyDefinition,
  moveStep,
  newStep,
  newTrigger,
  placeOf,
  problemsOf,
  removeStep,
  restoreStep,
  setStep,
} from './draft.ts'

const wait = (id: string): Step => ({ id, kind: 'wait', amount: 1, unit: 'days', working: false, at: null })
const branch = (id: string, yes: Step[], no: Step[]): Step => ({ id, kind: 'branch', on: 'reply', days: 1, yes, no })
const shown = (steps: readonly Step[]): string =>
  steps.map((step) => (step.kind === 'branch' ? `${step.id}(${shown(step.yes)}|${shown(step.no)})` : step.id)).join(' ')

describe('steps of a draft', () => {
  const start = [wait('a'), branch('b', [wait('c')], []), wait('d')]

  it('move past neighbours, into a branch, through its arms and out again (issue 28)', () => {
    const places: string[] = []
    for (let steps: Step[] | null = start; steps; steps = moveStep(steps, 'a', 1)) places.push(shown(steps))
    expect(places).toEqual(['a b(c|) d', 'b(a c|) d', 'b(c a|) d', 'b(c|a) d', 'b(c|) a d', 'b(c|) d a'])
  })

  it('are put into no branch that would be too deep (issue 28)', () => {
    const deep = [branch('x', [], []), branch('a', [branch('b', [branch('c', [], [])], [])], [])]
    const places: string[] = []
    for (let steps: Step[] | null = deep; steps; steps = moveStep(steps, 'x', 1)) places.push(shown(steps))
    // Never into c.
    expect(places).toEqual([
      'x(|) a(b(c(|)|)|)',
      'a(x(|) b(c(|)|)|)',
      'a(b(x(|) c(|)|)|)',
      'a(b(c(|) x(|)|)|)',
      'a(b(c(|)|x(|))|)',
      'a(b(c(|)|) x(|)|)',
      'a(b(c(|)|)|x(|))',
      'a(b(c(|)|)|) x(|)',
    ])
  })

  it('are restored where they were removed, or at the end without their branch (issue 28)', () => {
    const step = wait('c')
    const place = placeOf(start, 'c')!
    const removed = removeStep(start, 'c')
    expect(shown(removed)).toBe('a b(|) d')
    expect(shown(restoreStep(removed, { place, step }))).toBe('a b(c|) d')
    expect(shown(restoreStep(removeStep(removed, 'b'), { place, step }))).toBe('a d c')
  })

  it('are added to an arm and changed in place (issue 28)', () => {
    const added = appendStep(start, { branch: 'b', arm: 'no' }, wait('e'))
    expect(shown(added)).toBe('a b(c|e) d')
    const changed = setStep(added, { ...wait('e'), amount: 5 } as Step)
    expect(stepsOf(changed).find(({ id }) => id === 'e')).toMatchObject({ amount: 5 })
  })

  const tree: fc.Arbitrary<Step[]> = fc.letrec<{ list: Step[] }>((tie) => ({
    list: fc.array(
      fc.oneof(
        { depthSize: 'small', withCrossShrink: true },
        fc.constant(wait('')),
        fc.record({ yes: tie('list'), no: tie('list') }).map(({ yes, no }) => branch('', yes, no)),
      ),
      { maxLength: 4 },
    ),
  })).list
  /** With ids, and no deeper than is allowed. */
  const numbered = (steps: readonly Step[], counter = { n: 0 }, depth = 0): Step[] =>
    steps
      .filter((step) => step.kind !== 'branch' || depth < limits.depth)
      .map((step) => {
        const id = `s${String(counter.n++).padStart(5, '0')}`
        return step.kind === 'branch'
          ? { ...step, id, yes: numbered(step.yes, counter, depth + 1), no: numbered(step.no, counter, depth + 1) }
          : { ...step, id }
      })

  it('are neither lost nor doubled by a move, and moving back undoes it (issue 28)', () => {
    fc.assert(
      fc.property(tree, fc.nat(), fc.constantFrom<-1 | 1>(-1, 1), (generated, nth, by) => {
        const steps = numbered(generated)
        const all = stepsOf(steps)
        if (all.length === 0) return
        const { id } = all[nth % all.length]!
        const moved = moveStep(steps, id, by)
        if (!moved) return
        expect(new Set(stepsOf(moved).map((step) => step.id))).toEqual(new Set(all.map((step) => step.id)))
        expect(moveStep(moved, id, by === 1 ? -1 : 1)).toEqual(steps)
      }),
    )
  })
})

describe('a new draft', () => {
  it('has no problems in any kind of trigger that needs no choice (issue 28)', () => {
    const wrong = triggerKinds.filter((kind) => problemsOf({ ...emptyDefinition, trigger: newTrigger(kind) }) !== null)
    expect(wrong).toEqual(['stage', 'tag'])
  })

  it('says of each step what is missing (issue 28)', () => {
    const text = newStep('text')
    const owner = newStep('owner')
    const asked = { ...newStep('branch'), yes: [text], no: [owner] } as Step
    const problems = problemsOf({ ...emptyDefinition, steps: [newStep('wait'), asked] })
    expect(problems).toEqual({
      trigger: null,
      rules: null,
      steps: new Map([
        [text.id, 'Choose a template'],
        [owner.id, 'Choose a person'],
      ]),
    })
  })

  it('says what is wrong with the trigger and the rules (issue 28)', () => {
    const problems = problemsOf({ ...emptyDefinition, trigger: newTrigger('stage'), hours: { from: '20:00', to: '08:00' } })
    expect(problems).toEqual({ steps: new Map(), trigger: 'Choose a stage', rules: 'The end must be after the beginning' })
  })
})
