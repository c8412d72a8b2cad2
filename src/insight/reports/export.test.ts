import { describe, expect, it } from 'vitest'
import type { ReportAnswer } from './contract.ts'
import { formatEstimate } from './estimate-rules.ts'
import { rowsOf } from './export.ts'
import { reportMail } from './sending/emails.ts'

describe('estimates in exported files', () => {
  const toResult = (part: number): ReportAnswer => ({
    at: new Date('2026-11-22T15:00:00Z'),
    report: 'leads',
    now: { from: '2026-11-01', to: '2026-11-22' },
    before: { from: '2026-10-10', to: '2026-10-31' },
    part,
    figures: {},
    breakdowns: [],
  })
  const estimate = 'Based on a sample of 12.5% of the records; counts are estimates.'

  it('notes sampled counts as estimates, and adds nothing to complete ones', () => {
    expect([formatEstimate(1), formatEstimate(0.125)]).toEqual([null, estimate])
    const head = [['Leads'], ['Period', '2026-11-01', '2026-11-22'], ['Compared with', '2026-10-10', '2026-10-31']]
    const figures = [[], ['Figure', 'Period', 'Previous period']]
    expect(rowsOf(toResult(1), { report: 'leads' }, [])).toEqual([...head, ...figures])
    const filters: [string, string][] = [['Sales rep', 'Anna Novak']]
    expect(rowsOf(toResult(0.125), { report: 'leads' }, filters)).toEqual([...head, ['Sales rep', 'Anna Novak'], [estimate], ...figures])
    const saved = { id: '0198f0aa-0000-7000-8000-000000000001', name: 'Leads', ask: { report: 'leads' } as const }
    const letter = (part: number) =>
      reportMail({ APP_URL: 'https://clinic.example' }, { email: 'anna@clinic.example', name: 'Anna' }, saved, toResult(part), filters).text
    expect(letter(0.125)).toContain(`\n${estimate}\n`)
    expect(letter(0.125)).toContain('\nSales rep: Anna Novak\n')
    expect(letter(1)).not.toContain('estimates')
  })
})
