import { useQuery } from '@tanstack/react-query'
import { orpc } from '../../../../web/api.ts'
import { useClock } from '../../../../web/session.ts'
import { cn } from '../../../../web/ui/cn.ts'
import { DateInput } from '../../../../web/ui/DateInput.tsx'
import { today } from '../../../../web/ui/format.ts'
import { SearchInput } from '../../../../web/ui/SearchInput.tsx'
import { Select } from '../../../../web/ui/Select.tsx'
import { ContactPicker } from '../../../contacts/web/embed/ContactPicker.tsx'
import { daysOf, type Period, periodLabels, type ReceiptsSearch, type ReceiptsTabProps } from './receipts-search.ts'
import { useReceiptChoices } from './useReceipts.ts'
import { useSearchTerm } from '../../../../web/ui/useSearchTerm.ts'

const small = 'h-11 text-sm md:h-(--control) md:text-sm'
const periods = (Object.keys(periodLabels) as Period[]).map((value) => ({ value, label: periodLabels[value] }))
const states = [
  { value: 'complete' as const, label: 'Recorded' },
  { value: 'cancelled' as const, label: 'Cancelled' },
]

/** When it was taken, from whom, how, where to and by whom. */
export function ReceiptsToolbar({ search, onChange, narrow }: Pick<ReceiptsTabProps, 'search' | 'onChange'> & { narrow: boolean }) {
  const clock = useClock()
  const choices = useReceiptChoices().data
  const patient = useQuery(orpc.contacts.get.queryOptions({ input: { id: search.patient ?? '' }, enabled: search.patient !== undefined }))
  const [term, setTerm] = useSearchTerm(search.search ?? '', (settled) =>
    onChange({ search: settled || undefined }, search.search !== undefined && settled !== ''),
  )
  const named = (all: readonly { Id: string; Name: string }[] | undefined) =>
    (all ?? []).map(({ Id, Name }) => ({ value: Id, label: Name }))
  const { from = '', to = '' } = daysOf(search, today(clock))

  function choosePeriod(period: Period | null) {
    // The days that were shown are where choosing others begins.
    if (period === 'custom') onChange({ period, from: from || undefined, to: to || undefined })
    else onChange({ period: period === 'today' || period === null ? undefined : period, from: undefined, to: undefined })
  }
  const choice = (field: keyof ReceiptsSearch) => (value: string | null) => onChange({ [field]: value ?? undefined })

  return (
    <div
      role="search"
      aria-label="Receipts"
      className={cn(
        'no-scrollbar flex min-h-13 flex-none items-center gap-2 border-b border-line px-4 py-2 md:px-6',
        narrow ? 'overflow-x-auto' : 'flex-wrap',
      )}
    >
      <div className="w-28 flex-none">
        <Select aria-label="Period" value={search.period ?? 'today'} onValueChange={choosePeriod} options={periods} className={small} />
      </div>
      {search.period === 'custom' && (
        <>
          <DateInput
            aria-label="From"
            value={search.from ?? ''}
            max={search.to}
            onValueChange={(day) => onChange({ from: day || undefined })}
            className={cn(small, 'w-36 flex-none')}
          />
          <DateInput
            aria-label="To"
            value={search.to ?? ''}
            min={search.from}
            onValueChange={(day) => onChange({ to: day || undefined })}
            className={cn(small, 'w-36 flex-none')}
          />
        </>
      )}
      <SearchInput
        value={term}
        onValueChange={setTerm}
        label="Customer or receipt number"
        placeholder="Customer or number"
        className="w-44 flex-none text-sm md:text-sm"
      />
      <div className="w-32 flex-none">
        <Select
          aria-label="Payment method"
          value={search.method ?? null}
          onValueChange={choice('method')}
          options={(choices?.methods ?? []).map((method) => ({ value: method, label: method }))}
          noneLabel="Any method"
          className={small}
        />
      </div>
      <div className="w-36 flex-none">
        <Select
          aria-label="Deposit account"
          value={search.account ?? null}
          onValueChange={choice('account')}
          options={named(choices?.accounts)}
          noneLabel="Any account"
          className={small}
        />
      </div>
      <div className="w-30 flex-none">
        <Select
          aria-label="Class"
          value={search.class ?? null}
          onValueChange={choice('class')}
          options={named(choices?.classes)}
          noneLabel="Any class"
          className={small}
        />
      </div>
      <div className="w-32 flex-none">
        <Select
          aria-label="Taken by"
          value={search.staff ?? null}
          onValueChange={choice('staff')}
          options={(choices?.staff ?? []).map(({ id, name }) => ({ value: id, label: name }))}
          noneLabel="Anybody"
          className={small}
        />
      </div>
      <div className="w-36 flex-none [&_[role=combobox]]:h-11 [&_[role=combobox]]:text-sm md:[&_[role=combobox]]:h-(--control)">
        <ContactPicker
          aria-label="Patient"
          value={search.patient ?? null}
          onValueChange={(id) => onChange({ patient: id ?? undefined })}
          selected={patient.data ?? null}
          placeholder="Any patient"
          clearable
        />
      </div>
      <div className="w-28 flex-none">
        <Select
          aria-label="State"
          value={search.state ?? 'complete'}
          onValueChange={(state) => onChange({ state: state === 'cancelled' ? state : undefined })}
          options={states}
          className={small}
        />
      </div>
    </div>
  )
}
