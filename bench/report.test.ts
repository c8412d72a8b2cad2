import { expect, test } from 'vitest'
import { type Aim, aimsAt, holds, type Row, slope } from './report.ts'

const row = (aims: Aim[], values: Partial<Row> = {}): Row => ({
  case: 'newest 50',
  connections: 16,
  unit: 'req/s',
  ours: 650,
  baseline: 500,
  ratio: 1.3,
  oursP50: 20,
  oursP99: 121,
  baselineP50: 25,
  baselineP99: 90,
  aims,
  ...values,
})

test.each<[string, Aim[], boolean | null]>([
  ['holds at the bound itself', [{ of: 'ratio', atLeast: 1.3 }], true],
  ['does not hold below the least value', [{ of: 'ratio', atLeast: 1.31 }], false],
  ['does not hold above the largest value', [{ of: 'oursP99', atMost: 120 }], false],
  [
    'does not hold when one of two targets is missed',
    [
      { of: 'ratio', atLeast: 1.3 },
      { of: 'oursP99', atMost: 120 },
    ],
    false,
  ],
  ['does not hold for a value that was not measured', [{ of: 'memoryMb', atMost: 600 }], false],
  ['neither holds nor fails without a target', [], null],
])('%s', (_title, aims, expected) => expect(holds(row(aims))).toBe(expected))

test('applies a target of 16 connections to no other row', () => {
  const aims: Aim[] = [{ of: 'ratio', atLeast: 2, connections: 16 }]
  expect(aimsAt(16, aims)).toEqual(aims)
  expect(aimsAt(1, aims)).toEqual([])
})

test('finds the slope of points around a line', () => {
  const points = [100, 200, 300, 400].map((x, at) => [x, 5_000 + 12 * x + (at % 3 === 0 ? 30 : -30)] as const)
  expect(slope(points)).toBeCloseTo(12)
})
