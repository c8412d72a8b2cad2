import { useClock } from '../../../web/session.ts'
import { cn } from '../../../web/ui/cn.ts'
import { DateInput } from '../../../web/ui/DateInput.tsx'
import { today } from '../../../web/ui/format.ts'
import { Select } from '../../../web/ui/Select.tsx'
import { type FilterName, filterNames, reportNames } from '../name-rules.ts'
import { definitionOf } from '../report-rules.ts'
import { comparedPeriods, type PeriodName, periodNames } from '../rules.ts'
import { firstReport, periodLabels, type ReportsSearch, searchOf } from './reports-search.ts'
import { useChoices } from './useReport.ts'

interface ReportToolbarProps {
  search: ReportsSearch
  onChange: (part: ReportsSearch) => void
  /** The list of reports stands here, where there is no room for it beside the report. */
  narrow: boolean
}

const small = 'h-11 text-sm md:h-(--control) md:text-sm'
const periods = periodNames.map((value) => ({ value, label: periodLabels[value] }))

/** Which report, of when, and of what part of the practice. */
export function ReportToolbar({ search, onChange, narrow }: ReportToolbarProps) {
  const clock = useClock()
  const { data: choices } = useChoices()
  const report = search.report ?? firstReport
  const { filters, usual } = definitionOf(report)
  const period = search.period ?? usual ?? 'last-30-days'

  function choosePeriod(chosen: PeriodName | null) {
    if (chosen === null) return
    // The days that were shown are where choosing others begins.
    const days = comparedPeriods(period, today(clock), search.from && search.to ? { from: search.from, to: search.to } : null).now
    const isUsual = chosen === (usual ?? 'last-30-days')
    onChange({
      period: isUsual ? undefined : chosen,
      from: chosen === 'custom' ? days.from : undefined,
      to: chosen === 'custom' ? days.to : undefined,
    })
  }
  const optionsOf: Record<FilterName, { value: string; label: string }[]> = {
    user: (choices?.people ?? []).map(({ id, name }) => ({ value: id, label: name })),
    source: (choices?.sources ?? []).map((value) => ({ value, label: value })),
    procedure: (choices?.procedures ?? []).map(({ id, name }) => ({ value: id, label: name })),
    location: (choices?.locations ?? []).map((value) => ({ value, label: value })),
  }
  const shown = filterNames.filter((name) => filters[name] !== undefined && (optionsOf[name].length > 0 || search[name] !== undefined))

  return (
    <div
      role="search"
      aria-label="Report"
      className={cn(
        'no-scrollbar flex min-h-13 flex-none items-center gap-2 border-b border-line px-4 py-2 md:px-6',
        narrow ? 'overflow-x-auto' : 'flex-wrap',
      )}
    >
      {narrow && (
        <div className="w-44 flex-none">
          <Select
            aria-label="Report"
            value={report}
            onValueChange={(chosen) => onChange({ ...searchOf({ report: chosen ?? firstReport }), user: undefined })}
            options={reportNames.map((value) => ({ value, label: definitionOf(value).title }))}
            className={small}
          />
        </div>
      )}
      <div className="w-36 flex-none">
        <Select aria-label="Period" value={period} onValueChange={choosePeriod} options={periods} className={small} />
      </div>
      {search.period === 'custom' && (
        <>
          <DateInput
            aria-label="From"
            value={search.from ?? ''}
            max={search.to}
            onValueChange={(day) => day && onChange({ from: day })}
            className={cn(small, 'w-36 flex-none')}
          />
          <DateInput
            aria-label="To"
            value={search.to ?? ''}
            min={search.from}
            onValueChange={(day) => day && onChange({ to: day })}
            className={cn(small, 'w-36 flex-none')}
          />
        </>
      )}
      {shown.map((name) => (
        <div key={name} className="w-40 flex-none">
          <Select
            aria-label={filters[name]}
            value={search[name] ?? null}
            onValueChange={(value) => onChange({ [name]: value ?? undefined })}
            options={withChosen(optionsOf[name], search[name])}
            noneLabel={anyOf[name]}
            className={small}
          />
        </div>
      ))}
    </div>
  )
}

const anyOf: Record<FilterName, string> = { user: 'Anybody', source: 'Any source', procedure: 'Any procedure', location: 'Any location' }

/** A filter of an address may be one that nobody can choose any more. */
const withChosen = (options: readonly { value: string; label: string }[], chosen: string | undefined) =>
  chosen === undefined || options.some(({ value }) => value === chosen)
    ? options
    : [...options, { value: chosen, label: 'Not there any more' }]
