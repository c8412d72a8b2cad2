import { centsToText } from '../../../../shared/money.ts'
import { DateInput } from '../../../../web/ui/DateInput.tsx'
import { Field } from '../../../../web/ui/Field.tsx'
import { formatDate, formatMoney, today } from '../../../../web/ui/format.ts'
import { useClock } from '../../../../web/session.ts'
import { Input } from '../../../../web/ui/Input.tsx'
import { MoneyInput } from '../../../../web/ui/MoneyInput.tsx'
import { Select } from '../../../../web/ui/Select.tsx'
import { Textarea } from '../../../../web/ui/Textarea.tsx'
import { DaysFields } from '../../../collections/web/embed/instalment-fields.ts'
import type { PosTaxCode } from '../../../pos/contract.ts'
import { quoteLimits } from '../../contract.ts'
import type { ChoicesData } from '../quote-data.ts'
import { TotalsList } from '../TotalsList.tsx'
import { forCase, type QuoteDraft, restOf, shared, totalsOfDraft } from './quote-draft.ts'
import { QuoteLines } from './QuoteLines.tsx'

interface QuoteFieldsProps {
  draft: QuoteDraft
  onChange: (draft: QuoteDraft) => void
  problems: Readonly<Record<string, string>>
  choices: ChoicesData
  codes: readonly PosTaxCode[]
  usualCode: string
}

/** What the quote is for, its lines, what they come to, and when it is paid. */
export function QuoteFields({ draft, onChange, problems, choices, codes, usualCode }: QuoteFieldsProps) {
  const clock = useClock()
  const totals = totalsOfDraft(draft, codes)
  const rest = restOf(draft, totals)
  const names = new Map(codes.map(({ Id, Name }) => [Id, Name]))
  const set = (part: Partial<QuoteDraft>) => onChange({ ...draft, ...part })
  const anew = (part: Partial<QuoteDraft>) => onChange(shared({ ...draft, ...part }, codes))
  return (
    <div className="flex flex-col gap-5">
      <div className="grid items-start gap-4 md:grid-cols-[minmax(0,1fr)_minmax(0,1fr)_11rem]">
        <Field label="For" error={problems.title}>
          <Input
            value={draft.title}
            maxLength={quoteLimits.title}
            autoComplete="off"
            onChange={({ target }) => set({ title: target.value })}
          />
        </Field>
        <Field
          label="Surgery"
          optional
          error={problems.surgery}
          hint={draft.surgeryId ? 'Its price follows once the quote is accepted.' : undefined}
        >
          <Select
            value={draft.surgeryId}
            onValueChange={(id) => onChange(shared(forCase(draft, choices.cases.find((one) => one.id === id) ?? null, usualCode), codes))}
            noneLabel="None"
            options={choices.cases.map(({ id, procedures, startsAt }) => ({
              value: id,
              label: `${procedures.join(', ')}, ${formatDate(startsAt, clock.timeZone)}`,
            }))}
          />
        </Field>
        <Field label="Valid until" error={problems.validUntil}>
          <DateInput value={draft.validUntil} min={today(clock)} onValueChange={(validUntil) => set({ validUntil })} />
        </Field>
      </div>
      <QuoteLines
        lines={draft.lines}
        codes={codes}
        usualCode={usualCode}
        totals={totals}
        problems={problems}
        onChange={(lines) => anew({ lines })}
      />
      <div className="grid items-start gap-6 md:grid-cols-[minmax(0,1fr)_22rem] md:gap-10">
        <div className="flex flex-col gap-4 max-md:order-2">
          <Field
            label="Deposit, due on acceptance"
            optional
            error={problems.deposit}
            hint={rest > 0 && totals.total > 0 ? `${formatMoney(rest)} is due later.` : undefined}
            className="md:w-1/2 md:pr-1.5"
          >
            <MoneyInput value={draft.deposit} onValueChange={(deposit) => anew({ deposit })} />
          </Field>
          {rest > 0 && <DaysFields value={draft.days} onChange={(days) => set({ days })} amount={centsToText(rest)} problems={problems} />}
          <Field label="Note to the patient" optional>
            <Textarea value={draft.note} maxLength={quoteLimits.note} onChange={({ target }) => set({ note: target.value })} />
          </Field>
        </div>
        <div aria-live="polite">
          <TotalsList
            subtotalCents={totals.subtotal}
            taxes={totals.taxes.map((tax) => ({ ...tax, name: names.get(tax.taxCodeId) ?? '' }))}
            totalCents={totals.total}
          />
        </div>
      </div>
    </div>
  )
}
