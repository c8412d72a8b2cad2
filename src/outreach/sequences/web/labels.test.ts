import { describe, expect, it } from 'vitest'
import { differenceOf, messageRefusals, runStatuses, stepOutcomes } from '../rules.ts'
import { compareBooking } from './compare-text.ts'
import { emptyDefinition } from './draft.ts'
import { outcomeLabel, reasonLabel, reasonLabels, statusLabels } from './labels.ts'

describe('the words of sequences', () => {
  it('name each reason for which a message is refused, and why a patient is (issue 28)', () => {
    const named = Object.keys(reasonLabels)
    expect(named).toEqual(expect.arrayContaining([...Object.values(messageRefusals), 'under-way', 'been-through', 'no-assignee', 'no-tag']))
  })

  it('name each outcome and status, and a reason that is not known as a problem (issue 28)', () => {
    expect(stepOutcomes.filter((outcome) => outcomeLabel(outcome) === outcome)).toEqual([])
    expect(Object.keys(statusLabels)).toEqual([...runStatuses])
    expect(reasonLabel('TypeError')).toBe('an unexpected problem')
  })

  const compared = (entered: [number, number], heldOut: [number, number], holdOut = 10): string => {
    const figures = ([of, booked]: [number, number]) => ({ entered: of, replied: 0, booked, surgery: 0 })
    const booking = differenceOf({ of: entered[0], had: entered[1] }, { of: heldOut[0], had: heldOut[1] })
    const funnel = { entered: figures(entered), heldOut: figures(heldOut), booking, surgery: null }
    return compareBooking({ funnel, draft: { ...emptyDefinition, holdOut } })
  }
  it.each([
    [
      [612, 128],
      [200, 26],
      10,
      'The comparison group booked a consult in 13% of cases: the sequence adds 7.9 points (95% sure: 2.2 to 13.6).',
    ],
    [
      [612, 60],
      [200, 60],
      10,
      'The comparison group booked a consult in 30% of cases: the sequence costs 20.2 points (95% sure: −27 to −13.4).',
    ],
    [
      [100, 20],
      [50, 10],
      10,
      'The comparison group booked a consult in 20% of cases: the difference of 0 points may be chance (95% sure: −13.6 to 13.6).',
    ],
    [
      [10, 2],
      [5, 1],
      10,
      'The comparison group booked a consult in 20% of cases, but there are too few patients to say what the sequence adds.',
    ],
    [[10, 2], [0, 0], 10, 'No one is in the comparison group yet.'],
    [[10, 2], [0, 0], 0, 'There is no comparison group: set one under “Hours and exits” to see what the sequence adds.'],
  ] as const)('say of %j against %j what the sequence adds (issue 28)', (entered, heldOut, holdOut, text) =>
    expect(compared([...entered], [...heldOut], holdOut)).toBe(text),
  )
})
