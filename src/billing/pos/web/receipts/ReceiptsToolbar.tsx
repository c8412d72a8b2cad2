import { useClock } from '../../../../ui/client/session.ts'
import { today } from '../../../../ui/format.ts'
import { SearchInput } from '../../../../ui/controls/SearchInput.tsx'
import { Toolbar, ToolbarDays, ToolbarSelect } from '../../../../ui/display/Toolbar.tsx'
import { PatientFilter } from '../../../../crm/contacts/web/embed/PatientFilter.tsx'
import { daysOf, type Period, periodLabels, type ReceiptsTabProps } from './receipts-search.ts'
import { useReceiptChoices } from './useReceipts.ts'
import { useSearchTerm } from '../../../../ui/hooks/useSearchTerm.ts'

const periods = (Object.keys(periodLabels) as Period[]).map((value) => ({ value, label: periodLabels[value] }))
const states = [
  { value: 'complete' as const, label: 'Recorded' },
  { value: 'cancelled' as const, label: 'Cancelled' },
]

/** Filters by date, customer, payment method, deposit account and user. */
export function ReceiptsToolbar({ search, onChange, narrow }: Pick<ReceiptsTabProps, 'search' | 'onChange'> & { narrow: boolean }) {
  const clock = useClock()
  const choices = useReceiptChoices().data
  const [term, setTerm] = useSearchTerm(search.search ?? '', (entered) =>
    onChange({ search: entered || undefined }, search.search !== undefined && entered !== ''),
  )
  const named = (all: readonly { Id: string; Name: string }[] | undefined) =>
    (all ?? []).map(({ Id, Name }) => ({ value: Id, label: Name }))
  const { from = '', to = '' } = daysOf(search, today(clock))

  function choosePeriod(period: Period | undefined) {
    // A custom period starts from the days currently shown.
    if (period === 'custom') onChange({ period, from: from || undefined, to: to || undefined })
    else onChange({ period: period === 'today' ? undefined : period, from: undefined, to: undefined })
  }

  return (
    <Toolbar label="Receipts" narrow={narrow}>
      <ToolbarSelect label="Period" value={search.period ?? 'today'} onChange={choosePeriod} options={periods} className="w-28" />
      {search.period === 'custom' && <ToolbarDays from={search.from} to={search.to} onChange={(side, day) => onChange({ [side]: day })} />}
      <SearchInput
        value={term}
        onValueChange={setTerm}
        label="Customer or receipt number"
        placeholder="Customer or number"
        className="w-44 flex-none text-sm md:text-sm"
      />
      <ToolbarSelect
        label="Payment method"
        value={search.method}
        onChange={(method) => onChange({ method })}
        options={(choices?.methods ?? []).map((method) => ({ value: method, label: method }))}
        any="All methods"
        className="w-32"
      />
      <ToolbarSelect
        label="Deposit account"
        value={search.account}
        onChange={(account) => onChange({ account })}
        options={named(choices?.accounts)}
        any="All accounts"
        className="w-36"
      />
      <ToolbarSelect
        label="Class"
        value={search.class}
        onChange={(chosen) => onChange({ class: chosen })}
        options={named(choices?.classes)}
        any="All classes"
        className="w-30"
      />
      <ToolbarSelect
        label="Taken by"
        value={search.staff}
        onChange={(staff) => onChange({ staff })}
        options={(choices?.staff ?? []).map(({ id, name }) => ({ value: id, label: name }))}
        any="All staff"
        className="w-32"
      />
      <PatientFilter value={search.patient} onChange={(patient) => onChange({ patient })} className="w-36" />
      <ToolbarSelect
        label="State"
        value={search.state ?? 'complete'}
        onChange={(state) => onChange({ state: state === 'cancelled' ? state : undefined })}
        options={states}
        className="w-28"
      />
    </Toolbar>
  )
}
